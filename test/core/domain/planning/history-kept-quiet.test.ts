import { describe, expect, it } from "vitest";
import type { PastEvent } from "../../../../core/domain/planning/history.ts";
import { aRule, to } from "../support.ts";
import { MINUTE, pastEvent, forOps, preview } from "./past.ts";

describe("a preview of grouping and thresholds over past events", () => {
  const grouped = { ...forOps, groupBy: [], groupMinutes: 10 };
  const threshold = { ...forOps, atLeast: { count: 3, withinMinutes: 10 } };
  const previewSaved = (draft: object, events: readonly PastEvent[], earlierEvents: readonly PastEvent[] = []) => {
    const answer = preview([draft], events, { leads: earlierEvents });
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

  it("says how many notifications grouping saves", () => {
    expect(previewSaved(grouped, [pastEvent(0), pastEvent(1), pastEvent(10)])).toEqual([
      2,
      { of: 6, grouped: 2, belowThreshold: 0, flapping: 0, tooMany: 0 },
      [
        ["evt_10", false, false, 2],
        ["evt_1", true, false, 0],
        ["evt_0", false, false, 2],
      ],
    ]);
  });

  it("says how many notifications a threshold saves", () => {
    expect(previewSaved(threshold, [pastEvent(0), pastEvent(1), pastEvent(2)])).toEqual([
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
    ["nothing if nobody is notified", [0, 1], [], { events: 2, told: 0, longestSeconds: null }],
    [
      "the events before the event that reaches the threshold",
      [0, 1, 3],
      [],
      { events: 2, told: 2, longestSeconds: 180 },
    ],
    [
      "not an event that was too old when the threshold was reached",
      [0, 4, 11, 12],
      [],
      { events: 3, told: 2, longestSeconds: 480 },
    ],
    [
      "not an event after the event that reaches the threshold",
      [0, 1, 2, 3],
      [],
      { events: 2, told: 2, longestSeconds: 120 },
    ],
    [
      "the longest of several delays if it is the last",
      [0, 1, 2, 20, 21, 28],
      [],
      { events: 4, told: 4, longestSeconds: 480 },
    ],
    [
      "the longest of several delays if it is the first",
      [0, 1, 8, 20, 21, 22],
      [],
      { events: 4, told: 4, longestSeconds: 480 },
    ],
    ["also events from before the period", [3], [0, 1], { events: 0, told: 2, longestSeconds: 180 }],
    ["not events that notified before the period", [20], [0, 1, 3], { events: 1, told: 0, longestSeconds: null }],
  ])("says which events a threshold delays, and how long: %s", (_, events, leads, delayed) => {
    const pastAt = (minutes: readonly number[]) => minutes.map((minute) => pastEvent(minute));

    expect(preview([threshold], pastAt(events), { leads: pastAt(leads) }).rules).toMatchObject([{ delayed }]);
  });

  it("lets events join a group that an event before the period opened", () => {
    expect(previewSaved(grouped, [pastEvent(1)], [pastEvent(0)])).toEqual([
      0,
      { of: 2, grouped: 2, belowThreshold: 0, flapping: 0, tooMany: 0 },
      [["evt_1", true, false, 0]],
    ]);
    expect(previewSaved(grouped, [pastEvent(1)], [pastEvent(0, { eventKey: "order.paid" })])[0]).toBe(1);
  });

  it.each([
    ["no group and no threshold", forOps, 0],
    ["a group", grouped, 10],
    ["a threshold", threshold, 10],
    ["a group or a threshold, whichever is longer", { ...grouped, atLeast: { count: 3, withinMinutes: 25 } }, 25],
  ])("reads earlier events as far back as needed for %s", (_, draft, minutes) => {
    expect(preview([draft], []).longest).toBe(minutes * MINUTE);
  });

  it("reads earlier events for the group of a saved rule only if a draft replaces that rule", () => {
    const saved = [aRule({ groupBy: [], groupMinutes: 30 }), aRule({ id: "rule_2", groupBy: [], groupMinutes: 60 })];

    expect(preview([{ ...forOps, id: "rule_1" }], [], { saved }).longest).toBe(30 * MINUTE);
  });
});

describe("a preview over alerts that flap", () => {
  const openingEvent = (nr: number, fields: object = {}) => pastEvent(nr, { dedupeKey: "stock", ...fields });
  const endingEvent = (nr: number) => pastEvent(nr, { eventKey: "order.fine", resolves: "stock" });
  const flapping = [openingEvent(0), endingEvent(1), openingEvent(2), endingEvent(3), openingEvent(4)];
  const previewFlapping = (events: readonly PastEvent[], draft: object = forOps) => {
    const { rules, ...history } = preview([draft], events);
    const [{ saved, examples }] = rules as [(typeof rules)[number]];
    return { saved, newlyTold: history.newlyTold, held: examples.map((one) => [one.event.id, one.flapping]) };
  };

  it("holds back an alert's third opening, and notifies nobody if the alert is resolved in the next ten minutes", () => {
    expect(previewFlapping([...flapping, endingEvent(5), pastEvent(60)])).toEqual({
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

  it("counts a notification for a held-back alert that is still open after ten minutes, or when the previewed period ends", () => {
    const notified = { saved: { of: 6, grouped: 0, belowThreshold: 0, flapping: 0, tooMany: 0 }, newlyTold: 3 };
    expect(previewFlapping(flapping)).toMatchObject(notified);
    expect(previewFlapping([...flapping, endingEvent(14)])).toMatchObject(notified);
  });

  it("counts a held-back alert towards its group only when the alert is no longer held back", () => {
    const grouped = { ...forOps, groupBy: [], groupMinutes: 5 };
    // The group that event 0 opened has ended by minute 5, and event 12 opens another.
    const { saved, held } = previewFlapping([...flapping, pastEvent(12)], grouped);
    expect(saved).toEqual({ of: 8, grouped: 4, belowThreshold: 0, flapping: 0, tooMany: 0 });
    expect(held[0]).toEqual(["evt_12", false]);
  });

  it("does not hold back an alert that a draft makes URGENT, or that another sender has resolved", () => {
    const urgent = { ...forOps, priorityOverride: "URGENT" };
    expect(previewFlapping([...flapping, endingEvent(5)], urgent).saved).toMatchObject({ of: 6, flapping: 0 });
    const other = { sender: { id: "key_1", name: "other" } };
    expect(
      previewFlapping([
        openingEvent(0),
        endingEvent(1),
        openingEvent(2),
        { ...endingEvent(3), content: { ...endingEvent(3).content, ...other } },
        openingEvent(4),
        endingEvent(5),
      ]).saved.flapping,
    ).toBe(0);
  });
});

describe("a preview of the page limit over past events", () => {
  const previewPages = (
    events: readonly PastEvent[],
    fields: Parameters<typeof preview>[2] & { draft?: object } = {},
  ) => {
    const { draft = forOps, ...rest } = fields;
    const answer = preview([draft], events, { loud: 2, ...rest });
    return [answer.rings, answer.rules[0]?.saved.tooMany];
  };
  const storm = [pastEvent(1), pastEvent(2), pastEvent(3), pastEvent(4)];

  it("says how often people are paged, and how many notifications the page limit makes silent", () => {
    expect(previewPages(storm)).toEqual([{ before: 0, after: 4 }, 4]);
    expect(previewPages([...storm, pastEvent(11), pastEvent(12)])).toEqual([{ before: 0, after: 8 }, 4]);
    expect(previewPages(storm, { draft: { ...forOps, groupBy: [], groupMinutes: 10 } })).toEqual([
      { before: 0, after: 2 },
      0,
    ]);
    expect(previewPages(storm, { draft: { ...forOps, priorityOverride: "LOW" } })).toEqual([
      { before: 0, after: 0 },
      0,
    ]);
  });

  it("counts the pages of other rules, and of events before the period", () => {
    const paidEvent = (nr: number) => pastEvent(nr, { eventKey: "order.paid" });
    const saved = [aRule({ eventKey: "order.paid", targets: to("grp_ops") })];
    expect(previewPages([paidEvent(1), paidEvent(2), pastEvent(3)], { saved })).toEqual([{ before: 4, after: 4 }, 2]);
    expect(previewPages([pastEvent(3)], { saved, leads: [paidEvent(1), paidEvent(2)] })).toEqual([
      { before: 0, after: 0 },
      2,
    ]);
  });

  it("counts the notification that a flapping alert sends after it was held back", () => {
    const openingEvent = (nr: number) => pastEvent(nr, { dedupeKey: "stock" });
    const endingEvent = (nr: number) => pastEvent(nr, { eventKey: "order.fine", resolves: "stock" });
    const flapping = [openingEvent(0), endingEvent(1), openingEvent(2), endingEvent(3), openingEvent(4)];
    expect(previewPages(flapping)).toEqual([{ before: 0, after: 6 }, 0]);
    expect(previewPages([...flapping, pastEvent(12), pastEvent(13)])).toEqual([{ before: 0, after: 8 }, 2]);
  });

  it("reads events from before the period if there is a page limit", () => {
    expect(preview([forOps], storm, { loud: 2 }).longest).toBe(20 * MINUTE);
  });

  it("says that it cannot predict acknowledgements if a rule groups events and requires acknowledgement", () => {
    const asking = { ...forOps, groupBy: [], groupMinutes: 10, requiresAck: true };
    expect(preview([asking], storm).notKnown).toEqual(["acknowledgements"]);
    expect(preview([{ ...asking, requiresAck: false }], storm).notKnown).toEqual([]);
    const silent = { ...asking, requiresAck: false };
    expect(preview([{ ...forOps, requiresAck: true }, silent], storm).notKnown).toEqual([]);
    const saved = [aRule({ groupBy: [], groupMinutes: 10, requiresAck: true })];
    expect(preview([{ ...forOps, id: "rule_1" }], storm, { saved }).notKnown).toEqual(["acknowledgements"]);
  });
});
