import type { Item } from "./engine/dynamo.ts";
import type { World } from "./engine/world.ts";

/** Kinds of items that a workspace may have in several partitions. */
export type ItemKind = "EVENTS" | "NOTIFICATIONS" | "ESCALATIONS";

export const isPartitionOf = (kind: ItemKind, pk: string): boolean => new RegExp(`^WS#[^#]+#${kind}(#\\d)?$`).test(pk);

/** Lists the items of a kind in all partitions. */
export const listItems = (world: World, kind: ItemKind): Item[] =>
  world.dynamo.partitions().flatMap((pk) => (isPartitionOf(kind, pk) ? world.dynamo.list(pk) : []));

export const countStoredEvents = (world: World): number =>
  listItems(world, "EVENTS").filter((item) => item["content"] !== undefined).length;
