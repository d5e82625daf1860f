import * as v from "valibot";
import { AGAIN, retryChange } from "../../domain/basics/attempt.ts";
import type { TableDeps, TimedDeps } from "../../deps.ts";
import { sha256 } from "../../domain/basics/digest.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import type { Site } from "../../domain/event/event.ts";
import type { SiteView } from "../../domain/event/site.ts";
import { toIso } from "../../domain/basics/time.ts";
import { siteChunkKey, siteKey, sitesPks } from "../keys.ts";
import { batchGetItems, getItem, putItemIf, queryItems, updateItem } from "../table.ts";
import { MINUTE_MS, SECOND_MS } from "../../domain/basics/units.ts";
import { type Seconds, toSeconds } from "../../domain/basics/seconds.ts";

/*
 * Each site's event numbers (`data.site`) are stored in chunks of a hundred. The site's item contains the current chunk, so that
 * adding events needs one write. A full chunk becomes an unchanging item. Events spread over partitions have their own site item.
 */

const CHUNK_EVENTS = 100;
/** The maximum difference between the clocks of two instances. */
const CLOCK_SKEW_MS = MINUTE_MS;

/** The value for a missing `max`, which is greater than any event number. */
const UNKNOWN = Number.MAX_SAFE_INTEGER;

const Numbers = v.set(v.number());

const chunk = {
  seqs: Numbers,
  /** The time at which the first event of the chunk was registered, in milliseconds. */
  since: v.number(),
  /** The highest event number in the site's earlier chunks. */
  max: v.optional(v.number(), UNKNOWN),
};

const SiteItem = v.object({
  sk: v.string(),
  site: v.string(),
  name: v.string(),
  firstSeenAt: v.string(),
  lastSeenAt: v.string(),
  chunk: v.number(),
  ...chunk,
});
type SiteItem = v.InferOutput<typeof SiteItem>;

const ChunkItem = v.object({ sk: v.string(), ...chunk });

const hashSite = async (site: string): Promise<string> =>
  Buffer.from(await sha256(site))
    .toString("hex")
    .slice(0, 32);

/** `receivedAt` is in milliseconds, `keptUntil` in seconds since the epoch. */
export type SiteEvent = { seq: number; receivedAt: number; keptUntil?: Seconds | undefined };

/** `spread`: whether this is the site's item for events that are spread over partitions. */
type SiteRef = { ws: WorkspaceId; hash: string; spread: boolean };
const toSiteKey = ({ ws, hash, spread }: SiteRef) => siteKey(ws, hash, spread);
const toChunkKey = ({ ws, hash, spread }: SiteRef, number: number) => siteChunkKey(ws, hash, spread, number);

const chooseLaterTime = (left: string, right: string): string => (left > right ? left : right);

/** How many chunks the next step of a search reads: twice as many as the previous step. */
const CHUNKS_PER_READ = { first: 2, most: 64 };

/** Returns the events that the site does not list yet. Reads older chunks only if they may list some of the events. */
const listUnregistered = async (
  deps: TableDeps,
  ref: SiteRef,
  item: SiteItem,
  events: readonly SiteEvent[],
): Promise<SiteEvent[]> => {
  let fresh = events.filter(({ seq }) => !item.seqs.has(seq));
  let { since, max } = item;
  const mayBeInOlderChunk = ({ seq, receivedAt }: SiteEvent): boolean =>
    seq <= max && since >= receivedAt - CLOCK_SKEW_MS;
  let end = item.chunk;
  for (
    let step = CHUNKS_PER_READ.first;
    end > 0 && fresh.some(mayBeInOlderChunk);
    step = Math.min(2 * step, CHUNKS_PER_READ.most)
  ) {
    const keys = Array.from({ length: Math.min(step, end) }, (_, index) => toChunkKey(ref, end - 1 - index));
    end -= keys.length;
    const found = new Map((await batchGetItems(deps, keys, ChunkItem)).map((older) => [older.sk, older]));
    for (const { sk } of keys) {
      const older = found.get(sk);
      if (older === undefined) throw new Error(`chunk ${sk} of a site's events in ${ref.ws} is not stored`);
      fresh = fresh.filter(({ seq }) => !older.seqs.has(seq));
      ({ since, max } = older);
    }
  }
  return fresh;
};

/** Returns when a full chunk may be deleted, in epoch seconds: now plus the retention of the newest later event, if limited. */
const computeChunkExpiry = (laterEvents: readonly SiteEvent[], now: number): Seconds | undefined => {
  const [newest] = laterEvents.toSorted((a, b) => b.receivedAt - a.receivedAt);
  if (newest?.keptUntil === undefined) return undefined;
  return toSeconds(newest.keptUntil * SECOND_MS + Math.max(0, now - newest.receivedAt));
};

/** Adds events to a site's chunk until the chunk is full, or begins the next. Returns the stored item; undefined if deleted. */
const addEventsToSite = async (
  deps: TimedDeps,
  ref: SiteRef,
  item: SiteItem,
  name: string,
  events: readonly SiteEvent[],
): Promise<SiteItem | undefined> => {
  const room = CHUNK_EVENTS - item.seqs.size;
  const isFull = room <= 0;
  const added = events.slice(0, isFull ? CHUNK_EVENTS : room);
  const names = { "#name": "name", "#chunk": "chunk" };
  const values = {
    ":name": name,
    ":last": added.reduce((last, { receivedAt }) => chooseLaterTime(last, toIso(receivedAt)), item.lastSeenAt),
    ":chunk": item.chunk,
    ":events": new Set(added.map(({ seq }) => seq)),
  };
  if (!isFull)
    return (
      await updateItem(deps, toSiteKey(ref), SiteItem, {
        update: "SET #name = :name, lastSeenAt = :last ADD seqs :events",
        condition: "#chunk = :chunk AND size(seqs) <= :most",
        names,
        values: { ...values, ":most": CHUNK_EVENTS - added.length },
      })
    ).item;
  const closed = { seqs: item.seqs, since: item.since, max: item.max, ttl: computeChunkExpiry(added, deps.now()) };
  await putItemIf(deps, toChunkKey(ref, item.chunk), closed, ChunkItem);
  return (
    await updateItem(deps, toSiteKey(ref), SiteItem, {
      update: "SET #name = :name, lastSeenAt = :last, #chunk = :next, seqs = :events, since = :now, #max = :max",
      condition: "#chunk = :chunk AND size(seqs) >= :size",
      names: { ...names, "#max": "max" },
      values: {
        ...values,
        ":next": item.chunk + 1,
        ":now": deps.now(),
        ":size": CHUNK_EVENTS,
        ":max": Math.max(item.max, ...item.seqs),
      },
    })
  ).item;
};

/** Creates and returns a site's item with its first events, or returns the existing item. */
const createSite = async (
  deps: TimedDeps,
  ref: SiteRef,
  { site, name }: Site,
  events: readonly SiteEvent[],
): Promise<SiteItem | undefined> => {
  const some = events.slice(0, CHUNK_EVENTS);
  const times = some.map(({ receivedAt }) => receivedAt);
  const first = {
    sk: ref.hash,
    site,
    name,
    firstSeenAt: toIso(Math.min(...times)),
    lastSeenAt: toIso(Math.max(...times)),
    chunk: 0,
    seqs: new Set(some.map(({ seq }) => seq)),
    since: deps.now(),
    // Functions of an earlier version do not store `max`, and may still add unspread events to the item.
    max: ref.spread ? 0 : UNKNOWN,
  };
  const put = await putItemIf(deps, toSiteKey(ref), first, SiteItem);
  return put.kind === "done" ? first : put.item;
};

/** Adds events, all spread over partitions or none, to a site (`data.site`). Idempotent. Needs a write and a read per hundred. */
export const registerSiteEvents = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  site: Site & { spread: boolean },
  events: readonly SiteEvent[],
): Promise<void> => {
  const ref: SiteRef = { ws, hash: await hashSite(site.site), spread: site.spread };
  let item = await getItem(deps, toSiteKey(ref), SiteItem);
  let left = events;
  await retryChange({ item: `a site of ${ws}`, tries: 20 }, async () => {
    if (item !== undefined) left = await listUnregistered(deps, ref, item, left);
    if (left.length === 0) return undefined;
    item =
      item === undefined
        ? await createSite(deps, ref, site, left)
        : await addEventsToSite(deps, ref, item, site.name, left);
    return AGAIN;
  });
};

const countSiteEvents = (item: SiteItem): number => item.chunk * CHUNK_EVENTS + item.seqs.size;

/** Merges a site's two items (one is for events that are spread over partitions) into one view. */
const toSiteViews = (items: readonly SiteItem[]): SiteView[] => {
  const [newest, ...others] = items.toSorted((one, other) => other.lastSeenAt.localeCompare(one.lastSeenAt));
  if (newest === undefined) return [];
  const { site, name, lastSeenAt } = newest;
  const firstSeenAt = others.reduce(
    (first, one) => (one.firstSeenAt < first ? one.firstSeenAt : first),
    newest.firstSeenAt,
  );
  return [{ site, name, firstSeenAt, lastSeenAt, events: items.reduce((sum, item) => sum + countSiteEvents(item), 0) }];
};

/** Returns the sites of a workspace, the most recently seen first. */
export const listSites = async (deps: TableDeps, ws: WorkspaceId): Promise<SiteView[]> => {
  const items = await Promise.all(sitesPks(ws).map((pk) => queryItems(deps, { pk }, SiteItem)));
  return [...Map.groupBy(items.flat(), ({ sk }) => sk).values()]
    .flatMap(toSiteViews)
    .sort((a, b) => b.lastSeenAt.localeCompare(a.lastSeenAt) || a.site.localeCompare(b.site));
};

/** Returns the event numbers at the positions from `first` to `last` (inclusive) in one of a site's items, oldest first. */
const readNumbersAt = async (
  deps: TableDeps,
  ref: SiteRef,
  item: SiteItem,
  first: number,
  last: number,
): Promise<number[]> => {
  const chunks: number[] = [];
  for (let number = Math.floor(first / CHUNK_EVENTS); number <= Math.floor(last / CHUNK_EVENTS); number += 1)
    chunks.push(number);
  const closed = chunks.filter((number) => number < item.chunk).map((number) => toChunkKey(ref, number));
  const bySk = new Map((await batchGetItems(deps, closed, ChunkItem)).map(({ sk, seqs }) => [sk, seqs]));
  const held = chunks.flatMap((number) => {
    const seqs = number === item.chunk ? item.seqs : bySk.get(toChunkKey(ref, number).sk);
    return [...(seqs ?? [])].sort((a, b) => a - b);
  });
  const offset = (chunks[0] ?? 0) * CHUNK_EVENTS;
  return held.slice(first - offset, last - offset + 1);
};

const findNewestNumber = ({ seqs, max }: v.InferOutput<typeof ChunkItem>): number =>
  Math.max(max === UNKNOWN ? 0 : max, ...seqs);

/** Counts the site's events of one item, up to the event number `edge`. A deleted chunk counts as full of older events. */
const countPositionsUpTo = async (deps: TableDeps, ref: SiteRef, item: SiteItem, edge: number): Promise<number> => {
  if (edge === 0) return 0;
  let [from, to] = [0, item.chunk];
  let first: v.InferOutput<typeof ChunkItem> = item;
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    const chunk = await getItem(deps, toChunkKey(ref, middle), ChunkItem);
    if (chunk === undefined || findNewestNumber(chunk) <= edge) from = middle + 1;
    else {
      to = middle;
      first = chunk;
    }
  }
  return to * CHUNK_EVENTS + [...first.seqs].filter((seq) => seq <= edge).length;
};

/**
 * Returns a page of a site's event numbers, the newest first. `below`: reads the page below this position instead of the page
 * number `page`. `edge`: the number up to which events are past retention. `total`: the number of shown events on all pages.
 * `first`: the position of the page's oldest event. `oldest`: the position of the site's oldest shown event.
 */
export const readSitePage = async (
  deps: TableDeps,
  ws: WorkspaceId,
  site: string,
  { page, limit, below, edge }: { page: number; limit: number; below?: number | undefined; edge: number },
): Promise<{ total: number; seqs: number[]; first: number; oldest: number }> => {
  const hash = await hashSite(site);
  const refs = [false, true].map((spread): SiteRef => ({ ws, hash, spread }));
  const found = await Promise.all(
    refs.map(async (ref) => {
      const item = await getItem(deps, toSiteKey(ref), SiteItem);
      if (item === undefined) return { ref, item, count: 0, past: 0 };
      return { ref, item, count: countSiteEvents(item), past: await countPositionsUpTo(deps, ref, item, edge) };
    }),
  );
  const count = found.reduce((sum, one) => sum + one.count, 0);
  // Positions start at 0 for the oldest event. The site's events that are spread over partitions come after all its other events.
  const oldest = found.reduce(
    ({ begin, past }, one) => ({ begin: begin + one.count, past: one.past === 0 ? past : begin + one.past }),
    { begin: 0, past: 0 },
  ).past;
  const total = count - oldest;
  const last = (below === undefined ? count - (page - 1) * limit : Math.min(below, count)) - 1;
  if (last < oldest) return { total, seqs: [], first: oldest, oldest };
  const first = Math.max(oldest, last - limit + 1);
  let offset = 0;
  const seqs: number[] = [];
  for (const { ref, item, count: held } of found) {
    const [from, to] = [Math.max(first - offset, 0), Math.min(last - offset, held - 1)];
    if (item !== undefined && from <= to) seqs.push(...(await readNumbersAt(deps, ref, item, from, to)));
    offset += held;
  }
  return { total, seqs: seqs.toReversed(), first, oldest };
};
