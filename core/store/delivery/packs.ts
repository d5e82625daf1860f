import * as v from "valibot";
import type { TableDeps, TimedDeps } from "../../deps.ts";
import {
  formatNotificationId,
  formatPackId,
  parseNotificationId,
  parsePackId,
  type PackId,
  type WorkspaceId,
} from "../../domain/basics/ids.ts";
import { PACK_RECIPIENTS_MAX, listPackIds } from "../../domain/delivery/delivery-plan.ts";
import { NotificationStatus } from "../../domain/basics/notification-status.ts";
import { DeviceAttempt, reportMoves, type ReportedStatus } from "../../domain/delivery/notification.ts";
import type { AcceptedEvent } from "../../domain/event/event.ts";
import { deflatedSchema, deflate } from "../codec.ts";
import { notificationsPks, packKey, parseWorkspaceId } from "../keys.ts";
import { batchGetItems, getItem, putItemIf, queryItems, updateItem, type Range } from "../table.ts";
import {
  PackHead,
  type Pack,
  type PackAttempts,
  type PackRecipient,
  type RecipientOutcome,
} from "../../domain/delivery/pack.ts";

/** An attempt, stored as a tuple (outcome, tries, unknowns, way, rang, at, refusals) to save bytes in each write of a pack. */
const StoredAttempt = v.pipe(
  v.tuple([
    DeviceAttempt.entries.outcome,
    v.number(),
    v.number(),
    v.nullish(DeviceAttempt.entries.way),
    v.nullish(DeviceAttempt.entries.rang),
    DeviceAttempt.entries.at,
    DeviceAttempt.entries.refusals,
  ]),
  v.transform(([outcome, tries, unknowns, way, rang, at, refusals]): DeviceAttempt => ({
    outcome,
    tries,
    unknowns,
    ...(way === undefined || way === null ? {} : { way }),
    ...(rang === undefined || rang === null ? {} : { rang }),
    ...(at === undefined ? {} : { at }),
    ...(refusals === undefined ? {} : { refusals }),
  })),
);

const RecipientItem = v.object({
  /** The names are short: status (`s`), time of sending (`t`), acknowledgement (`a`), failure (`f`), attempts by device (`d`). */
  s: NotificationStatus,
  t: v.optional(v.number()),
  a: v.optional(v.number()),
  /** The person who acknowledged, if this person is not the recipient. */
  b: v.optional(v.object({ id: v.string(), name: v.string() })),
  f: v.optional(v.string()),
  d: v.optional(v.record(v.string(), StoredAttempt)),
});

const PackItem = v.object({
  pk: v.string(),
  sk: v.string(),
  head: deflatedSchema(PackHead),
  r: v.array(RecipientItem),
  /** The lease of the sender that last claimed the pack, and the end of the lease (0: released). */
  lease: v.optional(v.string()),
  until: v.optional(v.number()),
  /** The time from which the remaining pushes may be retried, in milliseconds. */
  retryAt: v.optional(v.number()),
  /** The time up to which the recipients' due notification steps have begun, in milliseconds. */
  rang: v.optional(v.number()),
  /** The devices that got a push about the event's end. */
  over: v.optional(v.array(v.string())),
});
type PackItem = v.InferOutput<typeof PackItem>;

const toPack = (item: PackItem): Pack => {
  const { recipients, ...head } = item.head;
  return {
    ...head,
    workspaceId: parseWorkspaceId(item),
    packId: item.sk,
    createdAt: parsePackId(item.sk)?.at ?? 0,
    lease: item.lease === undefined || item.until === undefined ? undefined : { id: item.lease, until: item.until },
    retryAt: item.retryAt,
    toldOver: item.over ?? [],
    rangAt: item.rang,
    recipients: recipients.flatMap((person, position) => {
      const state = item.r[position];
      if (state === undefined) return [];
      return [
        {
          ...person,
          notificationId: formatNotificationId(item.sk, position),
          status: state.s,
          sentAt: state.t,
          acknowledgedAt: state.a,
          acknowledgedBy: state.b,
          failedReason: state.f,
          attempts: state.d,
        },
      ];
    }),
  };
};

/** Stores a pack of an event as QUEUED, or returns the existing pack. */
export const createPack = async (
  deps: TableDeps,
  { workspaceId, keptUntil: ttl }: Pick<AcceptedEvent, "workspaceId" | "keptUntil">,
  packId: string,
  head: PackHead,
): Promise<{ kind: "created" } | { kind: "exists"; pack: Pack }> => {
  const item = { head: deflate(head), r: head.recipients.map(() => ({ s: "QUEUED" })), ttl };
  const result = await putItemIf(deps, packKey(workspaceId, packId), item, PackItem);
  if (result.kind === "done" || result.item === undefined) return { kind: "created" };
  return { kind: "exists", pack: toPack(result.item) };
};

export const readPack = async (deps: TableDeps, ws: WorkspaceId, packId: string): Promise<Pack | undefined> => {
  const item = await getItem(deps, packKey(ws, packId), PackItem);
  return item === undefined ? undefined : toPack(item);
};

/** Reads packs in the order of the given ids. Leaves out packs that do not exist. */
export const readPacks = async (
  deps: TableDeps,
  ws: WorkspaceId,
  packIds: readonly string[],
  options?: { consistent?: boolean },
): Promise<Pack[]> => {
  const items = await batchGetItems(
    deps,
    packIds.map((id) => packKey(ws, id)),
    PackItem,
    options,
  );
  const byId = new Map(items.map((item) => [item.sk, toPack(item)]));
  return packIds.flatMap((id) => byId.get(id) ?? []);
};

const countNotificationsIn = (packs: readonly Pack[]): number =>
  packs.reduce((sum, { recipients }) => sum + recipients.length, 0);

/** Reads a rule's packs except the first pack, from index `last` downwards, until they contain that number of `notifications`. */
const readMorePacks = async (deps: TableDeps, first: Pack, notifications: number, last = Infinity): Promise<Pack[]> => {
  const id = parsePackId(first.packId);
  if (id === undefined || first.packs === undefined) return [];
  const ids = listPackIds({ ...id, pack: 1 }, Math.min(first.packs - 1, last)).toReversed();
  const packs: Pack[] = [];
  let found = 0;
  while (ids.length > 0 && found < notifications) {
    // One more pack is read, because the last pack of a rule is rarely full.
    const wanted = Math.ceil((notifications - found) / PACK_RECIPIENTS_MAX) + 1;
    const some = await readPacks(deps, first.workspaceId, ids.splice(0, wanted), { consistent: false });
    found += countNotificationsIn(some);
    packs.push(...some);
  }
  return packs;
};

/** Yields the newest packs until they contain `notifications` notifications. `from`: the first pack, by default the newest. */
export async function* walkNewestPacks(
  deps: TableDeps,
  ws: WorkspaceId,
  notifications: number,
  from?: PackId,
): AsyncGenerator<Pack> {
  const begin = from === undefined ? undefined : formatPackId({ ...from, pack: 0 });
  const partitions = notificationsPks(ws).map((pk): PartitionPacks => {
    const range = begin === undefined ? { pk } : { pk, to: begin };
    return { range, packs: [], more: true };
  });
  for (let left = notifications; left > 0;) {
    const empty = partitions.filter(({ packs, more }) => packs.length === 0 && more);
    await Promise.all(
      empty.map((partition) => readNextPacks(deps, partition, left / partitions.filter(({ more }) => more).length)),
    );
    const newest = partitions.reduce((one, other) => (getFirstPackId(other) > getFirstPackId(one) ? other : one));
    const first = newest.packs.shift();
    if (first === undefined) return;
    const rest = await readMorePacks(deps, first, left, first.packId === begin ? from?.pack : undefined);
    for (const pack of [...rest, first]) {
      yield pack;
      left -= pack.recipients.length;
      if (left <= 0) return;
    }
  }
}

/** A partition's packs that were read but not yielded yet, the range to read next, and whether the range may contain packs. */
type PartitionPacks = { range: Range; packs: Pack[]; more: boolean };

const getFirstPackId = ({ packs }: PartitionPacks): string => packs[0]?.packId ?? "";

const PACKS_PER_READ = { min: 4, max: 25 };

/** Reads a partition's next packs into `partition`: one pack per missing notification, but at least 4 and at most 25 packs. */
const readNextPacks = async (deps: TableDeps, partition: PartitionPacks, missing: number): Promise<void> => {
  const limit = Math.min(Math.max(Math.ceil(missing), PACKS_PER_READ.min), PACKS_PER_READ.max);
  const items = await queryItems(deps, partition.range, PackItem, { consistent: false, descending: true, limit });
  const end = items.at(-1);
  partition.packs.push(...items.map(toPack));
  partition.more = end !== undefined && items.length === limit;
  if (end !== undefined) partition.range = { pk: partition.range.pk, before: end.sk };
};

export type Claim =
  | { kind: "claimed"; pack: Pack }
  /** Another sender has claimed the pack. `pack`: the pack's current state. */
  | { kind: "refused"; pack: Pack }
  | { kind: "missing" };

const toStoredAttempts = (attempts: Readonly<Record<string, DeviceAttempt>>) =>
  Object.fromEntries(
    Object.entries(attempts).map(([device, { outcome, tries, unknowns, way, rang, at, refusals }]) => {
      const all = [outcome, tries, unknowns, way ?? null, rang ?? null, at ?? null, refusals ?? null];
      // Empty elements at the tuple's end are left out.
      return [device, all.slice(0, all.findLastIndex((part) => part !== null) + 1)];
    }),
  );

/**
 * Claims the pack for one sender, and stores in the same write which devices are about to get a push. If a device has no outcome
 * at the end of the lease, the device's push may have arrived. `expected`: the lease that was read with the pack; undefined if
 * the pack was never claimed. `pagedAt`: this claim begins the notification steps that are due by this time, in milliseconds.
 */
export const claimPack = async (
  deps: TableDeps,
  ws: WorkspaceId,
  packId: string,
  lease: { id: string; until: number },
  expected: { id: string; until: number } | undefined,
  attempts: PackAttempts,
  pagedAt?: number,
): Promise<Claim> => {
  const sets = ["lease = :lease", "#until = :until", ...(pagedAt === undefined ? [] : ["rang = :rang"])];
  const values: Record<string, unknown> = {
    ":lease": lease.id,
    ":until": lease.until,
    ...(pagedAt === undefined ? {} : { ":rang": pagedAt }),
  };
  for (const [position, devices] of attempts) {
    sets.push(`r[${position}].d = :d${position}`);
    values[`:d${position}`] = toStoredAttempts(devices);
  }
  if (expected !== undefined) Object.assign(values, { ":held": expected.id, ":heldUntil": expected.until });
  const result = await updateItem(deps, packKey(ws, packId), PackItem, {
    update: `SET ${sets.join(", ")}`,
    condition:
      expected === undefined
        ? "attribute_exists(pk) AND attribute_not_exists(lease)"
        : "lease = :held AND #until = :heldUntil",
    names: { "#until": "until" },
    values,
  });
  if (result.kind === "done") return { kind: "claimed", pack: toPack(result.item) };
  if (result.item === undefined) return { kind: "missing" };
  const found = toPack(result.item);
  return found.lease?.id === lease.id ? { kind: "claimed", pack: found } : { kind: "refused", pack: found };
};

type Release = { retryAt: number | undefined };

/** Returns a write that stores outcomes, if the lease is still valid and no status has changed since it was read. */
const toOutcomesWrite = (
  recipients: Pack["recipients"],
  leaseId: string,
  outcomes: readonly RecipientOutcome[],
  release: Release | undefined,
) => {
  const sets = ["lease = :lease"];
  const conditions = ["lease = :lease"];
  const values: Record<string, unknown> = { ":lease": leaseId };
  if (release !== undefined) {
    sets.push("#until = :free");
    values[":free"] = 0;
  }
  if (release?.retryAt !== undefined) {
    sets.push("retryAt = :retryAt");
    values[":retryAt"] = release.retryAt;
  }
  for (const { position, attempts, result } of outcomes) {
    const path = `r[${position}]`;
    const seen = recipients[position];
    sets.push(`${path}.d = :d${position}`);
    values[`:d${position}`] = toStoredAttempts(attempts);
    if (result === undefined || seen === undefined) continue;
    conditions.push(`${path}.#s = :s${position}`);
    values[`:s${position}`] = seen.status;
    if (result.kind === "sent") {
      sets.push(`${path}.t = if_not_exists(${path}.t, :t${position})`);
      values[`:t${position}`] = result.at;
    }
    // A notification that failed in one step may succeed in a later step.
    const moves = seen.status === "QUEUED" || (seen.status === "FAILED" && result.kind === "sent");
    if (!moves) continue;
    sets.push(`${path}.#s = :n${position}`);
    values[`:n${position}`] = result.kind === "sent" ? "SENT" : "FAILED";
    if (result.kind === "failed") {
      sets.push(`${path}.f = :f${position}`);
      values[`:f${position}`] = result.reason;
    }
  }
  return {
    update: `SET ${sets.join(", ")}`,
    condition: conditions.join(" AND "),
    names: { ...(conditions.length > 1 ? { "#s": "s" } : {}), ...(release === undefined ? {} : { "#until": "until" }) },
    values,
  };
};

/** Stores outcomes in a pack; keeps reported statuses. `release`: also ends the lease. `lost`: another sender has got it. */
export const storeOutcomes = async (
  deps: TableDeps,
  pack: Pick<Pack, "workspaceId" | "packId" | "recipients">,
  leaseId: string,
  outcomes: readonly RecipientOutcome[],
  release?: Release,
): Promise<{ kind: "stored"; pack: Pack } | { kind: "lost" }> => {
  const write = toOutcomesWrite(pack.recipients, leaseId, outcomes, release);
  const written = await updateItem(deps, packKey(pack.workspaceId, pack.packId), PackItem, write);
  if (written.kind === "done") return { kind: "stored", pack: toPack(written.item) };
  if (written.item === undefined || written.item.lease !== leaseId) return { kind: "lost" };
  // A recipient's report was stored after the pack was read, so the outcomes are added to the pack's current state.
  return storeOutcomes(deps, toPack(written.item), leaseId, outcomes, release);
};

/** Stores which devices got a push about the event's end. */
export const setNotifiedOfEnd = async (
  deps: TableDeps,
  { workspaceId, packId }: Pick<Pack, "workspaceId" | "packId">,
  devices: readonly string[],
): Promise<void> => {
  await updateItem(deps, packKey(workspaceId, packId), PackItem, {
    update: "SET #over = :devices",
    condition: "attribute_exists(pk)",
    names: { "#over": "over" },
    values: { ":devices": devices },
  });
};

/** Stores a notification's reported status. `moved`: false if the report came too late. Undefined for an unknown notification. */
export const reportNotification = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  notificationId: string,
  status: ReportedStatus,
  by?: { id: string; name: string },
): Promise<{ pack: Pack; recipient: PackRecipient; moved: boolean } | undefined> => {
  const id = parseNotificationId(notificationId);
  if (id === undefined) return undefined;
  const from = reportMoves[status];
  const path = `r[${id.position}]`;
  const result = await updateItem(deps, packKey(ws, id.packId), PackItem, {
    update:
      `SET ${path}.#s = :status` +
      (status === "ACKNOWLEDGED" ? `, ${path}.a = :now` : "") +
      (by === undefined ? "" : `, ${path}.b = :by`),
    condition: `${path}.#s IN (${from.map((_, index) => `:from${index}`).join(", ")})`,
    names: { "#s": "s" },
    values: {
      ":status": status,
      ...(status === "ACKNOWLEDGED" ? { ":now": deps.now() } : {}),
      ...(by === undefined ? {} : { ":by": by }),
      ...Object.fromEntries(from.map((state, index) => [`:from${index}`, state])),
    },
  });
  if (result.item === undefined) return undefined;
  const pack = toPack(result.item);
  const recipient = pack.recipients[id.position];
  return recipient === undefined ? undefined : { pack, recipient, moved: result.kind === "done" };
};
