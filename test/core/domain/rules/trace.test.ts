import { describe, expect, it } from "vitest";
import { traceRules } from "../../../../core/domain/rules/trace.ts";
import type { RoutingRule } from "../../../../core/domain/rules/routing-rule.ts";
import { aRule as anyRule } from "../support.ts";

const event = { eventKey: "order.failed", title: "T", body: "B", priority: "NORMAL" };
const MONDAY_NOON = Date.parse("2026-11-23T12:00:00Z");
const aRule = (id: string, fields: Partial<RoutingRule> = {}): RoutingRule =>
  anyRule({ id, name: `Name of ${id}`, eventKey: "*", ...fields });
const traceById = (...rules: RoutingRule[]) =>
  Object.fromEntries(traceRules(rules, event, MONDAY_NOON).map(({ rule, trace }) => [rule.id, trace]));

describe("a fallback rule in the trace of an event", () => {
  const fallback = aRule("fallback", { fallback: true });

  it("applies if no other rule matched", () => {
    const other = aRule("other", { eventKey: "booking.*" });

    expect(traceById(fallback, other)["fallback"]).toMatchObject({
      matches: true,
      fallback: { verdict: true, matched: null },
    });
  });

  it("that does not apply names the first rule that matched instead, and never another fallback rule", () => {
    const both = traceById(fallback, aRule("second", { fallback: true }), aRule("rule_1"), aRule("rule_2"));

    for (const id of ["fallback", "second"])
      expect(both[id]).toMatchObject({
        matches: false,
        fallback: { verdict: false, matched: { id: "rule_1", name: "Name of rule_1" } },
      });
    expect(both["rule_1"]).toMatchObject({ matches: true, fallback: null });
  });

  it("matches if the only other rules are fallback rules or rules outside their active hours", () => {
    const closed = { activeHours: [{ days: ["tue" as const], from: "00:00", to: "24:00" }], timeZone: null };
    const all = traceById(fallback, aRule("second", { fallback: true }), aRule("closed", closed));

    expect([all["fallback"]?.matches, all["second"]?.matches]).toEqual([true, true]);
    expect(all["closed"]).toMatchObject({
      matches: false,
      activeHours: {
        expected: closed.activeHours,
        timeZone: "UTC",
        actual: "2026-11-23T12:00:00.000Z",
        verdict: false,
      },
    });
  });
});
