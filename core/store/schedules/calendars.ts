import { timingSafeEqual } from "node:crypto";
import * as v from "valibot";
import type { AuditDeps, TableDeps } from "../../deps.ts";
import { sha256 } from "../../domain/basics/digest.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { toIso } from "../../domain/basics/time.ts";
import { CalendarOwner, createCalendarSecret, parseCalendarSecret } from "../../domain/shifts/calendar.ts";
import { calendarKey, calendarSecretKey, calendarsPk } from "../keys.ts";
import { deleteItem, deleteWrite, getItem, putItem, putWrite, queryItems } from "../table.ts";
import { writeRecorded } from "../configuration/audit-trail.ts";
import { buildAudit, type AuditOf } from "../configuration/versioned.ts";

/* The owner's item names the valid secret, so that an interrupted renewal does not leave two valid secrets. */

/** `by`: the person who created the URL and therefore knows the URL; absent in feeds of earlier versions. */
const OwnerItem = v.object({
  hash: v.instance(Uint8Array),
  addressFrom: v.optional(v.string()),
  by: v.optional(v.string()),
});
type OwnerItem = v.InferOutput<typeof OwnerItem>;
const toCalendarView = (item: Pick<OwnerItem, "addressFrom"> | undefined) =>
  item === undefined ? undefined : { addressFrom: item.addressFrom ?? null };
const SecretItem = v.object({ owner: CalendarOwner });

/** Describes a feed for the audit trail, which shows only the time at which the feed got its URL. */
const describeCalendarFeedForTrail = (ws: WorkspaceId, id: string): AuditOf<{ addressFrom: string | null }> => ({
  ws,
  kind: "calendar",
  id,
});

const toHex = (hash: Uint8Array): string => Buffer.from(hash).toString("hex");

/** Gives a calendar feed a new secret and removes the old secret. */
export const replaceCalendarSecret = async (
  deps: AuditDeps,
  ws: WorkspaceId,
  owner: CalendarOwner,
): Promise<{ secret: string; createdAt: string }> => {
  const secret = await createCalendarSecret(deps.newId, ws);
  const hash = await sha256(secret);
  const before = await getItem(deps, calendarKey(ws, owner.id), OwnerItem);
  await putItem(deps, calendarSecretKey(toHex(hash)), { owner });
  const createdAt = toIso(deps.now());
  const after = { hash, addressFrom: createdAt, by: deps.table.author.userId ?? undefined };
  const same =
    before === undefined
      ? {}
      : { condition: "#hash = :hash", names: { "#hash": "hash" }, values: { ":hash": before.hash } };
  const record = buildAudit(describeCalendarFeedForTrail(ws, owner.id), toCalendarView(before), toCalendarView(after));
  const written = await writeRecorded(deps, ws, record, putWrite(deps, calendarKey(ws, owner.id), after, same));
  if (written.kind === "refused") {
    await deleteItem(deps, calendarSecretKey(toHex(hash)));
    return replaceCalendarSecret(deps, ws, owner);
  }
  if (before !== undefined) await deleteItem(deps, calendarSecretKey(toHex(before.hash)));
  return { secret, createdAt };
};

const Listed = v.object({ sk: v.string(), by: v.optional(v.string()) });

/** Returns the owners' ids (groups or persons) of the calendar feeds that a person created. */
export const listOwnersOfFeedsCreatedBy = async (
  deps: TableDeps,
  ws: WorkspaceId,
  userId: string,
): Promise<string[]> => {
  const feeds = await queryItems(deps, { pk: calendarsPk(ws) }, Listed);
  return feeds.filter(({ by }) => by === userId).map(({ sk }) => sk);
};

/** Deletes a member's calendar feed and its secret. Returns false if the member has no feed. */
export const deleteCalendar = async (deps: AuditDeps, ws: WorkspaceId, ownerId: string): Promise<boolean> => {
  const item = await getItem(deps, calendarKey(ws, ownerId), OwnerItem);
  if (item === undefined) return false;
  const record = buildAudit(describeCalendarFeedForTrail(ws, ownerId), toCalendarView(item), undefined);
  await writeRecorded(
    deps,
    ws,
    record,
    deleteWrite(deps, calendarKey(ws, ownerId), { condition: "attribute_exists(pk)" }),
  );
  await deleteItem(deps, calendarSecretKey(toHex(item.hash)));
  return true;
};

/** Returns the owner of the calendar feed whose URL contains the secret. Returns undefined for an unknown or replaced secret. */
export const findCalendar = async (
  deps: TableDeps,
  secret: string,
): Promise<{ ws: WorkspaceId; owner: CalendarOwner } | undefined> => {
  const ws = parseCalendarSecret(secret);
  if (ws === undefined) return undefined;
  const hash = await sha256(secret);
  const found = await getItem(deps, calendarSecretKey(toHex(hash)), SecretItem);
  if (found === undefined) return undefined;
  const good = await getItem(deps, calendarKey(ws, found.owner.id), OwnerItem);
  return good !== undefined && timingSafeEqual(good.hash, hash) ? { ws, owner: found.owner } : undefined;
};
