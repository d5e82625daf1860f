declare const self: ServiceWorkerGlobalScope;

/** A declarative push message, as the service writes it: what is missing is shown as it can be. */
type Message = {
  notification?: {
    title?: string;
    body?: string;
    navigate?: string;
    tag?: string;
    requireInteraction?: boolean;
    data?: Record<string, string>;
  };
};

const read = (text: string): Message => {
  try {
    const message: Message = JSON.parse(text);
    return message;
  } catch {
    return { notification: { body: text } };
  }
};

/** Shows a push, and tells open pages to look again. Every push is shown: a browser takes the leave from who does not. */
export const showPush = async (text: string): Promise<void> => {
  const { notification = {} } = read(text);
  const {
    title = "Event Alerting",
    body = "",
    navigate = "/inbox",
    tag,
    requireInteraction = false,
    data,
  } = notification;
  const ids = data === undefined ? {} : { ...data };
  const pages = await self.clients.matchAll({ type: "window" });
  for (const page of pages) page.postMessage({ kind: "push" });
  await self.registration.showNotification(title, {
    body,
    icon: "/icons/192.png",
    requireInteraction,
    data: { ...ids, navigate },
    ...(tag === undefined ? {} : { tag }),
  });
};

/** Where a notification leads: a page of the console, and nothing else. */
const targetOf = (navigate: unknown): string => {
  const url = new URL(typeof navigate === "string" ? navigate : "/inbox", self.location.origin);
  return url.origin === self.location.origin ? url.href : "/inbox";
};

/** Opens what a notification is about: in a page that is open, or in a new one. */
export const openNotification = async ({ notification }: NotificationEvent): Promise<void> => {
  notification.close();
  const target = targetOf(notification.data?.navigate);
  const [page] = await self.clients.matchAll({ type: "window" });
  if (page === undefined) {
    await self.clients.openWindow(target);
    return;
  }
  await page.focus();
  await page.navigate(target);
};
