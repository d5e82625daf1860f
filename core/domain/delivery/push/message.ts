import type { PushAddress } from "../../device/device.ts";
import type { Subscription } from "../../device/subscription.ts";
import { fitText, countJsonBytes } from "./fit-text.ts";
import { countJsonSize } from "../../basics/text.ts";
import { buildCall, type CallMessage } from "./call.ts";
import { formatPushBody, formatPushTitle, type PushInput, type PushPlatform } from "./input.ts";
import { buildMail, type MailMessage } from "./mail.ts";
import { buildSms, type SmsMessage } from "./sms.ts";
import { getPushTtlMs, urgencies, type Urgency } from "./urgency.ts";
import { isWebAddress } from "../../basics/web-address.ts";
import { SECOND_MS, HOUR_MS } from "../../basics/units.ts";
import { toSeconds } from "../../basics/seconds.ts";

/** FCM's maximum size. We count the message as JSON without the token, which is more than FCM and APNs count. */
const PUSH_MAX_BYTES = 4096;
/** The reserve for keys and values that firebase-admin lengthens later, such as the channel and the priority. */
const PUSH_RESERVE_BYTES = 64;
/** If a URL leaves fewer bytes to title and body, the push omits the URL, and the app reads the URL from the event. */
const PUSH_MIN_TEXT_BYTES = 1000;
const APNS_COLLAPSE_ID_MAX_BYTES = 64;
/** The maximum length of a topic in RFC 8030. */
const WEB_PUSH_TOPIC_MAX_CHARACTERS = 32;
/** The maximum size of the content: 4,096 bytes less salt, key, delimiter and tag of the encryption (RFC 8291). */
export const WEB_PUSH_MAX_BYTES = 3993;

type AppAddress = Exclude<PushAddress, { email: string } | { phone: string } | { call: string }>;

type Text = { title: string; body: string };

export type FcmMessage = ({ token: string } | { fid: string }) & {
  notification: Text;
  data: Record<string, string>;
  android?: {
    priority: "normal" | "high";
    /** The time to live in milliseconds; firebase-admin converts the value. */
    ttl: number;
    collapseKey: string;
    notification: { tag: string; channelId: string; priority: "low" | "default" | "high" | "max" };
  };
  apns?: {
    headers: Record<string, string>;
    payload: {
      aps: {
        "interruption-level": "passive" | "active" | "time-sensitive" | "critical";
        sound?: string | { critical: boolean; name: string; volume: number };
        category?: string;
        mutableContent: boolean;
      };
    };
  };
  webpush?: {
    headers: Record<string, string>;
    notification: { tag: string; requireInteraction: boolean };
    fcmOptions?: { link: string };
  };
};

export type WebPushMessage = {
  subscription: Subscription;
  headers: { TTL: string; Urgency: "low" | "normal" | "high"; Topic?: string };
  notification: Text;
  data: Record<string, string>;
  /** The page that a tap opens. */
  navigate: string;
  tag: string;
  requireInteraction: boolean;
};

export type PushMessage = FcmMessage | WebPushMessage | MailMessage | SmsMessage | CallMessage;

/** Builds a declarative push message (Push API). Because of `mutable`, Safari's service worker handles the message first. */
export const buildDeclarativePush = ({ notification, data, navigate, tag, requireInteraction }: WebPushMessage) => ({
  web_push: 8030,
  mutable: true,
  notification: {
    ...notification,
    navigate,
    tag,
    requireInteraction,
    ...(data["requiresAck"] === "true" ? { actions: [{ action: "acknowledge", title: "Acknowledge", navigate }] } : {}),
    data,
  },
});

/** The urgency of a reachability check: a sleeping phone gets the check at once, and shows it silently. */
const proving: Urgency = { ...urgencies.LOW, ttlMs: HOUR_MS, android: "high", apns: "10", web: "high" };

/** The iOS category with the Acknowledge button. */
const ACK_CATEGORY = "ACKNOWLEDGE";

/** Returns the tag of the push. Pushes with the same tag replace each other on the device. */
const chooseNotificationTag = ({ workspaceId, notificationId, quiet }: PushInput): string =>
  quiet === "too_many" ? `quiet-${workspaceId}` : notificationId;

const webPushTopic = new RegExp(`^[A-Za-z0-9_-]{1,${WEB_PUSH_TOPIC_MAX_CHARACTERS}}$`);

/** Gives each alert its own collapse key: a phone that was offline gets only the last message of each key. */
const createAndroidConfig = (input: PushInput, urgency: Urgency): Pick<FcmMessage, "android"> => ({
  android: {
    priority: urgency.android,
    ttl: urgency.ttlMs,
    collapseKey: chooseNotificationTag(input),
    notification: {
      tag: chooseNotificationTag(input),
      channelId: urgency.androidChannel,
      priority: urgency.androidNotification,
    },
  },
});

/** Sets mutable content, which starts the app's service extension, the only way for an iPhone to report DELIVERED. */
const createApnsConfig = (input: PushInput, urgency: Urgency): Pick<FcmMessage, "apns"> => ({
  apns: {
    headers: {
      "apns-priority": urgency.apns,
      "apns-expiration": String(Math.floor((input.nowMs + urgency.ttlMs) / SECOND_MS)),
      ...(countJsonBytes(chooseNotificationTag(input)) <= APNS_COLLAPSE_ID_MAX_BYTES
        ? { "apns-collapse-id": chooseNotificationTag(input) }
        : {}),
    },
    payload: {
      aps: {
        "interruption-level": urgency.interruption,
        ...(urgency.sound === undefined ? {} : { sound: urgency.sound }),
        ...(input.requiresAck ? { category: ACK_CATEGORY } : {}),
        mutableContent: true,
      },
    },
  },
});

const createWebPushHeaders = (tag: string, urgency: Urgency): WebPushMessage["headers"] => ({
  TTL: String(toSeconds(urgency.ttlMs)),
  Urgency: urgency.web,
  ...(webPushTopic.test(tag) ? { Topic: tag } : {}),
});

/** Returns whether the notification stays on the screen until the person closes or opens it. */
const mustStayUntilSeen = ({ requiresAck, priority }: PushInput): boolean => requiresAck || priority === "URGENT";

const createWebpushConfig = (
  input: PushInput,
  urgency: Urgency,
  url: string | undefined,
): Pick<FcmMessage, "webpush"> => ({
  webpush: {
    headers: createWebPushHeaders(chooseNotificationTag(input), urgency),
    notification: { tag: chooseNotificationTag(input), requireInteraction: mustStayUntilSeen(input) },
    // FCM refuses links without https.
    ...(url?.startsWith("https://") === true ? { fcmOptions: { link: url } } : {}),
  },
});

const platformPart: Record<
  PushPlatform,
  (input: PushInput, urgency: Urgency, url: string | undefined) => Partial<FcmMessage>
> = {
  android: createAndroidConfig,
  ios: createApnsConfig,
  web: createWebpushConfig,
  email: () => ({}),
  phone: () => ({}),
};

/** Returns the data for the app, which never contain the event's `data` or `detail`. */
const buildPushData = (input: PushInput, url: string | undefined): Record<string, string> => ({
  workspaceId: input.workspaceId,
  ...(input.eventId === undefined ? {} : { eventId: input.eventId }),
  notificationId: input.notificationId,
  priority: input.priority,
  requiresAck: String(input.requiresAck),
  ...(input.state === undefined ? {} : { state: input.state }),
  ...(input.again === true ? { again: "true" } : {}),
  ...(input.proves === true ? { proves: "true" } : {}),
  ...(url === undefined ? {} : { url }),
  ...(input.receipt === undefined ? {} : { receipt: input.receipt }),
});

const formatEventPagePath = ({ eventId }: PushInput): string =>
  eventId === undefined ? "/devices" : `/events/${eventId}`;

const buildMessageWithoutText = (
  input: PushInput & { to: AppAddress },
  url: string | undefined,
): FcmMessage | WebPushMessage => {
  const urgency = input.proves === true ? proving : urgencies[input.quiet !== undefined ? "LOW" : input.priority];
  const empty = { notification: { title: "", body: "" }, data: buildPushData(input, url) };
  if (!("subscription" in input.to))
    return { ...input.to, ...empty, ...platformPart[input.platform](input, urgency, url) };
  return {
    subscription: input.to.subscription,
    headers: createWebPushHeaders(chooseNotificationTag(input), urgency),
    ...empty,
    navigate: `${input.consoleUrl}${formatEventPagePath(input)}?workspace=${input.workspaceId}`,
    tag: chooseNotificationTag(input),
    requireInteraction: mustStayUntilSeen(input),
  };
};

const countBytesLeftForText = (message: FcmMessage | WebPushMessage): number =>
  "subscription" in message
    ? WEB_PUSH_MAX_BYTES - countJsonSize(buildDeclarativePush(message))
    : PUSH_MAX_BYTES - PUSH_RESERVE_BYTES - countJsonSize({ ...message, token: "", fid: undefined });

/** Shortens the body, then the title, until the push fits. Leaves out a URL that would leave too little room for text. */
const buildPush = (input: PushInput & { to: AppAddress }): FcmMessage | WebPushMessage => {
  const title = formatPushTitle(input);
  const body = formatPushBody(input).toWellFormed();
  const textBytes = countJsonBytes(title) + countJsonBytes(body);

  const link = input.url !== undefined && isWebAddress(input.url) ? input.url.toWellFormed() : undefined;
  const full = buildMessageWithoutText(input, link);
  const keepsUrl = countBytesLeftForText(full) >= Math.min(textBytes, PUSH_MIN_TEXT_BYTES);
  const message = keepsUrl ? full : buildMessageWithoutText(input, undefined);

  const budget = countBytesLeftForText(message);
  const fittedBody = fitText(body, Math.max(3, budget - countJsonBytes(title)));
  const fittedTitle = fitText(title, budget - countJsonBytes(fittedBody));
  return { ...message, notification: { title: fittedTitle, body: fittedBody } };
};

/** Builds the push, email, text message or call for the address `to`. */
export const buildMessage = (input: PushInput): PushMessage => {
  const { to } = input;
  if ("email" in to) return buildMail(input, to.email);
  if ("call" in to) return buildCall(input, to.call);
  if ("phone" in to) return buildSms(input, to.phone, getPushTtlMs(input.priority));
  return buildPush({ ...input, to });
};
