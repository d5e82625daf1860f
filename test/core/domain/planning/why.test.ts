import { describe, expect, it } from "vitest";
import type { FrozenPolicy } from "../../../../core/domain/escalation/escalation-policy.ts";
import { traceRule } from "../../../../core/domain/rules/trace.ts";
import { toEscalationPosition, explainRecipient } from "../../../../core/domain/planning/why.ts";
import type { Added } from "../../../../core/domain/delivery/added.ts";
import type { EventContent } from "../../../../core/domain/event/event.ts";
import type { DeviceOutcome } from "../../../../core/domain/delivery/notification.ts";
import type { RecipientReason } from "../../../../core/domain/people/recipient.ts";
import type { Pack, PackRecipient } from "../../../../core/domain/delivery/pack.ts";
import { aPack, aRecipient, aRule } from "../support.ts";

const policy: FrozenPolicy = {
  id: "pol_ladder",
  name: "Ladder",
  repeat: 1,
  steps: [
    { delayMinutes: 5, targets: [] },
    { delayMinutes: 10, targets: [{ type: "user", userId: "usr_ann" }] },
  ],
};
const content = { eventKey: "order.failed", title: "Order failed", body: "No stock", priority: "HIGH" as const };
const ruleItself = "00000000100000000200000000";
const secondStep = "00000000100000000200002000";
const secondStepAgain = "00000000100000000200004000";

const explainNotification = (
  fields: {
    pack?: Partial<Pack>;
    recipient?: Partial<PackRecipient>;
    requiresAck?: boolean;
    content?: Partial<EventContent>;
    escalation?: FrozenPolicy;
    rule?: Partial<Parameters<typeof explainRecipient>[3]>;
    groupName?: string | undefined;
  } = {},
) =>
  explainRecipient(
    aPack(fields.pack),
    aRecipient(fields.recipient),
    {
      content: {
        ...content,
        ...fields.content,
        ...(fields.requiresAck === undefined ? {} : { requiresAck: fields.requiresAck }),
      },
      escalation: fields.escalation,
    },
    { snapshot: undefined, trace: undefined, ...fields.rule },
    "groupName" in fields ? fields.groupName : "Ops",
  );

describe("the reason for a notification", () => {
  it("is written in one sentence", () => {
    expect(explainNotification().summary).toBe(
      'Ann was notified at 2026-11-21T12:00:00.000Z because rule "Orders" (version 3) matched, and Ann was in group "Ops".',
    );
  });

  it("shows the version of the rule that was evaluated, with the expected and the actual values", () => {
    const snapshot = aRule({ priorityOverride: "CRITICAL" });
    const trace = traceRule(snapshot, content, 0, undefined);

    expect(
      explainNotification({ pack: { priority: "URGENT", priorityFrom: "rule" }, rule: { snapshot, trace } }),
    ).toMatchObject({
      rule: { id: "rule_1", version: 3, name: "Orders" },
      trace: { matches: true, eventKey: { expected: "order.failed", actual: "order.failed", verdict: true } },
      undecided: false,
      priority: { value: "URGENT", from: "rule", event: "HIGH", override: "CRITICAL" },
    });
  });

  it("leaves out the facts about a rule that are no longer stored", () => {
    expect(explainNotification()).toMatchObject({
      trace: null,
      undecided: false,
      priority: { value: "HIGH", from: "event", event: "HIGH", override: null },
    });
  });

  it("says if the rule could not be evaluated", () => {
    const trace = traceRule(aRule({ eventKey: "order.paid" }), content, 0, undefined);
    const { undecided, summary } = explainNotification({ rule: { trace } });

    expect(undecided).toBe(true);
    expect(summary).toContain('because rule "Orders" (version 3) could not be evaluated, and');
  });

  it.each([
    ["the event (requiresAck true)", true, "event"],
    ["the event (requiresAck false)", false, "event"],
    ["the rule (the event has no requiresAck)", undefined, "rule"],
  ] as const)("says that %s decided whether an acknowledgement is required", (_what, ofEvent, from) => {
    const fields = ofEvent === undefined ? {} : { requiresAck: ofEvent };

    expect(explainNotification({ ...fields, pack: { requiresAck: true } }).requiresAck).toEqual({
      value: true,
      from,
    });
  });
});

describe("the reason for a notification that no rule caused", () => {
  const by = { id: "usr_bob", name: "Bob" };

  it.each<[string, Added]>([
    ["the acknowledgement was about to end", { because: "still_on_it" }],
    ["the acknowledgement ended and the policy had no step left", { because: "open_again" }],
    ["Bob added people to the event", { because: "told", by }],
    ['Bob added people to the event ("look")', { because: "told", by, note: "look" }],
    ["somebody added people to the event", { because: "told" }],
    ["Bob escalated the event", { because: "escalated", by }],
    ['somebody escalated the event ("look")', { because: "escalated", note: "look" }],
  ])("is that %s", (said, added) => {
    expect(explainNotification({ pack: { added } }).summary).toBe(
      `Ann was notified at 2026-11-21T12:00:00.000Z because ${said}.`,
    );
  });

  it.each([
    ["the service itself sent this notice, and Ann was one of the owners", {}],
    ["the service itself sent this notice, and Ann was one of the people responsible", { to: ["usr_ann"] }],
    ["no rule matched the event, and Ann was one of the owners", { unlessMatched: true }],
  ])("is, for a notice of the service, that %s", (said, notice) => {
    const rule = { id: "service", version: 0, name: "The service's own notices" };

    expect(explainNotification({ pack: { rule }, content: { notice } }).summary).toBe(
      `Ann was notified at 2026-11-21T12:00:00.000Z because ${said}.`,
    );
    expect(explainNotification({ content: { notice } }).summary).toContain('because rule "Orders" (version 3) matched');
  });
});

describe("the person named in the reason for a notification", () => {
  it.each<[string, RecipientReason, string | undefined, object]>([
    ['in group "Ops"', { groupId: "grp_ops" }, "Ops", { groupName: "Ops", onCall: null }],
    ['in group "grp_gone"', { groupId: "grp_gone" }, undefined, { groupName: null, onCall: null }],
    ['on call in group "Ops"', { groupId: "grp_ops", layer: 1 }, "Ops", { onCall: { kind: "layer", layer: 1 } }],
    [
      'on call in group "Ops"',
      { groupId: "grp_ops", overrideId: "ovr_1" },
      "Ops",
      { onCall: { kind: "override", overrideId: "ovr_1" } },
    ],
  ])("is described as %s", (named, reason, groupName, target) => {
    const { summary, target: shown } = explainNotification({ recipient: { reason }, groupName });

    expect(summary).toMatch(new RegExp(`, and Ann was ${named}\\.$`));
    expect(shown).toMatchObject({ type: "group", groupId: reason.groupId, ...target });
  });

  it("is described as named by the escalation step if the step names the person and no group", () => {
    const { summary, target } = explainNotification({ recipient: { reason: {} }, groupName: undefined });

    expect(summary).toContain(", and Ann was named by the escalation step.");
    expect(target).toEqual({ type: "user" });
  });

  it("is named by id if they have no name", () => {
    expect(explainNotification({ recipient: { name: "" } }).summary).toMatch(
      /^usr_ann was notified .* and usr_ann was in group/,
    );
  });

  it('is described as "to be notified" if the notification failed, followed by the reason for the failure', () => {
    const { summary } = explainNotification({
      recipient: { status: "FAILED", failedReason: "No registered devices for user" },
    });

    expect(summary).toMatch(
      /^Ann was to be notified at .* in group "Ops"\. The notification failed: No registered devices for user\.$/,
    );
  });

  it.each([
    ["the notification has no failure reason", { status: "FAILED" as const }],
    [
      "the notification failed once and was opened later",
      { status: "OPENED" as const, failedReason: "No registered devices" },
    ],
  ])("is named without a failure reason if %s", (_, fields) => {
    expect(explainNotification({ recipient: fields }).summary).toMatch(/in group "Ops"\.$/);
  });
});

describe("the escalation step in the reason for a notification", () => {
  it("has its number and the number of its repeat, both counted from 1", () => {
    const { summary, escalation } = explainNotification({ pack: { packId: secondStepAgain }, escalation: policy });

    expect(summary).toContain(
      'matched and nobody acknowledged before step 2 of policy "Ladder" in round 2 of 2, and Ann',
    );
    expect(escalation).toEqual({
      policy: { id: "pol_ladder", name: "Ladder" },
      step: 2,
      steps: 2,
      round: 2,
      rounds: 2,
      delayMinutes: 10,
    });
  });

  it("has no repeat if the policy runs once", () => {
    const { summary } = explainNotification({ pack: { packId: secondStep }, escalation: { ...policy, repeat: 0 } });

    expect(summary).toContain('nobody acknowledged before step 2 of policy "Ladder", and Ann');
  });

  it.each([
    ["a notification by the rule itself", ruleItself, policy],
    ["a pack that cannot be read", "pack", policy],
    ["a notification by a rule without a policy", secondStep, undefined],
  ])("is absent for %s", (_, packId, escalation) => {
    expect(
      explainNotification({ pack: { packId }, ...(escalation === undefined ? {} : { escalation }) }).escalation,
    ).toBeNull();
  });

  it("belongs to an additional repeat if it comes after the last step of the policy", () => {
    expect(toEscalationPosition(policy, 4)).toMatchObject({ step: 2, round: 2, rounds: 2 });
    expect(toEscalationPosition(policy, 5)).toMatchObject({ step: 1, round: 3, rounds: 3 });
    expect(toEscalationPosition({ ...policy, repeat: 3 }, 1)).toMatchObject({ step: 1, round: 1, rounds: 4 });
  });
});

describe("the devices in the reason for a notification", () => {
  const attempt = (outcome: DeviceOutcome, tries = 1) => ({ outcome, tries, unknowns: 0 });
  const meaningOf = (status: PackRecipient["status"], outcome: DeviceOutcome) =>
    explainNotification({ recipient: { status, attempts: { dev_1: attempt(outcome) } } }).devices[0]?.meaning;

  it("are in the order of their ids, with the meaning of their result", () => {
    const attempts = { dev_c: attempt("retry", 3), dev_a: attempt("accepted"), dev_b: attempt("unregistered", 2) };

    expect(explainNotification({ recipient: { attempts } }).devices).toEqual([
      { deviceId: "dev_a", way: "push", outcome: "accepted", tries: 1, meaning: "FCM accepted the push." },
      {
        deviceId: "dev_b",
        way: "push",
        outcome: "unregistered",
        tries: 2,
        meaning: "The app was uninstalled or its token was replaced; the device was removed.",
      },
      {
        deviceId: "dev_c",
        way: "push",
        outcome: "retry",
        tries: 3,
        meaning: "FCM has not accepted the push yet; it will be retried.",
      },
    ]);
  });

  it("are an empty list before the push was attempted", () => {
    expect(explainNotification().devices).toEqual([]);
  });

  it.each([
    ["OPENED", "retry", "Not sent: the notification was already opened or acknowledged."],
    ["ACKNOWLEDGED", "sending", "Not sent: the notification was already opened or acknowledged."],
    ["ACKNOWLEDGED", "accepted", "FCM accepted the push."],
    ["DELIVERED", "sending", "The push is being sent to FCM."],
  ] as const)("are described by the status (%s) and the result (%s)", (status, outcome, expected) => {
    expect(meaningOf(status, outcome)).toBe(expected);
  });
});
