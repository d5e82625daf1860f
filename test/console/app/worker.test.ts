import { beforeEach, describe, expect, it, vi } from "vitest";

type Receipt = { id: string; body: string; status: string; tag: string; eventId: string };
type Worker = Record<"sendStoredReceipts" | "cacheShell", () => Promise<unknown>> & {
  reportReceipt: (data: object, status: string) => Promise<string>;
  showPush: (text: string) => Promise<void>;
  handleClick: (event: object) => Promise<void>;
};

const kept = new Map<string, Receipt>();
vi.mock("../../../console/receipts/store.ts", () => ({
  storeReceipt: async (one: Receipt) => void kept.set(one.id, one),
  deleteReceipt: async (id: string) => void kept.delete(id),
  listReceipts: async () => [...kept.values()],
  isReaderSignedOut: async () => false,
}));
vi.mock("../../../console/receipts/sign.ts", () => ({ signReceipt: async () => "signed" }));

const files = ["receipts", "push", "shell"].map((name) => `../../../console/worker/${name}.ts`);
const parts = await Promise.all(files.map((file): Promise<object> => import(file)));
const { reportReceipt, sendStoredReceipts, showPush, handleClick, cacheShell } = Object.assign({}, ...parts) as Worker;
const push = { receipt: "rcp", notificationId: "ntf_1", eventId: "evt_1" };
let answer: (body: string) => Response;
type Shown = { title: string } & Record<string, unknown>;
const shown: Shown[] = [];
/** What the worker sends, closes and reports to its two pages. */
let did: unknown[];

beforeEach(() => {
  kept.clear();
  shown.length = 0;
  did = [];
  const registration = {
    getNotifications: ({ tag }: { tag: string }) => [{ close: () => void did.push(`closes ${tag}`) }],
    showNotification: async (title: string, options: object) => void shown.push({ title, ...options }),
  };
  const pages = [1, 2].map((page) => ({ postMessage: (message: object) => void did.push({ page, ...message }) }));
  vi.stubGlobal("self", { registration, clients: { matchAll: () => pages } });
  vi.stubGlobal("fetch", async (_: unknown, init?: { body: string }) => answer(init?.body ?? ""));
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

it("stored receipts are sent, acknowledgements first; a refused one is dropped; a failing service ends the sending", async () => {
  for (const id of ["1 DELIVERED", "2 ACKNOWLEDGED", "3 ACKNOWLEDGED", "4 OPENED"]) {
    const [tag = "", status = ""] = id.split(" ");
    kept.set(id, { id, body: id, status, tag, eventId: tag });
  }
  answer = (body) => {
    did.push(body);
    return new Response("", { status: [0, 503, 401, 200][Number(body[0])]! });
  };

  expect(await sendStoredReceipts()).toBe(false);
  const reported = [1, 2].map((page) => ({ page, unsent: [], news: true }));
  expect(did).toEqual(["2 ACKNOWLEDGED", "3 ACKNOWLEDGED", "closes 3", "1 DELIVERED", ...reported]);
  expect([...kept.keys()]).toEqual(["1 DELIVERED", "4 OPENED"]);
});

it("an acknowledgement that cannot be sent shows a notification, which a second press of Acknowledge replaces", async () => {
  answer = () => new Response("", { status: 503 });
  const pressButton = (title: string) =>
    handleClick({ action: "acknowledge", notification: { title, tag: "grp_1", data: push, close: () => undefined } });
  await pressButton("Disk full");
  await pressButton(shown[0]!.title);

  const unsent = ["Not acknowledged yet: Disk full", "ntf_1"];
  expect(shown.map(({ title, tag }) => [title, tag])).toEqual([unsent, unsent]);
});

it("the service worker caches the scripts that every page needs, with texts only in the user's language", async () => {
  const cache = { put: async () => undefined, addAll: async (urls: Set<string>) => void did.push(...urls) };
  vi.stubGlobal("caches", { open: async () => cache });
  const named = ["main-1", "en-first-1", "en-pages-1", "en-rules-1", "de-first-1"].map((name) => `/assets/${name}.js`);
  answer = () => new Response(named.join(" "));
  await cacheShell();
  expect(did).toEqual(named.slice(0, 3));
});

describe("an arriving push", () => {
  const notification = { body: "No space left.", tag: "ntf_1", navigate: "/events/evt_1", requireInteraction: true };
  const data = { ...push, requiresAck: "true" };
  const acknowledge = { action: "acknowledge", title: "Acknowledge" };

  it("silently replaces the shown notification of the same event; its button still acknowledges the event", async () => {
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
