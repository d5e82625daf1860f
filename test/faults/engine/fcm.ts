import type { WorkspaceId } from "../../../core/domain/basics/ids.ts";
import { toAddress, toAddressId, toChannel } from "../../../core/domain/device/device.ts";
import type { PushMessage } from "../../../core/domain/delivery/push/message.ts";
import type { PushOutcome } from "../../../core/domain/delivery/push/outcome.ts";
import { outcomeOfCall, createMailInterpreter, outcomeOfSms } from "../../../core/push/aws-answer.ts";
import { interpretWebPushAnswer } from "../../../core/push/web/outcome-of-answer.ts";
import { QUOTA_RETRY_AFTER_MS } from "../../../core/push/limits.ts";
import type { Invocation } from "./kernel.ts";

export type PushCall = {
  call: number;
  at: number;
  workspaceId: WorkspaceId;
  eventId: string;
  notificationId: string;
  token: string;
  channel: ReturnType<typeof toChannel>;
  invocation: Invocation;
  isLoud: boolean;
  /** Whether this request pages a device again, although the device accepted an earlier push of the notification. */
  pagesAgain: boolean;
  receipt: string | undefined;
  /** A phone call's client token, by which Connect recognises a repeated request. */
  clientToken: string | undefined;
  /** Whether Connect recognised the call as one that already exists. */
  isRepeat: boolean;
  /** The time at which FCM accepted the push, or undefined. */
  acceptedAt: number | undefined;
  answer: PushOutcome["kind"] | undefined;
  isStored: boolean;
};

/** Returns the device's token, the end of its endpoint, its mailbox or its number. */
export const readToken = (addressed: Parameters<typeof toChannel>[0]): string =>
  addressed.call ?? toAddressId(toAddress(addressed)).replace(/^.*\/|^mail |^phone |@.*$/g, "");

/** Returns the token for receipts. An email has the token in the fragment of its link. */
const readReceiptToken = (message: PushMessage): string | undefined => {
  if ("call" in message) return message.receipt;
  if ("email" in message) return /#(?<token>\S+)/.exec(message.notification.body)?.groups?.["token"];
  return message.data["receipt"];
};

/** The errors with which AWS refuses a text message. */
const smsErrors: Partial<Record<keyof typeof answers, string>> = {
  retry: "ThrottlingException",
  later: "ThrottlingException",
  named: "Throttling",
  fast: "TooManyRequestsException",
  quota: "ServiceQuotaExceededException",
  auth: "AccessDeniedException",
};

/** Connect's refusals, each with its status and its error. */
const callErrors: Partial<Record<keyof typeof answers, readonly [number, string]>> = {
  unregistered: [403, "DestinationNotAllowedException"],
  invalid: [403, "DestinationNotAllowedException"],
  retry: [429, "TooManyRequestsException"],
  later: [402, "LimitExceededException"],
  named: [400, "ThrottlingException"],
  fast: [429, "TooManyRequestsException"],
  quota: [429, "LimitExceededException"],
  auth: [403, "AccessDeniedException"],
};

/** The duration of a phone call in which nobody presses a key, and the time for which Connect recognises a repeated request. */
export const CALL_MS = 60_000;

/** Returns whether a device makes a sound for the message; false for an email. */
const isLoud = (message: PushMessage): boolean =>
  "headers" in message
    ? message.headers.Urgency !== "low"
    : "android" in message && message.android?.priority === "high";

const answers = {
  accepted: [{ kind: "accepted", messageId: "projects/test/messages/1" }, 201, {}],
  unregistered: [{ kind: "unregistered" }, 410, {}],
  invalid: [{ kind: "invalid", code: "INVALID_ARGUMENT" }, 400, {}],
  retry: [{ kind: "retry", code: "UNAVAILABLE" }, 503, {}],
  later: [{ kind: "retry", code: "QUOTA_EXCEEDED", retryAfterMs: 20_000 }, 429, { "retry-after": "20" }],
  named: [{ kind: "retry", code: "UNAVAILABLE" }, 400, { "x-amzn-errortype": "Throttling" }],
  fast: [
    { kind: "retry", code: "QUOTA_EXCEEDED", retryAfterMs: QUOTA_RETRY_AFTER_MS },
    429,
    { "x-amzn-errortype": "TooManyRequestsException" },
  ],
  quota: [{ kind: "retry", code: "UNAVAILABLE" }, 429, {}, '{"message":"Daily message quota exceeded."}'],
  auth: [{ kind: "auth", code: "THIRD_PARTY_AUTH_ERROR" }, 403, {}],
  foreign: [
    { kind: "foreign", code: "SENDER_ID_MISMATCH", proven: false },
    401,
    {},
    '{"errno":109,"message":"VAPID public key mismatch"}',
  ],
} as const satisfies Record<string, readonly [PushOutcome, number, Record<string, string>, string?]>;

export const createFcm = () => {
  const calls: PushCall[] = [];
  const otherPushes: PushCall[] = [];
  const byNotification = new Map<string, PushCall[]>();
  const dead = new Set<string>();
  /** Calls that were made, by client token. */
  const made = new Map<string, number>();

  const answerPush = (call: PushCall, at: number): PushOutcome => {
    if (dead.has(call.token) || call.token.startsWith("stale-")) return formatAnswer(call, "unregistered");
    if (call.token.startsWith("invalid-")) return formatAnswer(call, "invalid");
    if (call.token.startsWith("foreign-")) return formatAnswer(call, "foreign");
    const { clientToken } = call;
    call.isRepeat = clientToken !== undefined && at - (made.get(clientToken) ?? -Infinity) < CALL_MS;
    if (!call.isRepeat) call.acceptedAt = at;
    if (clientToken !== undefined && !call.isRepeat) made.set(clientToken, at);
    return formatAnswer(call, "accepted");
  };

  const formatAnswer = ({ channel }: Pick<PushCall, "channel">, answer: keyof typeof answers): PushOutcome => {
    const [outcome, status, headers, body = ""] = answers[answer];
    const mailStatus = answer === "accepted" ? 200 : status;
    if (channel === "email") return createMailInterpreter("alerts@acme.example")({ status: mailStatus, headers, body });
    if (channel === "sms")
      return outcomeOfSms({
        status: answer === "accepted" ? 200 : 400,
        headers,
        body: JSON.stringify({ __type: smsErrors[answer] ?? "ValidationException" }),
      });
    if (channel === "voice") {
      const [code, error] = callErrors[answer] ?? [200, ""];
      return outcomeOfCall({ status: code, headers: { ...headers, "x-amzn-errortype": error }, body });
    }
    return channel === "web-push" ? interpretWebPushAnswer(status, headers, body, 0) : outcome;
  };

  return {
    calls,
    /** The pushes that replace an event's push when the event has ended. */
    otherPushes,
    callsFor: (workspaceId: WorkspaceId, notificationId: string): readonly PushCall[] =>
      byNotification.get(`${workspaceId} ${notificationId}`) ?? [],
    dead,
    answerPush,
    formatAnswer,
    begin: (call: number, at: number, message: PushMessage, invocation: Invocation): PushCall => {
      const entry: PushCall = {
        call,
        at,
        workspaceId: `ws_${message.data["workspaceId"]?.slice("ws_".length)}`,
        eventId: message.data["eventId"] ?? "",
        notificationId: message.data["notificationId"] ?? "",
        token: readToken(message),
        channel: toChannel(message),
        invocation,
        isLoud: isLoud(message),
        pagesAgain: message.data["again"] === "true",
        receipt: readReceiptToken(message),
        clientToken: "call" in message ? message.once : undefined,
        isRepeat: false,
        acceptedAt: undefined,
        answer: undefined,
        isStored: false,
      };
      // A push that replaces another, a reply to a person and a test do not belong to a notification.
      if (message.data["state"] !== undefined || !entry.notificationId.startsWith("ntf_")) {
        otherPushes.push(entry);
        return entry;
      }
      calls.push(entry);
      const name = `${entry.workspaceId} ${entry.notificationId}`;
      byNotification.set(name, [...(byNotification.get(name) ?? []), entry]);
      return entry;
    },
  };
};
export type Fcm = ReturnType<typeof createFcm>;
