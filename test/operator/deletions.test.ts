import { expect, it } from "vitest";
import { createOperatorAuthor } from "../../core/domain/workspace/audit.ts";
import { deleteWorkspace, sweepDeletions } from "../../core/flow/sweep/delete-workspace.ts";
import { createSweep } from "../../core/flow/sweep/due-items.ts";
import { deletionsPk } from "../../core/store/keys.ts";
import { putItem } from "../../core/store/table.ts";
import { createWorkspace } from "../../core/store/people/workspaces.ts";
import { commands } from "../../operator/commands.ts";
import { createTestClock } from "../world/clock.ts";
import { startTable } from "../world/table.ts";
import { mockedClients } from "./clients.ts";

const aTable = async () => {
  const stand = await startTable();
  const { deps: clock, advance } = createTestClock();
  const { clients } = mockedClients(stand, clock);
  const deps = { ...clock, table: { ...stand.table, author: createOperatorAuthor("req_1") } };
  return { deps, advance, list: () => commands["deletions"]!.run(clients, { table: stand.table.name }) };
};

it("the operator's list of deleted workspaces shows who deleted a workspace, even after its data is gone", async () => {
  const { deps, advance, list } = await aTable();
  const creator = { userId: "usr_a", name: "Ann", email: "ann@acme.example" };
  const { id: workspaceId } = await createWorkspace(deps, { name: "Acme", creator });
  await deleteWorkspace(deps, workspaceId, { name: "Acme", by: "usr_a" });
  const action = { workspaceId, name: "Acme", by: "usr_a", requestId: "req_1", at: "2026-11-21T12:07:23.456Z" };
  expect(await list()).toEqual([{ ...action, gone: null }]);

  advance(60_000);
  await sweepDeletions(deps, createSweep(deps, Infinity));
  advance(3_600_000);
  await sweepDeletions(deps, createSweep(deps, Infinity));

  expect(await list()).toEqual([{ ...action, gone: "2026-11-21T13:08:23.456Z" }]);
});

it("the operator's list of deleted workspaces shows only the workspace's id if an entry is unreadable", async () => {
  const { deps, list } = await aTable();
  await putItem(deps, { pk: deletionsPk, sk: "ws_unreadable" }, { due: "soon" });

  expect(await list()).toEqual([{ workspaceId: "ws_unreadable", name: "", by: "", requestId: "", at: "", gone: null }]);
});
