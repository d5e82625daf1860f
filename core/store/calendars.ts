import { timingSafeEqual } from "node:crypto";
import * as v from "valibot";
import type { Deps } from "../deps.ts";
import { sha256 } from "../domain/basics/digest.ts";
import { toIso } from "../domain/basics/time.ts";
import { CalendarOwner, newCalendarSecret, workspaceOfCalendar } from "../domain/people/calendar.ts";
import { calendarKey, calendarSecretKey } from "./keys.ts";
import { deleteItem, getItem, putItem } from "./table.ts";

/*
 * Each feed has two items: the owner's says which secret is valid, and the secret's finds the owner. The owner's
 * decides, so that a renewal that dies half-way does not leave two secrets that open the feed.
 */

const OwnerItem = v.object({ hash: v.instance(Uint8Array) });
const SecretItem = v.object({ owner: CalendarOwner });

const textOf = (hash: Uint8Array): string => Buffer.from(hash).toString("hex");

/** Gives a feed a new secret and removes the old one. The secret is not stored. */
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

/** Closes a feed. Says whether it existed. */
export const deleteCalendar = async (deps: Pick<Deps, "table">, ws: string, ownerId: string): Promise<boolean> => {
  const item = await getItem(deps, calendarKey(ws, ownerId), OwnerItem);
  if (item === undefined) return false;
  await deleteItem(deps, calendarKey(ws, ownerId));
  await deleteItem(deps, calendarSecretKey(textOf(item.hash)));
  return true;
};

/** The owner of the feed that a secret opens; undefined for an unknown or replaced secret. */
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
