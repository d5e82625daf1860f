import * as v from "valibot";
import { RuleRef } from "../delivery/delivery-plan.ts";
import { type FrozenPolicy } from "../escalation/escalation-policy.ts";
import type { Added } from "../delivery/added.ts";
import { findCursorOfNumber, findStep } from "../escalation/escalation-policy.ts";
import type { EventContent } from "../event/event.ts";
import { explainNotice, type NoticeView } from "../event/notice.ts";
import { parsePackId } from "../basics/ids.ts";
import { PrioritySpelling } from "../rules/matching/index.ts";
import type { NotificationStatus } from "../basics/notification-status.ts";
import { DeviceOutcome, isNothingLeftToSend, isFinal, type DeviceAttempt } from "../delivery/notification.ts";
import { parseDeviceId } from "../device/device.ts";
import { Channel } from "../device/channel.ts";
import { type RecipientReason } from "../people/recipient.ts";
import { NotificationView } from "../delivery/notification-view.ts";
import { Priority } from "../basics/priority.ts";
import type { RoutingRule } from "../rules/routing-rule.ts";
import { Trace } from "../rules/trace.ts";
import { toIso } from "../basics/time.ts";
import type { Pack } from "../delivery/pack.ts";
import type { PackRecipient } from "../delivery/pack.ts";

const meanings: Readonly<Record<DeviceOutcome, string>> = {
  sending: "The push is being sent to FCM.",
  retry: "FCM has not accepted the push yet; it will be retried.",
  auth: "FCM refused the service's credentials; the push is retried until it expires.",
  unknown: "FCM did not answer; the push is sent again.",
  accepted: "FCM accepted the push.",
  unregistered: "The app was uninstalled or its token was replaced; the device was removed.",
  invalid: "FCM refused the push for this device. Registering it again may help.",
  unclear: "Two requests to FCM got no answer; the push may or may not have arrived.",
  expired: "The push expired or was no longer needed.",
};

const meaningsOfMail: Readonly<Record<DeviceOutcome, string>> = {
  sending: "The service is sending the email to SES.",
  retry: "SES has not accepted the email yet; it will be retried.",
  auth: "SES refuses email from this service; the email is retried until the alert expires.",
  unknown: "SES did not answer; the email is sent again.",
  accepted: "SES accepted the email.",
  unregistered: "The email address was removed by its owner.",
  invalid: "SES refused the email to this address, or the service no longer sends email.",
  unclear: "Two requests to SES got no answer; the email may or may not have arrived.",
  expired: "The email expired or was no longer needed.",
};

const meaningsOfSms: Readonly<Record<DeviceOutcome, string>> = {
  sending: "The message is being sent to the SMS service.",
  retry: "The SMS service has not accepted the message yet; it will be retried.",
  auth: "The SMS service refuses messages from this service; the message is retried until the alert expires.",
  unknown: "The SMS service did not answer; the message is sent again.",
  accepted: "The SMS service accepted the message.",
  unregistered: "The number was removed by its owner.",
  invalid: "The message cannot be sent to this number; the device's last failure says why.",
  unclear: "Two requests to the SMS service got no answer; the message may or may not have arrived.",
  expired: "The message expired or was no longer needed.",
};

const meaningsOfCall: Readonly<Record<DeviceOutcome, string>> = {
  sending: "The call is being requested from Amazon Connect.",
  retry: "Amazon Connect has not started the call yet; it will be retried.",
  auth: "Amazon Connect refuses calls from this service; the call is retried until the alert expires.",
  unknown: "Amazon Connect did not answer; the request is repeated and causes no second call.",
  accepted: "Amazon Connect is calling the number; only a pressed key confirms that somebody heard the alert.",
  unregistered: "The number was removed by its owner.",
  invalid: "The number cannot be called; the device's last failure says why.",
  unclear: "Two requests to Amazon Connect got no answer; the number may or may not have been called.",
  expired: "The call expired or was no longer needed.",
};

const meaningsOf = { email: meaningsOfMail, sms: meaningsOfSms, voice: meaningsOfCall };

/** Explains an attempt's outcome. If the notification is opened or acknowledged, an unfinished attempt counts as not sent. */
const explainStatus = (status: NotificationStatus, attempt: DeviceAttempt): string =>
  isNothingLeftToSend(status, undefined) && !isFinal(attempt)
    ? "Not sent: the notification was already opened or acknowledged."
    : (attempt.way === undefined ? meanings : meaningsOf[attempt.way])[attempt.outcome];

/** The layer or the override by which somebody was on call. `layer`: the layer's index, from 0. */
export const OnCallSource = v.variant("kind", [
  v.object({ kind: v.literal("layer"), layer: v.number() }),
  v.object({ kind: v.literal("override"), overrideId: v.string() }),
]);
export type OnCallSource = v.InferOutput<typeof OnCallSource>;

/** Returns by which layer or override the person was on call; null if the person was notified for another reason. */
export const toOnCallSource = ({ layer, overrideId }: RecipientReason): OnCallSource | null => {
  if (overrideId !== undefined) return { kind: "override", overrideId };
  return layer === undefined ? null : { kind: "layer", layer };
};

/** A step of an escalation, with its round (first run or repeat). The numbers of steps and rounds begin with 1. */
export const EscalationPosition = v.object({
  policy: v.object({ id: v.string(), name: v.string() }),
  step: v.number(),
  steps: v.number(),
  round: v.number(),
  rounds: v.number(),
  /** How many minutes the step waits before it fires. */
  delayMinutes: v.number(),
});
export type EscalationPosition = v.InferOutput<typeof EscalationPosition>;

/** Returns a step's place in its policy; null if the rule itself notified the person. `stepNumber` includes repeats. */
export const toEscalationPosition = (
  policy: FrozenPolicy | undefined,
  stepNumber: number,
): EscalationPosition | null => {
  if (policy === undefined) return null;
  const { length } = policy.steps;
  // The end of a temporary acknowledgement may have added repeats to the policy.
  const rounds = Math.max(policy.repeat + 1, Math.ceil(stepNumber / Math.max(1, length)));
  const cursor = findCursorOfNumber({ ...policy, repeat: rounds - 1 }, stepNumber);
  if (cursor === undefined) return null;
  return {
    policy: { id: policy.id, name: policy.name },
    step: cursor.step + 1,
    steps: length,
    round: cursor.round + 1,
    rounds,
    delayMinutes: findStep(policy, cursor)?.delayMinutes ?? 0,
  };
};

const Why = v.object({
  summary: v.string(),
  /** The rule, in the version that matched; the rule's id is `service` if no rule notified the person. */
  rule: RuleRef,
  /** Why the rule matched, computed for this answer; null if the version of the rule that matched is not stored. */
  trace: v.nullable(Trace),
  /** True if the rule applied only because its conditions were too expensive to decide. */
  undecided: v.boolean(),
  /** `groupName`: the current name; null for a deleted group. */
  target: v.variant("type", [
    v.object({
      type: v.literal("group"),
      groupId: v.string(),
      groupName: v.nullable(v.string()),
      onCall: v.nullable(OnCallSource),
    }),
    v.object({ type: v.literal("user") }),
  ]),
  priority: v.object({
    value: Priority,
    from: v.picklist(["event", "rule"]),
    event: Priority,
    override: v.nullable(PrioritySpelling),
  }),
  requiresAck: v.object({ value: v.boolean(), from: v.picklist(["event", "rule"]) }),
  /** The escalation step that notified the person; null if the rule itself did. */
  escalation: v.nullable(EscalationPosition),
  devices: v.array(
    v.object({ deviceId: v.string(), way: Channel, outcome: DeviceOutcome, tries: v.number(), meaning: v.string() }),
  ),
});
export type Why = v.InferOutput<typeof Why>;

export const NotificationWhy = v.object({ ...NotificationView.entries, why: Why });
export type NotificationWhy = v.InferOutput<typeof NotificationWhy>;

/** Returns why the recipient was among the targets, as a phrase after "was". */
const describeTarget = (target: Why["target"], notice: NoticeView | null): string => {
  if (notice !== null) return notice.to === "owners" ? "one of the owners" : "one of the people responsible";
  if (target.type === "user") return "named by the escalation step";
  const group = `in group "${target.groupName ?? target.groupId}"`;
  return target.onCall === null ? group : `on call ${group}`;
};

/** Returns why people were added to the event, as a clause after "because". */
export const describeAddition = ({ because, by, note }: Added): string => {
  const noted = note === undefined ? "" : ` ("${note}")`;
  switch (because) {
    case "still_on_it":
      return "the acknowledgement was about to end";
    case "open_again":
      return "the acknowledgement ended and the policy had no step left";
    case "told":
      return `${by?.name || "somebody"} added people to the event${noted}`;
    case "escalated":
      return `${by?.name || "somebody"} escalated the event${noted}`;
    case "handed_over":
      return `${by?.name || "somebody"} had acknowledged the event and went off call`;
    case "flapping":
      return "the alert was flapping and had been held";
    case "raised":
      return "the alert was repeated with a higher priority";
    case "still_failing":
      return "the alert still repeats a day or more after the acknowledgement";
    case "repeated":
      return "the alert was repeated after nobody had been reached";
  }
};

const summarizeWhy = (
  why: Omit<Why, "summary">,
  pack: Pack,
  recipient: PackRecipient,
  notice: NoticeView | null,
): string => {
  const who = recipient.name === "" ? recipient.userId : recipient.name;
  const matched = `rule "${why.rule.name}" (version ${why.rule.version}) ${why.undecided ? "could not be evaluated" : "matched"}`;
  const rule = pack.added !== undefined ? describeAddition(pack.added) : notice === null ? matched : notice.because;
  const { escalation } = why;
  const step =
    escalation === null
      ? ""
      : ` and nobody acknowledged before step ${escalation.step} of policy "${escalation.policy.name}"` +
        (escalation.rounds > 1 ? ` in round ${escalation.round} of ${escalation.rounds}` : "");
  const failed = recipient.status === "FAILED";
  const end =
    failed && recipient.failedReason !== undefined ? ` The notification failed: ${recipient.failedReason}.` : "";
  const notified = failed ? "was to be notified" : "was notified";
  const named = pack.added === undefined ? `, and ${who} was ${describeTarget(why.target, notice)}` : "";
  return `${who} ${notified} at ${toIso(pack.createdAt)} because ${rule}${step}${named}.${end}`;
};

/** Explains why the recipient was notified. The group's name is the current name; all other facts are from stored records. */
export const explainRecipient = (
  pack: Pack,
  recipient: PackRecipient,
  event: { content: EventContent; escalation: FrozenPolicy | undefined },
  rule: { snapshot: RoutingRule | undefined; trace: Trace | undefined },
  groupName: string | undefined,
): Why => {
  const { reason, attempts = {} } = recipient;
  const { snapshot, trace } = rule;
  const why = {
    rule: pack.rule,
    trace: trace ?? null,
    undecided: trace?.matches === false,
    target:
      reason.groupId === undefined
        ? ({ type: "user" } as const)
        : ({
            type: "group",
            groupId: reason.groupId,
            groupName: groupName ?? null,
            onCall: toOnCallSource(reason),
          } as const),
    priority: {
      value: pack.priority,
      from: pack.priorityFrom,
      event: event.content.priority,
      override: snapshot?.priorityOverride ?? null,
    },
    requiresAck: {
      value: pack.requiresAck,
      from: event.content.requiresAck === undefined ? ("rule" as const) : ("event" as const),
    },
    escalation: toEscalationPosition(event.escalation, parsePackId(pack.packId)?.cursor ?? 0),
    // The devices are sorted, because DynamoDB returns the entries of a map in any order.
    devices: Object.entries(attempts)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, attempt]) => ({
        deviceId: parseDeviceId(key),
        way: attempt.way ?? ("push" as const),
        outcome: attempt.outcome,
        tries: attempt.tries,
        meaning: explainStatus(recipient.status, attempt),
      })),
  };
  const notice = explainNotice(event.content, [pack.rule.id]);
  return { summary: summarizeWhy(why, pack, recipient, notice), ...why };
};
