import { describe, expect, it } from "vitest";
import {
  calmAfter,
  createGateKeeper,
  isOpenFor,
  mostWithin,
  moveIn,
  throughGates,
  type AtGate,
  type Group,
  type Placement,
} from "../../../../core/domain/planning/storm.ts";
import type { PlannedDelivery } from "../../../../core/domain/planning/planned-delivery.ts";
import type { Priority } from "../../../../core/domain/basics/priority.ts";
import { ladder } from "../support.ts";

const MINUTE = 60_000;

/** `evt_1` opened the group at minute 0 for ten minutes, and `evt_2`, which is HIGH, paged in it. */
const group: Group = { first: "evt_1", top: "evt_2", at: 0, until: 10 * MINUTE, priority: "HIGH" };
const event = (eventId: string, minute: number, priority: Priority = "NORMAL"): AtGate => ({
  eventId,
  seq: 9,
  receivedAt: minute * MINUTE,
  at: minute * MINUTE,
  priority,
});

describe("the effect of one more event on a group", () => {
  const opens = (eventId: string, minute: number, priority: Priority = "NORMAL") => ({
    kind: "opens",
    group: { first: eventId, top: eventId, at: minute * MINUTE, until: (minute + 30) * MINUTE, priority },
  });

  it.each([
    ["the first of all", undefined, event("evt_3", 4), opens("evt_3", 4)],
    ["one of a lower priority", group, event("evt_3", 4), { kind: "joins", into: "evt_1" }],
    ["one of the same", group, event("evt_3", 4, "HIGH"), { kind: "joins", into: "evt_1" }],
    [
      "one of a higher",
      group,
      event("evt_3", 4, "URGENT"),
      { kind: "raises", group: { ...group, top: "evt_3", priority: "URGENT" } },
    ],
    [
      "one in its last millisecond",
      group,
      { ...event("evt_3", 4), at: 10 * MINUTE - 1 },
      { kind: "joins", into: "evt_1" },
    ],
    ["one when its time is over", group, event("evt_3", 10), opens("evt_3", 10)],
    ["the one that opened it, again", group, event("evt_1", 4, "URGENT"), { kind: "rings" }],
    ["the one that raised it, again", group, event("evt_2", 4, "HIGH"), { kind: "rings" }],
    ["the one that opened it, long after", group, event("evt_1", 60), { kind: "rings" }],
  ])("%s", (_, found, one, move) => {
    expect(moveIn(found, one, 30)).toEqual(move);
    expect(isOpenFor(found, one)).toBe(move.kind !== "opens");
  });
});

describe("the events counted towards a threshold", () => {
  it.each([
    ["is one, where it came alone", [5], 1],
    ["counts those before it", [1, 3, 5], 3],
    ["counts those after it, which were looked at before", [5, 7, 9], 3],
    ["has them in any order", [14, 1, 5], 2],
    ["leaves out what came ten minutes before", [-5, 5], 1],
    ["leaves out what came ten minutes after", [5, 15], 1],
    ["counts what came just within", [-4.9, 5], 2],
    ["looks at one span at a time", [-3, -2, 5, 12, 13], 3],
    ["leaves out of a span what came ten minutes before its last", [-4, 5, 6], 2],
    ["is of a span that holds the event", [5, 6, 14, 14.5, 14.9], 5],
  ])("%s", (_, minutes, most) => {
    const times = minutes.map((minute) => minute * MINUTE);

    expect(mostWithin(times, { receivedAt: 5 * MINUTE, since: -Infinity }, { count: 2, withinMinutes: 10 })).toBe(most);
  });

  it("are those after the last time that the threshold was reached", () => {
    const times = [1, 2, 3].map((minute) => minute * MINUTE);

    const most = (minute: number, since: number) =>
      mostWithin(times, { receivedAt: minute * MINUTE, since: since * MINUTE }, { count: 2, withinMinutes: 10 });

    expect(most(3, 1)).toBe(2);
    expect(most(1, 1)).toBe(0);
  });
});

/** A plan of rules that each notify Ann; the first wants an acknowledgement and has a policy. */
const made = (priority: Priority = "NORMAL", at = 0): PlannedDelivery => ({
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

describe("a plan after grouping and thresholds were applied", () => {
  const after = (rule: number, placement: Placement) => throughGates(made(), [{ rule, key: "g", placement }]);
  const left = ({ plan, needsAck }: PlannedDelivery) => [
    plan.rules.map(({ recipients, escalation }) => [recipients.length, escalation?.id]),
    plan.groups,
    needsAck,
  ];

  it("is unchanged if no rule has either", () => {
    expect(throughGates(made(), [])).toEqual(made());
  });

  const both = [
    [1, "pol_ladder"],
    [1, undefined],
  ];
  const second = [
    [0, undefined],
    [1, undefined],
  ];
  it.each<[string, number, Placement, unknown[]]>([
    ["rings", 0, { kind: "rings" }, [both, [{ rule: 0, key: "g" }], true]],
    [
      "tells and arms nothing where another event rang",
      0,
      { kind: "grouped", into: "evt_1" },
      [second, [{ rule: 0, key: "g", into: "evt_1", recipients: 1 }], false],
    ],
    [
      "tells and arms nothing below a threshold",
      0,
      { kind: "below", count: 2, of: 5 },
      [second, [{ rule: 0, key: "g", below: { count: 2, of: 5 }, recipients: 1 }], false],
    ],
    [
      "leaves the acknowledgement to the other rule",
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
    expect(left(after(rule, placement))).toEqual(expected);
  });
});

describe("a person who has acknowledged an event of a group", () => {
  it("is notified silently of the group's next events for half an hour, or until the acknowledgement ends", () => {
    expect(calmAfter("usr_ann", "HIGH", { at: MINUTE })).toEqual({
      userId: "usr_ann",
      priority: "HIGH",
      until: 31 * MINUTE,
    });
    expect(calmAfter("usr_ann", "HIGH", { at: MINUTE, ends: 6 * MINUTE }).until).toBe(6 * MINUTE);
    expect(calmAfter("usr_ann", "HIGH", { at: MINUTE, ends: 60 * MINUTE }).until).toBe(31 * MINUTE);
  });

  const calm = { userId: "usr_ann", priority: "NORMAL" as const, until: 10 * MINUTE };
  it.each<[string, Priority, number, typeof calm | undefined, string | undefined]>([
    ["makes no sound", "NORMAL", 9, calm, "acknowledged"],
    ["makes no sound where it is less urgent", "LOW", 9, calm, "acknowledged"],
    ["rings for a higher priority", "HIGH", 9, calm, undefined],
    ["rings when the calm is over", "NORMAL", 10, calm, undefined],
    ["rings where nobody has acknowledged", "NORMAL", 9, undefined, undefined],
    ["rings for others", "NORMAL", 9, { ...calm, userId: "usr_bob" }, undefined],
  ])("%s", (_how, priority, minute, known, quiet) => {
    const passed = [{ rule: 1, key: "g", placement: { kind: "rings" as const, calm: known } }];
    const { plan } = throughGates(made(priority, minute * MINUTE), passed);

    expect(plan.rules.map(({ recipients }) => recipients.map((one) => one.quiet))).toEqual([[undefined], [quiet]]);
  });

  it("is known when a simulated storm continues from stored state", () => {
    const keep = createGateKeeper(new Map([["a", { group: undefined, times: [], calm }]]));
    const gates = [{ rule: 1, gate: { name: "a", minutes: 10, atLeast: null } }];
    const { plan } = keep({ ...made("NORMAL", MINUTE), gates }, { eventId: "evt_1", seq: 1, receivedAt: MINUTE });

    expect(plan.rules[1]?.recipients[0]?.quiet).toBe("acknowledged");
  });
});

describe("a simulated storm, event by event", () => {
  /** The effect on each `minute priority name`: it pages (`R`), joins the group of event n, or is the nth below the threshold. */
  const play = (
    atLeast: { count: number; withinMinutes: number } | null,
    events: readonly string[],
    known?: Parameters<typeof createGateKeeper>[0],
  ) => {
    const keep = createGateKeeper(known);
    return events.map((event, nr) => {
      const [minute, priority = "NORMAL", name = "a"] = event.split(" ");
      const gates = [{ rule: 0, gate: { name, minutes: 10, atLeast } }];
      const at = Number(minute) * MINUTE;
      const [placed] = keep({ ...made(priority as Priority, at), gates }, { eventId: `${nr}`, seq: nr, receivedAt: at })
        .plan.groups!;
      return placed?.into ?? (placed?.below === undefined ? "R" : `${placed.below.count} of ${placed.below.of}`);
    });
  };
  const threshold = { count: 3, withinMinutes: 5 };

  it.each([
    ["the first rings for ten minutes", ["0", "1", "9.9", "10", "11"], ["R", "0", "0", "R", "3"]],
    ["a higher priority rings once", ["0 LOW", "1 HIGH", "2 HIGH", "3 NORMAL"], ["R", "R", "0", "0"]],
    ["each group has its own", ["0 LOW a", "1 LOW b", "2 LOW a", "3 LOW b"], ["R", "R", "0", "1"]],
  ] as const)("pages as expected: %s", (_, events, expected) => {
    expect(play(null, events)).toEqual(expected);
  });

  it.each([
    ["rings at the third, and opens the group with it", ["0", "1", "2", "3"], ["1 of 3", "2 of 3", "R", "2"]],
    ["forgets what is five minutes old", ["0", "1", "5", "5.5"], ["1 of 3", "2 of 3", "2 of 3", "R"]],
    [
      "begins to count anew when the group is over",
      ["0", "1", "2", "12", "13", "14"],
      ["1 of 3", "2 of 3", "R", "1 of 3", "2 of 3", "R"],
    ],
  ] as const)("pages as expected with a threshold of three in five minutes: it %s", (_, events, expected) => {
    expect(play(threshold, events)).toEqual(expected);
  });

  it("pages again for the event that opened the group, and not twice for the event that raised it", () => {
    const keep = createGateKeeper();
    const placed = (eventId: string, minute: number, priority: Priority) =>
      keep(
        { ...made(priority, minute * MINUTE), gates: [{ rule: 0, gate: { name: "a", minutes: 10, atLeast: null } }] },
        { eventId, seq: 1, receivedAt: minute * MINUTE },
      ).plan.groups?.[0]?.into ?? "R";

    expect([
      placed("1", 0, "NORMAL"),
      placed("2", 1, "HIGH"),
      placed("2", 2, "HIGH"),
      placed("1", 3, "NORMAL"),
      placed("3", 4, "HIGH"),
    ]).toEqual(["R", "R", "R", "R", "1"]);
  });

  it("continues from stored state", () => {
    const open = new Map([["a", { group: { ...group, priority: "NORMAL" as const }, times: [] }]]);
    const counted = new Map([["a", { group: undefined, times: [0, MINUTE] }]]);

    expect(play(null, ["4"], open)).toEqual(["evt_1"]);
    expect(play(threshold, ["2", "3"], counted)).toEqual(["R", "0"]);
  });
});
