import { describe, expect, it } from "vitest";
import { GATES_MAX, planEvent } from "../../../../core/domain/planning/plan-event.ts";
import type { KeptStillBy } from "../../../../core/domain/delivery/delivery-plan.ts";
import type { EventContent } from "../../../../core/domain/event/event.ts";
import { FLAPPING, type Flapping } from "../../../../core/domain/event/flapping.ts";
import type { Priority } from "../../../../core/domain/basics/priority.ts";
import { toRuleSet } from "../../../../core/domain/rules/rule-set.ts";
import type { RoutingRule } from "../../../../core/domain/rules/routing-rule.ts";
import type { Silence } from "../../../../core/domain/rules/silence.ts";
import { aRule, aSilence, NOON, people, to } from "../support.ts";

const HOUR = 3_600_000;

/** Plans an event that was received at noon; `hours` is the time until the planning. */
const planWith = (
  rules: readonly RoutingRule[],
  fields: {
    content?: Partial<EventContent>;
    silences?: readonly Silence[];
    keptStill?: KeptStillBy | undefined;
    flapping?: Flapping;
    webhooks?: readonly { eventKeys: string[] | null; types?: string[] }[];
    hours?: number;
  } = {},
) => {
  const { silences = [], keptStill, flapping, webhooks = [], hours = 0 } = fields;
  const content: EventContent = {
    eventKey: "order.failed",
    title: "Order failed",
    body: "No stock",
    priority: "HIGH",
    ...fields.content,
  };
  const versions = { rulesVersion: 1, peopleVersion: 2 };
  const event = { content, receivedAt: NOON, keptStill, flapping };
  return planEvent(
    toRuleSet(rules, silences, {
      webhooks: webhooks.map(({ eventKeys, types = ["event.opened"] }) => ({ eventKeys, types })),
      connections: [],
    }),
    people,
    event,
    versions,
    NOON + hours * HOUR,
  );
};

describe("a silence", () => {
  const silencedBy = (priority: Priority, rules: readonly RoutingRule[], fields: Partial<Silence> = {}) =>
    planWith(rules, { content: { priority }, silences: [aSilence(fields)] }).plan.silence?.id;

  it("suppresses an event that is not URGENT", () => {
    expect(silencedBy("HIGH", [aRule()])).toBe("sil_1");
    expect(silencedBy("NORMAL", [aRule({ priorityOverride: "HIGH" })])).toBe("sil_1");
  });

  it("does not apply to an event that no rule matches", () => {
    expect(silencedBy("HIGH", [])).toBeUndefined();
  });

  it.each([
    ["its own priority", "URGENT", aRule()],
    ["the priority that a rule sets", "NORMAL", aRule({ priorityOverride: "URGENT" })],
    ["the priority CRITICAL that a rule sets", "LOW", aRule({ priorityOverride: "CRITICAL" })],
  ] as const)(
    "does not suppress an event that is URGENT because of %s, unless the silence includes URGENT",
    (_, priority, rule) => {
      const other = aRule({ id: "rule_0" });

      expect(silencedBy(priority, [other, rule])).toBeUndefined();
      expect(silencedBy(priority, [other, rule], { includeUrgent: true })).toBe("sil_1");
    },
  );
});

describe("an event that a silence suppressed when it arrived", () => {
  const asking = aRule({ requiresAck: true });
  const longer = aSilence({ id: "sil_2", name: "Longer", endsAt: "2026-11-23T00:00:00.000Z" });
  const [drops, tells, fields] = [
    aSilence({ afterwards: "drop" }),
    aSilence(),
    aSilence({ startsAt: "2026-11-20T00:00:00.000Z", endsAt: "2026-11-21T12:30:00.000Z" }),
  ];
  const heldBy = (id: string, until: string) => ({ heldBy: id, until: Date.parse(until) });
  const still = { id: "sil_1", name: "Quiet" };

  it.each<[string, RoutingRule, Parameters<typeof planWith>[1], object]>([
    ["never notifies if it requires no acknowledgement", aRule(), { silences: [tells] }, { silence: "sil_1" }],
    ["never notifies if the silence is set to drop", asking, { silences: [drops] }, { silence: "sil_1" }],
    [
      "is held back until the silence ends",
      asking,
      { silences: [tells] },
      { silence: "sil_1", hold: heldBy("sil_1", "2026-11-22T00:00:00Z") },
    ],
    [
      "is held back by a second silence that covers it when the first one ends",
      asking,
      { silences: [tells, longer], hours: 12 },
      { silence: "sil_2", hold: heldBy("sil_2", "2026-11-23T00:00:00Z") },
    ],
    [
      "never notifies if a second silence, set to drop, covers it when the first one ends",
      asking,
      { silences: [tells, { ...longer, afterwards: "drop" }], hours: 12 },
      { silence: "sil_2" },
    ],
    [
      "notifies when the silence has ended",
      asking,
      { silences: [fields], hours: 1 },
      { told: 2, after: still, needsAck: true },
    ],
    [
      "notifies when the silence that held it back is deleted, even if it requires no acknowledgement by then",
      aRule(),
      { silences: [], keptStill: still },
      { told: 2, after: still },
    ],
    [
      "never notifies if the silence is set to drop by then",
      asking,
      { silences: [drops], keptStill: still, hours: 24 },
      { silence: "sil_1" },
    ],
  ])("%s", (_, rule, by, expected) => {
    const { plan, hold, needsAck, gates } = planWith([rule], by);

    const told = plan.rules.reduce((sum, { recipients }) => sum + recipients.length, 0);
    expect({ silence: plan.silence?.id, after: plan.after, told, hold, needsAck }).toEqual({
      silence: undefined,
      after: undefined,
      told: 0,
      hold: undefined,
      needsAck: false,
      ...expected,
    });
    expect(gates).toEqual([]);
  });

  it("counts towards no group or threshold", () => {
    const grouping = aRule({ groupBy: [], groupMinutes: 5 });

    expect(planWith([grouping], { silences: [tells] }).gates).toEqual([]);
    expect(planWith([grouping]).gates).toHaveLength(1);
  });
});

describe("an event whose alert flaps", () => {
  const until = NOON + HOUR;
  const first = { until, first: true };
  const asking = aRule({ requiresAck: true, escalationPolicyId: "pol_ladder", groupBy: [], groupMinutes: 5 });

  it("is held back, notifies nobody, starts no escalation, and does not count towards groups or thresholds", () => {
    const { plan, called, hold, needsAck, gates } = planWith([asking], { flapping: { until, first: false } });

    expect(plan.rules.map(({ recipients, escalation }) => [recipients, escalation])).toEqual([[[], undefined]]);
    expect(plan.flapping).toEqual({ until, held: [2] });
    expect({ called, hold, needsAck, gates }).toEqual({
      called: 2,
      hold: { heldBy: FLAPPING, until },
      needsAck: false,
      gates: [],
    });
  });

  it("notifies all recipients, when the alert begins to flap, that the alert is now held back", () => {
    const rules = [asking, aRule({ id: "rule_2", targets: to("grp_ops", "grp_lead") })];
    const { hold } = planWith(rules, { flapping: first });

    expect(hold?.says?.map(({ userId }) => userId)).toEqual(["usr_ann", "usr_bob", "usr_cat"]);
  });

  it.each<[string, RoutingRule[], Parameters<typeof planWith>[1], object]>([
    ["notifies after ten minutes", [asking], { hours: 1 }, { flapping: { until }, told: 2, needsAck: true }],
    ["is not held back if it is URGENT", [asking], { content: { priority: "URGENT" } }, { told: 2, needsAck: true }],
    [
      "is not held back if a rule makes it URGENT",
      [aRule({ ...asking, priorityOverride: "URGENT" })],
      {},
      { told: 2, needsAck: true },
    ],
    ["is not held back if no rule matches it", [], {}, {}],
    ["is not held back as flapping if a silence covers it", [aRule()], { silences: [aSilence()] }, {}],
  ])("%s", (_how, rules, fields, expected) => {
    const { plan, hold, needsAck } = planWith(rules, { ...fields, flapping: first });
    const told = plan.rules.reduce((sum, { recipients }) => sum + recipients.length, 0);

    expect({ flapping: plan.flapping, told, needsAck, hold }).toEqual({
      flapping: undefined,
      told: 0,
      needsAck: false,
      hold: undefined,
      ...expected,
    });
  });
});

it.each<[string, RoutingRule[], { eventKeys: string[] | null; types?: string[] }[], true | undefined]>([
  ["without a webhook", [aRule()], [], undefined],
  ["with a webhook for all events", [aRule()], [{ eventKeys: null }], true],
  ["with a webhook for its event key", [aRule()], [{ eventKeys: ["disk.full"] }, { eventKeys: ["order.*"] }], true],
  ["with a webhook for other event keys", [aRule()], [{ eventKeys: ["disk.full"] }], undefined],
  ["without a matching rule", [], [{ eventKeys: null }], undefined],
  ["with a webhook for on-call changes only", [aRule()], [{ eventKeys: null, types: ["oncall.changed"] }], undefined],
])("an event's plan says whether webhooks get its changes: %s", (_what, rules, webhooks, followed) => {
  expect(planWith(rules, { webhooks }).plan.followed).toBe(followed);
});

describe("the rules that may hold an event back", () => {
  const groupingRule = (id: string, fields: Partial<RoutingRule> = {}) =>
    aRule({ id, groupBy: [], groupMinutes: 5, ...fields });
  const policy = { requiresAck: true, escalationPolicyId: "pol_ladder" };
  const empty = to("grp_empty");

  it.each<[string, RoutingRule[], number[]]>([
    ["do not include rules without a grouping or a threshold", [aRule()], []],
    [
      "include each rule with a grouping, by its position in the plan",
      [groupingRule("rule_3"), aRule(), groupingRule("rule_2")],
      [1, 2],
    ],
    ["include a rule with a threshold", [aRule({ atLeast: { count: 2, withinMinutes: 5 } })], [0]],
    ["do not include a rule that notifies nobody", [groupingRule("rule_1", { targets: empty })], []],
    [
      "include a rule that notifies people only by its policy",
      [groupingRule("rule_1", { targets: empty, ...policy })],
      [0],
    ],
  ])("%s", (_, rules, places) => {
    expect(planWith(rules).gates.map(({ rule }) => rule)).toEqual(places);
  });

  it(`are ${GATES_MAX} at most`, () => {
    const rules = Array.from({ length: GATES_MAX + 1 }, (_, nr) => groupingRule(`rule_${nr}`));

    expect(planWith(rules).gates).toHaveLength(GATES_MAX);
  });

  it("are stored with the rule's version, the event's values of the grouping fields, and the duration in minutes", () => {
    const rule = aRule({ groupBy: ["eventKey"], groupMinutes: 30, atLeast: { count: 2, withinMinutes: 5 } });

    expect(planWith([rule]).gates).toEqual([
      { rule: 0, gate: { name: '["rule_1",3,"order.failed"]', minutes: 30, atLeast: { count: 2, withinMinutes: 5 } } },
    ]);
  });
});

describe("a notice from the service", () => {
  const notifiedBy = (
    rules: readonly RoutingRule[],
    notice: NonNullable<EventContent["notice"]>,
    requiresAck?: boolean,
  ) => {
    const content = { notice, ...(requiresAck === undefined ? {} : { requiresAck }) };
    const made = planWith(rules, { content, silences: [aSilence()] });
    const { plan, called, needsAck, gates, overBudget } = made;
    expect({ gates, overBudget }).toEqual({ gates: [], overBudget: [] });
    return [
      plan.rules.map(({ rule, recipients }) => [rule.id, recipients.map(({ userId }) => userId)]),
      called,
      needsAck,
    ];
  };

  it("notifies the people whom it names, whatever rules and silences say", () => {
    expect(notifiedBy([aRule()], { to: ["usr_cat"] })).toEqual([[["service", ["usr_cat"]]], 1, false]);
    expect(notifiedBy([aRule()], { to: ["usr_cat"] }, true)).toEqual([[["service", ["usr_cat"]]], 1, true]);
  });

  it("notifies all owners if the notice names nobody", () => {
    expect(notifiedBy([], {})).toEqual([[["service", ["usr_ann", "usr_bob", "usr_cat"]]], 3, false]);
  });

  it("of some kinds is sent only if no rule matches it", () => {
    const other = aRule({ eventKey: "order.paid" });

    expect(notifiedBy([other], { to: ["usr_cat"], unlessMatched: true })).toEqual([
      [["service", ["usr_cat"]]],
      1,
      false,
    ]);
    expect(notifiedBy([aRule()], { to: ["usr_cat"], unlessMatched: true })).toEqual([[["rule_1", []]], 2, false]);
  });

  it("has the event's priority and the versions of the configuration that it was made from", () => {
    expect(planWith([], { content: { notice: {} } }).plan).toMatchObject({
      at: NOON,
      rulesVersion: 1,
      peopleVersion: 2,
      rules: [{ priority: "HIGH", priorityFrom: "event" }],
    });
  });
});
