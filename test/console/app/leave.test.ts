import { beforeEach, expect, describe, it, vi } from "vitest";
import type { WorkspaceId } from "../../../core/domain/basics/ids.ts";
import { aBrowser, load } from "./browser.ts";

vi.mock("../../../console/receipts/store.ts", () => ({
  forgetReceipts: async () => void did.push("forgets receipts"),
}));
vi.mock("../../../console/app/api.ts", () => ({
  createApi: (workspaceId: WorkspaceId) => (name: string, ask: object) => {
    did.push(`${workspaceId} ${name} ${JSON.stringify(ask)}`);
    return Promise.resolve(null);
  },
}));

let did: string[];
beforeEach(() => {
  did = [];
});

describe("a person who signs out of a shared machine", () => {
  type Leave = { removeWorkerData: (userId: string) => Promise<void> };
  const leave = async (registrations: object[] | undefined) => {
    const browser = aBrowser();
    const kept = [
      { workspaceId: "ws_1", userId: "usr_ann", deviceId: "dev_1", at: 0 },
      { workspaceId: "ws_2", userId: "usr_ann", deviceId: "dev_2", at: 0 },
      { workspaceId: "ws_1", userId: "usr_bob", deviceId: "dev_3", at: 0 },
    ];
    browser.kept.set("device", JSON.stringify(kept));
    vi.stubGlobal(
      "navigator",
      registrations === undefined ? {} : { serviceWorker: { getRegistrations: async () => registrations } },
    );
    vi.stubGlobal("caches", {
      keys: async () => ["old", "shell"],
      delete: async (name: string) => did.push(`drops ${name}`),
    });
    await (await load<Leave>("leave")).removeWorkerData("usr_ann");
  };
  const aRegistration = (pushManager?: object) => ({
    getNotifications: async () => [{ close: () => did.push("closes what is shown") }],
    ...(pushManager === undefined ? {} : { pushManager }),
    unregister: async () => did.push("ends the worker"),
  });

  it("leaves behind no device, receipts, subscription, shown notifications, worker or cached data", async () => {
    await leave([
      aRegistration({ getSubscription: async () => ({ unsubscribe: async () => did.push("unsubscribes") }) }),
    ]);

    expect(did.filter((one) => one.startsWith("ws"))).toEqual([
      'ws_1 devices/delete-device {"path":{"deviceId":"dev_1"}}',
      'ws_2 devices/delete-device {"path":{"deviceId":"dev_2"}}',
    ]);
    expect(did.filter((one) => !one.startsWith("ws"))).toEqual([
      "forgets receipts",
      "closes what is shown",
      "unsubscribes",
      "ends the worker",
      "drops old",
      "drops shell",
    ]);
  });

  it.each([
    ["supports workers but no push", [aRegistration()], "ends the worker"],
    ["has no subscription", [aRegistration({ getSubscription: async () => null })], "ends the worker"],
    ["supports no service workers", undefined, "drops shell"],
    ["cannot reach the service worker", [{ getNotifications: () => Promise.reject(new Error("no")) }], "drops shell"],
  ])("leaves behind no cached data, even if the browser %s", async (_, registrations, does) => {
    await leave(registrations);

    expect(did).toContain(does);
    expect(did.at(-1)).toBe("drops shell");
  });

  it("waits at most four seconds for the removal of the browser's data", async () => {
    vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] });
    const leaving = leave([{ getNotifications: () => new Promise(() => undefined) }]);
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1), { interval: 1 }).catch(() => undefined);
    await vi.advanceTimersByTimeAsync(4000);

    await leaving;
    expect(did).not.toContain("drops shell");
  });
});
