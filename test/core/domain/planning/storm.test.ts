import { describe, expect, it } from "vitest";
import {
  createQuietPeriod,
  createGroupingSimulator,
  isGroupOpenFor,
  countMaxEventsWithin,
  decideGroup,
  applyGroupDecisions,
  type GroupEvent,
  type EventGroup,
  type GroupDecision,
} from "../../../../core/domain/planning/storm.ts";
import type { PlannedDelivery } from "../../../../core/domain/planning/planned-delivery.ts";
import type { Priority } from "../../../../core/domain/basics/priority.ts";
import { ladder } from "../support.ts";

const MINUTE = 60_000;

/** `evt_1` opened the group at minute 0 for ten minutes, and `evt_2`, which is HIGH, paged in it. */
const group: EventGroup = { first: "evt_1", top: "evt_2", at: 0, until: 10 * MINUTE, priority: "HIGH" };
const eventAtGate = (eventId: string, minute: number, priority: Priority = "NORMAL"): GroupEvent => ({
  eventId,
  seq: 9,
  receivedAt: minute * MINUTE,
  at: minute * MINUTE,
  priority,
});

describe("an event that belongs to a group", () => {
  const openedGroup = (eventId: string, minute: number, priority: Priority = "NORMAL") => ({
    kind: "opens",
    group: { first: eventId, top: eventId, at: minute * MINUTE, until: (minute + 30) * MINUTE, priority },
  });

  it.each([
    ["opens the group if it is the first", undefined, eventAtGate("evt_3", 4), openedGroup("evt_3", 4)],
    ["joins the group if its priority is lower", group, eventAtGate("evt_3", 4), { kind: "joins", into: "evt_1" }],
    [
      "joins the group if its priority is the same",
      group,
      eventAtGate("evt_3", 4, "HIGH"),
      { kind: "joins", into: "evt_1" },
    ],
    [
      "raises the group if its priority is higher",
      group,
      eventAtGate("evt_3", 4, "URGENT"),
      { kind: "raises", group: { ...group, top: "evt_3", priority: "URGENT" } },
    ],
    [
      "joins the group in the last millisecond of the group's time",
      group,
      { ...eventAtGate("evt_3", 4), at: 10 * MINUTE - 1 },
      { kind: "joins", into: "evt_1" },
    ],
    ["opens another group when the group's time is over", group, eventAtGate("evt_3", 10), openedGroup("evt_3", 10)],
    [
      "pages again if it is the event that opened the group",
      group,
      eventAtGate("evt_1", 4, "URGENT"),
      { kind: "rings" },
    ],
    ["pages again if it is the event that raised the group", group, eventAtGate("evt_2", 4, "HIGH"), { kind: "rings" }],
    [
      "pages again if it is the event that opened the group, even long after",
      group,
      eventAtGate("evt_1", 60),
      { kind: "rings" },
    ],
  ])("%s", (_, found, one, move) => {
    expect(decideGroup(found, one, 30)).toEqual(move);
    expect(isGroupOpenFor(found, one)).toBe(move.kind !== "opens");
  });
});

describe("the events counted towards a threshold", () => {
  it.each([
    ["are one if the event came alone", [5], 1],
    ["include events before it", [1, 3, 5], 3],
    ["include later events that were processed before it", [5, 7, 9], 3],
    ["may come in any order", [14, 1, 5], 2],
    ["do not include an event exactly ten minutes earlier", [-5, 5], 1],
    ["do not include an event exactly ten minutes later", [5, 15], 1],
    ["include events just within ten minutes", [-4.9, 5], 2],
    ["are not the sum of two overlapping spans", [-3, -2, 5, 12, 13], 3],
    ["do not include an event exactly ten minutes before the last event of the span", [-4, 5, 6], 2],
    ["are those of a span that includes the event", [5, 6, 14, 14.5, 14.9], 5],
  ])("lie within one span of ten minutes: they %s", (_, minutes, most) => {
    const times = minutes.map((minute) => minute * MINUTE);

    expect(
      countMaxEventsWithin(times, { receivedAt: 5 * MINUTE, since: -Infinity }, { count: 2, withinMinutes: 10 }),
    ).toBe(most);
  });

  it("do not include events from before the threshold was last reached", () => {
    const times = [1, 2, 3].map((minute) => minute * MINUTE);

    const maxWithin = (minute: number, since: number) =>
      countMaxEventsWithin(
        times,
        { receivedAt: minute * MINUTE, since: since * MINUTE },
        { count: 2, withinMinutes: 10 },
      );

    expect(maxWithin(3, 1)).toBe(2);
    expect(maxWithin(1, 1)).toBe(0);
  });
});

/** A plan of two rules that notify Ann. The first rule requires an acknowledgement and has a policy. */
const aDelivery = (priority: Priority = "NORMAL", at = 0): PlannedDelivery => ({
  plan: {
    at,
    rulesVersion: 1,
    peopleVersion: 1,
    rules: [0, 1].map((nr) => ({
      rule: { id: `rule_${nr}`, version: 1, name: "Disk" },
      requiresAck: nr === 0,
      priority,
      priorityFrom: "event",
      recipients: [{ userId: "usr_ann", reason: { groupId: "grp_ops" } }],
      ...(nr === 0 ? { escalation: ladder } : {}),
    })),
  },
  called: 2,
  needsAck: true,
  overBudget: [],
  gates: [],
});

describe("an event's plan after grouping and thresholds were applied", () => {
  const applyGate = (rule: number, placement: GroupDecision) =>
    applyGroupDecisions(aDelivery(), [{ rule, key: "g", placement }]);
  const summarize = ({ plan, needsAck }: PlannedDelivery) => [
    plan.rules.map(({ recipients, escalation }) => [recipients.length, escalation?.id]),
    plan.groups,
    needsAck,
  ];

  it("is unchanged if no rule has a group or a threshold", () => {
    expect(applyGroupDecisions(aDelivery(), [])).toEqual(aDelivery());
  });

  const both = [
    [1, "pol_ladder"],
    [1, undefined],
  ];
  const second = [
    [0, undefined],
    [1, undefined],
  ];
  it.each<[string, number, GroupDecision, unknown[]]>([
    [
      "notifies and escalates by a rule whose group it pages for",
      0,
      { kind: "rings" },
      [both, [{ rule: 0, key: "g" }], true],
    ],
    [
      "neither notifies nor escalates by a rule for whose group another event paged",
      0,
      { kind: "grouped", into: "evt_1" },
      [second, [{ rule: 0, key: "g", into: "evt_1", recipients: 1 }], false],
    ],
    [
      "neither notifies nor escalates by a rule below its threshold",
      0,
      { kind: "below", count: 2, of: 5 },
      [second, [{ rule: 0, key: "g", below: { count: 2, of: 5 }, recipients: 1 }], false],
    ],
    [
      "keeps the acknowledgement and escalation of one rule when the other rule does not page",
      1,
      { kind: "grouped", into: "evt_1" },
      [
        [
          [1, "pol_ladder"],
          [0, undefined],
        ],
        [{ rule: 1, key: "g", into: "evt_1", recipients: 1 }],
        true,
      ],
    ],
  ])("%s", (_, rule, placement, expected) => {
    expect(summarize(applyGate(rule, placement))).toEqual(expected);
  });
});

describe("a person who has acknowledged an event of a group", () => {
  it("is notified silently of the group's next events for half an hour, or until the acknowledgement ends", () => {
    expect(createQuietPeriod("usr_ann", "HIGH", { at: MINUTE })).toEqual({
      userId: "usr_ann",
      priority: "HIGH",
      until: 31 * MINUTE,
    });
    expect(createQuietPeriod("usr_ann", "HIGH", { at: MINUTE, ackEnd: 6 * MINUTE }).until).toBe(6 * MINUTE);
    expect(createQuietPeriod("usr_ann", "HIGH", { at: MINUTE, ackEnd: 60 * MINUTE }).until).toBe(31 * MINUTE);
  });

  const calm = { userId: "usr_ann", priority: "NORMAL" as const, until: 10 * MINUTE };
  it.each<[string, Priority, number, typeof calm | undefined, string | undefined]>([
    ["is notified silently of an event with the same priority", "NORMAL", 9, calm, "acknowledged"],
    ["is notified silently of an event with a lower priority", "LOW", 9, calm, "acknowledged"],
    ["is paged for an event with a higher priority", "HIGH", 9, calm, undefined],
    ["is paged when half an hour is over", "NORMAL", 10, calm, undefined],
    ["is paged if no acknowledgement is stored", "NORMAL", 9, undefined, undefined],
    ["does not keep other people from being paged", "NORMAL", 9, { ...calm, userId: "usr_bob" }, undefined],
  ])("%s", (_how, priority, minute, known, quiet) => {
    const passed = [{ rule: 1, key: "g", placement: { kind: "rings" as const, calm: known } }];
    const { plan } = applyGroupDecisions(aDelivery(priority, minute * MINUTE), passed);

    expect(plan.rules.map(({ recipients }) => recipients.map((one) => one.quiet))).toEqual([[undefined], [quiet]]);
  });

  it("is notified silently in a simulation that starts from the stored acknowledgement", () => {
    const keep = createGroupingSimulator(new Map([["a", { group: undefined, times: [], calm }]]));
    const gates = [{ rule: 1, gate: { name: "a", minutes: 10, atLeast: null } }];
    const { plan } = keep({ ...aDelivery("NORMAL", MINUTE), gates }, { eventId: "evt_1", seq: 1, receivedAt: MINUTE });

    expect(plan.rules[1]?.recipients[0]?.quiet).toBe("acknowledged");
  });
});

describe("a simulated storm of events", () => {
  /**
   * Takes events as "minute priority group". Returns whether each event pages (`R`), whose group it joins, or its count below the
   * threshold ("n of m").
   */
  const simulate = (
    atLeast: { count: number; withinMinutes: number } | null,
    events: readonly string[],
    known?: Parameters<typeof createGroupingSimulator>[0],
  ) => {
    const keep = createGroupingSimulator(known);
    return events.map((event, nr) => {
      const [minute, priority = "NORMAL", name = "a"] = event.split(" ");
      const gates = [{ rule: 0, gate: { name, minutes: 10, atLeast } }];
      const at = Number(minute) * MINUTE;
      const [placed] = keep(
        { ...aDelivery(priority as Priority, at), gates },
        { eventId: `${nr}`, seq: nr, receivedAt: at },
      ).plan.groups!;
      return placed?.into ?? (placed?.below === undefined ? "R" : `${placed.below.count} of ${placed.below.of}`);
    });
  };
  const threshold = { count: 3, withinMinutes: 5 };

  it.each([
    [
      "the first event pages, and later ones do not for ten minutes",
      ["0", "1", "9.9", "10", "11"],
      ["R", "0", "0", "R", "3"],
    ],
    ["a higher priority pages once", ["0 LOW", "1 HIGH", "2 HIGH", "3 NORMAL"], ["R", "R", "0", "0"]],
    ["each group pages separately", ["0 LOW a", "1 LOW b", "2 LOW a", "3 LOW b"], ["R", "R", "0", "1"]],
  ] as const)("forms groups of ten minutes: %s", (_, events, expected) => {
    expect(simulate(null, events)).toEqual(expected);
  });

  it.each([
    ["pages at the third event, which opens the group", ["0", "1", "2", "3"], ["1 of 3", "2 of 3", "R", "2"]],
    ["does not count events that are five minutes old", ["0", "1", "5", "5.5"], ["1 of 3", "2 of 3", "2 of 3", "R"]],
    [
      "starts to count again when the group's time is over",
      ["0", "1", "2", "12", "13", "14"],
      ["1 of 3", "2 of 3", "R", "1 of 3", "2 of 3", "R"],
    ],
  ] as const)("applies a threshold of three events in five minutes: it %s", (_, events, expected) => {
    expect(simulate(threshold, events)).toEqual(expected);
  });

  it("pages for the events that open a group or raise its priority, even if an event comes twice, and for no other event", () => {
    const keep = createGroupingSimulator();
    const placementOf = (eventId: string, minute: number, priority: Priority) =>
      keep(
        {
          ...aDelivery(priority, minute * MINUTE),
          gates: [{ rule: 0, gate: { name: "a", minutes: 10, atLeast: null } }],
        },
        { eventId, seq: 1, receivedAt: minute * MINUTE },
      ).plan.groups?.[0]?.into ?? "R";

    expect([
      placementOf("1", 0, "NORMAL"),
      placementOf("2", 1, "HIGH"),
      placementOf("2", 2, "HIGH"),
      placementOf("1", 3, "NORMAL"),
      placementOf("3", 4, "HIGH"),
    ]).toEqual(["R", "R", "R", "R", "1"]);
  });

  it("continues from the stored groups and counts", () => {
    const open = new Map([["a", { group: { ...group, priority: "NORMAL" as const }, times: [] }]]);
    const counted = new Map([["a", { group: undefined, times: [0, MINUTE] }]]);

    expect(simulate(null, ["4"], open)).toEqual(["evt_1"]);
    expect(simulate(threshold, ["2", "3"], counted)).toEqual(["R", "0"]);
  });
});
