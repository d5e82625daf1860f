import * as fc from "fast-check";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { parseInput } from "../../../../core/domain/basics/faults.ts";
import {
  createEmptyRules,
  NotificationRulesInput,
  toScheduledStepsView,
  toRulesView,
} from "../../../../core/domain/people/notification-rules.ts";
import { applyUrgentFloor, type NotifiedEvent, scheduleSteps } from "../../../../core/domain/people/scheduled-steps.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;

const parseRules = (value: object) => v.parse(NotificationRulesInput, value);
const faultsOf = (value: object) => {
  const { issues = [] } = v.safeParse(NotificationRulesInput, value);
  return issues.map((issue) => v.getDotPath(issue));
};
const at = (text: string) => Date.parse(text);
const urgent: NotifiedEvent = { priority: "URGENT", requiresAck: true, isLoud: true, at: at("2026-11-21T12:00:00Z") };
const step = (afterMinutes: unknown, ...channels: string[]) => ({ afterMinutes, ways: channels });
const nights = { days: DAYS, from: "22:00", to: "07:00", timeZone: "Europe/Berlin", holdBelow: "URGENT" };

describe("the request body for notification rules", () => {
  it("may have four steps for each priority, each later than the previous one", () => {
    const steps = [0, 5, 10, 60].map((minutes) => step(minutes, "push"));

    expect(parseRules({ rungs: { HIGH: steps } }).rungs).toMatchObject({ HIGH: steps, LOW: [] });
    expect(faultsOf({ rungs: { HIGH: [step(5, "push"), step(5, "email")] } })).toEqual(["rungs.HIGH.1.afterMinutes"]);
    expect(faultsOf({ rungs: { HIGH: [step(5, "push"), step(1, "email")] } })).toEqual(["rungs.HIGH.1.afterMinutes"]);
    expect(faultsOf({ rungs: { HIGH: [step(5, "push"), "late"] } })).toEqual(["rungs.HIGH.1"]);
    expect(faultsOf({ rungs: { HIGH: [step(61, "push")] } })).toEqual(["rungs.HIGH.0.afterMinutes"]);
    expect(faultsOf({ rungs: { HIGH: [step(-1, "push")] } })).toEqual(["rungs.HIGH.0.afterMinutes"]);
    expect(faultsOf({ rungs: { HIGH: [step(0.5, "push")] } })).toEqual(["rungs.HIGH.0.afterMinutes"]);
    expect(faultsOf({ rungs: { HIGH: [0, 1, 2, 3, 4].map((minutes) => step(minutes, "push")) } })).toEqual([
      "rungs.HIGH",
    ]);
    expect(faultsOf({ rungs: { CRITICAL: [] } })).toEqual(["rungs.CRITICAL"]);
  });

  it("must have at least one channel in a step, and each channel once", () => {
    expect(faultsOf({ rungs: { LOW: [step(0)] } })).toEqual(["rungs.LOW.0.ways"]);
    expect(faultsOf({ rungs: { LOW: [step(0, "push", "push")] } })).toEqual(["rungs.LOW.0.ways"]);
    expect(faultsOf({ rungs: { LOW: [step(0, "pager")] } })).toEqual(["rungs.LOW.0.ways.0"]);
  });

  it("must have quiet hours with a different start and end, an IANA time zone, and a priority to hold back", () => {
    expect(parseRules({ quietHours: nights }).quietHours).toEqual({ ...nights, days: [...DAYS] });
    expect(faultsOf({ quietHours: { ...nights, from: "07:00" } })).toEqual(["quietHours.to"]);
    expect(faultsOf({ quietHours: { ...nights, holdBelow: "LOW" } })).toEqual(["quietHours.holdBelow"]);
    expect(faultsOf({ quietHours: { ...nights, timeZone: "Berlin" } })).toEqual(["quietHours.timeZone"]);
  });
});

it.each<[string, object]>([
  [
    "afterMinutes must be more than the 5 of the step before it.",
    { rungs: { HIGH: [step(5, "push"), step(5, "email")] } },
  ],
  ["afterMinutes must be a whole number from 0 to 60.", { rungs: { HIGH: [step(5, "push"), step("1", "push")] } }],
  [
    "Quiet hours must not cover the whole week: held notifications are sent outside of quiet hours.",
    { quietHours: { ...nights, from: "07:00" } },
  ],
])("notification rules with a fault are refused with the reason: %s", (message, value) => {
  expect(parseInput(NotificationRulesInput, value).faults.map((fault) => fault.message)).toEqual([message]);
});

describe("notification rules in the API", () => {
  it("are empty for a person who has saved none, and show the workspace's minimum for URGENT and the possible channels", () => {
    const none = { rungs: { LOW: [], NORMAL: [], HIGH: [], URGENT: [] }, quietHours: null, version: 0 };
    const floor = { ways: ["sms" as const], withinMinutes: 10 };

    expect(createEmptyRules("usr_ann")).toEqual({ userId: "usr_ann", ...none });
    expect(toRulesView({ userId: "usr_ann", ...none }, floor, ["push", "sms"])).toEqual({
      userId: "usr_ann",
      ...none,
      urgentFloor: floor,
      ways: ["push", "sms"],
    });
  });

  it("contain the times of pages, or null if every device is notified at once", () => {
    expect(toScheduledStepsView(undefined)).toBeNull();
    expect(toScheduledStepsView([{ at: urgent.at, ways: ["push", "sms"] }])).toEqual([
      { at: "2026-11-21T12:00:00.000Z", ways: ["push", "sms"] },
    ]);
  });
});

describe("the planned pages of a notification", () => {
  const rules = parseRules({ rungs: { URGENT: [step(0, "push"), step(5, "sms", "email")] } });

  it("do not exist if no steps are set for the priority", () => {
    expect(scheduleSteps(undefined, null, urgent)).toBeUndefined();
    expect(scheduleSteps(rules, null, { ...urgent, priority: "HIGH" })).toBeUndefined();
    expect(scheduleSteps(parseRules({ quietHours: nights }), null, urgent)).toBeUndefined();
  });

  it("are never held back for URGENT, even if pages of other priorities wait", () => {
    const midnight = { ...urgent, at: at("2026-11-21T23:00:00Z") };
    const rulesBelow = (holdBelow: string) => parseRules({ quietHours: { ...nights, holdBelow } });

    for (const holdBelow of ["NORMAL", "HIGH", "URGENT"])
      expect(scheduleSteps(rulesBelow(holdBelow), null, midnight)).toBeUndefined();
    expect(scheduleSteps(rulesBelow("HIGH"), null, { ...midnight, priority: "HIGH" })).toBeUndefined();
    expect(scheduleSteps(rulesBelow("HIGH"), null, { ...midnight, priority: "NORMAL" })).toHaveLength(1);
  });

  it.each([
    [true, true, ["push", "email", "sms", "voice"]],
    [true, false, ["push", "email", "sms"]],
    [false, true, ["push", "email", "sms"]],
    [false, false, ["push", "email", "sms"]],
  ])(
    "without steps use all channels after quiet hours, but calls only if acknowledgement is required (%s) and the page loud (%s)",
    (...given) => {
      const [requiresAck, isLoud, ways] = given;
      const night = { priority: "HIGH", requiresAck, isLoud, at: at("2026-11-21T23:00:00Z") } as const;

      expect(scheduleSteps(parseRules({ quietHours: nights }), null, night)).toEqual([
        { at: at("2026-11-22T06:00:00Z"), ways },
      ]);
    },
  );

  it("have the times and channels of the notification steps", () => {
    expect(scheduleSteps(rules, null, { ...urgent, at: urgent.at + 123 })).toEqual([
      { at: urgent.at + 123, ways: ["push"] },
      { at: urgent.at + 123 + 5 * MINUTE, ways: ["email", "sms"] },
    ]);
  });

  it("have only the first step if the push is silent or no acknowledgement is required", () => {
    const first = [{ at: urgent.at, ways: ["push"] }];

    expect(scheduleSteps(rules, null, { ...urgent, requiresAck: false })).toEqual(first);
    expect(scheduleSteps(rules, null, { ...urgent, isLoud: false })).toEqual(first);
  });

  it("are combined at the end of quiet hours if their steps are due during quiet hours", () => {
    const held = parseRules({
      rungs: { HIGH: [step(0, "push"), step(5, "email"), step(10, "sms")] },
      quietHours: nights,
    });
    const evening = { ...urgent, priority: "HIGH", at: at("2026-11-21T20:58:00Z") } as const;

    expect(scheduleSteps(held, null, evening)).toEqual([
      { at: evening.at, ways: ["push"] },
      { at: at("2026-11-22T06:00:00Z"), ways: ["email", "sms"] },
    ]);
  });

  it("of an event during quiet hours begin when quiet hours end, each after the delay of its step", () => {
    const held = parseRules({ rungs: { HIGH: [step(0, "push"), step(5, "email")] }, quietHours: nights });

    expect(scheduleSteps(held, null, { ...urgent, priority: "HIGH", at: at("2026-11-21T23:00:00Z") })).toEqual([
      { at: at("2026-11-22T06:00:00Z"), ways: ["push"] },
      { at: at("2026-11-22T06:05:00Z"), ways: ["email"] },
    ]);
  });
});

describe("quiet hours across a clock change", () => {
  const hour = new Intl.DateTimeFormat("en-GB", { timeZone: "Europe/Berlin", hour: "2-digit", hourCycle: "h23" });
  const isQuiet = (ms: number) => [22, 23, 0, 1, 2, 3, 4, 5, 6].includes(Number(hour.format(ms)));
  /** The weekends of 25 October 2026 (one hour occurs twice) and 28 March 2027 (one hour is skipped). */
  const around = fc
    .tuple(fc.constantFrom(at("2026-10-24T12:00:00Z"), at("2027-03-27T12:00:00Z")), fc.nat(40 * 60))
    .map(([from, minutes]) => from + minutes * MINUTE);
  const ladder = fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 4 });

  it("hold back every page until its step is due and quiet hours are over, and no longer", () => {
    fc.assert(
      fc.property(around, ladder, (ms, minutes) => {
        const steps = minutes.toSorted((one, other) => one - other);
        const rules = parseRules({ rungs: { HIGH: steps.map((after) => step(after, "push")) }, quietHours: nights });
        const pages = scheduleSteps(rules, null, { ...urgent, priority: "HIGH", at: ms }) ?? [];

        expect(pages.length).toBeGreaterThan(0);
        for (const { at: rings1 } of pages) expect(isQuiet(rings1)).toBe(false);
        const wanted = steps.map((after) => ms + after * MINUTE);
        expect(pages[0]!.at).toBeGreaterThanOrEqual(wanted[0]!);
        // Quiet hours last nine hours, but ten when the clocks go back in October.
        expect(pages.at(-1)!.at).toBeLessThanOrEqual(wanted.at(-1)! + 10 * HOUR);
        if (wanted.every((time) => !isQuiet(time)) && !isQuiet(ms)) expect(pages.map((one) => one.at)).toEqual(wanted);
        expect(pages.map((one) => one.at)).toEqual(pages.map((one) => one.at).toSorted((one, other) => one - other));
      }),
      { numRuns: 300 },
    );
  });

  it("end at seven o'clock local time, whether the clocks go forward or back", () => {
    const held = { ...urgent, priority: "LOW" } as const;
    const rules = parseRules({ quietHours: nights });

    expect(scheduleSteps(rules, null, { ...held, at: at("2026-10-24T22:00:00Z") })?.[0]?.at).toBe(
      at("2026-10-25T06:00:00Z"),
    );
    expect(scheduleSteps(rules, null, { ...held, at: at("2027-03-27T22:00:00Z") })?.[0]?.at).toBe(
      at("2027-03-28T05:00:00Z"),
    );
  });
});

describe("the workspace's minimum for URGENT notification steps", () => {
  const floor = { ways: ["voice" as const, "sms" as const], withinMinutes: 10 };
  const urgentSteps = (value: readonly object[]) => parseRules({ rungs: { URGENT: value } }).rungs.URGENT;

  it("adds its channels to a person's own steps only if these steps use the channels too late or never", () => {
    const [late, met] = [
      urgentSteps([step(0, "push"), step(20, "sms")]),
      urgentSteps([step(0, "push"), step(10, "sms")]),
    ];

    expect(applyUrgentFloor(floor, late)).toEqual([step(0, "push"), step(10, "sms", "voice"), step(20, "sms")]);
    expect(applyUrgentFloor(floor, met)).toBe(met);
    const among = urgentSteps([step(10, "push", "sms")]);
    expect(applyUrgentFloor(floor, among)).toBe(among);
    expect(applyUrgentFloor(null, late)).toBe(late);
    expect(applyUrgentFloor(floor, [])).toEqual([]);
    expect(applyUrgentFloor(floor, urgentSteps([step(10, "push")]))).toEqual([step(10, "push", "sms", "voice")]);
  });

  it("does not apply to other priorities", () => {
    const rules = parseRules({ rungs: { URGENT: [step(0, "push")], HIGH: [step(0, "push")] } });

    expect(scheduleSteps(rules, floor, urgent)).toHaveLength(2);
    expect(scheduleSteps(rules, floor, { ...urgent, priority: "HIGH" })).toHaveLength(1);
  });
});
