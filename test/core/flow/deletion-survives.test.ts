import { describe, expect, it } from "vitest";
import type { WorkspaceId } from "../../../core/domain/basics/ids.ts";
import { toAddress, toAddressId } from "../../../core/domain/device/device.ts";
import { createOperatorAuthor } from "../../../core/domain/workspace/audit.ts";
import { registerDevice } from "../../../core/flow/admin/register-device.ts";
import { deleteWorkspace, sweepDeletions } from "../../../core/flow/sweep/delete-workspace.ts";
import { createSweep } from "../../../core/flow/sweep/due-items.ts";
import { createApiKey } from "../../../core/store/people/api-keys.ts";
import { listDeletedWorkspaces, listDeletions } from "../../../core/store/people/deletions.ts";
import { listDevices, removeTakenAddress } from "../../../core/store/people/devices.ts";
import { createGroup } from "../../../core/store/people/groups.ts";
import { saveMember } from "../../../core/store/people/members.ts";
import { createWorkspace, listWorkspacesOf, updateWorkspace } from "../../../core/store/people/workspaces.ts";
import { pagesKey, probeKey } from "../../../core/store/keys.ts";
import { listFixedPartitions } from "../../../core/store/workspace-keys.ts";
import { putItem } from "../../../core/store/table.ts";
import { addContact } from "../../faults/fixtures.ts";
import { toItemText } from "../../support/canaries.ts";
import { createTestClock } from "../../world/clock.ts";
import { useTable } from "../../world/use-table.ts";

const stand = await useTable();
const { deps: clock, advance } = createTestClock();
const author = createOperatorAuthor("req_1");
const deps = { ...clock, table: { ...stand.table, author } };
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const ann = "usr_ann";

/** Returns dependencies whose client dies before or after the given call. `onCall` runs before each call, with its number. */
const createDepsDyingAtCall = (
  fatalCall: number,
  when: "before" | "after",
  onCall: (calls: number) => unknown = () => undefined,
) => {
  let calls = 0;
  const send = async (command: never): Promise<unknown> => {
    calls += 1;
    await onCall(calls);
    if (calls !== fatalCall) return stand.table.client.send(command);
    if (when === "after") await stand.table.client.send(command);
    throw new Error("died");
  };
  return { ...deps, table: { ...deps.table, client: { send: send as never } } };
};
const createFilledWorkspace = async (name: string): Promise<WorkspaceId> => {
  const { id } = await createWorkspace(deps, {
    name,
    creator: { userId: ann, name: "Ann", email: "ann@acme.example" },
  });
  await saveMember(deps, id, { userId: "usr_ben", name: "Ben", email: "ben@acme.example" });
  await createApiKey(deps, id, { name: "Shop" });
  await createGroup(deps, id, "Ops");
  await putItem(deps, pagesKey(id, "usr_ben"), { rung: [] });
  return id;
};
const sweep = async (by: Parameters<typeof sweepDeletions>[0] = deps, until = Infinity) => {
  await sweepDeletions(by, createSweep(deps, until));
};
const listItemsLeft = async (ws: WorkspaceId) =>
  (await stand.listItems()).filter((item) => item["pk"] !== "DELETED" && toItemText(item).includes(ws));
const isListed = async (userId: string, ws: WorkspaceId) =>
  (await listWorkspacesOf(deps, userId)).some(({ id }) => id === ws);

describe.each(["before", "after"] as const)("if a request to delete a workspace dies %s any of its calls,", (when) => {
  it("the workspace is either deleted or unchanged", async () => {
    const outcomes = new Set<string>();
    for (let fatal = 1; ; fatal += 1) {
      const ws = await createFilledWorkspace(`Acme ${when} ${fatal}`);
      const before = await listItemsLeft(ws);
      const name = `Acme ${when} ${fatal}`;
      const outcome = await deleteWorkspace(createDepsDyingAtCall(fatal, when), ws, { name, by: ann }).catch(
        () => "died" as const,
      );
      const isThere = await isListed(ann, ws);
      await sweep();
      advance(MINUTE_MS);
      await sweep();
      advance(HOUR_MS);
      await sweep();

      if (isThere) expect(await listItemsLeft(ws)).toEqual(before);
      else {
        expect(await listItemsLeft(ws)).toEqual([]);
        expect((await listDeletedWorkspaces(deps)).map((one) => one.ws)).toContain(ws);
      }
      expect([await isListed("usr_ben", ws), await listDeletions(deps)]).toEqual([isThere, []]);
      outcomes.add(isThere ? "there" : "gone");
      if (outcome !== "died") break;
    }
    expect([...outcomes].sort()).toEqual(["gone", "there"]);
  });
});

describe("the sweeper during the deletion of a workspace", () => {
  it("leaves nothing of a deleted workspace, even if the deleting request dies within three calls after a sweep", async () => {
    let calls = Infinity;
    for (let moment = 1; moment <= calls; moment += 1)
      for (let fatal = moment; fatal <= Math.min(calls, moment + 3); fatal += 1) {
        const name = `Umbrella ${moment} ${fatal}`;
        const ws = await createFilledWorkspace(name);
        let made = 0;
        const request = createDepsDyingAtCall(fatal, "after", async (call) => {
          made = call;
          if (call === moment) await sweep();
        });
        const outcome = await deleteWorkspace(request, ws, { name, by: ann }).catch(() => "died" as const);
        if (outcome !== "died") calls = made;

        advance(MINUTE_MS);
        await sweep();
        advance(HOUR_MS);
        await sweep();
        if (!(await isListed(ann, ws))) expect(await listItemsLeft(ws)).toEqual([]);
      }
    expect(calls).toBeGreaterThan(3);
  });

  it("resumes where it stopped, at whichever call it dies, and also deletes items that were written meanwhile", async () => {
    const ws = await createFilledWorkspace("Globex");
    const other = await createFilledWorkspace("Initech");
    const others = await listItemsLeft(other);
    await deleteWorkspace(deps, ws, { name: "Globex", by: ann });

    let rounds = 0;
    let isLate = false;
    while ((await listDeletions(deps)).length > 0) {
      rounds += 1;
      expect(rounds).toBeLessThan(200);
      advance(HOUR_MS);
      const until = clock.now() + 10_000;
      await sweep(
        createDepsDyingAtCall(Math.ceil(rounds / 2), rounds % 2 === 0 ? "before" : "after", () => advance(1_000)),
        until,
      ).catch(() => undefined);
      const [deletion] = await listDeletions(deps);
      if (isLate || deletion?.kind !== "readable" || deletion.item.look === 1) continue;
      for (const pk of listFixedPartitions(ws)) await putItem(deps, { pk, sk: "late" }, {});
      isLate = true;
    }

    expect(rounds).toBeGreaterThan(20);
    expect(await listItemsLeft(ws)).toEqual([]);
    expect(await listItemsLeft(other)).toEqual(others);
    expect((await listDeletedWorkspaces(deps)).filter((one) => one.ws === ws)).toHaveLength(1);
  });
});

it("the deletion of a workspace also deletes the record of a removed phone whose owner is not notified yet", async () => {
  const ws = await createFilledWorkspace("Hooli");
  await addContact(deps, ws, "usr_ben", { phone: "+4930123456", ways: ["sms"] });
  const [phone] = await listDevices(deps, ws, "usr_ben");
  const address = toAddressId(toAddress(phone!));
  const fail = () => Promise.reject(new Error("died"));
  await expect(removeTakenAddress(deps, ws, "usr_ben", address, async () => true, fail)).rejects.toThrow("died");
  await deleteWorkspace(deps, ws, { name: "Hooli", by: ann });

  for (const ms of [MINUTE_MS, HOUR_MS]) {
    advance(ms);
    await sweep();
  }

  expect(await listItemsLeft(ws)).toEqual([]);
});

it("the deletion of a workspace removes a device from it even if the user registers the device in another workspace meanwhile", async () => {
  const [ws, other] = [await createFilledWorkspace("Umbrella"), await createFilledWorkspace("Tyrell")];
  await registerDevice(deps, ws, "usr_ben", { token: "t", platform: "ios" });
  await deleteWorkspace(deps, ws, { name: "Umbrella", by: ann });
  const races = { isOver: false };
  const send = async (command: { constructor: { name: string } }): Promise<unknown> => {
    if (command.constructor.name === "TransactWriteCommand" && !races.isOver) {
      races.isOver = true;
      await registerDevice(deps, other, "usr_ben", { token: "t", platform: "ios" });
    }
    return stand.table.client.send(command as never);
  };

  for (const ms of [MINUTE_MS, HOUR_MS]) {
    advance(ms);
    await sweep({ ...deps, table: { ...deps.table, client: { send: send as never } } });
  }

  expect([races.isOver, await listItemsLeft(ws)]).toEqual([true, []]);
  expect(await listDevices(deps, other, "usr_ben")).toHaveLength(1);
});

it("a workspace that is renamed during the request for its deletion is not deleted", async () => {
  const ws = await createFilledWorkspace("Wayne");
  const request = createDepsDyingAtCall(Infinity, "before", async (call) => {
    if (call === 2) await updateWorkspace(deps, ws, { name: "Wonka" });
  });

  await expect(deleteWorkspace(request, ws, { name: "Wayne", by: ann })).rejects.toThrow("name of the workspace");
  expect(await isListed(ann, ws)).toBe(true);
});

it("the deletion of a workspace empties a partition with hundreds of items", async () => {
  const ws = await createFilledWorkspace("Vehement");
  await Promise.all(Array.from({ length: 450 }, (_, nr) => putItem(deps, probeKey(ws, `rule_${nr}`), {})));
  await deleteWorkspace(deps, ws, { name: "Vehement", by: ann });

  for (const ms of [MINUTE_MS, HOUR_MS]) {
    advance(ms);
    await sweep();
  }

  expect(await listItemsLeft(ws)).toEqual([]);
});
