import { timingSafeEqual } from "node:crypto";
import * as v from "valibot";
import type { Deps } from "../deps.ts";
import { sha256 } from "../domain/basics/digest.ts";
import { toIso } from "../domain/basics/time.ts";
import { CalendarOwner, newCalendarSecret, workspaceOfCalendar } from "../domain/people/calendar.ts";
import { calendarKey, calendarSecretKey } from "./keys.ts";
import { deleteItem, getItem, putItem } from "./table.ts";

/*
 * Two items a feed: the owner's, which says which secret is good, and the secret's, by which the owner is found. The
 * owner's decides, so that a renewal that dies half-way leaves no two secrets that open the feed.
 */

const OwnerItem = v.object({ hash: v.instance(Uint8Array) });
const SecretItem = v.object({ owner: CalendarOwner });

const textOf = (hash: Uint8Array): string => Buffer.from(hash).toString("hex");

/** Gives a feed a new secret and forgets the old one. The secret is kept nowhere. */
export const renewCalendar = async (
  deps: Pick<Deps, "table" | "now" | "newId">,
  ws: string,
  owner: CalendarOwner,
): Promise<{ secret: string; createdAt: string }> => {
  const secret = await newCalendarSecret(deps.newId, ws);
  const hash = await sha256(secret);
  const before = await getItem(deps, calendarKey(ws, owner.id), OwnerItem);
  await putItem(deps, calendarSecretKey(textOf(hash)), { owner });
  await putItem(deps, calendarKey(ws, owner.id), { hash });
  if (before !== undefined) await deleteItem(deps, calendarSecretKey(textOf(before.hash)));
  return { secret, createdAt: toIso(deps.now()) };
};

/** Closes a feed. Says whether there was one. */
export const deleteCalendar = async (deps: Pick<Deps, "table">, ws: string, ownerId: string): Promise<boolean> => {
  const item = await getItem(deps, calendarKey(ws, ownerId), OwnerItem);
  if (item === undefined) return false;
  await deleteItem(deps, calendarKey(ws, ownerId));
  await deleteItem(deps, calendarSecretKey(textOf(item.hash)));
  return true;
};

/** Whose feed a secret opens; undefined for one that is unknown or was renewed. */
export const findCalendar = async (
  deps: Pick<Deps, "table">,
  secret: string,
): Promise<{ ws: string; owner: CalendarOwner } | undefined> => {
  const ws = workspaceOfCalendar(secret);
  if (ws === undefined) return undefined;
  const hash = await sha256(secret);
  const found = await getItem(deps, calendarSecretKey(textOf(hash)), SecretItem);
  if (found === undefined) return undefined;
  const good = await getItem(deps, calendarKey(ws, found.owner.id), OwnerItem);
  return good !== undefined && timingSafeEqual(good.hash, hash) ? { ws, owner: found.owner } : undefined;
};
