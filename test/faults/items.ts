import type { Item } from "./engine/dynamo.ts";
import type { World } from "./engine/world.ts";

/** Kinds of items that a workspace may have in several partitions. */
export type Kind = "EVENTS" | "NOTIFICATIONS" | "ESCALATIONS";

/** Returns whether a partition is one of those that share a workspace's items of this kind. */
export const isShareOf = (kind: Kind, pk: string): boolean => new RegExp(`^WS#[^#]+#${kind}(#\\d)?$`).test(pk);

/** Returns the events of the only workspace of a run, each with its progress item, or its first packs. */
export const itemsOf = (world: World, kind: Kind): Item[] =>
  world.dynamo.partitions().flatMap((pk) => (isShareOf(kind, pk) ? world.dynamo.list(pk) : []));

/** Returns how many events a run has stored. */
export const countStoredEvents = (world: World): number =>
  itemsOf(world, "EVENTS").filter((item) => item["content"] !== undefined).length;
