import { expect, it } from "vitest";
import { registerDevice } from "../../../core/flow/admin/register-device.ts";
import { listDevices } from "../../../core/store/devices.ts";
import { addGroupMember, createGroup, listGroupMembers } from "../../../core/store/groups.ts";
import { readMember, removeMember, saveMember } from "../../../core/store/members.ts";
import { createWorkspace } from "../../../core/store/workspaces.ts";
import { testClock } from "../../world/clock.ts";
import { useTable } from "../../world/use-table.ts";

const { deps: clock } = testClock();
const stand = await useTable();

const person = (userId: string) => ({ userId, name: userId, email: `${userId}@acme.example` });

it("somebody whose removal is interrupted anywhere is still a member, or nothing is left of him", async () => {
  const deps = { ...clock, table: stand.table };
  const { send } = stand.table.client;
  let interrupted = 0;

  for (let calls = 0; ; calls += 1) {
    const ws = `ws_${calls}`;
    await createWorkspace(deps, { id: ws, name: "Acme", creator: person("usr_ann") });
    await saveMember(deps, ws, person("usr_bob"));
    const { id } = await createGroup(deps, ws, "Ops");
    await addGroupMember(deps, ws, id, "usr_bob");
    await registerDevice(deps, ws, "usr_bob", { token: "phone", platform: "ios" });
    let left = calls;
    const dying = async (command: unknown) => {
      if (left === 0) throw new Error("interrupted");
      left -= 1;
      return send(command as never);
    };
    const mortal = { ...deps, table: { ...stand.table, client: { send: dying as typeof send } } };

    const done = await removeMember(mortal, ws, "usr_bob").catch(() => "interrupted");

    const isMember = (await readMember(deps, ws, "usr_bob")) !== undefined;
    const rest = [...(await listGroupMembers(deps, ws, id)), ...(await listDevices(deps, ws, "usr_bob"))];
    if (!isMember) expect(rest).toEqual([]);
    if (done === "removed") break;
    interrupted += 1;
  }

  expect(interrupted).toBeGreaterThan(5);
});
