import { describe, expect, it } from "vitest";
import {
  summarizeExplanation,
  explainHeartbeat,
  explainUnmatchedRule,
} from "../../../../core/domain/planning/explanation.ts";
import { traceRule } from "../../../../core/domain/rules/trace.ts";
import { aRule } from "../support.ts";
import { event, notification, explain } from "./explaining.ts";

describe("the explanation of a heartbeat's event", () => {
  const miss = {
    id: "hbt_1",
    name: "Backup",
    missedAt: "2026-11-21T12:00:00.000Z",
    calledAt: null,
  };

  it("says that a call did not come, or that calls came again", () => {
    expect(explainHeartbeat(undefined)).toBeNull();
    expect(explainHeartbeat(miss)).toEqual({
      ...miss,
      message: 'No call of the heartbeat "Backup" arrived by 2026-11-21T12:00:00.000Z.',
    });
    expect(explainHeartbeat({ ...miss, calledAt: "2026-11-21T13:00:00.000Z" })?.message).toBe(
      'The heartbeat "Backup" was called again at 2026-11-21T13:00:00.000Z. Calls had been missing since 2026-11-21T12:00:00.000Z.',
    );
  });
});

describe("the summary of an explanation over all rules", () => {
  const explainNamed = (id: string, fields: Parameters<typeof explain>[0]) => ({ ...explain(fields), id, name: id });
  const notifyingRule = () => explainNamed("rule_told", { notifications: [notification("SENT")] });
  const queuedRule = () => explainNamed("rule_queued", { notifications: [notification("QUEUED")] });
  const ruleWithoutGroup = () =>
    explainNamed("rule_empty", { planned: { unreached: [{ groupId: "grp_ops", because: "group_empty" }] } });
  const mismatchingRule = (id: string) => {
    const rule = aRule({ id, conditions: [{ field: "title", operator: "equals", value: "Order paid" }] });
    return explainUnmatchedRule(rule, traceRule(rule, event, 0, undefined));
  };

  it("has the most informative reason first, followed by the other reasons", () => {
    const { told, summary, rules } = summarizeExplanation(true, [
      mismatchingRule("rule_b"),
      queuedRule(),
      mismatchingRule("rule_c"),
      mismatchingRule("rule_a"),
      notifyingRule(),
    ]);

    expect(told).toBe(true);
    expect(summary).toBe('Rule "rule_told": The push service accepted the push for a device of this person.');
    expect(rules.map(({ id }) => id)).toEqual(["rule_told", "rule_queued", "rule_a", "rule_b", "rule_c"]);
  });

  it("says that nobody was notified, although a rule matched", () => {
    expect(summarizeExplanation(true, [mismatchingRule("rule_a"), ruleWithoutGroup()])).toMatchObject({
      told: false,
      summary: `Rule "rule_empty": The rule matched, but all of the rule's groups were deleted or empty.`,
    });
  });

  it.each([
    ["there is no rule", []],
    ["the conditions of every rule differ", ["rule_a"]],
  ])("says that no rule matched if %s", (_, ids) => {
    const rules = ids.map(mismatchingRule);

    expect(summarizeExplanation(true, rules)).toEqual({
      told: false,
      summary: "No rule matched this event.",
      rules,
    });
  });

  it("names the silence that suppresses or has suppressed the event", () => {
    const quiet = { id: "sil_1", name: "Works" };

    expect(summarizeExplanation(true, [ruleWithoutGroup()], { silence: { ...quiet, recipients: 2 } }).summary).toBe(
      'Silence "Works" covered this event, so nobody was notified.',
    );
    expect(summarizeExplanation(true, [notifyingRule()], { after: quiet }).summary).toBe(
      'Rule "rule_told": The push service accepted the push for a device of this person. People were notified when the silence "Works" ended.',
    );
  });

  it("says that the event was a notice of the service", () => {
    const notice = { to: "owners" as const, because: "no rule matched the event" };
    const said = "The owners were notified because no rule matched the event.";

    expect(summarizeExplanation(true, [notifyingRule()], { notice }).summary).toBe(
      `${said} The push service accepted the push for a device of this person.`,
    );
    expect(summarizeExplanation(true, [], { notice }).summary).toBe(said);
    expect(summarizeExplanation(true, [{ ...notifyingRule(), id: "service" }]).summary).toBe(
      "The push service accepted the push for a device of this person.",
    );
  });

  it("is empty while the rules have not been evaluated", () => {
    expect(summarizeExplanation(false, [])).toEqual({
      told: false,
      summary: "The rules have not been matched yet.",
      rules: [],
    });
  });
});
