import type { Item } from "./engine/dynamo.ts";
import type { World } from "./engine/world.ts";

/** Kinds of items that a workspace may have in several partitions. */
export type Kind = "EVENTS" | "NOTIFICATIONS" | "ESCALATIONS";

export const isShareOf = (kind: Kind, pk: string): boolean => new RegExp(`^WS#[^#]+#${kind}(#\\d)?$`).test(pk);

/** Lists the items of a kind in all partitions. */
export const itemsOf = (world: World, kind: Kind): Item[] =>
  world.dynamo.partitions().flatMap((pk) => (isShareOf(kind, pk) ? world.dynamo.list(pk) : []));

export const countStoredEvents = (world: World): number =>
  itemsOf(world, "EVENTS").filter((item) => item["content"] !== undefined).length;
