import { describe, expect, it } from "vitest";
import type { StoredProbe } from "../../../../core/domain/event/probe.ts";
import { isProbedRule, scheduleProbes } from "../../../../core/domain/planning/probe-schedule.ts";
import type { RoutingRule } from "../../../../core/domain/rules/routing-rule.ts";
import { aPeople, aRule } from "../support.ts";

const HOUR = 3_600_000;
const MIDNIGHT = Date.UTC(2026, 10, 23);
const at = (text: string): number => Date.parse(`2026-11-${text}Z`);
const formatTime = (moment: number): string => new Date(moment).toISOString().slice(5, 16);

const createPeopleIn = (...zones: string[]) =>
  aPeople({
    members: Object.fromEntries(zones.map((_, nr) => [`usr_${nr}`, `Person ${nr}`])),
    groups: Object.fromEntries(zones.map((_, nr) => [`grp_${nr}`, [`usr_${nr}`]])),
    schedules: zones.map((timeZone, nr) => ({ groupId: `grp_${nr}`, timeZone, layers: [], updatedAt: "" })),
  });
const groups = (count: number): Pick<RoutingRule, "targets"> => ({
  targets: Array.from({ length: count }, (_, nr) => ({ type: "group", groupId: `grp_${nr}` })),
});
/** The daily slot of this rule is at 21:00 UTC. */
const daily = (fields: Partial<RoutingRule> = {}) => aRule({ probe: { everyHours: 24 }, ...groups(1), ...fields });

const probes = (...acceptedAt: number[]) =>
  new Map(
    acceptedAt.map((moment): [string, StoredProbe] => [
      "rule_1",
      { ruleId: "rule_1", eventId: "evt_1", acceptedAt: moment, recipients: [] },
    ]),
  );
const schedule = (
  rules: readonly RoutingRule[],
  now: number,
  { since = MIDNIGHT - 30 * 24 * HOUR, people = createPeopleIn("UTC"), done = probes() } = {},
) => {
  const { due, next } = scheduleProbes(rules, people, done, { since, now });
  return { due: due.map(({ id }) => id), next: next < Infinity ? formatTime(next) : "never" };
};

describe("rules that are probed automatically", () => {
  it.each<[string, Partial<RoutingRule>, boolean]>([
    ["a rule that requires an acknowledgement is probed", { requiresAck: true }, true],
    ["a rule that requires no acknowledgement is not probed", {}, false],
    ["a rule with a probe is probed", { probe: { everyHours: 24 } }, true],
    ["a rule whose probe is off is not probed", { requiresAck: true, probe: null }, false],
    ["a disabled rule is not probed", { requiresAck: true, enabled: false }, false],
  ])("are chosen by their settings: %s", (_which, fields, isProbed) => {
    expect(isProbedRule(aRule(fields))).toBe(isProbed);
  });

  it("are spread over the week, at one hour of the day", () => {
    const rules = Array.from({ length: 300 }, (_, nr) => aRule({ id: `rule_${nr}`, requiresAck: true, ...groups(1) }));
    const known = new Map<string, StoredProbe>();
    const starts: string[] = [];
    for (let now = MIDNIGHT; now < MIDNIGHT + 7 * 24 * HOUR; now += HOUR) {
      const { due } = scheduleProbes(rules, createPeopleIn("UTC"), known, { since: MIDNIGHT, now });
      for (const { id } of due) {
        known.set(id, { ruleId: id, eventId: "evt_1", acceptedAt: now, recipients: [] });
        starts.push(formatTime(now));
      }
    }
    const perStart = Map.groupBy(starts, (start) => start);
    expect([...perStart].map(([start, all]) => `${start}: ${all.length}`)).toEqual([
      "11-23T21:00: 42",
      "11-24T21:00: 43",
      "11-25T21:00: 43",
      "11-26T21:00: 44",
      "11-27T21:00: 42",
      "11-28T21:00: 43",
      "11-29T21:00: 43",
    ]);
  });

  it("get at most fifty probes in one sweep, and the other probes in the next sweep", () => {
    const rules = Array.from({ length: 51 }, (_, nr) => daily({ id: `rule_${nr}` }));

    for (const [count, again] of [
      [50, "11-23T22:00"],
      [51, "11-23T21:00"],
    ] as const) {
      const { due, next } = schedule(rules.slice(0, count), at("23T21:00"));
      expect([due.length, next]).toEqual([50, again]);
    }
  });
});

describe("a rule's probe", () => {
  it.each<[string, string, number[], { due: string[]; next: string }]>([
    ["starts at the planned time", "23T21:00", [], { due: ["rule_1"], next: "11-23T22:00" }],
    ["waits before the planned time", "23T20:59", [at("22T21:01")], { due: [], next: "11-23T21:00" }],
    [
      "starts once at a planned time, and is decided an hour later",
      "23T21:01",
      [at("23T21:00")],
      { due: [], next: "11-23T22:00" },
    ],
    [
      "starts at the next planned time after it was decided",
      "23T22:01",
      [at("23T21:00")],
      { due: [], next: "11-24T21:00" },
    ],
    ["makes up for a missed start, but not at night", "23T23:00", [at("22T21:00")], { due: [], next: "11-24T07:00" }],
    [
      "makes up for a missed start in the morning",
      "24T07:00",
      [at("22T21:00")],
      { due: ["rule_1"], next: "11-24T08:00" },
    ],
  ])("%s", (_what, now, done, expected) => {
    expect(schedule([daily()], at(now), { done: probes(...done) })).toEqual(expected);
  });

  it("has no planned start before the rule was created, or before probes began in the rule's workspace", () => {
    const now = at("23T21:30");
    const waits = { due: [], next: "11-24T21:00" };

    expect(schedule([daily()], now, { since: at("23T21:00") })).toEqual(waits);
    expect(schedule([daily({ createdAt: "2026-11-23T21:10:00.000Z" })], now)).toEqual(waits);
  });

  it.each<[string, string[], string, { due: string[]; next: string }]>([
    ["waits until the morning of its recipients", ["Asia/Tokyo"], "23T21:00", { due: [], next: "11-23T22:00" }],
    ["starts in the morning", ["Asia/Tokyo"], "23T22:00", { due: ["rule_1"], next: "11-23T23:00" }],
    [
      "waits until it is night for none of its recipients",
      ["America/New_York", "Asia/Tokyo"],
      "23T21:00",
      { due: [], next: "11-23T22:00" },
    ],
    [
      "starts when it is night in the fewest time zones, if it is always night in one",
      ["America/Los_Angeles", "Asia/Tokyo", "Europe/Berlin"],
      "23T22:00",
      { due: ["rule_1"], next: "11-23T23:00" },
    ],
  ])("%s", (_what, zones, now, expected) => {
    expect(schedule([daily(groups(zones.length))], at(now), { people: createPeopleIn(...zones) })).toEqual(expected);
  });

  it("follows the time zone of a person's quiet hours rather than the time zone of the schedule", () => {
    const people = createPeopleIn("UTC");
    const quietHours = { timeZone: "Asia/Tokyo", days: [], from: "22:00", to: "07:00", holdBelow: "HIGH" } as const;
    const rules = new Map([["usr_0", { steps: [], quietHours } as never]]);

    expect(schedule([daily()], at("23T21:00"), { people: { ...people, notificationRules: rules } })).toEqual({
      due: [],
      next: "11-23T22:00",
    });
  });

  it("waits for the hours in which the rule is active", () => {
    const hours = { activeHours: [{ days: ["sat" as const], from: "01:00", to: "03:00" }], timeZone: "UTC" };

    expect(schedule([daily(hours)], at("25T20:00"), { done: probes(at("24T21:30")) }).due).toEqual([]);
    expect(schedule([daily({ ...hours, probe: { everyHours: 168 } })], at("28T01:00")).due).toEqual(["rule_1"]);
  });

  it("starts at night if none of the next 24 active hours is in the daytime", () => {
    const days = ["mon", "tue", "wed", "thu", "fri", "sat"] as const;
    const night = { days: [...days], from: "00:00", to: "06:00" };
    const day = { days: ["sun" as const], from: "12:00", to: "14:00" };

    expect(schedule([daily({ activeHours: [night, day], timeZone: "UTC" })], at("23T22:00")).next).toBe("11-24T00:00");
  });

  it("never starts if the rule's active hours contain no start of an hour, such as 09:00", () => {
    const hours = { activeHours: [{ days: ["sat" as const], from: "01:15", to: "01:45" }], timeZone: "UTC" };

    expect(schedule([daily(hours)], at("23T21:00"))).toEqual({ due: [], next: "11-24T21:00" });
  });

  it("is never due in a workspace where no rule is probed", () => {
    expect(schedule([aRule()], at("23T21:00"))).toEqual({ due: [], next: "never" });
  });
});
