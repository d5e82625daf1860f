import assert from "node:assert/strict";
import { createSection } from "../check.ts";
import { expectBody, expectFaults } from "../expect.ts";
import { DryRun } from "../shapes.ts";
import { buildEvent, createGroup, postRule, withGroup, type WorkspaceClient, type World } from "../world.ts";

type Condition = { field: string; operator: string; value?: unknown; not?: boolean; ignoreCase?: boolean };

/** Returns whether the given conditions match an event with the given fields, by a dry run of a rule. */
const isMatched = async (
  workspace: WorkspaceClient,
  groupId: string,
  conditions: Condition[],
  event: object,
  match = "all",
) => {
  const rule = {
    name: "Draft",
    eventKey: "*",
    targets: [{ type: "group", groupId }],
    conditions,
    conditionMatch: match,
  };
  const answer = await workspace.ask("POST", "/routing-rules/test", { event: buildEvent(event), rule });
  const draft = expectBody(answer, 200, DryRun).rules.find(({ id }) => id === null);
  assert.ok(draft !== undefined, "a dry run reports its draft");
  return draft.matches;
};

const operatorCases: Readonly<Record<string, readonly { value?: unknown; holds: unknown[]; fails: unknown[] }[]>> = {
  equals: [
    { value: 5, holds: [5, "5", "5.0"], fails: [6, "x", undefined, "05x"] },
    { value: "a", holds: ["a"], fails: ["A", "ab", undefined] },
    { value: true, holds: [true, "true"], fails: [false, "True", undefined] },
  ],
  not_equals: [{ value: "a", holds: ["b", undefined, 5], fails: ["a"] }],
  contains: [{ value: "nn", holds: ["dinner", "nn"], fails: ["Nn", "n", undefined] }],
  starts_with: [{ value: "ab", holds: ["abc"], fails: ["cab", "AB", undefined] }],
  ends_with: [{ value: "bc", holds: ["abc"], fails: ["bca", undefined] }],
  one_of: [{ value: ["a", 5], holds: ["a", 5, "5"], fails: ["b", undefined] }],
  not_one_of: [{ value: ["a", 5], holds: ["b", undefined], fails: ["a", "5"] }],
  greater_than: [{ value: 10, holds: [11, "10.5"], fails: [10, 9, "x", "", undefined] }],
  greater_than_or_equal: [{ value: "10", holds: [10, "10.0", 11], fails: [9.99, undefined] }],
  less_than: [{ value: 10, holds: [9, "-3"], fails: [10, "x", undefined] }],
  less_than_or_equal: [{ value: 10, holds: [10, 9], fails: [10.01, undefined] }],
  between: [{ value: [1, 3], holds: [1, 2, 3, "2.5"], fails: [0.99, 3.01, "x", undefined] }],
  is_empty: [{ holds: [undefined, ""], fails: ["x", 0, false] }],
  is_not_empty: [{ holds: ["x", 0, false], fails: [undefined, ""] }],
  matches_regex: [{ value: "^ord(er)?-\\d+", holds: ["order-5 late", "ord-1"], fails: ["an order-5", undefined] }],
};

const operatorChecks = Object.fromEntries(
  Object.entries(operatorCases).map(([operator, cases]) => [
    `compares correctly with the operator ${operator}`,
    async ({ acme }: World) => {
      const groupId = await createGroup(acme);
      for (const { value, holds, fails } of cases) {
        const condition = { field: "data.x", operator, ...(value === undefined ? {} : { value }) };
        for (const [verdict, found] of [...holds.map((x) => [true, x]), ...fails.map((x) => [false, x])]) {
          const data = found === undefined ? { other: 1 } : { x: found };
          const about = `${operator} ${JSON.stringify(value)} on ${JSON.stringify(found)}`;
          assert.equal(await isMatched(acme, groupId, [condition], { data }), verdict, about);
        }
      }
      await acme.ask("DELETE", `/groups/${groupId}`);
    },
  ]),
);

export const conditions = [
  ...createSection("Conditions", {
    ...operatorChecks,
    "negates a condition with not, also for a missing field; compares in any case with ignoreCase": ({ acme }) =>
      withGroup(acme, async (groupId) => {
        const disk = { field: "data.x", operator: "contains", value: "DISK" };
        const event = { data: { x: "disk full" } };
        assert.equal(await isMatched(acme, groupId, [disk], event), false);
        assert.equal(await isMatched(acme, groupId, [{ ...disk, ignoreCase: true }], event), true);
        assert.equal(await isMatched(acme, groupId, [{ ...disk, not: true }], event), true);
        assert.equal(await isMatched(acme, groupId, [{ ...disk, not: true, ignoreCase: true }], event), false);
        assert.equal(await isMatched(acme, groupId, [{ ...disk, not: true }], { data: { other: 1 } }), true);
      }),
    "compares the event key, detail and url": ({ acme }) =>
      withGroup(acme, async (groupId) => {
        const event = { event: "order.failed", detail: "the stack", url: "https://acme.example/1" };
        for (const [field, value] of [
          ["eventKey", "order.failed"],
          ["detail", "the stack"],
          ["url", "https://acme.example/1"],
        ])
          assert.equal(await isMatched(acme, groupId, [{ field: `${field}`, operator: "equals", value }], event), true);
      }),
    "answers 422 to an unknown operator or a value of the wrong type, and names the field": ({ acme }) =>
      withGroup(acme, async (groupId) => {
        const faulty: [Condition, string][] = [
          [{ field: "data.x", operator: "like", value: "x" }, "conditions[1].operator"],
          [{ field: "data.x", operator: "between", value: [3, 1] }, "conditions[1].value"],
          [{ field: "data.x", operator: "greater_than", value: "x" }, "conditions[1].value"],
          [{ field: "data.x", operator: "one_of", value: "x" }, "conditions[1].value"],
          [{ field: "data.x", operator: "matches_regex", value: "(?=x)" }, "conditions[1].value"],
          [{ field: "data.x", operator: "matches_regex", value: "(" }, "conditions[1].value"],
          [{ field: "sender.id", operator: "equals", value: "x" }, "conditions[1].field"],
          [{ field: "data.x", operator: "not_contains", value: "x" }, "conditions[1].operator"],
          [{ field: "data.x", operator: "less_than", value: 5, ignoreCase: true }, "conditions[1].ignoreCase"],
          [{ field: "data.x", operator: "equals" }, "conditions[1].value"],
        ];
        const good = { field: "title", operator: "equals", value: "x" };
        for (const [condition, field] of faulty)
          expectFaults(await postRule(acme, groupId, { conditions: [good, condition] }), field);
      }),
    "accepts at most 50 conditions, and regular expressions of at most 512 characters": ({ acme }) =>
      withGroup(acme, async (groupId) => {
        const condition = { field: "title", operator: "equals", value: "x" };
        expectFaults(
          await postRule(acme, groupId, { conditions: Array.from({ length: 51 }, () => condition) }),
          "conditions",
        );
        const long = { field: "title", operator: "matches_regex", value: "x".repeat(513) };
        expectFaults(await postRule(acme, groupId, { conditions: [long] }), "conditions[0].value");
      }),
    "compares title, body, priority and paths in data": ({ acme }) =>
      withGroup(acme, async (groupId) => {
        const event = { title: "T", body: "B", priority: "HIGH", data: { a: { b: "c" } } };
        for (const [field, value] of [
          ["title", "T"],
          ["body", "B"],
          ["priority", "HIGH"],
          ["data.a.b", "c"],
        ] as const)
          assert.ok(await isMatched(acme, groupId, [{ field, operator: "equals", value }], event), field);
      }),
    "treats CRITICAL and URGENT as one priority": ({ acme }) =>
      withGroup(acme, async (groupId) => {
        for (const [value, priority] of [
          ["CRITICAL", "URGENT"],
          ["URGENT", "CRITICAL"],
        ] as const)
          assert.ok(await isMatched(acme, groupId, [{ field: "priority", operator: "equals", value }], { priority }));
      }),
    "compares priorities in the order LOW, NORMAL, HIGH, URGENT": ({ acme }) =>
      withGroup(acme, async (groupId) => {
        const above = [{ field: "priority", operator: "greater_than", value: "NORMAL" }];
        for (const [priority, holds] of [
          ["LOW", false],
          ["NORMAL", false],
          ["HIGH", true],
          ["CRITICAL", true],
        ] as const)
          assert.equal(await isMatched(acme, groupId, above, { priority }), holds, priority);
        const between = [{ field: "priority", operator: "between", value: ["NORMAL", "HIGH"] }];
        assert.equal(await isMatched(acme, groupId, between, { priority: "URGENT" }), false);
        for (const value of [5, "high"])
          expectFaults(
            await postRule(acme, groupId, { conditions: [{ field: "priority", operator: "less_than", value }] }),
            "conditions[0].value",
          );
      }),
    "requires every condition with all, and one condition with any": ({ acme }) =>
      withGroup(acme, async (groupId) => {
        const conditions = [
          { field: "title", operator: "equals", value: "T" },
          { field: "body", operator: "equals", value: "other" },
        ];
        assert.equal(await isMatched(acme, groupId, conditions, { title: "T" }), false);
        assert.equal(await isMatched(acme, groupId, conditions, { title: "T" }, "any"), true);
        expectFaults(await postRule(acme, groupId, { conditionMatch: "some" }), "conditionMatch");
      }),
    "evaluates an expensive regular expression within 3 seconds": ({ acme }) =>
      withGroup(acme, async (groupId) => {
        const condition = { field: "body", operator: "matches_regex", value: "^(a+)+$" };
        const began = performance.now();
        assert.equal(await isMatched(acme, groupId, [condition], { body: `${"a".repeat(1_999)}!` }), false);
        assert.ok(performance.now() - began < 3_000);
      }),
  }),
];
