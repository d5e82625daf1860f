import { beforeEach, expect, it, vi } from "vitest";
import type { WorkspaceId } from "../../../core/domain/basics/ids.ts";
import { aBrowser, load, type Signal } from "./browser.ts";

type Open = readonly { id: string; title: string; priority: string }[];
type Waiting = {
  waiting: Signal<number | undefined>;
  setOpenCount: (workspaceId: WorkspaceId, list: { open: Open; total: number }) => void;
};

const disk = { id: "evt_1", title: "The disk is full", priority: "HIGH" };
const cards = { id: "evt_2", title: "Card payments fail", priority: "URGENT" };
const badges: number[] = [];

const openPage = async () => {
  const { status } = await load<{ status: Signal<string> }>("status");
  const { waiting, setOpenCount } = await load<Waiting>("waiting");
  const showOpenCountEvents = (workspaceId: WorkspaceId, open: Open, total = open.length): void =>
    setOpenCount(workspaceId, { open, total });
  return { waiting, setOpenCount: showOpenCountEvents, status };
};

beforeEach(() => {
  aBrowser();
  badges.length = 0;
  vi.stubGlobal("navigator", { setAppBadge: async (count: number) => void badges.push(count) });
});

it("all open events in the inbox are counted, also in the app's badge; the first load announces none as new", async () => {
  const { waiting, setOpenCount, status } = await openPage();
  expect(waiting.value).toBeUndefined();

  setOpenCount("ws_1", [cards, disk], 217);
  expect([waiting.value, status.value]).toEqual([217, ""]);
  setOpenCount("ws_1", []);

  expect([waiting.value, badges]).toEqual([0, [217, 0]]);
});

it("new events in the inbox are announced by the title of the first and the number of the others", async () => {
  const { setOpenCount, status } = await openPage();
  setOpenCount("ws_1", []);

  setOpenCount("ws_1", [disk]);
  expect(status.value).toBe("New, high: The disk is full");
  setOpenCount("ws_1", [cards, { ...disk, id: "evt_3" }, disk]);
  expect(status.value).toBe("New, urgent: Card payments fail and 1 other");
});

it("open events are not announced as new when the user opens the inbox of another workspace", async () => {
  const { setOpenCount, status } = await openPage();
  setOpenCount("ws_1", [disk]);
  setOpenCount("ws_2", [cards]);

  expect(status.value).toBe("");
});

it("open events in the inbox are counted even in a browser that cannot show a badge", async () => {
  vi.stubGlobal("navigator", {});
  const { waiting, setOpenCount } = await openPage();

  setOpenCount("ws_1", [disk]);

  expect(waiting.value).toBe(1);
});
