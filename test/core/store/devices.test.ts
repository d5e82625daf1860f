import { TransactWriteCommand } from "@aws-sdk/lib-dynamodb";
import { expect, it } from "vitest";
import type { WorkspaceId } from "../../../core/domain/basics/ids.ts";
import { registerDevice } from "../../../core/flow/admin/register-device.ts";
import {
  deleteDevice,
  listDevices,
  readDevices,
  removeDevices,
  removeTakenAddress,
} from "../../../core/store/people/devices.ts";
import { setPushFailure } from "../../../core/store/people/device-states.ts";
import { createTestClock } from "../../world/clock.ts";
import { useTable } from "../../world/use-table.ts";

const stand = await useTable();
const { deps: clock } = createTestClock();

type Charged = { CapacityUnits?: number };

/** Creates a table that counts the read units which DynamoDB charges. */
const meteredTable = () => {
  let units = 0;
  const send = async (command: { input: object }) => {
    Object.assign(command.input, { ReturnConsumedCapacity: "TOTAL" });
    const answer = (await stand.table.client.send(command as never)) as { ConsumedCapacity?: Charged | Charged[] };
    for (const charged of [answer.ConsumedCapacity ?? []].flat()) units += charged.CapacityUnits ?? 0;
    return answer;
  };
  return { table: { ...stand.table, client: { send: send as never } }, units: () => units };
};

/** Creates a workspace whose members have two phones each, with tokens of FCM's usual length. One member has no phone. */
const aWorkspace = async (ws: WorkspaceId, members: number): Promise<string[]> => {
  const deps = { ...clock, table: stand.table };
  const userIds = Array.from({ length: members }, (_, index) => `usr_${index}`);
  for (const userId of userIds)
    for (const phone of ["1", "2"]) {
      const token = `${ws}-${userId}-${phone}`.padEnd(163, "x");
      const { device } = await registerDevice(deps, ws, userId, { token, platform: "ios", name: "Phone at work" });
      if (userId === "usr_0") await deleteDevice(deps, ws, userId, device.id);
    }
  return userIds;
};

it.each([
  { members: 8, users: 1, units: 0.5 },
  { members: 6, users: 3, units: 0.5 },
  { members: 9, users: 3, units: 1.5 },
  { members: 30, users: 16, units: 3 },
])(
  "the devices of $users of $members members are read with $units read units at most",
  async ({ members, users, units }) => {
    const ws = `ws_${members}_${users}` as const;
    const asked = (await aWorkspace(ws, members)).slice(0, users);
    const byKey = meteredTable();
    const cheaper = meteredTable();

    const devices = await readDevices({ table: cheaper.table }, ws, asked, { members });

    expect(devices).toEqual(await readDevices({ table: byKey.table }, ws, asked));
    expect([...devices.keys()].sort()).toEqual(asked.slice(1).sort());
    expect(byKey.units()).toBe(users / 2);
    expect(cheaper.units()).toBeLessThanOrEqual(units);
  },
);

it("a strongly consistent read of devices costs nothing for members whose devices were not requested", async () => {
  const [, ...asked] = await aWorkspace("ws_consistent", 4);
  const metered = meteredTable();

  const devices = await readDevices({ table: metered.table }, "ws_consistent", asked, { consistent: true, members: 4 });

  expect(devices.size).toBe(3);
  expect(metered.units()).toBe(3);
});

it("a device that registers again has its new platform, and its last failure is forgotten", async () => {
  const deps = { ...clock, table: stand.table };
  const { device } = await registerDevice(deps, "ws_renewed", "usr_1", {
    token: "renewed",
    platform: "ios",
    name: "P",
  });
  await setPushFailure(deps, "ws_renewed", "usr_1", device.id, "E1");

  await registerDevice(deps, "ws_renewed", "usr_1", { token: "renewed", platform: "android" });

  expect(await listDevices(deps, "ws_renewed", "usr_1")).toEqual([{ ...device, platform: "android" }]);
});

it("a deletion whose answer was lost still counts as a deletion, even if its retry finds nothing", async () => {
  const ws = "ws_lost_answer";
  const deps = { ...clock, table: stand.table };
  const { device } = await registerDevice(deps, ws, "usr_a", { token: "lost-answer", platform: "ios" });
  const send = async (command: never) => {
    if ((command as object) instanceof TransactWriteCommand) await stand.table.client.send(command);
    return (await stand.table.client.send(command)) as unknown;
  };
  const table = { ...stand.table, client: { send: send as never } };

  expect(await deleteDevice({ ...clock, table }, ws, "usr_a", device.id)).toBe(true);

  expect(await listDevices(deps, ws, "usr_a")).toEqual([]);
  expect(await deleteDevice(deps, ws, "usr_a", device.id)).toBe(false);
});

it("a removed device leaves no record of its address and owner, even when the owner leaves the workspace", async () => {
  const deps = { ...clock, table: stand.table };
  const ws = "ws_forgotten";
  const { device } = await registerDevice(deps, ws, "usr_a", { token: "forgotten", platform: "ios" });
  await registerDevice(deps, "ws_elsewhere", "usr_a", { token: "forgotten", platform: "ios" });
  await registerDevice(deps, ws, "usr_a", { token: "forgotten, too", platform: "ios" });
  const listOwnerItems = async () =>
    (await stand.listItems()).filter((item) => item["sk"] === "OWNER" && JSON.stringify(item).includes("usr_a"));
  const before = (await listOwnerItems()).length;

  await deleteDevice(deps, ws, "usr_a", device.id);
  expect((await listOwnerItems()).length).toBe(before);
  await removeDevices(deps, ws, "usr_a");
  expect((await listOwnerItems()).length).toBe(before - 1);
  await removeDevices(deps, "ws_elsewhere", "usr_a");
  expect((await listOwnerItems()).length).toBe(before - 2);
});

it("a phone is removed from its previous owner, with a notice, only if another person is still registered with it", async () => {
  const deps = { ...clock, table: stand.table };
  const ws = "ws_slow";
  const { device } = await registerDevice(deps, ws, "usr_1", { token: "slow", platform: "ios" });
  const notified: string[] = [];
  const removeTakenDevice = (isOwner: boolean) =>
    removeTakenAddress(
      deps,
      ws,
      "usr_1",
      "slow",
      async () => isOwner,
      async ({ id }) => notified.push(id),
    );

  await removeTakenDevice(false);
  expect((await listDevices(deps, ws, "usr_1")).map(({ id }) => id)).toEqual([device.id]);
  expect(notified).toEqual([]);

  await removeTakenDevice(true);
  expect(await listDevices(deps, ws, "usr_1")).toEqual([]);
  expect(notified).toEqual([device.id]);
});
