import * as fc from "fast-check";
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import type { WorkspaceId } from "../../../../core/domain/basics/ids.ts";
import { registerDevice } from "../../../../core/flow/admin/register-device.ts";
import { deleteDevice, listDevices, removeUnknownDevice, readDevices } from "../../../../core/store/people/devices.ts";
import { createTestClock } from "../../../world/clock.ts";
import { withHook, callTo, createInterruption } from "../../../world/interruption.ts";
import { useTable } from "../../../world/use-table.ts";
import { createBrowser } from "../../../support/web-push.ts";

const stand = await useTable();
const { deps: clock, advance } = createTestClock();
const deps = () => ({ ...clock, table: stand.table });

const register = (ws: WorkspaceId, user: string, token: string) =>
  registerDevice(deps(), ws, user, { token, platform: "ios" });
const tokensOf = async (ws: WorkspaceId, user: string) =>
  (await listDevices(deps(), ws, user)).map(({ token }) => token);

describe("a registered device", () => {
  it("is stored once for each token, and renewed by a second registration", async () => {
    const first = await register("ws_a", "usr_1", "phone");
    advance(1000);
    const second = await registerDevice(deps(), "ws_a", "usr_1", { token: "phone", platform: "ios", name: "Mine" });

    expect(first.kind).toBe("created");
    expect(second.kind).toBe("renewed");
    expect(second.device).toEqual({
      ...first.device,
      name: "Mine",
      registeredAt: "2026-11-21T12:07:24.456Z",
    });
  });

  it("may be a browser, whose renewed keys replace the earlier keys", async () => {
    const [first, second] = [createBrowser(), createBrowser()].map(({ subscription }) => subscription);
    const created = await registerDevice(deps(), "ws_web", "usr_1", { subscription: first! });
    const renewed = await registerDevice(deps(), "ws_web", "usr_1", { subscription: second! });

    expect([created.kind, renewed.kind]).toEqual(["created", "renewed"]);
    expect(await listDevices(deps(), "ws_web", "usr_1")).toEqual([
      { ...renewed.device, platform: "web", subscription: second },
    ]);
  });

  it("may not have an address that the service must not call", async () => {
    const { subscription } = createBrowser("https://169.254.169.254/latest/meta-data");

    await expect(registerDevice(deps(), "ws_web", "usr_2", { subscription })).rejects.toMatchObject({
      extras: { faults: [{ field: "subscription.endpoint", code: "unknown_value" }] },
    });
    expect(await listDevices(deps(), "ws_web", "usr_2")).toEqual([]);
  });

  it("is removed from its former owner, in every workspace", async () => {
    await register("ws_a", "usr_2", "tablet");
    await register("ws_b", "usr_2", "tablet");

    await register("ws_a", "usr_3", "tablet");

    expect(await tokensOf("ws_a", "usr_2")).toEqual([]);
    expect(await tokensOf("ws_b", "usr_2")).toEqual([]);
    expect(await tokensOf("ws_a", "usr_3")).toEqual(["tablet"]);
  });

  it("belongs to one of two people who register the device at the same time", async () => {
    for (let round = 0; round < 10; round += 1) {
      const token = `shared-${round}`;

      await Promise.all([register("ws_c", "usr_4", token), register("ws_c", "usr_5", token)]);

      const owners = [await tokensOf("ws_c", "usr_4"), await tokensOf("ws_c", "usr_5")].flat();
      expect(owners.filter((other) => other === token)).toHaveLength(1);
      for (const user of ["usr_4", "usr_5"])
        for (const { id } of await listDevices(deps(), "ws_c", user)) await deleteDevice(deps(), "ws_c", user, id);
    }
  });

  it("is reported to one former owner at most, even if a request fails while two people register it", async () => {
    let round = 0;
    const registration = fc.record({
      user: fc.constantFrom("usr_1", "usr_2", "usr_3"),
      ends: fc.option(fc.record({ at: fc.integer({ min: 1, max: 9 }), written: fc.boolean() })),
      waits: fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 8, maxLength: 8 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(registration, { minLength: 2, maxLength: 4 }), async (registrations) => {
        round += 1;
        const ws = `ws_once${round}` as const;
        const countHolders = async () => {
          const held = await readDevices(deps(), ws, ["usr_1", "usr_2", "usr_3"], { consistent: true });
          return [...held.values()].flat().length;
        };
        await register(ws, "usr_1", `once-${round}`);
        const registerWithPauses = async ({ user, ends, waits }: (typeof registrations)[number]) => {
          let calls = 0;
          const send = async (command: never) => {
            calls += 1;
            for (let turn = waits[calls % waits.length] ?? 0; turn > 0; turn -= 1) await nextTurn();
            if (calls === ends?.at && !ends.written) throw new Error("throttled");
            const answer: unknown = await stand.table.client.send(command);
            if (calls === ends?.at) throw new Error("the answer was lost");
            return answer;
          };
          const table = { ...stand.table, client: { send: send as never } };
          const answer = await registerDevice({ ...deps(), table }, ws, user, { token: `once-${round}` }).catch(
            () => {},
          );
          expect(await countHolders()).toBeLessThanOrEqual(1);
          return answer;
        };

        await Promise.all(registrations.map(registerWithPauses));
        if (registrations.every(({ ends }) => ends === null)) expect(await countHolders()).toBe(1);

        await register(ws, "usr_2", `once-${round}`);
        expect([await countHolders(), await tokensOf(ws, "usr_2")]).toEqual([1, [`once-${round}`]]);
      }),
      { seed: 5, numRuns: 40 },
    );
  });

  it("that changes owner causes a notice to the former owner, even if the first attempt to notify fails", async () => {
    const lost: string[] = [];
    const takeOver = (token: string, isDown: boolean) =>
      registerDevice(deps(), "ws_l1", "usr_2", { token, platform: "ios" }, async (former, device) => {
        if (isDown) throw new Error("down");
        lost.push(`${former.ws} ${former.userId} ${device.token}`);
      });
    for (const token of ["l1", "l2"]) await register("ws_l1", "usr_1", token);

    await expect(takeOver("l1", true)).rejects.toThrow("down");
    await takeOver("l2", false);

    expect(lost.toSorted()).toEqual(["ws_l1 usr_1 l1", "ws_l1 usr_1 l2"]);
  });

  it("belongs to the person whose request to register it ended last, even if another request began later", async () => {
    await register("ws_again", "usr_1", "again");
    const owners = ["usr_1", "usr_2", "usr_3"] as const;
    const hookDeviceReads = (user: string, hook: (read: number) => Promise<void>) => {
      let looks = 0;
      const table = withHook(stand.table, ({ constructor, input }) =>
        constructor.name === "GetCommand" && input.Key?.sk === user ? hook((looks += 1)) : undefined,
      );
      return { ...deps(), table };
    };
    const aboutToSave = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    // A registration reads the devices twice: to check their number, and for the write.
    const slow = hookDeviceReads("usr_3", async (look) => {
      if (look !== 2) return;
      aboutToSave.resolve();
      await goOn.promise;
    });
    const registered = registerDevice(slow, "ws_again", "usr_3", { token: "again" });
    await aboutToSave.promise;
    await register("ws_again", "usr_2", "again");
    const dies = hookDeviceReads("usr_3", () => Promise.reject(new Error("throttled")));
    await expect(registerDevice(dies, "ws_again", "usr_3", { token: "again" })).rejects.toThrow("throttled");
    goOn.resolve();
    await registered;

    expect(await Promise.all(owners.map((user) => tokensOf("ws_again", user)))).toEqual([[], [], ["again"]]);
  });

  it.each([
    ["who has other devices", ["other"]],
    ["who has no other devices", []],
  ] as const)(
    "is not stored again for its former owner, %s, if another person has registered it meanwhile",
    async (name, others) => {
      const ws = `ws_late${name.length}` as const;
      for (const token of others) await register(ws, "usr_1", token);
      const goOn = Promise.withResolvers<void>();
      const { beforeCall, arm, isArmed } = createInterruption(
        (call) => callTo("Update", "#DEVICES")(call) || callTo("Put", "#DEVICES")(call),
      );
      arm(() => goOn.promise);
      const table = withHook(stand.table, beforeCall);
      const late = registerDevice({ ...deps(), table }, ws, "usr_1", { token: "wanted" });
      await vi.waitUntil(() => !isArmed());

      await register(ws, "usr_2", "wanted");
      goOn.resolve();
      await late;

      expect([await tokensOf(ws, "usr_1"), await tokensOf(ws, "usr_2")]).toEqual([others, ["wanted"]]);
    },
  );

  it("stays with its owner if the person who tries to take it over already has ten devices", async () => {
    await register("ws_f", "usr_8", "phone-f");
    for (let index = 0; index < 10; index += 1) await register("ws_f", "usr_9", `f${index}`);

    await expect(register("ws_f", "usr_9", "phone-f")).rejects.toMatchObject({ kind: "limit_reached" });

    expect(await tokensOf("ws_f", "usr_8")).toEqual(["phone-f"]);
  });

  it("is refused if the person already has ten devices, unless the device is one of the ten", async () => {
    for (let index = 0; index < 10; index += 1) await register("ws_d", "usr_6", `t${index}`);

    await expect(register("ws_d", "usr_6", "t10")).rejects.toMatchObject({ kind: "limit_reached" });
    expect((await register("ws_d", "usr_6", "t3")).kind).toBe("renewed");
  });

  it("is removed when a push service rejects it, unless it was registered again meanwhile", async () => {
    const { device } = await register("ws_e", "usr_7", "old");
    advance(1);
    await register("ws_e", "usr_7", "old");

    expect(await removeUnknownDevice(deps(), "ws_e", "usr_7", device.id, device.registeredAt)).toBe("kept");
    const [renewed] = await listDevices(deps(), "ws_e", "usr_7");
    expect(await removeUnknownDevice(deps(), "ws_e", "usr_7", device.id, renewed?.registeredAt ?? "")).toBe("pruned");
    expect(await readDevices(deps(), "ws_e", ["usr_7", "usr_8"])).toEqual(new Map());
  });
});
