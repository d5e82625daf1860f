import type { Deps, TimedDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { postponeItem, type DueItem, type ListDue, type Readable } from "../../store/due-lister.ts";
import type { Key } from "../../store/keys.ts";
import { mapLimit } from "../../domain/basics/in-turns.ts";

const LOGGED_MAX = 20;

/** Creates the state of a sweep: the items that it found, and the errors. `until`: when the sweep must end, in milliseconds. */
export const createSweep = ({ log, now }: Pick<Deps, "log" | "now">, until: number) => {
  const found = { swept: 0, stuck: 0, oldestSince: now() };
  let logged = 0;
  const failed = new Set<string>();
  return {
    until,
    found,
    /** Logs and counts an item that failed. The item stays due or becomes due again. */
    fail: ({ pk, sk }: Key, error: unknown): void => {
      failed.add(`${pk} ${sk}`);
      logged += 1;
      if (logged <= LOGGED_MAX) log.error("sweeper.item_failed", error, { list: pk, item: sk });
    },
    takeFailed: (): number => {
      const { size } = failed;
      failed.clear();
      return size;
    },
  };
};
export type Sweep = ReturnType<typeof createSweep>;

/** Logs and postpones a failed item, so that the item does not always come first. */
export const postponeFailed = async (
  sweep: Sweep,
  key: Key,
  error: unknown,
  postpone: () => Promise<void>,
): Promise<void> => {
  sweep.fail(key, error);
  await postpone().catch((cause: unknown) => {
    sweep.fail(key, cause);
  });
};

/** How many items of one shard are read at once. Within a page, items of different workspaces alternate. */
const PAGE = 300;
/** The sweep checks the time after each chunk of items. */
const CHUNK = 30;
const AT_ONCE = 10;

/** Orders items so that workspaces alternate, and one workspace's backlog does not delay other workspaces. */
export const interleaveByWorkspace = <Item extends { item: { ws: WorkspaceId } }>(items: readonly Item[]): Item[] => {
  const turns = new Map<string, number>();
  const inOrder = items.map((one) => {
    const turn = turns.get(one.item.ws) ?? 0;
    turns.set(one.item.ws, turn + 1);
    return { one, turn };
  });
  return inOrder.sort((a, b) => a.turn - b.turn).map(({ one }) => one);
};

type Shard<Item> = {
  list: ListDue<Item>;
  shard: string;
  /** The latest due time of the items to find, in milliseconds. */
  upTo: number;
  postpone: (due: DueItem<Item>) => Promise<void>;
};

/** Passes a shard's due items to `work`, earliest first, until no item or no time is left. Postpones unreadable items. */
export const processDueItems = async <Item extends { ws: WorkspaceId }>(
  deps: TimedDeps,
  sweep: Sweep,
  { list, shard, upTo, postpone }: Shard<Item>,
  work: (items: readonly Readable<Item>[]) => Promise<void>,
): Promise<void> => {
  let after: Key | undefined;
  while (deps.now() < sweep.until) {
    const page = await list(deps, shard, upTo, PAGE, after);
    const readable = interleaveByWorkspace(page.flatMap((due) => (due.kind === "readable" ? [due] : [])));
    for (let from = 0; from < readable.length && deps.now() < sweep.until; from += CHUNK)
      await work(readable.slice(from, from + CHUNK));
    const unreadable = page.flatMap((due) => (due.kind === "unreadable" ? [due] : []));
    await mapLimit(unreadable, AT_ONCE, (due) => postponeFailed(sweep, due.key, due.error, () => postpone(due)));
    after = page.at(-1)?.key;
    if (page.length < PAGE) return;
  }
};

type EachOfShard<Item> = Pick<Shard<Item>, "list" | "shard"> & {
  /** The time after which an item that failed or cannot be read is due again. */
  pauseMs: number;
  postpone?: (due: Readable<Item>, at: number) => Promise<void>;
};

/** Calls `work` for each due item of a shard. Postpones failed items, so that failed items do not affect other items. */
export const processEachDueItem = async <Item extends { ws: WorkspaceId }>(
  deps: TimedDeps,
  sweep: Sweep,
  { list, shard, pauseMs, postpone = (due, at) => postponeItem(deps, due, at) }: EachOfShard<Item>,
  work: (due: Readable<Item>) => Promise<void>,
): Promise<void> => {
  const ofShard = {
    list,
    shard,
    upTo: deps.now(),
    postpone: (due: DueItem<Item>) => postponeItem(deps, due, deps.now() + pauseMs),
  };
  await processDueItems(deps, sweep, ofShard, async (items) => {
    await mapLimit(items, AT_ONCE, (due) =>
      work(due).catch((error: unknown) =>
        postponeFailed(sweep, due.key, error, () => postpone(due, deps.now() + pauseMs)),
      ),
    );
  });
};
