import * as v from "valibot";
import type { NotificationStatus } from "../basics/notification-status.ts";
import { ContactChannel } from "../device/device.ts";

const reports = ["DELIVERED", "OPENED", "ACKNOWLEDGED"] as const;
export type ReportedStatus = (typeof reports)[number];
export const NotificationReport = v.strictObject({
  status: v.picklist(reports, "status must be one of ACKNOWLEDGED, DELIVERED, OPENED."),
});

/** The statuses of a notification that each report can change. A failed notification can only become ACKNOWLEDGED. */
export const reportMoves: Readonly<Record<ReportedStatus, readonly NotificationStatus[]>> = {
  DELIVERED: ["QUEUED", "SENT"],
  OPENED: ["QUEUED", "SENT", "DELIVERED"],
  ACKNOWLEDGED: ["QUEUED", "SENT", "FAILED", "DELIVERED", "OPENED"],
};

/** `sending`: no answer yet. `retry`, `auth`: refused for now. `unknown`: perhaps accepted. Other outcomes are final. */
const deviceOutcomes = [
  "sending",
  "retry",
  "auth",
  "unknown",
  "accepted",
  "unregistered",
  "invalid",
  "unclear",
  "expired",
] as const;
export const DeviceOutcome = v.picklist(deviceOutcomes);
export type DeviceOutcome = v.InferOutput<typeof DeviceOutcome>;

export const DeviceAttempt = v.object({
  outcome: DeviceOutcome,
  tries: v.number(),
  unknowns: v.number(),
  /** How often in a row the push service has refused our credentials, or AWS has reported a used-up quota. */
  refusals: v.optional(v.number()),
  way: v.optional(ContactChannel),
  /** Whether the device accepted a push of an earlier step (`taken`) or not (`tried`); absent at the first step. */
  rang: v.optional(v.picklist(["taken", "tried"])),
  /** When to continue, in milliseconds: once AWS's rate limit for the channel allows it, or after a pause between retries. */
  at: v.optional(v.number()),
});
export type DeviceAttempt = v.InferOutput<typeof DeviceAttempt>;

/** Returns whether the device accepted the push of the attempt or, as `rang` says, of an earlier notification step. */
export const hasAcceptedPush = ({ outcome, rang }: DeviceAttempt): boolean =>
  outcome === "accepted" || rang === "taken";

/** The outcomes after which an attempt is not retried. */
const finalOutcomes: readonly DeviceOutcome[] = ["accepted", "unregistered", "invalid", "unclear", "expired"];
export const isFinal = (attempt: DeviceAttempt): boolean => finalOutcomes.includes(attempt.outcome);

/** The number of calls without an answer after which no push of the notification is sent to the device again. */
const UNKNOWNS_MAX = 2;

/** Changes a `sending` attempt without an answer to `unknown`, or to `unclear` after `UNKNOWNS_MAX` missing answers. */
export const markMissingAnswer = (attempt: DeviceAttempt): DeviceAttempt => {
  if (attempt.outcome !== "sending") return attempt;
  const unknowns = attempt.unknowns + 1;
  return { ...attempt, unknowns, outcome: unknowns >= UNKNOWNS_MAX ? "unclear" : "unknown" };
};

export const NO_DEVICES = "No registered devices for user";

const contactNames: readonly { way: ContactChannel; name: string; things: string }[] = [
  { way: "email", name: "email", things: "address(es)" },
  { way: "sms", name: "SMS", things: "number(s)" },
  { way: "voice", name: "voice", things: "telephone(s)" },
];

const joinWithAnd = (words: readonly string[]): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1) ?? ""}`;

/** Returns why the notification failed; undefined if a device has accepted it or may still accept it. */
export const describeFailedReason = (attempts: readonly DeviceAttempt[]): string | undefined => {
  if (attempts.length === 0) return NO_DEVICES;
  if (!attempts.every(isFinal) || attempts.some(hasAcceptedPush)) return undefined;
  const contacts = contactNames.filter(({ way }) => attempts.some((attempt) => attempt.way === way));
  const by = contacts.length === 0 ? "FCM" : joinWithAnd(["Push", ...contacts.map(({ name }) => name)]);
  const devices = `${attempts.length} ${joinWithAnd(["device(s)", ...contacts.map(({ things }) => things)])}`;
  if (attempts.some((attempt) => attempt.outcome === "unclear"))
    return `${by}: no answer for ${devices}; the push may or may not have arrived`;
  if (attempts.some((attempt) => attempt.outcome === "expired"))
    return `${by}: not available before the push expired for ${devices}; check the ${contacts.length === 0 ? "FCM " : ""}credentials and status`;
  return `${by}: all ${devices} failed`;
};

/** Returns whether every device has a final answer, or the person has seen the notification. */
export const isNothingLeftToSend = (
  status: NotificationStatus,
  attempts: Readonly<Record<string, DeviceAttempt>> | undefined,
): boolean => {
  if (status === "ACKNOWLEDGED" || status === "OPENED") return true;
  return status !== "QUEUED" && attempts !== undefined && Object.values(attempts).every(isFinal);
};

export const ACKNOWLEDGED_BEFORE = "Not sent: the event was acknowledged before this escalation step was sent";

export const RESOLVED_BEFORE = "Not sent: the event was resolved before this notification was sent";

export const ACKNOWLEDGED_MEANWHILE =
  "Not sent: the event was acknowledged before this person's notification steps were due";

const notNeeded: readonly (string | null)[] = [ACKNOWLEDGED_BEFORE, RESOLVED_BEFORE, ACKNOWLEDGED_MEANWHILE];
/** Returns whether the notification was not sent because somebody had acknowledged or resolved the event. */
export const wasNotNeeded = (failedReason: string | null): boolean => notNeeded.includes(failedReason);
