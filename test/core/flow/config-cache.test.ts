import * as v from "valibot";
import { expect, it } from "vitest";
import type { WorkspaceId } from "../../../core/domain/basics/ids.ts";
import { RuleInput } from "../../../core/domain/rules/rule-input.ts";
import { createConfigCache } from "../../../core/flow/config-cache.ts";
import { createRule } from "../../../core/store/rules/rules.ts";
import { createWorkspace } from "../../../core/store/people/workspaces.ts";
import { useWorld } from "../../world/use-world.ts";

const plan = { monthlyEvents: 1000, eventsPerMinute: 100, burst: 100, retentionDays: 400 };
const creator = { userId: "usr_owner", name: "Owner", email: "owner@acme.example" };

it("the cached rules of one workspace do not evict the rules of other workspaces, however large the cached rules are", async () => {
  const loaded: string[] = [];
  const { deps } = await useWorld({
    beforeCall: async ({ constructor, input }) => {
      const pk = input.ExpressionAttributeValues?.[":pk"];
      if (constructor.name === "QueryCommand" && String(pk).endsWith("#RULES")) loaded.push(String(pk));
    },
  });
  const createWithRules = async (id: WorkspaceId, rules: number) => {
    await createWorkspace(deps, { id, name: id, plan, creator });
    const input = { name: "A", eventKey: "*", targets: [{ type: "group", groupId: "grp_1" }] };
    for (let count = 0; count < rules; count += 1) await createRule(deps, id, v.parse(RuleInput, input));
  };
  await createWithRules("ws_small1", 1);
  await createWithRules("ws_great", 20);
  await createWithRules("ws_small2", 1);
  // Each rule takes at least 1,500 bytes, so the large workspace alone exceeds the cache.
  const config = createConfigCache(deps, 30_000);
  const readRules = (ws: WorkspaceId) => config.rules(ws, 0);
  loaded.length = 0;

  for (const _ of [1, 2, 3]) for (const ws of ["ws_small1", "ws_great", "ws_small2"] as const) await readRules(ws);

  expect(loaded.filter((pk) => pk === "WS#ws_small1#RULES")).toHaveLength(1);
  expect(loaded.filter((pk) => pk === "WS#ws_small2#RULES")).toHaveLength(1);
  expect(loaded.filter((pk) => pk === "WS#ws_great#RULES")).toHaveLength(3);
});

it("while the many rules of one workspace are compiled, events of other workspaces are still processed", async () => {
  const { deps, ws } = await useWorld();
  const input = v.parse(RuleInput, { name: "A", eventKey: "*", targets: [{ type: "group", groupId: "grp_1" }] });
  for (let count = 0; count < 200; count += 1) await createRule(deps, ws, input);
  let turns = 0;
  let isLoading = true;
  const countTurns = (): void => {
    turns += 1;
    if (isLoading) setImmediate(countTurns);
  };
  setImmediate(countTurns);

  const { value } = await createConfigCache(deps).rules(ws, 0);
  isLoading = false;

  expect(value.match({ eventKey: "disk.full", title: "Disk", body: "", priority: "HIGH" }, 0).rules).toHaveLength(200);
  // After every twenty rules, other work gets a turn.
  expect(turns).toBeGreaterThanOrEqual(9);
});
