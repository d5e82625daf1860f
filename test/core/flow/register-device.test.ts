import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { registerDevice } from "../../../core/flow/register-device.ts";
import { deleteDevice, listDevices, pruneDevice, readDevices } from "../../../core/store/devices.ts";
import { testClock } from "../../world/clock.ts";
import { startTable, type TestTable } from "../../world/table.ts";
import { aBrowser } from "../../support/web-push.ts";

let stand: TestTable;
const { deps: clock, advance } = testClock();
const deps = () => ({ ...clock, table: stand.table });

beforeAll(async () => {
  stand = await startTable();
});
afterAll(() => stand.close());

const register = (ws: string, user: string, token: string) =>
  registerDevice(deps(), ws, user, { token, platform: "ios" });
const tokensOf = async (ws: string, user: string) => (await listDevices(deps(), ws, user)).map(({ token }) => token);

describe("a device", () => {
  it("is created once for a token, and renewed after that", async () => {
    const first = await register("ws_a", "usr_1", "phone");
    advance(1000);
    const second = await registerDevice(deps(), "ws_a", "usr_1", { token: "phone", platform: "ios", name: "Mine" });

    expect(first.kind).toBe("created");
    expect(second.kind).toBe("renewed");
    expect(second.device).toEqual({
      ...first.device,
      name: "Mine",
      registeredAt: "2026-11-21T12:00:01.000Z",
    });
  });

  it("can be a browser, whose renewed keys take the place of the old", async () => {
    const [first, second] = [aBrowser(), aBrowser()].map(({ subscription }) => subscription);
    const created = await registerDevice(deps(), "ws_web", "usr_1", { subscription: first! });
    const renewed = await registerDevice(deps(), "ws_web", "usr_1", { subscription: second! });

    expect([created.kind, renewed.kind]).toEqual(["created", "renewed"]);
    expect(await listDevices(deps(), "ws_web", "usr_1")).toEqual([
      { ...renewed.device, platform: "web", subscription: second },
    ]);
  });

  it("is no address that the service must not call", async () => {
    const { subscription } = aBrowser("https://169.254.169.254/latest/meta-data");

    await expect(registerDevice(deps(), "ws_web", "usr_2", { subscription })).rejects.toMatchObject({
      extras: { faults: [{ field: "subscription.endpoint", code: "unknown_value" }] },
    });
    expect(await listDevices(deps(), "ws_web", "usr_2")).toEqual([]);
  });

  it("leaves its former owner, in every workspace", async () => {
    await register("ws_a", "usr_2", "tablet");
    await register("ws_b", "usr_2", "tablet");

    await register("ws_a", "usr_3", "tablet");

    expect(await tokensOf("ws_a", "usr_2")).toEqual([]);
    expect(await tokensOf("ws_b", "usr_2")).toEqual([]);
    expect(await tokensOf("ws_a", "usr_3")).toEqual(["tablet"]);
  });

  it("stays with one of two who register it at once", async () => {
    for (let round = 0; round < 10; round += 1) {
      const token = `shared-${round}`;

      await Promise.all([register("ws_c", "usr_4", token), register("ws_c", "usr_5", token)]);

      const owners = [await tokensOf("ws_c", "usr_4"), await tokensOf("ws_c", "usr_5")].flat();
      expect(owners.filter((other) => other === token)).toHaveLength(1);
      for (const user of ["usr_4", "usr_5"])
        for (const { id } of await listDevices(deps(), "ws_c", user)) await deleteDevice(deps(), "ws_c", user, id);
    }
  });

  it("is refused as the eleventh of a user", async () => {
    for (let index = 0; index < 10; index += 1) await register("ws_d", "usr_6", `t${index}`);

    await expect(register("ws_d", "usr_6", "t10")).rejects.toMatchObject({ kind: "limit_reached" });
    expect((await register("ws_d", "usr_6", "t3")).kind).toBe("renewed");
  });

  it("is pruned unless it was registered again meanwhile", async () => {
    const { device } = await register("ws_e", "usr_7", "old");
    advance(1);
    await register("ws_e", "usr_7", "old");

    expect(await pruneDevice(deps(), "ws_e", "usr_7", device.id, device.registeredAt)).toBe("kept");
    const [renewed] = await listDevices(deps(), "ws_e", "usr_7");
    expect(await pruneDevice(deps(), "ws_e", "usr_7", device.id, renewed?.registeredAt ?? "")).toBe("pruned");
    expect(await readDevices(deps(), "ws_e", ["usr_7", "usr_8"])).toEqual(new Map());
  });
});
