import { beforeEach, describe, expect, it, vi } from "vitest";

type Receipt = { id: string; body: string; status: string; tag: string; eventId: string };
type Worker = {
  reportReceipt: (data: object, status: string) => Promise<string>;
  sendStoredReceipts: () => Promise<boolean>;
};

const kept = new Map<string, Receipt>();
vi.mock("../../../console/receipts/store.ts", () => ({
  storeReceipt: async (one: Receipt) => void kept.set(one.id, one),
  deleteReceipt: async (id: string) => void kept.delete(id),
  listReceipts: async () => [...kept.values()],
  isReaderSignedOut: async () => false,
}));
vi.mock("../../../console/receipts/sign.ts", () => ({ signReceipt: async () => "signed" }));

const file = "../../../console/worker/receipts.ts";
const { reportReceipt, sendStoredReceipts } = (await import(file)) as Worker;
const pushes = "../../../console/worker/push.ts";
const { showPush } = (await import(pushes)) as { showPush: (text: string) => Promise<void> };
const push = { receipt: "rcp", notificationId: "ntf_1", eventId: "evt_1" };
let answer: () => Response;
type Shown = { title: string } & Record<string, unknown>;
const shown: Shown[] = [];

beforeEach(() => {
  kept.clear();
  shown.length = 0;
  const registration = {
    getNotifications: () => [],
    showNotification: async (title: string, options: object) => void shown.push({ title, ...options }),
  };
  vi.stubGlobal("self", { registration, clients: { matchAll: () => [] } });
  vi.stubGlobal("fetch", async () => answer());
  return () => vi.unstubAllGlobals();
});

describe("a press on a notification's button", () => {
  it.each([429, 500, 502, 503, 504])(
    "is stored for another attempt until the service accepts it, if the answer is %i",
    async (status) => {
      answer = () => new Response("", { status });
      expect(await reportReceipt(push, "ACKNOWLEDGED")).toBe("kept");
      expect(await sendStoredReceipts()).toBe(false);
      expect([...kept.keys()]).toEqual(["ntf_1 ACKNOWLEDGED"]);

      answer = () => new Response("{}");
      expect(await sendStoredReceipts()).toBe(true);
      expect(kept.size).toBe(0);
    },
  );

  it("is stored if no answer comes, and dropped if the service refuses it", async () => {
    answer = () => {
      throw new TypeError("no network");
    };
    expect(await reportReceipt(push, "ACKNOWLEDGED")).toBe("kept");
    expect(kept.size).toBe(1);

    answer = () => new Response("", { status: 401 });
    expect(await reportReceipt(push, "ACKNOWLEDGED")).toBe("refused");
    expect(kept.size).toBe(0);
  });
});

describe("an arriving push", () => {
  const notification = { body: "No space left.", tag: "ntf_1", navigate: "/events/evt_1", requireInteraction: true };
  const data = { ...push, requiresAck: "true" };
  const acknowledge = { action: "acknowledge", title: "Acknowledge" };

  it("about an event that is already shown silently replaces the first push, and can still be acknowledged", async () => {
    answer = () => new Response("{}");
    await showPush(JSON.stringify({ notification: { ...notification, title: "The disk is full", data } }));
    const counted = { ...notification, title: "(+41) The disk is full", data: { ...data, state: "grouped" } };
    await showPush(JSON.stringify({ notification: counted }));

    const both = { tag: "ntf_1", body: "No space left.", actions: [acknowledge], requireInteraction: true };
    expect(shown).toMatchObject([
      { ...both, title: "The disk is full", silent: false },
      { ...both, title: "(+41) The disk is full", silent: true },
    ]);
  });

  it("for a reachability check is shown silently, and confirmed", async () => {
    answer = () => new Response("{}");
    const check = { ...notification, title: "You are on call in Ops soon", data: { ...push, proves: "true" } };

    await showPush(JSON.stringify({ notification: check }));

    expect(shown.at(-1)).toMatchObject({ title: "You are on call in Ops soon", silent: true, actions: [] });
  });
});
