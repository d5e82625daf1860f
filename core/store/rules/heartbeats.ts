import * as v from "valibot";
import type { AuditDeps, TableDeps, TimedDeps } from "../../deps.ts";
import { AGAIN, retryChange } from "../../domain/basics/attempt.ts";
import { sha256 } from "../../domain/basics/digest.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { HEARTBEATS_MAX } from "../../domain/basics/limits.ts";
import { Refusal } from "../../domain/basics/refusal.ts";
import { isDeepEqual } from "../../domain/basics/equality.ts";
import { toIso } from "../../domain/basics/time.ts";
import type { IfMatch } from "../../domain/basics/version.ts";
import {
  computeCallDeadline,
  Heartbeat,
  isReportPending,
  isWaitingAgain,
  parseCallSecret,
  createCallSecret,
  type HeartbeatInput,
  type HeartbeatPatch,
  type Missed,
  type MissedHeartbeat,
} from "../../domain/heartbeat/heartbeat.ts";
import {
  createItem,
  listItems,
  buildNewItemFields,
  readItem,
  describeItemForTrail,
  removeItem,
  type WritableCollection,
} from "../configuration/collection.ts";
import { createDueLister } from "../due-lister.ts";
import { heartbeatCheckKey, heartbeatChecksPk, heartbeatKey, heartbeatsPk, parseHeartbeatCheckKey } from "../keys.ts";
import { deleteItem, getItem, putItem, updateItem, updateWrite, type Expression } from "../table.ts";
import { writeRecorded } from "../configuration/audit-trail.ts";
import { buildAudit, requireExpectedVersion, type DeleteItem } from "../configuration/versioned.ts";

/*
 * A heartbeat's check is in a partition that the sweeper reads, sorted by due time. Only the check whose time is the
 * heartbeat's `checkAt` is valid. A check is written before `checkAt`, so that no heartbeat is without a check. A call needs
 * only one write, because it does not change the check. The sweeper postpones due checks. The check of the first call after a
 * miss contains the heartbeat, so that the miss ends even if the heartbeat is deleted before a sweep.
 */

/** The maximum number of misses since the last call that are remembered, so that the item cannot grow without limit. */
const EARLIER_MISSES_MAX = 20;

/** A heartbeat as stored, with the hash of the secret in its call URL. */
const HeartbeatItem = v.object({ ...Heartbeat.entries, hash: v.instance(Uint8Array) });

/** `due`: the time of the check, in milliseconds. `returned`: the heartbeat as it was at its first call after a missed call. */
export type CheckItem = { ws: WorkspaceId; id: string; due: number; returned?: Heartbeat | undefined };

const CheckItem = v.pipe(
  v.object({ sk: v.string(), due: v.number(), returned: v.optional(Heartbeat) }),
  v.rawTransform(({ dataset: { value }, addIssue, NEVER }): CheckItem => {
    const names = parseHeartbeatCheckKey(value);
    if (names !== undefined) return { ...names, due: value.due, returned: value.returned };
    addIssue({ message: "the key does not name a heartbeat" });
    return NEVER;
  }),
);

export const putHeartbeatCheck = (deps: TableDeps, check: CheckItem): Promise<void> =>
  putItem(deps, heartbeatCheckKey(check.due, check.ws, check.id), check);

export const removeHeartbeatCheck = (deps: TableDeps, { ws, id, due }: CheckItem): Promise<void> =>
  deleteItem(deps, heartbeatCheckKey(due, ws, id));

export const listDueChecks = /* @__PURE__ */ createDueLister(heartbeatChecksPk, CheckItem);

const heartbeats = { pk: heartbeatsPk, prefix: "hb_", key: heartbeatKey, schema: Heartbeat };
const writableHeartbeats: WritableCollection<Heartbeat> = {
  items: heartbeats,
  kind: "heartbeat",
  // The audit trail contains only the fields that people set.
  shown: ({ name, everySeconds, graceSeconds, priority, paused }) => ({
    name,
    everySeconds,
    graceSeconds,
    priority,
    paused,
  }),
  counted: { name: "heartbeats", noun: "heartbeats", max: HEARTBEATS_MAX },
};

export const listHeartbeats = (deps: TableDeps, ws: WorkspaceId): Promise<Heartbeat[]> =>
  listItems(deps, heartbeats, ws);

export const readHeartbeat = (deps: TableDeps, ws: WorkspaceId, id: string): Promise<Heartbeat | undefined> =>
  readItem(deps, heartbeats, ws, id);

/** A heartbeat with the secret of its call URL, which the table does not store. */
export type WithSecret = { heartbeat: Heartbeat; secret: string };

/** Creates a heartbeat. The wait for the first call begins at once. */
export const createHeartbeat = async (deps: AuditDeps, ws: WorkspaceId, input: HeartbeatInput): Promise<WithSecret> => {
  const now = deps.now();
  const made = buildNewItemFields(deps, ws, "hb");
  const secret = await createCallSecret(deps.newId, ws, made.id);
  const due = computeCallDeadline({ ...input, waitsFrom: now });
  const heartbeat = await createItem(
    deps,
    writableHeartbeats,
    { ...made, ...input, waitsFrom: now, ...(input.paused ? {} : { checkAt: due }) },
    {
      before: async () => {
        if (!input.paused) await putHeartbeatCheck(deps, { ws, id: made.id, due });
      },
      secret: { hash: await sha256(secret) },
    },
  );
  return { heartbeat, secret };
};

/** Returns whether a change of settings ends, begins or keeps the wait for the next call. */
const compareWaits = (before: Heartbeat, after: Heartbeat): "ends" | "begins" | "stays" => {
  if (after.paused) return before.paused ? "stays" : "ends";
  if (before.paused) return "begins";
  const isOther = before.everySeconds !== after.everySeconds || before.graceSeconds !== after.graceSeconds;
  // After a missed call, the wait for the next call has no time limit, so the interval does not matter.
  return isOther && (before.missed === undefined || isWaitingAgain(before)) ? "begins" : "stays";
};

/** Returns an update that ends, begins or keeps a wait. Keeps a check that must still report a missed call or its end. */
const toWaitUpdate = (before: Heartbeat, wait: ReturnType<typeof compareWaits>, due: number, now: number) => {
  const isPending = isReportPending(before);
  switch (wait) {
    case "ends":
      return { update: isPending ? "" : " REMOVE checkAt", values: {} };
    case "begins":
      if (!isPending) return { update: ", waitsFrom = :now, checkAt = :due", values: { ":now": now, ":due": due } };
      return before.missed?.calledAt === undefined
        ? { update: "", values: {} }
        : { update: ", waitsFrom = :now", values: { ":now": now } };
    case "stays":
      return { update: "", values: {} };
  }
};

/** Returns the condition that neither a call nor the sweeper has changed the check or the missed call. */
const buildSameWaitCondition = ({ checkAt, missed }: Heartbeat) => ({
  condition:
    ` AND ${checkAt === undefined ? "attribute_not_exists(checkAt)" : "checkAt = :check"}` +
    ` AND ${missed === undefined ? "attribute_not_exists(missed)" : "missed.#missedAt = :missedAt"}`,
  names: missed === undefined ? {} : { "#missedAt": "at" },
  values: {
    ...(checkAt === undefined ? {} : { ":check": checkAt }),
    ...(missed === undefined ? {} : { ":missedAt": missed.at }),
  },
});

/** Returns a heartbeat's update, which fails if the version has changed or `same` is false. `hash`: the new URL's hash. */
const toHeartbeatWrite = (
  before: Heartbeat,
  after: Heartbeat,
  hash: Uint8Array | undefined,
  now: number,
  wait: ReturnType<typeof toWaitUpdate>,
  same: ReturnType<typeof buildSameWaitCondition> | undefined,
) => ({
  update:
    "SET #name = :name, everySeconds = :every, graceSeconds = :grace, priority = :priority, paused = :paused, " +
    `updatedAt = :at, updatedBy = :by, #version = #version + :one${hash === undefined ? "" : ", #hash = :hash"}${wait.update}`,
  condition: `#version = :version${same?.condition ?? ""}`,
  names: { "#name": "name", "#version": "version", ...(hash === undefined ? {} : { "#hash": "hash" }), ...same?.names },
  values: {
    ":name": after.name,
    ":every": after.everySeconds,
    ":grace": after.graceSeconds,
    ":priority": after.priority,
    ":paused": after.paused,
    ":at": toIso(now),
    ":by": after.updatedBy,
    ":one": 1,
    ":version": before.version,
    ...(hash === undefined ? {} : { ":hash": hash }),
    ...wait.values,
    ...same?.values,
  },
});

/** Builds the audit entry of a change. `isRenewed`: whether the entry says, without the URL itself, that the URL is new. */
const buildHeartbeatAudit = (before: Heartbeat, after: Heartbeat, isRenewed: boolean) => {
  const { ws, id } = { ws: before.workspaceId, id: before.id };
  const record = buildAudit(describeItemForTrail(writableHeartbeats, ws, id), before, after);
  return isRenewed ? { ...record, after: { ...record.after, newUrl: true } } : record;
};

/** Changes a heartbeat's settings, not the fields that calls change. Throws `changed_meanwhile` for an unexpected version. */
export const updateHeartbeat = async (
  deps: AuditDeps,
  ws: WorkspaceId,
  id: string,
  { newUrl, ...patch }: HeartbeatPatch,
  expected?: IfMatch,
): Promise<{ heartbeat: Heartbeat; secret: string | undefined } | undefined> => {
  const secret = newUrl === undefined ? undefined : await createCallSecret(deps.newId, ws, id);
  const renewed = secret === undefined ? undefined : await sha256(secret);
  return retryChange({ item: `heartbeat ${id}` }, async () => {
    const before = await readHeartbeat(deps, ws, id);
    if (before === undefined) return undefined;
    const after = { ...before, ...patch };
    if (secret === undefined && isDeepEqual(after, before)) return { heartbeat: before, secret };
    requireExpectedVersion(before, expected);
    const now = deps.now();
    const wait = compareWaits(before, after);
    const due = computeCallDeadline({ ...after, waitsFrom: now });
    if (wait === "begins" && !isReportPending(before)) await putHeartbeatCheck(deps, { ws, id, due });
    const by = deps.table.author.userId;
    const same = wait === "stays" ? undefined : buildSameWaitCondition(before);
    const change = toWaitUpdate(before, wait, due, now);
    const write = toHeartbeatWrite(before, { ...after, updatedBy: by }, renewed, now, change, same);
    const record = buildHeartbeatAudit(before, after, renewed !== undefined);
    const written = await writeRecorded(deps, ws, record, updateWrite(deps, heartbeatKey(ws, id), write));
    if (written.kind === "refused") return AGAIN;
    const heartbeat = await readHeartbeat(deps, ws, id);
    if (wait !== "stays" && before.checkAt !== undefined && before.checkAt !== heartbeat?.checkAt)
      await removeHeartbeatCheck(deps, { ws, id, due: before.checkAt });
    return heartbeat === undefined ? undefined : { heartbeat, secret };
  });
};

/** Deletes a heartbeat. Throws Refusal `changed_meanwhile` if the heartbeat's version is not an expected version. */
export const deleteHeartbeat: DeleteItem = async (deps, ws, id, expected) => {
  const known = await removeItem(deps, writableHeartbeats, [ws, id], { expected });
  // If a call has followed a miss, the check stays, so that the sweeper resolves the miss.
  if (known?.checkAt !== undefined && known.missed?.calledAt === undefined)
    await removeHeartbeatCheck(deps, { ws, id, due: known.checkAt });
  return known !== undefined;
};

/** Stores a heartbeat's call, unless id or secret is unknown. Needs one write, but three for the first call after a miss. */
const acceptCallById = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  id: string,
  hash: Uint8Array,
): Promise<Heartbeat | undefined> => {
  const key = heartbeatKey(ws, id);
  const names = { "#hash": "hash" };
  const createBusyRefusal = () =>
    new Refusal("busy", "The heartbeat is called too often right now. Call again in a moment.", {
      retryAfterSeconds: 1,
    });
  return retryChange({ item: `heartbeat ${id}`, error: createBusyRefusal }, async () => {
    const now = deps.now();
    const inTime = await updateItem(deps, key, HeartbeatItem, {
      update: "SET waitsFrom = :now, lastCallAt = :now",
      condition: "#hash = :hash AND (attribute_not_exists(missed) OR attribute_exists(missed.calledAt))",
      names,
      values: { ":now": now, ":hash": hash },
    });
    if (inTime.kind === "done") return inTime.item;
    const { item } = inTime;
    if (item === undefined || !Buffer.from(item.hash).equals(hash)) return undefined;
    if (item.missed === undefined) return AGAIN;
    const { hash: _hash, ...heartbeat } = item;
    const returned = { ...heartbeat, lastCallAt: now, missed: { ...item.missed, calledAt: now } };
    await putHeartbeatCheck(deps, { ws, id, due: now, returned });
    const again = await updateItem(deps, key, HeartbeatItem, {
      update: "SET waitsFrom = :now, lastCallAt = :now, missed.calledAt = :now, checkAt = :now",
      condition: "#hash = :hash AND missed.#at = :at AND attribute_not_exists(missed.calledAt)",
      names: { ...names, "#at": "at" },
      values: { ":now": now, ":hash": hash, ":at": item.missed.at },
    });
    return again.kind === "done" ? again.item : AGAIN;
  });
};

/** Accepts a call whose URL contains a heartbeat's secret. Returns the changed heartbeat, or undefined for an unknown URL. */
export const acceptCall = async (deps: TimedDeps, secret: string): Promise<Heartbeat | undefined> => {
  const named = parseCallSecret(secret);
  return named && acceptCallById(deps, named.workspaceId, named.id, await sha256(secret));
};

/** Accepts a call of the oldest heartbeat with the name, ignoring case. Does not check that the caller is in the workspace. */
export const acceptCallByName = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  name: string,
): Promise<Heartbeat | undefined> => {
  const hasSameName = (heartbeat: Heartbeat): boolean => heartbeat.name.toLowerCase() === name.toLowerCase();
  const meant = (await listHeartbeats(deps, ws)).find(hasSameName);
  const item = meant && (await getItem(deps, heartbeatKey(ws, meant.id), HeartbeatItem, { consistent: true }));
  return item && acceptCallById(deps, ws, item.id, item.hash);
};

/** Moves a heartbeat's check to the time `due`, with other changes. Changes nothing if another request has replaced the check. */
const replaceHeartbeatCheck = async (
  deps: TableDeps,
  check: CheckItem,
  due: number,
  { values, ...change }: Expression & { update: string },
): Promise<void> => {
  const { ws, id } = check;
  await putHeartbeatCheck(deps, { ws, id, due });
  const moved = await updateItem(deps, heartbeatKey(ws, id), v.unknown(), {
    ...change,
    values: { ...values, ":next": due, ":due": check.due },
  });
  // If a clock was set back, the new check may have the due time of the old check, and therefore the same key.
  if (moved.kind === "done" && due !== check.due) await removeHeartbeatCheck(deps, check);
};

/** Moves a heartbeat's check to the time `due`, even if other fields have changed. */
export const rescheduleCheck = (deps: TableDeps, check: CheckItem, due: number): Promise<void> =>
  replaceHeartbeatCheck(deps, check, due, { update: "SET checkAt = :next", condition: "checkAt = :due" });

/** Restarts the wait for the next call at `from`, unless a call has arrived or the heartbeat has changed meanwhile. */
export const restartWait = (
  deps: TableDeps,
  { waitsFrom }: Heartbeat,
  check: CheckItem,
  { from, due }: { from: number; due: number },
): Promise<void> =>
  replaceHeartbeatCheck(deps, check, due, {
    update: "SET waitsFrom = :from, checkAt = :next",
    condition: "waitsFrom = :before AND checkAt = :due",
    values: { ":from": from, ":before": waitsFrom },
  });

/** Stores that a heartbeat's call is missing. Returns undefined if the call has arrived or the heartbeat has changed. */
export const setMissed = async (
  deps: TableDeps,
  { workspaceId: ws, id, waitsFrom, missed: before }: Heartbeat,
  check: CheckItem,
  at: number,
): Promise<Heartbeat | undefined> => {
  const earlier = before === undefined ? [] : [...(before.earlier ?? []), before.at].slice(-EARLIER_MISSES_MAX);
  const missed: Missed = { at, ...(earlier.length === 0 ? {} : { earlier }) };
  const noted = await updateItem(deps, heartbeatKey(ws, id), Heartbeat, {
    update: "SET missed = :missed",
    condition:
      "waitsFrom = :from AND checkAt = :due AND " +
      (before === undefined ? "attribute_not_exists(missed)" : "missed.#at = :before"),
    ...(before === undefined ? {} : { names: { "#at": "at" } }),
    values: {
      ":missed": missed,
      ":from": waitsFrom,
      ":due": check.due,
      ...(before === undefined ? {} : { ":before": before.at }),
    },
  });
  return noted.kind === "done" ? noted.item : undefined;
};

/** Stores the event that reports a missed call. Returns undefined if the call is no longer missing. */
export const setMissNotified = async (
  deps: TableDeps,
  { ws, id }: CheckItem,
  at: number,
  eventId: string,
): Promise<Heartbeat | undefined> => {
  const noted = await updateItem(deps, heartbeatKey(ws, id), Heartbeat, {
    update: "SET missed.eventId = :eventId",
    condition: "missed.#at = :at",
    names: { "#at": "at" },
    values: { ":eventId": eventId, ":at": at },
  });
  return noted.kind === "done" ? noted.item : undefined;
};

/** Stops the checks after a missed call was reported. The next call starts the checks again. */
export const stopChecks = async (deps: TableDeps, check: CheckItem, missedAt: number): Promise<void> => {
  const { ws, id, due } = check;
  const ended = await updateItem(deps, heartbeatKey(ws, id), Heartbeat, {
    update: "REMOVE checkAt",
    condition: "checkAt = :due AND missed.#at = :at AND attribute_not_exists(missed.calledAt)",
    names: { "#at": "at" },
    values: { ":due": due, ":at": missedAt },
  });
  if (ended.kind === "done") await removeHeartbeatCheck(deps, check);
};

/** Marks a missed call as over; starts the next wait unless paused. Does nothing if the missed call or `paused` has changed. */
export const endMiss = async (
  deps: TableDeps,
  check: CheckItem,
  { missed, paused, ...wait }: MissedHeartbeat,
): Promise<void> => {
  const condition = "checkAt = :due AND missed.#at = :at AND paused = :paused";
  const same = { names: { "#at": "at" }, values: { ":at": missed.at, ":paused": paused } };
  if (!paused) {
    const update = "SET checkAt = :next REMOVE missed";
    return replaceHeartbeatCheck(deps, check, computeCallDeadline(wait), { update, condition, ...same });
  }
  const { ws, id, due } = check;
  const change = { update: "REMOVE checkAt, missed", condition, ...same, values: { ...same.values, ":due": due } };
  const ended = await updateItem(deps, heartbeatKey(ws, id), v.unknown(), change);
  if (ended.kind === "done") await removeHeartbeatCheck(deps, check);
};
