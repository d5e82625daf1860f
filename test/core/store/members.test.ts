import * as v from "valibot";
import { expect, it } from "vitest";
import type { WorkspaceId } from "../../../core/domain/basics/ids.ts";
import { registerDevice } from "../../../core/flow/admin/register-device.ts";
import { readControl } from "../../../core/store/events/control.ts";
import { listDevices } from "../../../core/store/people/devices.ts";
import { addGroupMember, createGroup, listGroupMembers } from "../../../core/store/people/groups.ts";
import { toRole } from "../../../core/domain/people/member.ts";
import { memberSetKey } from "../../../core/store/keys.ts";
import { listMembers, readMember, readOwners } from "../../../core/store/people/read-members.ts";
import { removeMember, saveMember, setRole } from "../../../core/store/people/members.ts";
import { updateItem } from "../../../core/store/table.ts";
import { createWorkspace } from "../../../core/store/people/workspaces.ts";
import { createTestClock } from "../../world/clock.ts";
import { withHook } from "../../world/interruption.ts";
import { useTable } from "../../world/use-table.ts";

const { deps: clock, advance } = createTestClock();
const stand = await useTable();

const person = (userId: string) => ({ userId, name: userId, email: `${userId}@acme.example` });

it("members are listed in the order in which they joined", async () => {
  const deps = { ...clock, table: stand.table };
  await createWorkspace(deps, { id: "ws_order", name: "Acme", creator: person("usr_zoe") });
  for (const userId of ["usr_bob", "usr_ann"]) {
    advance(1000);
    await saveMember(deps, "ws_order", person(userId));
  }

  expect((await listMembers(deps, "ws_order")).map(({ userId }) => userId)).toEqual(["usr_zoe", "usr_bob", "usr_ann"]);
});

/** Returns a table whose client dies after a number of calls. */
const createDepsDyingAfter = (calls: number) => {
  const fail = () => Promise.reject(new Error("interrupted"));
  return { ...clock, table: withHook(stand.table, (_, nr) => (nr > calls ? fail() : undefined)) };
};

it("a member whose removal is interrupted anywhere is either still a member or removed completely", async () => {
  const deps = { ...clock, table: stand.table };
  let interrupted = 0;

  for (let calls = 0; ; calls += 1) {
    const ws = `ws_${calls}` as const;
    await createWorkspace(deps, { id: ws, name: "Acme", creator: person("usr_ann") });
    await saveMember(deps, ws, person("usr_bob"));
    const { id } = await createGroup(deps, ws, "Ops");
    await addGroupMember(deps, ws, { groupId: id, userId: "usr_bob" });
    await registerDevice(deps, ws, "usr_bob", { token: "phone", platform: "ios" });

    const done = await removeMember(createDepsDyingAfter(calls), ws, "usr_bob").catch(() => "interrupted");

    const isMember = (await readMember(deps, ws, "usr_bob")) !== undefined;
    const rest = [...(await listGroupMembers(deps, ws, id)), ...(await listDevices(deps, ws, "usr_bob"))];
    if (!isMember) expect(rest).toEqual([]);
    if (done === "removed") break;
    interrupted += 1;
  }

  expect(interrupted).toBeGreaterThan(5);
});

const readRole = async (ws: WorkspaceId, userId: string) =>
  toRole((await readMember({ table: stand.table }, ws, userId))!, await readOwners({ table: stand.table }, ws));

it.each([
  ["owner", "viewer"],
  ["viewer", "owner"],
  ["manager", "responder"],
] as const)(
  "an interrupted change of a role from %s to %s leaves one of these two roles, and can be repeated",
  async (from, to) => {
    const deps = { ...clock, table: stand.table };
    const seen = new Set<string>();

    for (let calls = 0; ; calls += 1) {
      const ws = `ws_${from}_${to}_${calls}` as const;
      await createWorkspace(deps, { id: ws, name: "Acme", creator: person("usr_ann") });
      await saveMember(deps, ws, { ...person("usr_bob"), role: from });
      const version = (await readControl(deps, ws))!.peopleVersion;

      const done = await setRole(createDepsDyingAfter(calls), ws, "usr_bob", to).catch(() => "interrupted");

      const role = await readRole(ws, "usr_bob");
      expect([from, to]).toContain(role);
      expect(await readRole(ws, "usr_ann")).toBe("owner");
      seen.add(`${done} ${role}`);
      // A repeated request completes an interrupted change of the role.
      expect(await setRole(deps, ws, "usr_bob", to)).toBe("done");
      expect(await readRole(ws, "usr_bob")).toBe(to);
      expect((await readControl(deps, ws))!.peopleVersion).toBeGreaterThan(version);
      if (done === "done") break;
    }

    expect(seen).toEqual(new Set([`interrupted ${from}`, `interrupted ${to}`, `done ${to}`]));
  },
);

it("in a workspace without roles, all other members stay owners, wherever the first role change is interrupted", async () => {
  const deps = { ...clock, table: stand.table };

  for (let calls = 0; ; calls += 1) {
    const ws = `ws_first_${calls}` as const;
    await createWorkspace(deps, { id: ws, name: "Acme", creator: person("usr_ann") });
    await saveMember(deps, ws, person("usr_bob"));
    const forget = { update: "REMOVE #owners", names: { "#owners": "owners" } };
    await updateItem(deps, memberSetKey(ws), v.unknown(), forget);

    const done = await setRole(createDepsDyingAfter(calls), ws, "usr_ann", "viewer").catch(() => "interrupted");

    expect(["owner", "viewer"]).toContain(await readRole(ws, "usr_ann"));
    expect(await readRole(ws, "usr_bob")).toBe("owner");
    if (done === "done") break;
  }
});

it("an owner whose removal is interrupted is removed or still a member, and another owner remains", async () => {
  const deps = { ...clock, table: stand.table };

  for (let calls = 0; ; calls += 1) {
    const ws = `ws_leaves_${calls}` as const;
    await createWorkspace(deps, { id: ws, name: "Acme", creator: person("usr_ann") });
    await saveMember(deps, ws, { ...person("usr_bob"), role: "owner" });

    const done = await removeMember(createDepsDyingAfter(calls), ws, "usr_ann").catch(() => "interrupted");

    expect(await readRole(ws, "usr_bob")).toBe("owner");
    expect(["removed", "unknown"]).toContain(await removeMember(deps, ws, "usr_ann"));
    expect(await removeMember(deps, ws, "usr_bob")).toBe("last");
    if (done === "removed") break;
  }
});
