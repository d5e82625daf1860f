import { language } from "../app/language.ts";
import { isReaderSignedOut } from "../receipts/store.ts";
import { worker as de } from "../texts/de/worker.ts";
import { worker as en } from "../texts/en/worker.ts";
import { sendStoredReceipts, reportReceipt, reportToPages, type PushData } from "./receipts.ts";

declare const self: ServiceWorkerGlobalScope;

/** The service's declarative push message. Missing fields get default values. */
type PushMessage = {
  notification?: {
    title?: string;
    body?: string;
    navigate?: string;
    tag?: string;
    requireInteraction?: boolean;
    data?: PushData;
  };
};

/** The options of a notification. TypeScript's own type has no `actions`. */
type ShownOptions = NotificationOptions & { actions?: { action: string; title: string }[] };

const ACKNOWLEDGE = "acknowledge";
const texts = { en, de }[language];

/** Parses a push. A text that is not JSON becomes the notification's body. */
const parseMessage = (text: string): PushMessage => {
  try {
    const message: PushMessage = JSON.parse(text);
    return message;
  } catch {
    return { notification: { body: text } };
  }
};

const showNotification = (title: string, options: ShownOptions): Promise<void> =>
  self.registration.showNotification(title, { icon: "/icons/192.png", ...options });

/** Returns an Acknowledge button if the event requires an acknowledgement and the push has a receipt token; otherwise none. */
const createActions = ({ requiresAck, receipt }: PushData, title: string): ShownOptions["actions"] =>
  requiresAck === "true" && receipt !== undefined ? [{ action: ACKNOWLEDGE, title }] : [];

/**
 * Shows a push. Every push is shown, because browsers otherwise withdraw the permission. Reachability checks and pushes about the
 * end of an event are silent. After a sign-out, pushes are ignored.
 */
export const showPush = async (text: string): Promise<void> => {
  if (await isReaderSignedOut()) return;
  const { notification = {} } = parseMessage(text);
  const { title = texts.product, body = "", navigate = "/inbox", tag, requireInteraction = false, data } = notification;
  const push: PushData = data ?? {};
  await showNotification(title, {
    body,
    requireInteraction,
    silent: push["state"] !== undefined || push["proves"] === "true",
    data: { ...push, navigate },
    actions: createActions(push, texts.acknowledge) ?? [],
    // A push that replaces a notification makes a sound only if the service has set `again`.
    ...(tag === undefined ? {} : { tag, renotify: push["again"] === "true" }),
  });
  await reportReceipt(push, "DELIVERED");
  await sendStoredReceipts();
  await reportToPages({ news: true });
};

/** Returns the URL that a push contains; the inbox if the URL is not in the console. */
const toConsoleUrl = (pushUrl: unknown): string => {
  const url = new URL(typeof pushUrl === "string" ? pushUrl : "/inbox", self.location.origin);
  return url.origin === self.location.origin ? url.href : "/inbox";
};

/** Shows the page in an open window, or else in a new window. */
const openPage = async (pushUrl: unknown): Promise<void> => {
  const target = toConsoleUrl(pushUrl);
  const [page] = await self.clients.matchAll({ type: "window" });
  if (page === undefined) {
    await self.clients.openWindow(target);
    return;
  }
  await page.focus();
  await page.navigate(target);
};

/** Acknowledges by a receipt. If sending fails, shows a notification that says so. If the service refuses, opens the page. */
const acknowledgeByReceipt = async ({ title, tag, data }: Notification): Promise<void> => {
  const notified = await reportReceipt(data, "ACKNOWLEDGED");
  if (notified === "refused") await openPage(data?.navigate);
  if (notified === "kept")
    await showNotification(title.startsWith(texts.unsent) ? title : `${texts.unsent}: ${title}`, {
      body: texts.unsentBody,
      // The tag is unique, because the notification is later removed by its tag.
      tag: data?.notificationId ?? tag,
      data,
      requireInteraction: true,
      silent: true,
      actions: createActions(data, texts.again) ?? [],
    });
  await reportToPages({ news: true });
};

/** Handles a click on a notification: the event's page is opened, or the button acknowledges. Does nothing after a sign-out. */
export const handleClick = async ({ notification, action }: NotificationEvent): Promise<void> => {
  notification.close();
  if (await isReaderSignedOut()) return;
  if (action === ACKNOWLEDGE) {
    await acknowledgeByReceipt(notification);
    return;
  }
  await openPage(notification.data?.navigate);
  await reportReceipt(notification.data ?? {}, "OPENED");
};
