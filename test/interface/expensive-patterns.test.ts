import { RE2JS } from "re2js";
import { expect, it, vi } from "vitest";
import { deflate } from "../../core/store/codec.ts";
import { ruleKey } from "../../core/store/keys.ts";
import { raiseRulesVersion } from "../../core/store/events/control.ts";
import { putItem } from "../../core/store/table.ts";
import { startFilled } from "../support/filled-app.ts";
import { alice } from "../support/people.ts";

const { app, mine } = await startFilled();

/*
 * The regular expressions of a workspace have a common budget. Expressions beyond the budget cannot be saved, tested or
 * simulated.
 */

type Said = { id: string; errors?: { field: string; code: string; message: string }[] };

/** Returns a pattern that costs 1.1 million units; a workspace has 20 million. */
const expensivePattern = (index: number) => `[^\\pL]{120}\\pL{120}[${String.fromCodePoint(0x4e00 + index)}]`;
const createConditions = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    field: "body",
    operator: "matches_regex",
    value: expensivePattern(from + index),
  }));
const createRule = (from: number, count: number) => ({
  name: "Dear",
  eventKey: "dear.*",
  targets: [{ type: "group", groupId: mine.groupId }],
  conditions: createConditions(from, count),
});

const ask = async (path: string, body: unknown, method: "POST" | "PATCH" = "POST") => {
  const { status, body: said } = await app.ask<Said>(`/v1/workspaces/${mine.workspaceId}${path}`, {
    method,
    as: alice,
    body: JSON.stringify(body),
  });
  const [fault] = said.errors ?? [];
  return { status, id: said.id, ...(fault === undefined ? {} : { at: fault.field, code: fault.code }) };
};
const refusedAt = (at: string) => ({ status: 422, id: undefined, at, code: "pattern_too_dear" });

it("the API accepts regular expressions up to a total cost per workspace; a refusal names the most expensive one", async () => {
  const first = await ask("/routing-rules", createRule(0, 10));
  expect(first.status).toBe(201);

  expect(await ask("/routing-rules", createRule(100, 10))).toEqual(refusedAt("conditions[0].value"));
  const more = createRule(100, 10);
  more.conditions[4]!.value = `[\\pN]${expensivePattern(104)}`;
  expect(await ask("/routing-rules", more)).toEqual(refusedAt("conditions[4].value"));
  expect(
    await ask("/silences", {
      name: "Dear",
      eventKey: "*",
      endsAt: "2099-01-01T00:00:00Z",
      conditions: createConditions(200, 10),
    }),
  ).toEqual(refusedAt("conditions[0].value"));
  // Another rule with the same expressions costs nothing.
  expect((await ask("/routing-rules", createRule(0, 10))).status).toBe(201);
  expect(await ask(`/routing-rules/${first.id}`, { conditions: createConditions(300, 10) }, "PATCH")).toEqual(
    refusedAt("conditions[0].value"),
  );
  expect((await ask(`/routing-rules/${first.id}`, { conditions: createConditions(0, 9) }, "PATCH")).status).toBe(200);
});

it("the API refuses 3,000 expensive regular expressions in any request before it compiles one", async () => {
  const rules = Array.from({ length: 60 }, (_, index) => createRule(1000 + 50 * index, 50));
  const event = { event: "dear.one", title: "t", body: "b" };
  const compile = vi.spyOn(RE2JS, "compile");

  expect(await ask("/simulate", { event, rules })).toEqual(refusedAt("rules[0].conditions[0].value"));
  expect(await ask("/simulate/history", { rules, days: 1 })).toEqual(refusedAt("rules[0].conditions[0].value"));
  expect(await ask("/routing-rules/test", { event, rule: rules[0] })).toEqual(refusedAt("rule.conditions[0].value"));
  expect(await ask("/routing-rules", rules[0])).toEqual(refusedAt("conditions[0].value"));

  expect(compile).not.toHaveBeenCalled();
  compile.mockRestore();
});

it("the total cost of a workspace's regular expressions includes those of drafts", async () => {
  const event = { event: "dear.one", title: "t", body: "b" };

  expect(await ask("/simulate", { event, rules: [createRule(400, 9)] })).toEqual(
    refusedAt("rules[0].conditions[0].value"),
  );
  expect(await ask("/simulate/history", { rules: [createRule(400, 9)], days: 1 })).toEqual(
    refusedAt("rules[0].conditions[0].value"),
  );
  expect(await ask("/routing-rules/test", { event, rule: createRule(400, 9) })).toEqual(
    refusedAt("rule.conditions[0].value"),
  );
  expect((await ask("/simulate", { event, rules: [createRule(0, 9)] })).status).toBe(200);
});

it("a stored rule whose regular expressions cost too much still notifies people, and can be edited", async () => {
  const { id } = await ask("/routing-rules", createRule(0, 1));
  const at = new Date(app.deps.now()).toISOString();
  const item = {
    id,
    workspaceId: mine.workspaceId,
    ...createRule(500, 50),
    conditions: deflate(createConditions(500, 50)),
    conditionMatch: "any",
    requiresAck: false,
    priorityOverride: null,
    onCallOnly: false,
    escalationPolicyId: null,
    enabled: true,
    fallback: false,
    activeHours: null,
    timeZone: null,
    version: 1,
    createdAt: at,
    updatedAt: at,
  };
  await putItem(app.deps, ruleKey(mine.workspaceId, id), item);
  await raiseRulesVersion(app.deps, mine.workspaceId);
  const before = app.pushed.length;

  await app.ask("/v1/events", {
    method: "POST",
    apiKey: mine.key,
    body: JSON.stringify({ event: "dear.one", title: "t", body: "none of them matches" }),
  });
  await app.work();

  expect(app.pushed.length).toBeGreaterThan(before);
  expect(
    (await ask(`/routing-rules/${id}`, { name: "Renamed", conditions: createConditions(500, 50) }, "PATCH")).status,
  ).toBe(200);
});
