import * as v from "valibot";
import { afterAll, beforeAll, expect, it } from "vitest";
import { RuleInput } from "../../../core/domain/rules/routing-rule.ts";
import { createWorkspace } from "../../../core/store/workspaces.ts";
import { createRule, deleteRule, listRules } from "../../../core/store/rules.ts";
import { testClock } from "../../world/clock.ts";
import { startTable, type TestTable } from "../../world/table.ts";

const { deps: clock } = testClock();
let stand: TestTable;

beforeAll(async () => {
  stand = await startTable();
});
afterAll(() => stand.close());

it("a rule whose deletion the SDK repeats, because its answer was lost, was there", async () => {
  const deps = { ...clock, table: stand.table };
  const creator = { userId: "usr_ann", name: "Ann", email: "ann@acme.example" };
  await createWorkspace(deps, { id: "ws_acme", name: "Acme", creator });
  const targets = [{ type: "group", groupId: "grp_1" }];
  const { id } = await createRule(deps, "ws_acme", v.parse(RuleInput, { name: "All", eventKey: "*", targets }));
  const { send } = stand.table.client;
  const twice = async (command: { constructor: { name: string } }) => {
    if (command.constructor.name === "DeleteCommand") await send(command as never);
    return send(command as never);
  };
  const lossy = { ...deps, table: { ...stand.table, client: { send: twice as typeof send } } };

  expect(await deleteRule(lossy, "ws_acme", id)).toBe(true);
  expect(await listRules(deps, "ws_acme")).toEqual([]);
  expect(await deleteRule(deps, "ws_acme", id)).toBe(false);
});
