import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { load } from "./browser.ts";

type Seen = { id: string; eventKey: string; told: number };
type Grouped = {
  matchesPattern: (pattern: string, eventKey: string) => boolean;
  readFirstEvents: (place: object, seen: Seen[], into?: string[]) => Promise<Map<string, { grouped: number }>>;
};

const asked: string[] = [];
const grouped = new Map([["evt_1", 41]]);
const api = async (name: string, { path }: { path?: { eventId: string } }) => {
  asked.push(path?.eventId ?? name);
  if (path === undefined)
    return [
      { eventKey: "disk.*", groupMinutes: 30, atLeast: null },
      { eventKey: "host.down", groupMinutes: null, atLeast: { count: 5, withinMinutes: 10 } },
      { eventKey: "*", groupMinutes: null, atLeast: null },
    ];
  return { id: path.eventId, grouped: grouped.get(path.eventId) ?? 0 };
};
const place = { api, workspaceId: "ws_1" };
const anEvent = (id: string, eventKey = "disk.full", notified = 1): Seen => ({ id, eventKey, told: notified });

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers({ now: 0 });
  vi.setSystemTime(1_000_000);
  asked.length = 0;
});
afterEach(() => {
  vi.useRealTimers();
});

it("an event is shown as a group if it paged by a rule that groups events, or if other events name it as their first event", async () => {
  const { readFirstEvents } = await load<Grouped>("grouped");

  const firsts = await readFirstEvents(
    place,
    [
      anEvent("evt_1"),
      anEvent("evt_2", "disk.full", 0),
      anEvent("evt_3", "order.failed"),
      anEvent("evt_4", "host.down"),
    ],
    ["evt_5"],
  );

  expect(asked.toSorted()).toEqual(["evt_1", "evt_4", "evt_5", "routing-rules/list-routing-rules"]);
  expect(firsts.get("evt_1")).toMatchObject({ grouped: 41 });
});

it("groups of events are read eight at a time and again after half a minute; the groups that waited longest are read first", async () => {
  const { readFirstEvents } = await load<Grouped>("grouped");
  const seen = Array.from({ length: 10 }, (_, index) => anEvent(`evt_${index}`));
  const readGroupsAgain = async () => {
    asked.length = 0;
    await readFirstEvents(place, seen);
    return asked.filter((one) => one.startsWith("evt_"));
  };

  expect(await readGroupsAgain()).toHaveLength(8);
  vi.advanceTimersByTime(1000);
  expect(await readGroupsAgain()).toEqual(["evt_8", "evt_9"]);
  expect(await readGroupsAgain()).toEqual([]);
  vi.advanceTimersByTime(29_000);
  expect(await readGroupsAgain()).toHaveLength(8);
  vi.advanceTimersByTime(31_000);
  expect((await readGroupsAgain()).slice(0, 3)).toEqual(["evt_8", "evt_9", "evt_0"]);
});

it("the rules that group events are read again after five minutes, and when the workspace changes", async () => {
  const { readFirstEvents } = await load<Grouped>("grouped");
  const isReadingRules = async (at: number, workspaceId = "ws_1", seen = [anEvent("evt_9", "order.failed")]) => {
    asked.length = 0;
    vi.setSystemTime(at);
    await readFirstEvents({ api, workspaceId }, seen);
    return asked.length > 0;
  };

  expect(await isReadingRules(1_000_000, "ws_1", [])).toBe(false);
  expect(await isReadingRules(1_000_000)).toBe(true);
  expect(await isReadingRules(1_299_999)).toBe(false);
  expect(await isReadingRules(1_300_000)).toBe(true);
  expect(await isReadingRules(1_300_001, "ws_2")).toBe(true);
});

it("a list of events is shown without groups if the groups cannot be read", async () => {
  const { readFirstEvents } = await load<Grouped>("grouped");
  const { Failed } = await load<{ Failed: new (failure: object) => Error }>("failure");
  const failOffline = async () => {
    throw new Failed({ kind: "offline" });
  };

  expect(await readFirstEvents({ ...place, api: failOffline }, [anEvent("evt_1")], ["evt_2"])).toEqual(new Map());
});

it.each([
  ["*", "disk.full", true, "matches"],
  ["disk.full", "disk.full", true, "matches"],
  ["disk.*", "disk.full", true, "matches"],
  ["disk.*", "disks.full", false, "does not match"],
  ["disk.full", "disk.full.more", false, "does not match"],
  ["disk.", "disk.full", false, "does not match"],
])("the pattern %s $3 the event key %s", async (pattern, eventKey, matches) => {
  expect((await load<Grouped>("grouped")).matchesPattern(pattern, eventKey)).toBe(matches);
});
