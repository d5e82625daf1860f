import type { Priority } from "../../basics/priority.ts";
import type { PushAddress } from "../../device/device.ts";
import type { Subscription } from "../../device/subscription.ts";
import { fitText, jsonBytes } from "./fit-text.ts";
import { bytesAsJson } from "../../basics/text.ts";
import { buildCall, type CallMessage } from "./call.ts";
import { bodyOf, titleOf, type PushInput, type PushPlatform } from "./input.ts";
import { buildMail, type MailMessage } from "./mail.ts";
import { buildSms, type SmsMessage } from "./sms.ts";
import { isWebAddress } from "../../basics/web-address.ts";

/**
 * FCM refuses a larger message. It counts keys and values of `notification` and `data`, and APNs counts the JSON that
 * FCM makes of them. Our count is larger than either: the JSON of the whole message without the token, in UTF-8.
 */
const PUSH_MAX_BYTES = 4096;
/**
 * Reserved for what is added on the way. firebase-admin writes some keys and values longer (`channel_id`,
 * `PRIORITY_HIGH`). FCM adds keys of its own to the APNs payload (`gcm.message_id`, `google.c.sender.id` and the like),
 * but the headers in our count outweigh those.
 */
const PUSH_RESERVE_BYTES = 64;
/** A url that would leave title and body less than this is left out of the push; the app fetches it with the event. */
const PUSH_MIN_TEXT_BYTES = 1000;
/** APNs refuses a longer `apns-collapse-id`. */
const APNS_COLLAPSE_ID_MAX_BYTES = 64;
/** RFC 8030 allows a Web Push topic of at most this many characters. */
const WEB_PUSH_TOPIC_MAX_CHARACTERS = 32;
/**
 * Every push service takes 4,096 bytes. This is what remains for a message once encryption (RFC 8291) has added its
 * salt, key, delimiter and tag.
 */
export const WEB_PUSH_MAX_BYTES = 3993;

/** The push address of an app or a browser. */
type AppAddress = Exclude<PushAddress, { email: string } | { phone: string } | { call: string }>;

type Text = { title: string; body: string };

/** The part of FCM's message that we use, in the shape that firebase-admin's `send` takes. */
export type FcmMessage = ({ token: string } | { fid: string }) & {
  notification: Text;
  data: Record<string, string>;
  android?: {
    priority: "normal" | "high";
    /** Milliseconds; firebase-admin writes it as FCM's duration. */
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

/** A Web Push message: the headers of its request, and the content of its encrypted body. */
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

/**
 * What the browser decrypts: a declarative push message (Push API). Safari shows it by itself, but `mutable` hands it
 * to the service worker first. Other browsers give it to the worker, which shows the same.
 */
export const declarativeOf = ({ notification, data, navigate, tag, requireInteraction }: WebPushMessage) => ({
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

type Urgency = {
  ttlSeconds: number;
  android: "normal" | "high";
  /** Before Android 8; from 8 on the channel decides. */
  androidNotification: "low" | "default" | "high" | "max";
  /** The app creates these channels, so that the user can choose the sound of each. */
  androidChannel: string;
  apns: "5" | "10";
  interruption: "passive" | "active" | "time-sensitive" | "critical";
  sound?: string | { critical: boolean; name: string; volume: number };
  web: "low" | "normal" | "high";
};

const HOUR_SECONDS = 3600;

const urgencies: Record<Priority, Urgency> = {
  LOW: {
    ttlSeconds: 24 * HOUR_SECONDS,
    android: "normal",
    androidNotification: "low",
    androidChannel: "events_low",
    apns: "5",
    interruption: "passive",
    web: "low",
  },
  NORMAL: {
    ttlSeconds: 24 * HOUR_SECONDS,
    android: "high",
    androidNotification: "default",
    androidChannel: "events_normal",
    apns: "10",
    interruption: "active",
    sound: "default",
    web: "normal",
  },
  HIGH: {
    ttlSeconds: 4 * HOUR_SECONDS,
    android: "high",
    androidNotification: "high",
    androidChannel: "events_high",
    apns: "10",
    interruption: "time-sensitive",
    sound: "default",
    web: "high",
  },
  URGENT: {
    ttlSeconds: HOUR_SECONDS,
    android: "high",
    androidNotification: "max",
    androidChannel: "events_urgent",
    apns: "10",
    interruption: "critical",
    sound: { critical: true, name: "default", volume: 1 },
    web: "high",
  },
};

/** For a reachability check: it is not delayed while a phone sleeps, and it is as silent as LOW. */
const proving: Urgency = { ...urgencies.LOW, ttlSeconds: HOUR_SECONDS, android: "high", apns: "10", web: "high" };

/** The iOS category with the Acknowledge button. */
const ACK_CATEGORY = "ACKNOWLEDGE";

/** The fields that a push shares with those that it replaces on the device. */
const tagOf = ({ workspaceId, notificationId, quiet }: PushInput): string =>
  quiet === "too_many" ? `quiet-${workspaceId}` : notificationId;

const webPushTopic = new RegExp(`^[A-Za-z0-9_-]{1,${WEB_PUSH_TOPIC_MAX_CHARACTERS}}$`);

// Each alert has its own collapse key: an Android phone that was offline gets only the last message of each key, and
// notification messages without a key count as sharing one.
const android = (input: PushInput, urgency: Urgency): Pick<FcmMessage, "android"> => ({
  android: {
    priority: urgency.android,
    ttl: urgency.ttlSeconds * 1000,
    collapseKey: tagOf(input),
    notification: { tag: tagOf(input), channelId: urgency.androidChannel, priority: urgency.androidNotification },
  },
});

// Mutable content wakes the app's service extension, which is the only way to report DELIVERED from an iPhone.
const apns = (input: PushInput, urgency: Urgency): Pick<FcmMessage, "apns"> => ({
  apns: {
    headers: {
      "apns-priority": urgency.apns,
      "apns-expiration": String(Math.floor(input.nowMs / 1000) + urgency.ttlSeconds),
      ...(jsonBytes(tagOf(input)) <= APNS_COLLAPSE_ID_MAX_BYTES ? { "apns-collapse-id": tagOf(input) } : {}),
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

/** The headers of RFC 8030. */
const webPushHeaders = (tag: string, urgency: Urgency): WebPushMessage["headers"] => ({
  TTL: String(urgency.ttlSeconds),
  Urgency: urgency.web,
  ...(webPushTopic.test(tag) ? { Topic: tag } : {}),
});

const staysUntilSeen = ({ requiresAck, priority }: PushInput): boolean => requiresAck || priority === "URGENT";

const webpush = (input: PushInput, urgency: Urgency, url: string | undefined): Pick<FcmMessage, "webpush"> => ({
  webpush: {
    headers: webPushHeaders(tagOf(input), urgency),
    notification: { tag: tagOf(input), requireInteraction: staysUntilSeen(input) },
    // FCM refuses a link that is not https.
    ...(url?.startsWith("https://") === true ? { fcmOptions: { link: url } } : {}),
  },
});

const platformPart: Record<
  PushPlatform,
  (input: PushInput, urgency: Urgency, url: string | undefined) => Partial<FcmMessage>
> = { android, ios: apns, web: webpush, email: () => ({}), phone: () => ({}) };

/** Only the fields listed here are sent with the text, never the event's `data` or `detail`. */
const dataOf = (input: PushInput, url: string | undefined): Record<string, string> => ({
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

/** The console's page that a push is about. */
const pageOf = ({ eventId }: PushInput): string => (eventId === undefined ? "/devices" : `/events/${eventId}`);

/** The message without its text. */
const frame = (input: PushInput & { to: AppAddress }, url: string | undefined): FcmMessage | WebPushMessage => {
  const urgency = input.proves === true ? proving : urgencies[input.quiet !== undefined ? "LOW" : input.priority];
  const empty = { notification: { title: "", body: "" }, data: dataOf(input, url) };
  if (!("subscription" in input.to))
    return { ...input.to, ...empty, ...platformPart[input.platform](input, urgency, url) };
  return {
    subscription: input.to.subscription,
    headers: webPushHeaders(tagOf(input), urgency),
    ...empty,
    navigate: `${input.consoleUrl}${pageOf(input)}?workspace=${input.workspaceId}`,
    tag: tagOf(input),
    requireInteraction: staysUntilSeen(input),
  };
};

/** Bytes left for title and body. */
const textBudget = (message: FcmMessage | WebPushMessage): number =>
  "subscription" in message
    ? WEB_PUSH_MAX_BYTES - bytesAsJson(declarativeOf(message))
    : PUSH_MAX_BYTES - PUSH_RESERVE_BYTES - bytesAsJson({ ...message, token: "", fid: undefined });

/**
 * The push of one notification to an app or a browser. The body is cut first, then the title, so that the message never
 * exceeds the push service's limit. A url that would crowd out the text is left out. No event is refused for its size.
 */
const buildPush = (input: PushInput & { to: AppAddress }): FcmMessage | WebPushMessage => {
  const title = titleOf(input);
  const body = bodyOf(input).toWellFormed();
  const textBytes = jsonBytes(title) + jsonBytes(body);

  const link = input.url !== undefined && isWebAddress(input.url) ? input.url.toWellFormed() : undefined;
  const full = frame(input, link);
  const keepsUrl = textBudget(full) >= Math.min(textBytes, PUSH_MIN_TEXT_BYTES);
  const message = keepsUrl ? full : frame(input, undefined);

  const budget = textBudget(message);
  const fittedBody = fitText(body, Math.max(3, budget - jsonBytes(title)));
  const fittedTitle = fitText(title, budget - jsonBytes(fittedBody));
  return { ...message, notification: { title: fittedTitle, body: fittedBody } };
};

/** How long a push of this priority is worth delivering, in seconds. */
export const pushTtlSeconds = (priority: Priority): number => urgencies[priority].ttlSeconds;

/** The message of one notification to one device. */
export const buildMessage = (input: PushInput): PushMessage => {
  const { to } = input;
  if ("email" in to) return buildMail(input, to.email);
  if ("call" in to) return buildCall(input, to.call);
  if ("phone" in to) return buildSms(input, to.phone, pushTtlSeconds(input.priority));
  return buildPush({ ...input, to });
};
