import * as v from "valibot";
import { expect, it } from "vitest";
import { getProbeSetting } from "../../../core/domain/rules/routing-rule.ts";
import { RuleInput } from "../../../core/domain/rules/rule-input.ts";
import { createWorkspace } from "../../../core/store/people/workspaces.ts";
import {
  createRule,
  deleteRule,
  listRules,
  readRule,
  readRuleVersion,
  updateRule,
} from "../../../core/store/rules/rules.ts";
import { countsKey, ruleKey } from "../../../core/store/keys.ts";
import { getItem, putItem } from "../../../core/store/table.ts";
import { createTestClock } from "../../world/clock.ts";
import { useTable } from "../../world/use-table.ts";

const { deps: clock } = createTestClock();
const stand = await useTable();

it("a rule counts as deleted if the SDK repeats the deletion after a lost answer", async () => {
  const deps = { ...clock, table: stand.table };
  const creator = { userId: "usr_ann", name: "Ann", email: "ann@acme.example" };
  await createWorkspace(deps, { id: "ws_acme", name: "Acme", creator });
  const targets = [{ type: "group", groupId: "grp_1" }];
  const { id } = await createRule(deps, "ws_acme", v.parse(RuleInput, { name: "All", eventKey: "*", targets }));
  const { send } = stand.table.client;
  const sendTwice = async (command: { constructor: { name: string } }) => {
    if (command.constructor.name === "DeleteCommand") await send(command as never);
    return send(command as never);
  };
  const lossy = { ...deps, table: { ...stand.table, client: { send: sendTwice as typeof send } } };

  expect(await deleteRule(lossy, "ws_acme", id)).toBe(true);
  expect(await listRules(deps, "ws_acme")).toEqual([]);
  await createRule(deps, "ws_acme", v.parse(RuleInput, { name: "Other", eventKey: "*", targets }));
  const count = () => getItem(deps, countsKey("ws_acme"), v.looseObject({ rules: v.number() }));
  const counted = await count();
  expect(await deleteRule(deps, "ws_acme", id)).toBe(false);
  expect(await count()).toEqual(counted);
});

it.each([2 ** 53, 1e20, 9.99e125, -1e-130])(
  "a rule keeps the number %d in a condition exactly, even when the rule is changed and deleted",
  async (number) => {
    const deps = { ...clock, table: stand.table };
    const ws = `ws_${Math.abs(number).toString(36).replace(/\W/g, "")}` as const;
    await createWorkspace(deps, { id: ws, name: "Acme", creator: { userId: "usr_ann", name: "Ann", email: "" } });
    const conditions = [{ field: "data.bytes", operator: "greater_than", value: number }];
    const targets = [{ type: "group", groupId: "grp_1" }];
    const input = v.parse(RuleInput, { name: "Big", eventKey: "*", targets, conditions });

    const { id } = await createRule(deps, ws, input);
    await updateRule(deps, ws, id, { name: "Bigger" });

    expect(await listRules(deps, ws)).toMatchObject([{ name: "Bigger", conditions }]);
    expect(await readRuleVersion(deps, ws, id, 1)).toMatchObject({ name: "Big", conditions });
    expect(await deleteRule(deps, ws, id)).toBe(true);
  },
);

it("a rule that was stored with uncompressed conditions is read unchanged", async () => {
  const deps = { ...clock, table: stand.table };
  const conditions = [{ field: "title", operator: "equals", value: "Down" }];
  const targets = [{ type: "group", groupId: "grp_1" }];
  const input = v.parse(RuleInput, { name: "Old", eventKey: "*", targets, conditions });
  const created = await createRule(deps, "ws_acme", input);
  await putItem(deps, ruleKey("ws_acme", created.id), { ...created, conditions });

  expect(await readRule(deps, "ws_acme", created.id)).toEqual(created);
});

it("a rule's default of a weekly probe is not stored, and applies only while the rule requires an acknowledgement", async () => {
  const deps = { ...clock, table: stand.table };
  const targets = [{ type: "group", groupId: "grp_1" }];
  const weekly = { everyHours: 168 };
  const input = { name: "Disks", eventKey: "*", targets, requiresAck: true, probe: weekly };
  const created = await createRule(deps, "ws_acme", v.parse(RuleInput, input));
  const change = (patch: object) => updateRule(deps, "ws_acme", created.id, patch);

  expect(created).not.toHaveProperty("probe");
  expect((await change({ probe: weekly }))?.version).toBe(1);
  expect(getProbeSetting((await change({ requiresAck: false }))!)).toBe(null);
  expect(getProbeSetting((await change({ probe: weekly }))!)).toEqual(weekly);
  expect(getProbeSetting((await change({ requiresAck: true, probe: null }))!)).toBe(null);
  expect(await readRule(deps, "ws_acme", created.id)).toMatchObject({ requiresAck: true, probe: null });
});
