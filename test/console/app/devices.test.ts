import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Failed } from "../../../console/app/failure.ts";
import type { WorkspaceId } from "../../../core/domain/basics/ids.ts";
import { aBrowser, load } from "./browser.ts";

const DAY_MS = 24 * 3_600_000;
const NOW = Date.UTC(2026, 10, 23, 12);
const PUBLIC_KEY = Buffer.from([4, 1, 2]).toString("base64url");

type Device = { id: string; name: string | null; platform: string; silent: boolean; mustRenew: boolean };
type Place = { api: unknown; workspaceId: WorkspaceId; me: string };
type Push = {
  canNotify: () => boolean;
  enableNotifications: (place: Place) => Promise<string>;
  renewRegistration: (place: Place, devices: readonly Pick<Device, "id" | "mustRenew">[]) => Promise<boolean>;
  forgetRegistration: (deviceId: string) => void;
  forwardPushes: () => void;
};

vi.mock("../../../console/receipts/store.ts", () => ({
  readKey: async () => undefined,
  writeKey: async () => undefined,
}));
vi.mock("../../../console/receipts/sign.ts", () => ({
  encodeBase64url: (bytes: ArrayBuffer) => Buffer.from(bytes).toString("base64url"),
  readOrCreateKey: async () => "receipt-key",
}));
let did: string[];
const aRegistration = (workspaceId: WorkspaceId, userId: string, deviceId: string, at = NOW) => ({
  workspaceId,
  userId,
  deviceId,
  at,
});

beforeEach(() => {
  vi.useFakeTimers({ now: NOW, toFake: ["Date"] });
  did = [];
});

const aSubscription = (endpoint: string, key: number[] | null = [4, 1, 2]) => ({
  options: { applicationServerKey: key === null ? null : new Uint8Array(key).buffer },
  toJSON: () => ({ endpoint, keys: { p256dh: "p", auth: "a" } }),
  unsubscribe: async () => void did.push(`unsubscribes ${endpoint}`),
});

type World = {
  permission?: string;
  userAgent?: string;
  former?: ReturnType<typeof aSubscription> | null;
  origin?: string;
  subscribe?: () => Promise<unknown>;
  kept?: object[];
};

const open = ({
  permission = "granted",
  userAgent = "Chrome/1",
  former = null,
  origin,
  subscribe,
  kept,
}: World = {}) => {
  const browser = aBrowser(origin === undefined ? {} : { origin });
  if (kept !== undefined) browser.kept.set("device", JSON.stringify(kept));
  Object.assign(browser.windowGlobal, { Notification: {} });
  vi.stubGlobal("Notification", { permission, requestPermission: async () => permission });
  const pushManager = {
    getSubscription: async () => former,
    subscribe:
      subscribe ??
      (async (options: object) => {
        did.push(`subscribes ${JSON.stringify(options)}`);
        return aSubscription("https://push.example/new");
      }),
  };
  const posted: unknown[] = [];
  const active = { postMessage: (message: unknown) => void posted.push(message) };
  const ready = Promise.resolve({ pushManager, active });
  vi.stubGlobal("navigator", { userAgent, serviceWorker: { ready } });
  const answers: Record<string, unknown> = {
    "devices/get-web-push-key": { publicKey: PUBLIC_KEY },
    "devices/register-device": { id: "dev_new", name: "Chrome" },
    "devices/delete-device": null,
  };
  const asked: [string, unknown][] = [];
  const place = {
    api: async (name: string, ask: object) => {
      asked.push([name, ask]);
      const answer = answers[name];
      if (answer instanceof Error) throw answer;
      return typeof answer === "function" ? (answer as () => unknown)() : answer;
    },
    workspaceId: "ws_1" as const,
    me: "usr_ann",
  };
  return {
    browser,
    place,
    asked,
    answers,
    posted,
    keptDevices: () => JSON.parse(browser.kept.get("device") ?? "[]") as unknown,
  };
};
const loadPush = () => load<Push>("browser-push");
const messageOf = (work: Promise<unknown>) =>
  work.catch((error: unknown) => {
    const { failure } = error as Failed;
    return failure.kind === "refused" ? failure.message : failure.kind;
  });

describe("a browser that subscribes to notifications", () => {
  it("subscribes with the service's key, and is registered as a device of its user in the open workspace", async () => {
    const others = [aRegistration("ws_2", "usr_ann", "dev_2"), aRegistration("ws_1", "usr_bob", "dev_3")];
    const { place, asked, keptDevices } = open({ kept: [...others, aRegistration("ws_1", "usr_ann", "dev_1", 0)] });

    expect(await (await loadPush()).enableNotifications(place)).toBe(
      "Chrome on this device now receives notifications.",
    );

    expect(did).toEqual([`subscribes ${JSON.stringify({ userVisibleOnly: true, applicationServerKey: PUBLIC_KEY })}`]);
    expect(asked).toEqual([
      ["devices/get-web-push-key", {}],
      [
        "devices/register-device",
        {
          body: {
            subscription: { endpoint: "https://push.example/new", keys: { p256dh: "p", auth: "a" } },
            name: "Chrome",
            receiptKey: "receipt-key",
          },
        },
      ],
    ]);
    expect(keptDevices()).toEqual([...others, aRegistration("ws_1", "usr_ann", "dev_new")]);
  });

  it.each([
    ["Mozilla/5.0 Chrome/1 Safari/1 Edg/1", "Edge"],
    ["Mozilla/5.0 Firefox/1", "Firefox"],
    ["Mozilla/5.0 Chrome/1 Safari/1", "Chrome"],
    ["Mozilla/5.0 Version/1 Safari/1", "Safari"],
    ["Lynx", "Browser"],
  ])("with the user agent %s is named %s", async (userAgent, name) => {
    const { place, asked } = open({ userAgent });
    await (await loadPush()).enableNotifications(place);

    expect(asked[1]![1]).toMatchObject({ body: { name } });
  });

  it.each([
    ["of the same key stays", aSubscription("former"), []],
    ["without a known key stays", aSubscription("former", null), []],
    [
      "of an earlier key is removed, since it would prevent a new one",
      aSubscription("former", [4, 9, 9]),
      ["unsubscribes former"],
    ],
  ])("keeps an earlier subscription unless its key has changed: a subscription %s", async (_, former, gone) => {
    const { place } = open({ former });
    await (await loadPush()).enableNotifications(place);

    expect(did.filter((one) => one.startsWith("un"))).toEqual(gone);
  });

  it("does not ask for permission again if it was denied, and says why it cannot show notifications", async () => {
    const denied = open({ permission: "denied" });
    expect(await messageOf((await loadPush()).enableNotifications(denied.place))).toMatch(
      /Notifications are blocked for this page/,
    );
    const { place, browser } = open();
    Reflect.deleteProperty(browser.windowGlobal, "Notification");
    expect((await loadPush()).canNotify()).toBe(false);
    expect(await messageOf((await loadPush()).enableNotifications(place))).toMatch(/cannot show notifications/);
    expect([denied.asked, did]).toEqual([[], []]);
  });

  it("counts as unable to show notifications if it has no service worker", async () => {
    open();
    vi.stubGlobal("navigator", {});
    expect((await loadPush()).canNotify()).toBe(false);
  });

  it("reports that the push service did not answer; on a developer's machine, the console simulates a push service", async () => {
    const failToSubscribe = () => Promise.reject(new Error("no push service"));
    const { place } = open({ subscribe: failToSubscribe });
    expect(await messageOf((await loadPush()).enableNotifications(place))).toMatch(/push service did not answer/);

    const here = open({ subscribe: failToSubscribe, origin: "http://127.0.0.1:3000" });
    const fetched: string[] = [];
    vi.stubGlobal("fetch", async (address: string, { method }: { method: string }) => {
      fetched.push(`${method} ${address}`);
      return Response.json({ endpoint: "http://127.0.0.1/push/1", keys: { p256dh: "p", auth: "a" } });
    });
    const streams: { address: string; hear: (event: { data: string }) => void }[] = [];
    vi.stubGlobal(
      "EventSource",
      class {
        address: string;
        constructor(address: string) {
          this.address = address;
        }
        addEventListener(type: string, hear: (event: { data: string }) => void) {
          if (type === "message") streams.push({ address: this.address, hear });
        }
      },
    );
    const { enableNotifications } = await loadPush();
    await enableNotifications(here.place);
    await enableNotifications(here.place);

    expect(fetched).toEqual([
      "POST /local/web-push/subscriptions?",
      "POST /local/web-push/subscriptions?endpoint=http%3A%2F%2F127.0.0.1%2Fpush%2F1",
    ]);
    expect(streams.map(({ address }) => address)).toEqual([
      "/local/web-push/stream?endpoint=http%3A%2F%2F127.0.0.1%2Fpush%2F1",
    ]);
    streams[0]!.hear({ data: "a push" });
    await vi.waitFor(() => expect(here.posted).toEqual([{ push: "a push" }]), { interval: 1 });
  });
});

describe("a browser that is registered as a device", () => {
  const renewDevice = async (world: World, device: Partial<Device> | undefined) => {
    const page = open(world);
    const other = { id: "dev_0", mustRenew: true };
    const devices = device === undefined ? [other] : [other, { id: "dev_1", mustRenew: false, ...device }];
    return { ...page, isTold: await (await loadPush()).renewRegistration(page.place, devices) };
  };
  const createOwnRegistration = (at: number) => [aRegistration("ws_1", "usr_ann", "dev_1", at)];
  const listCalls = ({ asked }: { asked: [string, unknown][] }) => asked.map(([name]) => name);

  it("registers again once a day with the same subscription", async () => {
    expect(listCalls(await renewDevice({ kept: createOwnRegistration(NOW - DAY_MS + 1) }, {}))).toEqual([]);
    expect(listCalls(await renewDevice({ kept: createOwnRegistration(NOW - DAY_MS) }, {}))).toEqual([
      "devices/get-web-push-key",
      "devices/register-device",
    ]);
  });

  it("registers a new subscription at once if no push reaches the browser, and removes the earlier device", async () => {
    const page = await renewDevice(
      { kept: createOwnRegistration(NOW), former: aSubscription("former") },
      { mustRenew: true },
    );

    expect(page.isTold).toBe(true);
    expect(did[0]).toBe("unsubscribes former");
    expect(page.asked.at(-1)).toEqual(["devices/delete-device", { path: { deviceId: "dev_1" } }]);
    expect(page.keptDevices()).toEqual([aRegistration("ws_1", "usr_ann", "dev_new")]);
  });

  it("is not removed if the service gives it the same device id when it registers again", async () => {
    const page = open({ kept: [aRegistration("ws_1", "usr_ann", "dev_new")] });

    expect(await (await loadPush()).renewRegistration(page.place, [{ id: "dev_new", mustRenew: true }])).toBe(true);
    expect(listCalls(page)).not.toContain("devices/delete-device");
  });

  it("gets no pushes after it was removed or lost its permission, and is not registered again automatically", async () => {
    const removed = await renewDevice(
      { kept: [...createOwnRegistration(0), aRegistration("ws_2", "usr_ann", "dev_2")] },
      undefined,
    );
    expect([removed.isTold, removed.keptDevices()]).toEqual([false, [aRegistration("ws_2", "usr_ann", "dev_2")]]);

    const denied = await renewDevice({ kept: createOwnRegistration(0), permission: "denied" }, {});
    expect([denied.isTold, denied.keptDevices(), denied.asked]).toEqual([false, createOwnRegistration(0), []]);
  });

  it("makes no request if the stored registration is of another person or workspace, or cannot be read", async () => {
    expect((await renewDevice({ kept: [aRegistration("ws_1", "usr_bob", "dev_1", 0)] }, {})).isTold).toBe(true);
    expect((await renewDevice({ kept: [aRegistration("ws_2", "usr_ann", "dev_1", 0)] }, {})).isTold).toBe(true);
    const broken = open();
    broken.browser.kept.set("device", "no JSON");
    expect(await (await loadPush()).renewRegistration(broken.place, [])).toBe(true);
  });

  it("is forgotten when its owner removes it", async () => {
    const { keptDevices } = open({ kept: [...createOwnRegistration(0), aRegistration("ws_2", "usr_ann", "dev_2")] });
    (await loadPush()).forgetRegistration("dev_1");

    expect(keptDevices()).toEqual([aRegistration("ws_2", "usr_ann", "dev_2")]);
  });

  it("gets pushes from a developer's simulated push service only if it subscribed to that service", async () => {
    open();
    vi.stubGlobal("EventSource", () => {
      throw new Error("nothing to follow");
    });
    (await loadPush()).forwardPushes();
  });
});

describe("a visit to the console", () => {
  type Visit = {
    checkDevicesOnce: (place: Place) => Promise<void>;
    showUnreachableDevices: (place: Place) => Promise<boolean>;
  };
  const createDevices = (...devices: Partial<Device>[]) =>
    devices.map((one) => ({
      id: "dev_1",
      name: "Phone",
      platform: "android",
      silent: false,
      mustRenew: false,
      ...one,
    }));
  const visitConsole = async (list: Device[], world: World = {}) => {
    const page = open(world);
    page.answers["devices/list-devices"] = list;
    const { checkDevicesOnce } = await load<Visit>("check-devices");
    const { unreached } = await load<{ unreached: { value: unknown } }>("unreached");
    await checkDevicesOnce(page.place);
    return { ...page, checkDevicesOnce, unreached };
  };
  const countListReads = (asked: [string, unknown][]) =>
    asked.filter(([name]) => name === "devices/list-devices").length;

  it("asks the user about devices that might not receive pushes", async () => {
    const { asked, unreached } = await visitConsole(
      createDevices(
        { id: "dev_1" },
        { id: "dev_2", silent: true },
        { id: "dev_3", platform: "web", mustRenew: true, name: null },
      ),
    );

    expect(unreached.value).toEqual([
      { kind: "silent", id: "dev_2", name: "Phone", isWeb: false },
      { kind: "renew", id: "dev_3", name: null, isWeb: true },
    ]);
    // The list is read again, because this browser may be the device that was just renewed.
    expect(countListReads(asked)).toBe(2);
  });

  it("asks the user about the browser if the browser is no longer registered as a device", async () => {
    const { asked, unreached } = await visitConsole([], { kept: [aRegistration("ws_1", "usr_ann", "dev_9")] });

    expect([unreached.value, countListReads(asked)]).toEqual([[{ kind: "here" }], 1]);
  });

  it("reads the list of devices once for each person and workspace", async () => {
    const { asked, place, checkDevicesOnce } = await visitConsole(createDevices({}));
    await checkDevicesOnce(place);
    expect(countListReads(asked)).toBe(1);
    await checkDevicesOnce({ ...place, workspaceId: "ws_2" });
    await checkDevicesOnce({ ...place, me: "usr_bob" });
    expect(countListReads(asked)).toBe(3);
  });

  it("reads the list of devices again at the next visit if there was no network; any other error is thrown", async () => {
    const { answers, asked, place, checkDevicesOnce } = await visitConsole(createDevices({}));
    const { Failed: Here } = await load<{ Failed: typeof Failed }>("failure");
    answers["devices/list-devices"] = new Here({ kind: "offline" });
    const other = { ...place, workspaceId: "ws_2" as const };
    await checkDevicesOnce(other);
    await checkDevicesOnce(other);
    expect(countListReads(asked)).toBe(3);

    answers["devices/list-devices"] = new TypeError("mine");
    await expect(checkDevicesOnce({ ...place, workspaceId: "ws_3" })).rejects.toThrow("mine");
  });
});
