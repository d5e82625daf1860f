import { describe, expect, it } from "vitest";
import * as v from "valibot";
import { HistoryInput } from "../../../../core/domain/planning/history.ts";
import type { RoutingRule } from "../../../../core/domain/rules/routing-rule.ts";
import { aPeople, aRule, aSilence, people as few, to } from "../support.ts";
import { pastEvent, ann, bob, cat, forOps, forLead, preview } from "./past.ts";

const pickTotals = ({ events, moreTold, lessTold, newlyTold, notToldAnyMore }: ReturnType<typeof preview>) => ({
  events,
  moreTold,
  lessTold,
  newlyTold,
  notToldAnyMore,
});

describe("a preview of drafts over past events", () => {
  it("counts the events of each hour, and those that would have notified somebody, for at most 672 hours", () => {
    const counted = { ...forOps, atLeast: { count: 2, withinMinutes: 60 } };

    expect(preview([counted], [pastEvent(1), pastEvent(59), pastEvent(130)]).rules[0]?.hours).toEqual([
      { from: "2026-11-21T12:00:00.000Z", matched: 2, told: 1 },
      { from: "2026-11-21T14:00:00.000Z", matched: 1, told: 0 },
    ]);
    const everyHour = Array.from({ length: 673 }, (_, hour) => pastEvent(hour * 60));
    const [draft] = preview([forOps], everyHour).rules;
    expect(draft?.hours).toHaveLength(672);
    expect([draft?.matched, draft?.hours[0]?.from]).toEqual([673, "2026-11-21T13:00:00.000Z"]);
    expect(
      preview(
        Array.from({ length: 51 }, () => forOps),
        [pastEvent(1)],
      ).rules[0]?.hours,
    ).toEqual([]);
  });

  it("shows who would have been notified of which event, and by which draft", () => {
    expect(preview([forOps], [pastEvent(1)])).toEqual({
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
    ["no difference if the draft equals the saved rule", { ...forOps, id: "rule_1" }, [saved], [0, 0, 0, 0]],
    ["other people if the draft notifies another group", { ...forLead, id: "rule_1" }, [saved], [1, 1, 0, 0]],
    ["more people if the draft is added to the saved rule", forLead, [saved], [1, 0, 0, 0]],
    [
      "fewer people if the draft notifies only people on call",
      { ...forOps, id: "rule_1", onCallOnly: true },
      [saved],
      [0, 1, 0, 0],
    ],
    ["somebody instead of nobody if no rule is saved", forLead, [], [1, 0, 1, 0]],
    [
      "nobody any more if the draft disables the rule",
      { ...forOps, id: "rule_1", enabled: false },
      [saved],
      [0, 1, 0, 1],
    ],
    ["no difference if the draft is for another event key", { ...forOps, eventKey: "order.paid" }, [], [0, 0, 0, 0]],
    [
      "nobody any more if the draft moves the rule to another event key",
      { ...forOps, eventKey: "order.paid", id: "rule_1" },
      [saved],
      [0, 1, 0, 1],
    ],
  ])(
    "compares the people whom drafts notify with those whom the saved rules notify: %s",
    (_, draft, rules, [moreTold, lessTold, newlyTold, notToldAnyMore]) => {
      expect(pickTotals(preview([draft], [pastEvent(1)], { saved: rules }))).toEqual({
        events: 1,
        moreTold,
        lessTold,
        newlyTold,
        notToldAnyMore,
      });
    },
  );

  it("counts the matches of the saved rule beside the matches of the draft that replaces it", () => {
    const high = [{ field: "priority", operator: "equals", value: "HIGH" }];
    const { rules } = preview(
      [{ ...forOps, id: "rule_1", conditions: high }],
      [pastEvent(1), pastEvent(2, { priority: "LOW" })],
      {
        saved: [saved, aRule({ id: "rule_2" })],
      },
    );

    expect(rules).toMatchObject([{ id: "rule_1", draft: "replaced", matched: 1, matchedBefore: 2 }]);
  });

  it("lists first the people whose notifications would change most", () => {
    const saved = [aRule(), aRule({ id: "rule_2", eventKey: "order.paid", targets: to("grp_lead") })];
    const drafts = [
      { ...forLead, id: "rule_1" },
      { ...forLead, id: "rule_2", enabled: false },
    ];
    const { people } = preview(drafts, [pastEvent(1), pastEvent(2), pastEvent(3, { eventKey: "order.paid" })], {
      saved,
    });

    expect(people).toEqual([
      { ...cat, more: 2, less: 1 },
      { ...ann, more: 0, less: 2 },
      { ...bob, more: 0, less: 2 },
    ]);
  });

  it("notifies nobody of silenced events, and shows that they were silenced", () => {
    const answer = preview([forOps], [pastEvent(1)], { silences: [aSilence()] });

    expect(pickTotals(answer)).toMatchObject({ moreTold: 0, newlyTold: 0 });
    expect(answer.rules[0]?.examples).toMatchObject([{ silenced: true, told: { count: 0 } }]);
    expect(answer.examples).toEqual([]);
  });

  it("gives the ten newest examples, each with its first twenty people", () => {
    const ids = Array.from({ length: 25 }, (_, nr) => `usr_${String(nr).padStart(2, "0")}`);
    const people = aPeople({ members: Object.fromEntries(ids.map((id) => [id, id])), groups: { grp_ops: ids } });
    const answer = preview(
      [forOps],
      Array.from({ length: 12 }, (_, nr) => pastEvent(nr)),
      { people },
    );

    const newest = ["evt_11", "evt_10", "evt_9", "evt_8", "evt_7", "evt_6", "evt_5", "evt_4", "evt_3", "evt_2"];
    expect(answer.examples.map(({ event }) => event.id)).toEqual(newest);
    expect(answer.rules[0]?.examples.map(({ event }) => event.id)).toEqual(newest);
    expect(answer.examples[0]?.more).toMatchObject({ count: 25, people: { length: 20 } });
    expect(answer.people).toHaveLength(25);
  });

  it("gives examples for each draft, of up to fifty drafts", () => {
    const previewExamples = (count: number) =>
      preview(
        Array.from({ length: count }, () => forOps),
        [pastEvent(1)],
      ).rules.filter((rule) => rule.examples.length > 0);

    expect(previewExamples(50)).toHaveLength(50);
    expect(previewExamples(51)).toEqual([]);
  });

  it("names a person who is no longer a member by id only", () => {
    const gone = { ...few, members: new Map([...few.members].filter(([id]) => id !== "usr_cat")) };

    expect(preview([forLead], [pastEvent(1)], { people: gone }).people).toEqual([
      { userId: "usr_cat", name: "", email: "", more: 1, less: 0 },
    ]);
  });
});

describe("a request for a preview over past events", () => {
  it.each<[string, object]>([
    ["rules or onCall must have at least one draft.", { rules: [] }],
    ["days must be a whole number from 1 to 90.", { rules: [forOps], days: 0 }],
    ["days must be a whole number from 1 to 90.", { rules: [forOps], days: 91 }],
    ["days must be a whole number from 1 to 90.", { rules: [forOps], days: 1.5 }],
    ["days must be a whole number from 1 to 90.", { rules: [forOps], days: "7" }],
    ["before must be the id of an event of this workspace.", { rules: [forOps], before: 7 }],
  ])("is refused with: %s", (message, input) => {
    expect(v.safeParse(HistoryInput, input).issues?.map((issue) => issue.message)).toEqual([message]);
  });

  it("covers seven days by default, and up to 90", () => {
    expect(v.parse(HistoryInput, { rules: [forOps] }).days).toBe(7);
    expect([1, 90].map((days) => v.is(HistoryInput, { rules: [forOps], days }))).toEqual([true, true]);
  });
});
