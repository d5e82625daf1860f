import { describe, expect, it } from "vitest";
import type { Silence } from "../../../../core/domain/rules/silence.ts";
import type { RoutingRule } from "../../../../core/domain/rules/routing-rule.ts";
import { findHoursFaults } from "../../../../core/domain/rules/active-hours.ts";
import { toRuleSet } from "../../../../core/domain/rules/rule-set.ts";
import { aRule as anyRule } from "../support.ts";

const aRule = (id: string, fields: Partial<RoutingRule> = {}): RoutingRule =>
  anyRule({ id, name: id, eventKey: "*", ...fields });

const event = { eventKey: "order.failed", title: "T", body: "B", priority: "NORMAL" };
const NOON = "2026-11-23T12:00:00Z";
const matchingIds = (rules: RoutingRule[], at: string = NOON) =>
  toRuleSet(rules, [])
    .match(event, Date.parse(at))
    .rules.map(({ id }) => id);

describe("a fallback rule in a rule set", () => {
  const other = { eventKey: "booking.*" };
  const never: Partial<RoutingRule> = { conditions: [{ field: "title", operator: "equals", value: "other" }] };

  it("applies if no other rule matched, whatever event keys the other rules are for", () => {
    expect(matchingIds([aRule("fallback", { fallback: true }), aRule("other", other), aRule("never", never)])).toEqual([
      "fallback",
    ]);
  });

  it("does not apply if another rule matched, even if that rule notifies nobody", () => {
    expect(matchingIds([aRule("fallback", { fallback: true }), aRule("rule")])).toEqual(["rule"]);
  });

  it("applies together with another fallback rule, if the key and the conditions of both match", () => {
    const fallback = { fallback: true };
    expect(
      matchingIds([
        aRule("one", fallback),
        aRule("two", { ...fallback, eventKey: "order.*" }),
        aRule("other", { ...fallback, ...other }),
        aRule("never", { ...fallback, ...never }),
      ]).toSorted(),
    ).toEqual(["one", "two"]);
  });

  it("applies if the only other rule is disabled or outside its active hours", () => {
    const closed = { activeHours: [{ days: ["tue" as const], from: "00:00", to: "24:00" }], timeZone: "UTC" };

    expect(matchingIds([aRule("fallback", { fallback: true }), aRule("off", { enabled: false })])).toEqual([
      "fallback",
    ]);
    expect(matchingIds([aRule("fallback", { fallback: true }), aRule("closed", closed)])).toEqual(["fallback"]);
  });

  it("does not apply if another rule counts as matched because it could not be evaluated", () => {
    const costly: Partial<RoutingRule> = { conditions: [{ field: "body", operator: "contains", value: "x" }] };
    const rules = toRuleSet([aRule("fallback", { fallback: true }), aRule("costly", costly)], []);

    const { rules: matched, overBudget } = rules.match(event, Date.parse(NOON), { budgetUnits: 0 });

    expect([matched.map(({ id }) => id), overBudget]).toEqual([["costly"], ["costly"]]);
  });
});

describe("the Slack channels of a rule set", () => {
  const connections = [
    { id: "of the rule", kind: "slack" as const, ruleIds: ["rule_1"], groupIds: null },
    { id: "of another", kind: "slack" as const, ruleIds: ["rule_2"], groupIds: null },
    { id: "of the group", kind: "teams" as const, ruleIds: null, groupIds: ["grp_ops"] },
    { id: "no room", kind: "slack_user_group" as const, ruleIds: ["rule_1"], groupIds: ["grp_ops"] },
  ];

  it("get the events of their linked rules and groups", () => {
    const { listChatConnectionIds } = toRuleSet([], [], { webhooks: [], connections });

    expect(listChatConnectionIds([anyRule()])).toEqual(["of the rule", "of the group"]);
    expect(listChatConnectionIds([])).toEqual([]);
    expect(toRuleSet([], []).listChatConnectionIds([anyRule()])).toEqual([]);
  });
});

describe("the estimated memory of a rule set", () => {
  it("grows with its texts, its compiled rules and its silences", () => {
    const condition = (value: string) => ({
      conditions: [{ field: "body", operator: "matches_regex" as const, value }],
    });
    const sizeOf = (rules: RoutingRule[], silences: Silence[]) => {
      const set = toRuleSet(rules, silences);
      const before = set.estimateBytes();
      set.match(event, Date.parse(NOON));
      set.silenceOf({ ...event, at: Date.parse(NOON) } as never);
      return { before, after: set.estimateBytes() };
    };
    const rule = sizeOf([aRule("one", condition("^x+y?[ab]$"))], []);

    expect(rule.after).toBeGreaterThan(rule.before);
    expect(sizeOf([aRule("one", condition(`^x+y?[ab]${"c".repeat(500)}`))], []).before).toBeGreaterThan(
      rule.before + 900,
    );
  });
});

describe("a rule with active hours", () => {
  const berlin = "Europe/Berlin";
  const office = [{ days: ["mon" as const, "fri" as const], from: "09:00", to: "17:00" }];
  const night = [{ days: ["sat" as const], from: "22:00", to: "06:00" }];

  it.each([
    ["2026-11-23T07:59:59.999Z", false, "does not match"],
    ["2026-11-23T08:00:00Z", true, "matches"],
    ["2026-11-23T15:59:59.999Z", true, "matches"],
    ["2026-11-23T16:00:00Z", false, "does not match"],
    ["2026-11-24T12:00:00Z", false, "does not match"],
    ["2026-07-24T07:00:00Z", true, "matches"],
    ["2026-07-24T15:00:00Z", false, "does not match"],
  ])("$2 at %s, by local time in summer and in winter", (at, active) => {
    expect(matchingIds([aRule("office", { activeHours: office, timeZone: berlin })], at)).toEqual(
      active ? ["office"] : [],
    );
  });

  it.each([
    ["2026-03-28T20:59:59Z", false, "does not match"],
    ["2026-03-28T21:00:00Z", true, "matches"],
    // The clocks go forward at 01:00 UTC, so 06:00 in Berlin is 04:00 UTC instead of 05:00.
    ["2026-03-29T03:59:59Z", true, "matches"],
    ["2026-03-29T04:00:00Z", false, "does not match"],
    ["2026-10-24T20:00:00Z", true, "matches"],
    ["2026-10-25T04:59:59Z", true, "matches"],
    ["2026-10-25T05:00:00Z", false, "does not match"],
  ])("for hours past midnight and through clock changes $2 at %s", (at, active) => {
    expect(matchingIds([aRule("night", { activeHours: night, timeZone: berlin })], at)).toEqual(
      active ? ["night"] : [],
    );
  });

  it("matches within any of its periods", () => {
    const rule = aRule("both", { activeHours: [...office, ...night], timeZone: berlin });

    expect(matchingIds([rule], "2026-11-23T12:00:00Z")).toEqual(["both"]);
    expect(matchingIds([rule], "2026-11-21T23:00:00Z")).toEqual(["both"]);
    expect(matchingIds([rule], "2026-11-22T23:00:00Z")).toEqual([]);
  });

  it("must have a time zone", () => {
    expect(findHoursFaults({ activeHours: office, timeZone: null })).toEqual([
      { field: "timeZone", code: "required", message: "timeZone is required with activeHours, such as Europe/Berlin." },
    ]);
    expect(findHoursFaults({ activeHours: office, timeZone: berlin })).toEqual([]);
    expect(findHoursFaults({ activeHours: null, timeZone: berlin })).toEqual([]);
  });
});
