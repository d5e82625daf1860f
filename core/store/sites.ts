import * as v from "valibot";
import type { Deps } from "../deps.ts";
import { sha256 } from "../domain/basics/digest.ts";
import type { Site } from "../domain/event/event.ts";
import type { SiteView } from "../domain/event/site.ts";
import { toIso } from "../domain/basics/time.ts";
import { siteEventKey, siteKey, sitesPk } from "./keys.ts";
import { batchGetItems, getItem, putItemIf, queryItems, updateItem } from "./table.ts";

/*
 * The numbers of a site's events are kept in sets of a hundred, called chunks. The site's own item holds the chunk that
 * is being filled. A full chunk is written down under its number and never changes again. A set holds a number only
 * once, so that registering is one write and the total stays right under redelivery.
 */

const CHUNK_EVENTS = 100;
/** The clocks of two instances differ by less than this. */
const CLOCK_SKEW_MS = 60_000;
const TRIES = 20;

const Numbers = v.set(v.number());

const SiteItem = v.object({
  site: v.string(),
  name: v.string(),
  firstSeenAt: v.string(),
  lastSeenAt: v.string(),
  chunk: v.number(),
  seqs: Numbers,
  /** When the first event of the current chunk was registered, in milliseconds. */
  since: v.number(),
});
type SiteItem = v.InferOutput<typeof SiteItem>;

const ChunkItem = v.object({ sk: v.string(), seqs: Numbers, since: v.number() });

const hashOf = async (site: string): Promise<string> =>
  Buffer.from(await sha256(site))
    .toString("hex")
    .slice(0, 32);

/** An event that is registered to a site. Times in milliseconds. */
export type SiteEvent = Site & { seq: number; receivedAt: number };

const laterOf = (one: string, other: string): string => (one > other ? one : other);

/**
 * Whether the event is in a chunk before the current one. Looks only as far back as it can be, because an event is not
 * registered before it is received.
 */
const isInOlderChunk = async (
  deps: Pick<Deps, "table">,
  ws: string,
  hash: string,
  item: SiteItem,
  event: SiteEvent,
): Promise<boolean> => {
  let since = item.since;
  for (let chunk = item.chunk - 1; chunk >= 0 && since >= event.receivedAt - CLOCK_SKEW_MS; chunk -= 1) {
    const older = await getItem(deps, siteEventKey(ws, hash, chunk), ChunkItem);
    if (older === undefined) throw new Error(`chunk ${chunk} of a site of ${ws} is missing`);
    if (older.seqs.has(event.seq)) return true;
    since = older.since;
  }
  return false;
};

const addTo = async (
  deps: Pick<Deps, "table" | "now">,
  ws: string,
  hash: string,
  item: SiteItem,
  event: SiteEvent,
): Promise<boolean> => {
  const names = { "#name": "name", "#chunk": "chunk" };
  const lastSeenAt = laterOf(item.lastSeenAt, toIso(event.receivedAt));
  const full = item.seqs.size >= CHUNK_EVENTS;
  const values = {
    ":name": event.name,
    ":last": lastSeenAt,
    ":chunk": item.chunk,
    ":event": new Set([event.seq]),
    ":size": CHUNK_EVENTS,
  };
  if (full)
    await putItemIf(deps, siteEventKey(ws, hash, item.chunk), { seqs: item.seqs, since: item.since }, ChunkItem);
  const result = full
    ? await updateItem(deps, siteKey(ws, hash), SiteItem, {
        update: "SET #name = :name, lastSeenAt = :last, #chunk = :next, seqs = :event, since = :now",
        condition: "#chunk = :chunk AND size(seqs) >= :size",
        names,
        values: { ...values, ":next": item.chunk + 1, ":now": deps.now() },
      })
    : await updateItem(deps, siteKey(ws, hash), SiteItem, {
        update: "SET #name = :name, lastSeenAt = :last ADD seqs :event",
        condition: "#chunk = :chunk AND size(seqs) < :size",
        names,
        values,
      });
  return result.kind === "done";
};

/** Registers an event to its site. Idempotent. One write and one read. */
export const registerSiteEvent = async (
  deps: Pick<Deps, "table" | "now">,
  ws: string,
  event: SiteEvent,
): Promise<void> => {
  const hash = await hashOf(event.site);
  for (let round = 0; round < TRIES; round += 1) {
    const item = await getItem(deps, siteKey(ws, hash), SiteItem);
    if (item === undefined) {
      const seenAt = toIso(event.receivedAt);
      const first = {
        site: event.site,
        name: event.name,
        firstSeenAt: seenAt,
        lastSeenAt: seenAt,
        chunk: 0,
        seqs: new Set([event.seq]),
        since: deps.now(),
      };
      if ((await putItemIf(deps, siteKey(ws, hash), first, SiteItem)).kind === "done") return;
      continue;
    }
    if (item.seqs.has(event.seq) || (await isInOlderChunk(deps, ws, hash, item, event))) return;
    if (await addTo(deps, ws, hash, item, event)) return;
  }
  throw new Error(`a site of ${ws} changed under ${TRIES} tries to register an event`);
};

const countOf = (item: SiteItem): number => item.chunk * CHUNK_EVENTS + item.seqs.size;

/** The sites of a workspace, the most recently seen first. */
export const listSites = async (deps: Pick<Deps, "table">, ws: string): Promise<SiteView[]> => {
  const items = await queryItems(deps, { pk: sitesPk(ws) }, SiteItem);
  return items
    .map((item) => ({
      site: item.site,
      name: item.name,
      firstSeenAt: item.firstSeenAt,
      lastSeenAt: item.lastSeenAt,
      events: countOf(item),
    }))
    .sort((a, b) => b.lastSeenAt.localeCompare(a.lastSeenAt) || a.site.localeCompare(b.site));
};

/**
 * The numbers of the events on a page of a site's list, the newest first, with the position of the oldest of them and
 * the site's number of events. `below`: the page of positions below this one, in place of `page`.
 */
export const pageOfSite = async (
  deps: Pick<Deps, "table">,
  ws: string,
  site: string,
  { page, limit, below }: { page: number; limit: number; below?: number | undefined },
): Promise<{ total: number; seqs: number[]; first: number }> => {
  const hash = await hashOf(site);
  const item = await getItem(deps, siteKey(ws, hash), SiteItem);
  const total = item === undefined ? 0 : countOf(item);
  // Positions count from the oldest event, which is at 0.
  const last = below === undefined ? total - 1 - (page - 1) * limit : Math.min(below, total) - 1;
  if (item === undefined || last < 0) return { total, seqs: [], first: 0 };
  const first = Math.max(0, last - limit + 1);
  const chunks: number[] = [];
  for (let chunk = Math.floor(first / CHUNK_EVENTS); chunk <= Math.floor(last / CHUNK_EVENTS); chunk += 1)
    chunks.push(chunk);
  const older = await batchGetItems(
    deps,
    chunks.filter((chunk) => chunk < item.chunk).map((chunk) => siteEventKey(ws, hash, chunk)),
    ChunkItem,
  );
  const bySk = new Map(older.map(({ sk, seqs }) => [sk, seqs]));
  const held = chunks.flatMap((chunk) => {
    const seqs = chunk === item.chunk ? item.seqs : bySk.get(siteEventKey(ws, hash, chunk).sk);
    return [...(seqs ?? [])].sort((a, b) => a - b);
  });
  const offset = (chunks[0] ?? 0) * CHUNK_EVENTS;
  return { total, seqs: held.slice(first - offset, last - offset + 1).toReversed(), first };
};
