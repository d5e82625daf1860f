import { describe, expect, it } from "vitest";
import * as v from "valibot";
import { createHistory, HistoryInput, type PastEvent } from "../../../../core/domain/planning/history.ts";
import { withDraftRules } from "../../../../core/domain/planning/draft.ts";
import type { RoutingRule } from "../../../../core/domain/rules/routing-rule.ts";
import type { Silence } from "../../../../core/domain/rules/silence.ts";
import { aPeople, aRule, aSilence, NOON, people as few, to } from "../support.ts";

const MINUTE = 60_000;

/** Event number n, n minutes after noon. */
const past = (nr: number, fields: Partial<PastEvent["content"]> = {}): PastEvent => ({
  eventId: `evt_${nr}`,
  seq: nr,
  receivedAt: NOON + nr * MINUTE,
  content: { eventKey: "order.failed", title: `Order ${nr}`, body: "No stock", priority: "HIGH", ...fields },
});
const ann = { userId: "usr_ann", name: "Ann", email: "ann@acme.example" };
const bob = { userId: "usr_bob", name: "Bob", email: "bob@acme.example" };
const cat = { userId: "usr_cat", name: "Cat", email: "cat@acme.example" };

const forOps = { eventKey: "order.failed", targets: to("grp_ops") };
const forLead = { eventKey: "order.failed", targets: to("grp_lead") };

/** Runs drafts over events. */
const run = (
  drafts: object[],
  events: readonly PastEvent[],
  fields: {
    saved?: RoutingRule[];
    silences?: Silence[];
    people?: typeof few;
    leads?: readonly PastEvent[];
    loud?: number;
  } = {},
) => {
  const { saved = [], silences = [], people = few, leads = [], loud = null } = fields;
  const { rules } = v.parse(HistoryInput, { rules: drafts });
  const history = createHistory({ people, silences, loud }, saved, withDraftRules(saved, rules));
  for (const event of leads) history.lead(event);
  for (const event of events) history.look(event);
  return { ...history.answer(), reached: [...history.reached], longest: history.longest };
};
const sums = ({ events, moreTold, lessTold, newlyTold, notToldAnyMore }: ReturnType<typeof run>) => ({
  events,
  moreTold,
  lessTold,
  newlyTold,
  notToldAnyMore,
});

describe("drafts over past events", () => {
  it("say in which hours the events came, and of how many somebody would have been told; at most of 672 hours", () => {
    const counted = { ...forOps, atLeast: { count: 2, withinMinutes: 60 } };

    expect(run([counted], [past(1), past(59), past(130)]).rules[0]?.hours).toEqual([
      { from: "2026-11-21T12:00:00.000Z", matched: 2, told: 1 },
      { from: "2026-11-21T14:00:00.000Z", matched: 1, told: 0 },
    ]);
    const everyHour = Array.from({ length: 673 }, (_, hour) => past(hour * 60));
    const [draft] = run([forOps], everyHour).rules;
    expect(draft?.hours).toHaveLength(672);
    expect([draft?.matched, draft?.hours[0]?.from]).toEqual([673, "2026-11-21T13:00:00.000Z"]);
    expect(
      run(
        Array.from({ length: 51 }, () => forOps),
        [past(1)],
      ).rules[0]?.hours,
    ).toEqual([]);
  });

  it("show who would have been told, of which event, and by which draft", () => {
    expect(run([forOps], [past(1)])).toEqual({
      events: 1,
      moreTold: 1,
      lessTold: 0,
      newlyTold: 1,
      notToldAnyMore: 0,
      rings: { before: 0, after: 2 },
      notKnown: [],
      people: [
        { ...ann, more: 1, less: 0 },
        { ...bob, more: 1, less: 0 },
      ],
      peopleNotListed: 0,
      rules: [
        {
          id: null,
          name: "Draft",
          draft: "added",
          matched: 1,
          matchedBefore: 0,
          saved: { of: 2, grouped: 0, belowThreshold: 0, flapping: 0, tooMany: 0 },
          delayed: { events: 0, told: 0, longestSeconds: null },
          hours: [{ from: "2026-11-21T12:00:00.000Z", matched: 1, told: 1 }],
          examples: [
            {
              event: {
                id: "evt_1",
                eventKey: "order.failed",
                title: "Order 1",
                priority: "HIGH",
                receivedAt: "2026-11-21T12:01:00.000Z",
              },
              silenced: false,
              grouped: false,
              belowThreshold: false,
              flapping: false,
              told: { count: 2, people: [ann, bob] },
            },
          ],
        },
      ],
      examples: [
        {
          event: {
            id: "evt_1",
            eventKey: "order.failed",
            title: "Order 1",
            priority: "HIGH",
            receivedAt: "2026-11-21T12:01:00.000Z",
          },
          more: { count: 2, people: [ann, bob] },
          less: { count: 0, people: [] },
        },
      ],
      reached: ["usr_ann", "usr_bob"],
      longest: 0,
    });
  });

  const saved = aRule();
  it.each<[string, object, RoutingRule[], [number, number, number, number]]>([
    ["nobody else, where the draft says what is saved", { ...forOps, id: "rule_1" }, [saved], [0, 0, 0, 0]],
    ["other people", { ...forLead, id: "rule_1" }, [saved], [1, 1, 0, 0]],
    ["more people, beside the rule that is saved", forLead, [saved], [1, 0, 0, 0]],
    ["fewer people", { ...forOps, id: "rule_1", onCallOnly: true }, [saved], [0, 1, 0, 0]],
    ["somebody instead of nobody", forLead, [], [1, 0, 1, 0]],
    ["nobody instead of somebody", { ...forOps, id: "rule_1", enabled: false }, [saved], [0, 1, 0, 1]],
    ["nobody, for another event key", { ...forOps, eventKey: "order.paid" }, [], [0, 0, 0, 0]],
    [
      "nobody any more, where the draft is for another key",
      { ...forOps, eventKey: "order.paid", id: "rule_1" },
      [saved],
      [0, 1, 0, 1],
    ],
  ])("count %s", (_, draft, rules, [moreTold, lessTold, newlyTold, notToldAnyMore]) => {
    expect(sums(run([draft], [past(1)], { saved: rules }))).toEqual({
      events: 1,
      moreTold,
      lessTold,
      newlyTold,
      notToldAnyMore,
    });
  });

  it("count what the saved rule matched beside what the draft in its place does", () => {
    const high = [{ field: "priority", operator: "equals", value: "HIGH" }];
    const { rules } = run([{ ...forOps, id: "rule_1", conditions: high }], [past(1), past(2, { priority: "LOW" })], {
      saved: [saved, aRule({ id: "rule_2" })],
    });

    expect(rules).toMatchObject([{ id: "rule_1", draft: "replaced", matched: 1, matchedBefore: 2 }]);
  });

  it("name those first for whom the most changes, more or less", () => {
    const saved = [aRule(), aRule({ id: "rule_2", eventKey: "order.paid", targets: to("grp_lead") })];
    const drafts = [
      { ...forLead, id: "rule_1" },
      { ...forLead, id: "rule_2", enabled: false },
    ];
    const { people } = run(drafts, [past(1), past(2), past(3, { eventKey: "order.paid" })], { saved });

    expect(people).toEqual([
      { ...cat, more: 2, less: 1 },
      { ...ann, more: 0, less: 2 },
      { ...bob, more: 0, less: 2 },
    ]);
  });

  it("tell nobody of what a silence covers, and say so", () => {
    const answer = run([forOps], [past(1)], { silences: [aSilence()] });

    expect(sums(answer)).toMatchObject({ moreTold: 0, newlyTold: 0 });
    expect(answer.rules[0]?.examples).toMatchObject([{ silenced: true, told: { count: 0 } }]);
    expect(answer.examples).toEqual([]);
  });

  it("give the ten newest examples, and of each the first twenty people", () => {
    const ids = Array.from({ length: 25 }, (_, nr) => `usr_${String(nr).padStart(2, "0")}`);
    const people = aPeople({ members: Object.fromEntries(ids.map((id) => [id, id])), groups: { grp_ops: ids } });
    const answer = run(
      [forOps],
      Array.from({ length: 12 }, (_, nr) => past(nr)),
      { people },
    );

    const newest = ["evt_11", "evt_10", "evt_9", "evt_8", "evt_7", "evt_6", "evt_5", "evt_4", "evt_3", "evt_2"];
    expect(answer.examples.map(({ event }) => event.id)).toEqual(newest);
    expect(answer.rules[0]?.examples.map(({ event }) => event.id)).toEqual(newest);
    expect(answer.examples[0]?.more).toMatchObject({ count: 25, people: { length: 20 } });
    expect(answer.people).toHaveLength(25);
  });

  it("give examples of each draft up to fifty drafts", () => {
    const examples = (count: number) =>
      run(
        Array.from({ length: count }, () => forOps),
        [past(1)],
      ).rules.filter((rule) => rule.examples.length > 0);

    expect(examples(50)).toHaveLength(50);
    expect(examples(51)).toEqual([]);
  });

  it("name somebody who is not a member any more by id alone", () => {
    const gone = { ...few, members: new Map([...few.members].filter(([id]) => id !== "usr_cat")) };

    expect(run([forLead], [past(1)], { people: gone }).people).toEqual([
      { userId: "usr_cat", name: "", email: "", more: 1, less: 0 },
    ]);
  });
});

describe("drafts with groups and thresholds over past events", () => {
  const grouped = { ...forOps, groupBy: [], groupMinutes: 10 };
  const threshold = { ...forOps, atLeast: { count: 3, withinMinutes: 10 } };
  const of = (draft: object, events: readonly PastEvent[], leads: readonly PastEvent[] = []) => {
    const answer = run([draft], events, { leads });
    const [rule] = answer.rules;
    return [
      answer.newlyTold,
      rule?.saved,
      rule?.examples.map(({ event, grouped: into, belowThreshold: below, told }) => [
        event.id,
        into,
        below,
        told.count,
      ]),
    ];
  };

  it("say what a group saves", () => {
    expect(of(grouped, [past(0), past(1), past(10)])).toEqual([
      2,
      { of: 6, grouped: 2, belowThreshold: 0, flapping: 0, tooMany: 0 },
      [
        ["evt_10", false, false, 2],
        ["evt_1", true, false, 0],
        ["evt_0", false, false, 2],
      ],
    ]);
  });

  it("say what a threshold saves", () => {
    expect(of(threshold, [past(0), past(1), past(2)])).toEqual([
      1,
      { of: 6, grouped: 0, belowThreshold: 4, flapping: 0, tooMany: 0 },
      [
        ["evt_2", false, false, 2],
        ["evt_1", false, true, 0],
        ["evt_0", false, true, 0],
      ],
    ]);
  });

  it.each<[string, readonly number[], readonly number[], object]>([
    ["nothing, where nobody is told", [0, 1], [], { events: 2, told: 0, longestSeconds: null }],
    ["those that came before the one that fires", [0, 1, 3], [], { events: 2, told: 2, longestSeconds: 180 }],
    ["nothing of a time that had passed by then", [0, 4, 11, 12], [], { events: 3, told: 2, longestSeconds: 480 }],
    ["nothing that comes after it", [0, 1, 2, 3], [], { events: 2, told: 2, longestSeconds: 120 }],
    ["the longest of several", [0, 1, 2, 20, 21, 28], [], { events: 4, told: 4, longestSeconds: 480 }],
    ["those that another call has counted", [3], [0, 1], { events: 0, told: 2, longestSeconds: 180 }],
    ["nothing that another call looks at", [20], [0, 1, 3], { events: 1, told: 0, longestSeconds: null }],
  ])("say what a threshold delays: %s", (_, events, leads, delayed) => {
    const all = (minutes: readonly number[]) => minutes.map((minute) => past(minute));

    expect(run([threshold], all(events), { leads: all(leads) }).rules).toMatchObject([{ delayed }]);
  });

  it("take over the group of events that are not counted", () => {
    expect(of(grouped, [past(1)], [past(0)])).toEqual([
      0,
      { of: 2, grouped: 2, belowThreshold: 0, flapping: 0, tooMany: 0 },
      [["evt_1", true, false, 0]],
    ]);
    expect(of(grouped, [past(1)], [past(0, { eventKey: "order.paid" })])[0]).toBe(1);
  });

  it.each([
    ["no group", forOps, 0],
    ["a group", grouped, 10],
    ["a threshold", threshold, 10],
    ["the longer of both", { ...grouped, atLeast: { count: 3, withinMinutes: 25 } }, 25],
  ])("reach back as far as %s", (_, draft, minutes) => {
    expect(run([draft], []).longest).toBe(minutes * MINUTE);
  });

  it("reach back as far as the group of the rule that a draft replaces, and of no other", () => {
    const saved = [aRule({ groupBy: [], groupMinutes: 30 }), aRule({ id: "rule_2", groupBy: [], groupMinutes: 60 })];

    expect(run([{ ...forOps, id: "rule_1" }], [], { saved }).longest).toBe(30 * MINUTE);
  });
});

describe("what is asked of past events", () => {
  it.each<[string, object]>([
    ["rules must have at least one draft.", { rules: [] }],
    ["days must be a whole number from 1 to 90.", { rules: [forOps], days: 0 }],
    ["days must be a whole number from 1 to 90.", { rules: [forOps], days: 91 }],
    ["days must be a whole number from 1 to 90.", { rules: [forOps], days: 1.5 }],
    ["days must be a whole number from 1 to 90.", { rules: [forOps], days: "7" }],
    ["before must be the id of an event of this workspace.", { rules: [forOps], before: 7 }],
  ])("is refused: %s", (message, input) => {
    expect(v.safeParse(HistoryInput, input).issues?.map((issue) => issue.message)).toEqual([message]);
  });

  it("is of seven days, and of up to 90", () => {
    expect(v.parse(HistoryInput, { rules: [forOps] }).days).toBe(7);
    expect([1, 90].map((days) => v.is(HistoryInput, { rules: [forOps], days }))).toEqual([true, true]);
  });
});

describe("drafts over alerts that flap", () => {
  const opens = (nr: number, fields: object = {}) => past(nr, { dedupeKey: "stock", ...fields });
  const ends = (nr: number) => past(nr, { eventKey: "order.fine", resolves: "stock" });
  const flapping = [opens(0), ends(1), opens(2), ends(3), opens(4)];
  const of = (events: readonly PastEvent[], draft: object = forOps) => {
    const { rules, ...history } = run([draft], events);
    const [{ saved, examples }] = rules as [(typeof rules)[number]];
    return { saved, newlyTold: history.newlyTold, held: examples.map((one) => [one.event.id, one.flapping]) };
  };

  it("hold what opens the third time, and tell nobody of it where it was resolved meanwhile", () => {
    expect(of([...flapping, ends(5), past(60)])).toEqual({
      saved: { of: 8, grouped: 0, belowThreshold: 0, flapping: 2, tooMany: 0 },
      newlyTold: 3,
      held: [
        ["evt_60", false],
        ["evt_4", true],
        ["evt_2", false],
        ["evt_0", false],
      ],
    });
  });

  it("tell of it where it stays open, when the hold ends or when there is nothing more to look at", () => {
    const told = { saved: { of: 6, grouped: 0, belowThreshold: 0, flapping: 0, tooMany: 0 }, newlyTold: 3 };
    expect(of(flapping)).toMatchObject(told);
    expect(of([...flapping, ends(14)])).toMatchObject(told);
  });

  it("take it through its group when it is told", () => {
    const grouped = { ...forOps, groupBy: [], groupMinutes: 5 };
    // The group that number 0 opened is over by minute 5; number 12 opens another.
    const { saved, held } = of([...flapping, past(12)], grouped);
    expect(saved).toEqual({ of: 8, grouped: 4, belowThreshold: 0, flapping: 0, tooMany: 0 });
    expect(held[0]).toEqual(["evt_12", false]);
  });

  it("do not hold what a draft makes URGENT, nor what another sender has resolved", () => {
    const urgent = { ...forOps, priorityOverride: "URGENT" };
    expect(of([...flapping, ends(5)], urgent).saved).toMatchObject({ of: 6, flapping: 0 });
    const other = { sender: { id: "key_1", name: "other" } };
    expect(
      of([opens(0), ends(1), opens(2), { ...ends(3), content: { ...ends(3).content, ...other } }, opens(4), ends(5)])
        .saved.flapping,
    ).toBe(0);
  });
});

describe("drafts over events that ring too often", () => {
  const rings = (events: readonly PastEvent[], fields: Parameters<typeof run>[2] & { draft?: object } = {}) => {
    const { draft = forOps, ...rest } = fields;
    const answer = run([draft], events, { loud: 2, ...rest });
    return [answer.rings, answer.rules[0]?.saved.tooMany];
  };
  const storm = [past(1), past(2), past(3), past(4)];

  it("say how often people are rung for, and how many notifications make no sound", () => {
    expect(rings(storm)).toEqual([{ before: 0, after: 4 }, 4]);
    expect(rings([...storm, past(11), past(12)])).toEqual([{ before: 0, after: 8 }, 4]);
    expect(rings(storm, { draft: { ...forOps, groupBy: [], groupMinutes: 10 } })).toEqual([{ before: 0, after: 2 }, 0]);
    expect(rings(storm, { draft: { ...forOps, priorityOverride: "LOW" } })).toEqual([{ before: 0, after: 0 }, 0]);
  });

  it("count what other rules ring for, and events that are looked at only for what they began", () => {
    const paid = (nr: number) => past(nr, { eventKey: "order.paid" });
    const saved = [aRule({ eventKey: "order.paid", targets: to("grp_ops") })];
    expect(rings([paid(1), paid(2), past(3)], { saved })).toEqual([{ before: 4, after: 4 }, 2]);
    expect(rings([past(3)], { saved, leads: [paid(1), paid(2)] })).toEqual([{ before: 0, after: 0 }, 2]);
  });

  it("count what is told when it no longer flaps, among what rang shortly before", () => {
    const opens = (nr: number) => past(nr, { dedupeKey: "stock" });
    const ends = (nr: number) => past(nr, { eventKey: "order.fine", resolves: "stock" });
    const flapping = [opens(0), ends(1), opens(2), ends(3), opens(4)];
    expect(rings(flapping)).toEqual([{ before: 0, after: 6 }, 0]);
    expect(rings([...flapping, past(12), past(13)])).toEqual([{ before: 0, after: 8 }, 2]);
  });

  it("reach back as far as the valve looks, where there is a limit", () => {
    expect(run([forOps], storm, { loud: 2 }).longest).toBe(20 * MINUTE);
  });

  it("do not know who would have acknowledged a group", () => {
    const asking = { ...forOps, groupBy: [], groupMinutes: 10, requiresAck: true };
    expect(run([asking], storm).notKnown).toEqual(["acknowledgements"]);
    expect(run([{ ...asking, requiresAck: false }], storm).notKnown).toEqual([]);
    expect(run([{ ...forOps, requiresAck: true }], storm).notKnown).toEqual([]);
  });
});
