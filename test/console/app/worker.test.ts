import { beforeEach, describe, expect, it, vi } from "vitest";

/* The worker's receipts as they are, in a browser that stands for one. */

type Receipt = { id: string; body: string; status: string; tag: string; eventId: string };
type Worker = { tell: (data: object, status: string) => Promise<string>; sendKept: () => Promise<boolean> };

const kept = new Map<string, Receipt>();
vi.mock("../../../console/receipts/store.ts", () => ({
  keepReceipt: async (one: Receipt) => void kept.set(one.id, one),
  dropReceipt: async (id: string) => void kept.delete(id),
  listReceipts: async () => [...kept.values()],
}));
vi.mock("../../../console/receipts/sign.ts", () => ({ signReceipt: async () => "signed" }));

const file = "../../../console/worker/receipts.ts";
const { tell, sendKept } = (await import(file)) as Worker;
const push = { receipt: "rcp", notificationId: "ntf_1", eventId: "evt_1" };
let answer: () => Response;

beforeEach(() => {
  kept.clear();
  vi.stubGlobal("self", { registration: { getNotifications: () => [] }, clients: { matchAll: () => [] } });
  vi.stubGlobal("fetch", async () => answer());
  return () => vi.unstubAllGlobals();
});

describe("a press on a notification", () => {
  it.each([429, 500, 502, 503, 504])("answered %i is kept until the service takes it", async (status) => {
    answer = () => new Response("", { status });
    expect(await tell(push, "ACKNOWLEDGED")).toBe("kept");
    expect(await sendKept()).toBe(false);
    expect([...kept.keys()]).toEqual(["ntf_1 ACKNOWLEDGED"]);

    answer = () => new Response("{}");
    expect(await sendKept()).toBe(true);
    expect(kept.size).toBe(0);
  });

  it("without an answer is kept, and one that is refused is not", async () => {
    answer = () => {
      throw new TypeError("no network");
    };
    expect(await tell(push, "ACKNOWLEDGED")).toBe("kept");
    expect(kept.size).toBe(1);

    answer = () => new Response("", { status: 401 });
    expect(await tell(push, "ACKNOWLEDGED")).toBe("refused");
    expect(kept.size).toBe(0);
  });
});
