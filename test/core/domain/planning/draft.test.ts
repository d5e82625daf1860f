import * as v from "valibot";
import { describe, expect, it } from "vitest";
import {
  findDraftPatternFaults,
  DraftPolicies,
  findDraftReferenceFaults,
  DraftRules,
  applyDraftPolicies,
  mergeDraftRules,
} from "../../../../core/domain/planning/draft.ts";
import { aRule, people, to } from "../support.ts";

const draft = { eventKey: "order.failed", targets: to("grp_ops") };
const policy = { id: "pol_draft", name: "Up", steps: [{ delayMinutes: 5, targets: to("grp_lead") }] };
const ann = { id: "usr_ann", name: "Ann" };
/** Fields that only answers have. */
const shown = {
  workspaceId: "ws_1",
  version: 3,
  createdAt: "2026-03-02T08:00:00.000Z",
  updatedAt: "2026-03-02T08:00:00.000Z",
  createdBy: ann,
  updatedBy: ann,
  warnings: [{ code: "no_device", message: "No device." }],
};
const faultsOf = (schema: v.GenericSchema, input: unknown) =>
  (v.safeParse(schema, input).issues ?? []).map((issue) => `${v.getDotPath(issue) ?? ""}: ${issue.message}`);

describe("drafts of rules in a preview", () => {
  it("are called Draft if they have no name", () => {
    expect(v.parse(DraftRules, [draft])).toMatchObject([{ name: "Draft" }]);
  });

  it.each<[string, unknown, string[]]>([
    ["no fault if the list is absent", undefined, []],
    ["no fault in a rule as the API returns it, with its warnings", [{ ...draft, ...shown, id: "rule_1" }], []],
    ["a value that is not a list", "x", [": rules must be an array."]],
    [
      "two drafts with the same id",
      [
        { ...draft, id: "rule_1" },
        { ...draft, id: "rule_2" },
        { ...draft, id: "rule_1" },
      ],
      ["2: Another draft has the same id."],
    ],
    ["no fault in two drafts without ids", [draft, draft], []],
    [
      "an id of another kind",
      [{ ...draft, id: "pol_1" }],
      ["0.id: id must be the id of the rule that the draft replaces; leave it out for a new rule."],
    ],
  ])("are checked for faults: %s", (_what, input, faults) => {
    expect(faultsOf(v.optional(DraftRules), input)).toEqual(faults);
  });

  it("come before the saved rules, or replace the rules with the same id", () => {
    const [added, replaced] = v.parse(DraftRules, [draft, { ...draft, id: "rule_1", name: "Other" }]);
    const saved = [aRule(), aRule({ id: "rule_2" })];

    const { rules, drafts } = mergeDraftRules(saved, [added!, replaced!]);

    expect(rules.map(({ id, name }) => [id, name])).toEqual([
      ["draft 0", "Draft"],
      ["rule_1", "Other"],
      ["rule_2", "Orders"],
    ]);
    expect([...drafts]).toEqual([
      ["draft 0", "added"],
      ["rule_1", "replaced"],
    ]);
    expect(rules[0]).toStrictEqual({
      ...aRule(),
      id: "draft 0",
      name: "Draft",
      workspaceId: "ws_",
      version: 0,
      createdAt: "",
      updatedAt: "",
    });
    expect(rules[1]).toStrictEqual({ ...aRule(), name: "Other" });
  });

  it("may refer only to existing groups and to saved or draft policies", () => {
    const rules = v.parse(DraftRules, [draft, { ...draft, targets: to("grp_none"), escalationPolicyId: "pol_draft" }]);
    const policies = v.parse(DraftPolicies, [{ ...policy, steps: [{ delayMinutes: 5, targets: to("grp_nil") }] }]);
    const faultyFields = (known: typeof people) =>
      findDraftReferenceFaults(rules, policies, known).map(({ field }) => field);

    expect(faultyFields(people)).toEqual([
      "rules[1].targets[0].groupId",
      "rules[1].escalationPolicyId",
      "policies[0].steps[0].targets[0].groupId",
    ]);
    expect(faultyFields(applyDraftPolicies(people, policies))).toEqual([
      "rules[1].targets[0].groupId",
      "policies[0].steps[0].targets[0].groupId",
    ]);
  });

  it("may not have patterns that are too expensive", () => {
    const many = Array.from({ length: 200 }, (_, index) => ({
      field: "title" as const,
      operator: "matches_regex" as const,
      value: String.raw`[^\pL]{100}\pL{${index + 1}}[N]`,
    }));

    expect(findDraftPatternFaults([{ conditions: [] }], { rules: [aRule()] })).toEqual([]);
    expect(
      findDraftPatternFaults([{ conditions: [] }, { conditions: many }], { rules: [aRule({ conditions: many })] })[0]
        ?.field,
    ).toMatch(/^rules\[1\]\.conditions/);
  });
});

describe("drafts of escalation policies in a preview", () => {
  it.each<[string, unknown, string[]]>([
    ["a value that is not a list", {}, [": policies must be an array."]],
    ["no fault in a policy as the API returns it, with its warnings", [{ ...policy, ...shown }], []],
    [
      "an id of another kind",
      [{ ...policy, id: "rule_1" }],
      [
        "0.id: id must be the id of the policy that the draft replaces, or a new id that rules can name, such as pol_draft.",
      ],
    ],
    ["two drafts with the same id", [policy, policy], ["1: Another draft has the same id."]],
  ])("are checked for faults: %s", (_what, input, faults) => {
    expect(faultsOf(DraftPolicies, input)).toEqual(faults);
  });

  it("are added to the saved policies, or replace those with the same id", () => {
    const [added] = v.parse(DraftPolicies, [policy]);
    const replaced = { ...added!, id: "pol_ladder", name: "New", confirmWithinSeconds: 30 };

    const { policies, members } = applyDraftPolicies(people, [added!, replaced]);

    expect([...policies.keys()]).toEqual(["pol_ladder", "pol_draft"]);
    expect(policies.get("pol_draft")).toMatchObject({
      id: "pol_draft",
      name: "Up",
      repeat: 0,
      confirmWithinSeconds: null,
    });
    expect(policies.get("pol_ladder")).toMatchObject({ name: "New", confirmWithinSeconds: 30 });
    expect(members).toBe(people.members);
  });
});
