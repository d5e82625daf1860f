import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { formatEventId, isSpread, formatNonce, type WorkspaceId } from "../../../core/domain/basics/ids.ts";
import { EventContent, type AcceptedEvent } from "../../../core/domain/event/event.ts";
import { deflate } from "../../../core/store/codec.ts";
import { raiseNotified, storePlanOnce, setAcknowledged, setResolved } from "../../../core/store/events/progress.ts";
import {
  createEvent,
  isEventNumberTaken,
  listEventsBetween,
  readEvent,
  readEventsNumbered,
  readPastEvents,
} from "../../../core/store/events/events.ts";
import { listStoredNumbers } from "../../../core/store/events/sequence.ts";
import { useTable } from "../../world/use-table.ts";

const stand = await useTable();

/** Events with lower numbers are not spread over partitions. */
const SPREAD_FROM = 150;
const idOf = (seq: number, spread = seq >= SPREAD_FROM) =>
  formatEventId({ seq, nonce: formatNonce(`evt_${String(seq).padStart(10, "0")}`, spread) });

const anEvent = (ws: WorkspaceId, eventId: string, fields: object = {}): AcceptedEvent => ({
  workspaceId: ws,
  eventId,
  receivedAt: 1_000,
  rulesVersion: 1,
  peopleVersion: 1,
  content: v.parse(EventContent, { eventKey: "disk.full", title: "Full", body: "B", priority: "LOW", ...fields }),
});
const plan = (at: number) => ({ at, rulesVersion: 1, peopleVersion: 1, rules: [] });
const storePlan = (ws: WorkspaceId, eventId: string, at = 5, needsAck = true) =>
  storePlanOnce(stand, { workspaceId: ws, eventId }, plan(at), { notifications: 3, needsAck });
const actionBy = (id: string) => ({ at: 9, id, name: id });

const itemsOf = async (ws: WorkspaceId) =>
  (await stand.listItems())
    .filter(({ pk }) => String(pk).startsWith(`WS#${ws}#EVENTS`))
    .map(({ pk, sk, ...rest }) => `${pk as string} ${sk as string} ${Object.keys(rest).toSorted().join(" ")}`)
    .toSorted();

describe("the stored items of an event", () => {
  it("are a content item and a progress item if the event is spread; changes write only the progress item", async () => {
    const eventId = idOf(70, true);
    await createEvent(stand, anEvent("ws_two", eventId, { body: "x".repeat(3_000) }), "req_1");

    await storePlan("ws_two", eventId);
    await setAcknowledged(stand, "ws_two", eventId, actionBy("usr_a"));
    await raiseNotified(stand, { workspaceId: "ws_two", eventId }, 0, 7);
    await setResolved(stand, "ws_two", eventId, actionBy("usr_b"));

    expect(await itemsOf("ws_two")).toEqual([
      "WS#ws_two#EVENTS#1 000000000070 at by content nonce pv rv",
      "WS#ws_two#EVENTS#1 000000000070#C ack count need nonce plan resolved steps",
    ]);
    expect(await readEvent(stand, "ws_two", eventId)).toMatchObject({
      eventId,
      content: { title: "Full" },
      plan: { at: 5 },
      notifications: 10,
      life: { needsAck: true, acknowledged: { id: "usr_a" }, resolved: { id: "usr_b" } },
    });
  });

  it("are a single item if the event is not spread over partitions", async () => {
    const eventId = idOf(70, false);
    await createEvent(stand, anEvent("ws_one", eventId), "req_1");

    await storePlan("ws_one", eventId);
    await setAcknowledged(stand, "ws_one", eventId, actionBy("usr_a"));
    await raiseNotified(stand, { workspaceId: "ws_one", eventId }, 0, 7);
    await setResolved(stand, "ws_one", eventId, actionBy("usr_b"));

    expect(await itemsOf("ws_one")).toEqual([
      "WS#ws_one#EVENTS 000000000070 ack at by content count need nonce plan pv resolved rv steps",
    ]);
    expect(await readEvent(stand, "ws_one", eventId)).toMatchObject({
      eventId,
      plan: { at: 5 },
      notifications: 10,
      life: { needsAck: true, acknowledged: { id: "usr_a" }, resolved: { id: "usr_b" } },
    });
  });
});

const kinds = [
  ["that is spread", true],
  ["that is not spread", false],
] as const;
describe.each(kinds)("the stored progress of an event %s", (about, spread) => {
  const ws = `ws_${about.replaceAll(" ", "_")}` as const;
  const createNextEvent = (() => {
    let seq = 60;
    return async () => {
      const eventId = idOf((seq += 1), spread);
      await createEvent(stand, anEvent(ws, eventId), "req_1");
      return eventId;
    };
  })();

  it("keeps the first plan, even if another plan is stored later", async () => {
    const eventId = await createNextEvent();

    expect(await storePlan(ws, eventId, 5)).toMatchObject({ first: true, event: { plan: { at: 5 } } });
    expect(await storePlan(ws, eventId, 6)).toMatchObject({ first: false, event: { plan: { at: 5 } } });
  });

  it("keeps a resolution that came before the plan, and accepts no acknowledgement after it", async () => {
    const eventId = await createNextEvent();
    await setResolved(stand, ws, eventId, { ...actionBy("usr_a"), note: "n" });

    const frozen = await storePlan(ws, eventId);

    expect(frozen).toMatchObject({ first: true, event: { life: { resolved: { id: "usr_a", note: "n" } } } });
    expect(await setResolved(stand, ws, eventId, actionBy("usr_b"))).toMatchObject({
      life: { resolved: { id: "usr_a" } },
    });
    const after = await setAcknowledged(stand, ws, eventId, actionBy("usr_c"));
    expect(after?.life).toMatchObject({ acknowledged: undefined, resolved: { id: "usr_a" } });
  });

  it("is not changed by actions on an unknown event, even if its id has the number of a stored event", async () => {
    const missing = idOf(50, spread);
    const other = formatEventId({ seq: 61, nonce: formatNonce("evt_zzzzzzzzzzz", spread) });
    await createNextEvent();
    const before = await itemsOf(ws);

    for (const eventId of [missing, other]) {
      expect(await storePlan(ws, eventId)).toBeUndefined();
      expect(await setResolved(stand, ws, eventId, actionBy("usr_a"))).toBeUndefined();
      expect(await setAcknowledged(stand, ws, eventId, actionBy("usr_a"))).toBeUndefined();
      expect(await readEvent(stand, ws, eventId)).toBeUndefined();
    }

    expect(await itemsOf(ws)).toEqual(before);
  });
});

describe("the events of a workspace that was created before events were spread over partitions", () => {
  const ws = "ws_mixed";
  const lost = new Set([1, 2, 77, 149, 150, 151, 260, 300]);
  const seqs = Array.from({ length: 420 }, (_, index) => index + 1).filter((seq) => !lost.has(seq));
  const eventsStored = (async () => {
    for (const seq of seqs) {
      await createEvent(stand, anEvent(ws, idOf(seq)), "req_1");
      if (seq % 3 !== 0) await storePlan(ws, idOf(seq), seq, false);
    }
  })();
  const newest = seqs.toReversed();
  const expected = (seqs: readonly number[]) => seqs.map((seq) => [idOf(seq), seq % 3 === 0 ? undefined : seq]);
  const summarize = (events: readonly { eventId: string; plan: { at: number } | undefined }[]) =>
    events.map(({ eventId, plan: held }) => [eventId, held?.at]);

  it.each([
    [1, 420],
    [120, 180],
    [149, 151],
    [140, 150],
    [256, 256],
    [256, 319],
    [421, 430],
    [9, 8],
  ])("are listed newest first, each with its plan: the events with the numbers %i to %i", async (from, to) => {
    await eventsStored;

    const events = await listEventsBetween(stand, ws, { from, to });

    expect(summarize(events)).toEqual(expected(newest.filter((seq) => seq >= from && seq <= to)));
  });

  it.each([
    [420, 50],
    [300, 50],
    [180, 51],
    [155, 5],
    [151, 3],
    [80, 10],
    [3, 2],
    [420, 1_000],
  ])("are listed newest first from the number %i down, with a limit of %i events", async (to, limit) => {
    await eventsStored;

    const events = await listEventsBetween(stand, ws, { from: 1, to, limit });

    expect(summarize(events)).toEqual(expected(newest.filter((seq) => seq <= to).slice(0, limit)));
  });

  it("are read by given numbers, and page by page from the newest to the oldest", async () => {
    await eventsStored;

    const some = [420, 300, 260, 259, 152, 150, 148, 64, 3, 1];
    expect(summarize(await readEventsNumbered(stand, ws, some))).toEqual(
      expected(some.filter((seq) => !lost.has(seq))),
    );
    const past: number[] = [];
    for (let to: number | undefined = 420; to !== undefined;) {
      const page = await readPastEvents(stand, ws, {
        from: 5,
        to,
        limit: 90,
      });
      past.push(...page.events.map(({ seq }) => seq));
      expect(page.readUnits).toBeGreaterThan(0);
      to = page.next;
    }
    expect(past).toEqual(newest.filter((seq) => seq >= 5));
  });

  it("are found by their numbers, and no event is found for a lost number", async () => {
    await eventsStored;

    expect([...(await listStoredNumbers(stand, ws, { from: 1, to: 420 }))].sort((a, b) => a - b)).toEqual(seqs);
    for (const seq of [3, 77, 148, 150, 152, 255, 256, 300, 421])
      expect([seq, await isEventNumberTaken(stand, ws, seq)]).toEqual([seq, seqs.includes(seq)]);
  });

  it("cost no more than half a read unit each if they are read by their numbers", async () => {
    await eventsStored;
    stand.usedUnits();

    await readEventsNumbered(stand, ws, [400, 380, 360, 340, 320]);

    expect(stand.usedUnits()).toBe(2.5);
  });
});

describe("events of which only a few fit on a page of the table", () => {
  // A page of 1 MB ends either after the progress of an event or after the event itself.
  it.each([30_000, 31_000])("are scanned once each if each item has %i bytes", async (bytes) => {
    const ws = `ws_large_${bytes}` as const;
    const seqs = Array.from({ length: 60 }, (_, index) => 257 + index);
    const content = deflate({ eventKey: "disk.full", title: "Full", body: "B", priority: "LOW" });
    const filler = new Uint8Array(bytes);
    await stand.fill(
      seqs.flatMap((seq) => {
        const [pk, sk] = [`WS#${ws}#EVENTS`, String(seq).padStart(12, "0")];
        const nonce = "u0000000000";
        return [
          { pk, sk, nonce, by: "req_1", at: 1, rv: 1, pv: 1, content, filler },
          { pk, sk: `${sk}#C`, nonce, filler },
        ];
      }),
    );

    const past: number[] = [];
    let pages = 0;
    for (let to: number | undefined = 400; to !== undefined; pages += 1) {
      const page = await readPastEvents(stand, ws, { from: 1, to, limit: 500 });
      past.push(...page.events.map(({ seq }) => seq));
      to = page.next;
    }

    expect(pages).toBe(4);
    expect(past).toEqual(seqs.toReversed());
  });
});

it("an event id shows whether its event is spread over partitions", () => {
  expect(isSpread("evt_000000001u0123456789")).toBe(true);
  expect(isSpread("evt_0000000010123456789a")).toBe(false);
  expect(isSpread("evt_u")).toBe(false);
});
