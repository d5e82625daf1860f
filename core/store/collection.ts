import type { Deps, Recording } from "../deps.ts";
import type { IdPrefix } from "../domain/basics/ids.ts";
import { toIso } from "../domain/basics/time.ts";
import { givePlaceBack, makeRoom, onePlace, type Countable, type Growth } from "./counts.ts";
import type { Key } from "./keys.ts";
import { getItem, queryItems, type ItemSchema } from "./table.ts";
import {
  changeVersioned,
  createRecorded,
  deleteVersioned,
  madeBy,
  oldestFirst,
  type ChangeOptions,
  type Recorded,
  type Versioned,
} from "./versioned.ts";

/*
 * What a workspace configures, and has a limited number of: groups, escalation policies, rules, silences, heartbeats and
 * webhooks. Each is one item with a version, made after there was room for it, and recorded in the audit trail. Workers
 * that keep them in memory are told last, by the version of what they keep. They are told even if nothing changed,
 * because an interrupted try may not have got that far.
 */

type Kept = Versioned & { id: string; workspaceId: string; name: string; createdAt: string };

type Collection<Item extends Kept> = {
  kind: Recorded<Item>["kind"];
  /** What the audit trail shows; all of it by default. */
  shown?: (item: Item) => object;
  counted: Pick<Countable, "name" | "noun" | "max">;
  pk: (ws: string) => string;
  prefix: string;
  key: (ws: string, id: string) => Key;
  schema: ItemSchema<Item>;
  toStored?: (item: Item) => object;
  tellWorkers?: (deps: Pick<Deps, "table">, ws: string) => Promise<void>;
};

/** What every new item has. */
export const newItem = (deps: Recording, workspaceId: string, prefix: IdPrefix) => {
  const now = toIso(deps.now());
  return { id: deps.newId(prefix), workspaceId, version: 1, createdAt: now, updatedAt: now, ...madeBy(deps) };
};

export const collection = <Item extends Kept>({
  kind,
  shown,
  counted,
  pk,
  prefix,
  key,
  schema,
  toStored = (item) => item,
  tellWorkers = async () => {},
}: Collection<Item>) => {
  const range = (ws: string) => ({ pk: pk(ws), prefix });
  const countable = (ws: string): Countable => ({ ...counted, range: range(ws) });
  const recordedAs = (ws: string, id: string): Recorded<Item> => ({
    ws,
    kind,
    id,
    nameOf: ({ name }) => name,
    ...(shown === undefined ? {} : { shown }),
  });

  return {
    recordedAs,

    /** The oldest first, strongly consistent. */
    list: async (deps: Pick<Deps, "table">, ws: string): Promise<Item[]> =>
      (await queryItems(deps, range(ws), schema)).sort(oldestFirst),

    read: (deps: Pick<Deps, "table">, ws: string, id: string): Promise<Item | undefined> =>
      getItem(deps, key(ws, id), schema),

    /**
     * Throws Refusal `limit_reached` beyond what a workspace may have, and the refusals of what grows with it. `before` is
     * called once there is room.
     */
    create: async (
      deps: Recording,
      item: Item,
      {
        growths = [],
        before,
        secret = {},
      }: { growths?: readonly Growth[]; before?: () => Promise<void>; secret?: object } = {},
    ): Promise<Item> => {
      const { workspaceId: ws, id } = item;
      await makeRoom(deps, ws, onePlace(deps, countable(ws)), ...growths);
      await before?.();
      const stored = { ...toStored(item), ...secret };
      await createRecorded(deps, key(ws, id), item, { schema, recorded: recordedAs(ws, id), stored });
      await tellWorkers(deps, ws);
      return item;
    },

    /** Undefined if there is no such item. Throws Refusal `changed_meanwhile` if it is at none of the expected versions. */
    change: async (
      deps: Recording,
      ws: string,
      id: string,
      change: (item: Item) => Item,
      options: Pick<ChangeOptions<Item>, "expected" | "replacing">,
    ): Promise<Item | undefined> => {
      const recorded = recordedAs(ws, id);
      const changed = await changeVersioned(deps, key(ws, id), schema, change, { ...options, recorded, toStored });
      if (changed !== undefined) await tellWorkers(deps, ws);
      return changed;
    },

    /** Gives the item, or undefined if there was none. Throws Refusal as above. */
    remove: async (
      deps: Recording,
      ws: string,
      id: string,
      options: Pick<ChangeOptions<Item>, "expected" | "replacing">,
    ): Promise<Item | undefined> => {
      const recorded = recordedAs(ws, id);
      const { known, gone } = await deleteVersioned(deps, key(ws, id), schema, { ...options, recorded });
      // Of two deletions at a time, only the one that deleted it gives its place back.
      if (gone) await givePlaceBack(deps, ws, countable(ws));
      await tellWorkers(deps, ws);
      return known;
    },
  };
};
