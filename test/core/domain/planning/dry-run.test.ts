import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { runDryRun, DryRunInput } from "../../../../core/domain/planning/dry-run.ts";
import type { RoutingRule } from "../../../../core/domain/rules/routing-rule.ts";
import { buildPeople } from "../../../../core/domain/people/people.ts";
import { aRule, NOON, people, to } from "../support.ts";

const event = { event: "order.failed", title: "Order failed", body: "No stock", priority: "HIGH" };
const draft = { eventKey: "order.failed", targets: to("grp_lead"), onCallOnly: true };
const dryRun = (saved: RoutingRule[], rule?: object) =>
  runDryRun(v.parse(DryRunInput, rule === undefined ? { event } : { event, rule }), saved, people, [], NOON);

describe("a dry run of an event", () => {
  it("shows for each rule whether it matches, why, and whom it would notify", () => {
    const inOps = { groupId: "grp_ops", onCallLayer: null, overrideId: null, rings: null };

    expect(dryRun([aRule({ requiresAck: true })])).toEqual({
      matchedRules: 1,
      recipients: 2,
      rules: [
        {
          id: "rule_1",
          name: "Orders",
          matches: true,
          enabled: true,
          eventKey: { expected: "order.failed", actual: "order.failed", verdict: true },
          conditionMatch: "all",
          activeHours: null,
          fallback: null,
          chain: null,
          conditions: [],
          requiresAck: true,
          priority: "HIGH",
          recipients: [
            { userId: "usr_ann", name: "Ann", email: "ann@acme.example", ...inOps },
            { userId: "usr_bob", name: "Bob", email: "bob@acme.example", ...inOps },
          ],
          recipientsNotListed: 0,
          unreached: [],
        },
      ],
      omittedRules: 0,
      warnings: [],
    });
  });

  it("shows the shifts of the people who are on call now", () => {
    expect(dryRun([aRule({ onCallOnly: true })]).rules[0]?.recipients).toMatchObject([
      { userId: "usr_bob", onCallLayer: 1, overrideId: null, rings: null },
    ]);
  });

  it("shows nobody as notified by a rule that does not match", () => {
    const { matchedRules, recipients, rules } = dryRun([aRule({ eventKey: "order.paid" }), aRule({ enabled: false })]);

    expect({ matchedRules, recipients }).toEqual({ matchedRules: 0, recipients: 0 });
    expect(rules.map((rule) => [rule.matches, rule.recipients])).toEqual([
      [false, []],
      [false, []],
    ]);
  });

  it("counts a person once if several rules would notify them", () => {
    expect(dryRun([aRule(), aRule({ id: "rule_2", targets: to("grp_lead", "grp_ops") })])).toMatchObject({
      matchedRules: 2,
      recipients: 3,
    });
  });

  it("shows the groups in which nobody would be notified", () => {
    expect(dryRun([aRule({ targets: to("grp_ops", "grp_empty") })]).rules[0]?.unreached).toEqual([
      { groupId: "grp_empty", because: "group_empty" },
    ]);
  });

  it("shows no name for a group member who has left the workspace", () => {
    const input = v.parse(DryRunInput, { event });
    const nobody = { ...people, members: new Map() };

    expect(runDryRun(input, [aRule({ onCallOnly: true })], nobody, [], NOON).rules[0]?.recipients).toMatchObject([
      { userId: "usr_bob", name: "", email: "" },
    ]);
  });

  it("shows the warnings about the draft", () => {
    const warnings = [{ code: "group_empty", message: "Empty.", id: "grp_empty" }];

    expect(runDryRun(v.parse(DryRunInput, { event }), [], people, warnings, NOON).warnings).toEqual(warnings);
  });
});

describe("the draft rule in a dry run", () => {
  it("comes first, matches as if it were enabled, and has no id", () => {
    const { rules } = dryRun([aRule()], { ...draft, name: "New" });

    expect(rules.map(({ id, name, enabled, matches }) => ({ id, name, enabled, matches }))).toEqual([
      { id: null, name: "New", enabled: true, matches: true },
      { id: "rule_1", name: "Orders", enabled: true, matches: true },
    ]);
    expect(rules[0]?.unreached).toEqual([{ groupId: "grp_lead", because: "nobody_on_call" }]);
  });

  it("needs no name", () => {
    expect(dryRun([], draft).rules[0]?.name).toBe("Draft");
  });

  it("is validated like a saved rule", () => {
    const { issues = [] } = v.safeParse(DryRunInput, { event, rule: { ...draft, targets: [] } });

    expect(issues.map((issue) => v.getDotPath(issue))).toEqual(["rule.targets"]);
  });
});

describe("a dry run with very many rules", () => {
  const createRules = (otherRules: number) => [
    ...Array.from({ length: otherRules }, () => aRule({ eventKey: "order.paid" })),
    aRule({ conditions: [{ field: "title", operator: "equals", value: "Order paid" }] }),
  ];

  it("shows all of up to 500 rules", () => {
    expect(dryRun(createRules(499))).toMatchObject({ omittedRules: 0, rules: { length: 500 } });
  });

  it("leaves out rules for other event keys if there are more than 500 rules, and counts the omitted rules", () => {
    const { omittedRules, rules: shown } = dryRun(createRules(500));

    expect(omittedRules).toBe(500);
    expect(shown.map(({ eventKey }) => eventKey.verdict)).toEqual([true]);
  });
});

describe("a dry run that does not fit into one answer", () => {
  /** The largest response that Lambda allows, in which the answer is a text within JSON. */
  const LAMBDA_MAX_BYTES = 6 * 1024 * 1024;
  const sizeOf = (answer: object) => Buffer.byteLength(JSON.stringify({ body: JSON.stringify(answer) }));
  const createdAt = "2026-11-21T12:00:00.000Z";
  const members = Array.from({ length: 5_000 }, (_, index) => ({
    userId: `usr_${index}`,
    name: "\u{1F525}".repeat(100),
    email: "x".repeat(254),
    createdAt,
  }));
  const crowd = buildPeople({
    members,
    groups: [{ id: "grp_all", name: "All", workspaceId: "ws_1", createdAt }],
    groupMembers: members.map(({ userId }) => ({ groupId: "grp_all", userId })),
  });
  const everybody = Array.from({ length: 10 }, () => aRule({ targets: to("grp_all") }));

  it("leaves out some people of each rule, and counts the omitted people", () => {
    const answer = runDryRun(v.parse(DryRunInput, { event }), everybody, crowd, [], NOON);

    expect(sizeOf(answer)).toBeLessThan(LAMBDA_MAX_BYTES);
    expect(answer).toMatchObject({ matchedRules: 10, recipients: 5_000, omittedRules: 0 });
    expect(answer.rules.map((rule) => rule.recipients.length + rule.recipientsNotListed)).toEqual(
      everybody.map(() => 5_000),
    );
    expect(answer.rules[0]?.recipients.length).toBeGreaterThan(4_000);
  });

  it("leaves out rules if their traces alone are too long, but keeps the people of the rules that it shows", () => {
    const conditions = Array.from({ length: 50 }, () => ({ field: "body", operator: "contains", value: "x" }));
    const traced = Array.from({ length: 60 }, () => aRule({ targets: to("grp_all"), conditions } as never));
    const long = v.parse(DryRunInput, { event: { ...event, body: "x".repeat(2_000) } });

    const answer = runDryRun(long, traced, crowd, [], NOON);

    expect(sizeOf(answer)).toBeLessThan(LAMBDA_MAX_BYTES);
    expect(answer.matchedRules).toBe(60);
    expect(answer.omittedRules).toBe(60 - answer.rules.length);
    expect(answer.omittedRules).toBeGreaterThan(0);
    expect(answer.rules[0]?.recipients.length).toBeGreaterThan(1_000);
  });
});
