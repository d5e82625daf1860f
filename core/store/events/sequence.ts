import { QueryCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import type { TableDeps, TimedDeps } from "../../deps.ts";
import { WorkspaceId } from "../../domain/basics/ids.ts";
import { parseOrThrow } from "../../domain/basics/read-own.ts";
import {
  computeChildIndex,
  computeFirstNumberOfLeaf,
  computeNodeIndex,
  sumCounts,
  TOP_LEVEL,
  type LostCounts,
} from "../../domain/event/lost-numbers.ts";
import { FIRST_PROBE_NUMBER } from "../../domain/event/probe.ts";
import type { Control } from "../../domain/workspace/control.ts";
import { computePreviousDay, computeLastPastDay, type Edge } from "../../domain/workspace/retention.ts";
import {
  auditProgressKey,
  dueAuditKey,
  dueAuditsPk,
  dayKey,
  parseDayOfKey,
  eventRange,
  eventsPks,
  isProgressKey,
  lostKey,
  lostNumbersPk,
  parseSeqOfKey,
  shards,
} from "../keys.ts";
import { createDueLister } from "../due-lister.ts";
import { deleteItem, getItem, putItem, putItemIf, queryItems, updateItem } from "../table.ts";

/* A tree contains the lost numbers, which have no event. Totals and pages omit these. A leaf of the tree covers 1,024 numbers. */

const LeafItem = v.object({
  /** The lost numbers, as offsets from the leaf's first number. */
  numbers: v.optional(v.set(v.number())),
  /** The node's number of changes, so that a late count does not replace a newer count. */
  version: v.number(),
});

/** One attribute per child: the number of lost numbers below the child, and the version of the child that had this number. */
const NodeItem = v.objectWithRest(
  { pk: v.string(), sk: v.string(), version: v.number() },
  v.tuple([v.number(), v.number()]),
);

const toLostCounts = ({
  pk: _pk,
  sk: _sk,
  version: _version,
  ...children
}: v.InferOutput<typeof NodeItem>): LostCounts =>
  new Map(Object.entries(children).map(([child, [lost]]) => [Number(child), lost]));

/** Returns how many numbers are lost below each child of a node. The children of a leaf (level 0) are the lost numbers. */
export const readLostCounts = async (
  deps: TableDeps,
  ws: WorkspaceId,
  level: number,
  node: number,
): Promise<LostCounts> => {
  const key = lostKey(ws, level, node);
  if (level > 0) {
    const item = await getItem(deps, key, NodeItem);
    return item === undefined ? new Map() : toLostCounts(item);
  }
  const leaf = await getItem(deps, key, LeafItem);
  return new Map([...(leaf?.numbers ?? [])].map((offset) => [computeFirstNumberOfLeaf(node) + offset, 1]));
};

/** Updates the counts of lost numbers in every node above a leaf, from the bottom up. */
const updateLostCounts = async (
  deps: TableDeps,
  ws: WorkspaceId,
  number: number,
  leaf: v.InferOutput<typeof LeafItem>,
): Promise<void> => {
  let lost = leaf.numbers?.size ?? 0;
  let { version } = leaf;
  for (let level = 1; level <= TOP_LEVEL; level += 1) {
    const { item } = await updateItem(deps, lostKey(ws, level, computeNodeIndex(level, number)), NodeItem, {
      update: "SET #child = :count ADD #version :one",
      condition: "attribute_not_exists(#child) OR #child[1] < :version",
      names: { "#child": String(computeChildIndex(level, number)), "#version": "version" },
      values: { ":count": [lost, version], ":version": version, ":one": 1 },
    });
    if (item === undefined) throw new Error(`lost sequence number ${number} of ${ws} has no parent node`);
    // If a newer count is stored, it is used for the levels above, because its writer may have died before it updated them.
    lost = sumCounts(toLostCounts(item));
    version = item.version;
  }
};

/** Marks numbers as lost, except numbers of probes. Idempotent; a repeated call completes an interrupted call. */
export const markLost = async (deps: TableDeps, ws: WorkspaceId, numbers: readonly number[]): Promise<void> => {
  const ofEvents = numbers.filter((number) => number < FIRST_PROBE_NUMBER);
  for (const [leaf, some] of Map.groupBy(ofEvents, (number) => computeNodeIndex(0, number))) {
    const { item } = await updateItem(deps, lostKey(ws, 0, leaf), LeafItem, {
      update: "ADD #numbers :numbers, #version :one",
      names: { "#numbers": "numbers", "#version": "version" },
      values: { ":numbers": new Set(some.map((number) => number - computeFirstNumberOfLeaf(leaf))), ":one": 1 },
    });
    if (item !== undefined) await updateLostCounts(deps, ws, computeFirstNumberOfLeaf(leaf), item);
  }
};

/** Unmarks a lost number, because its event has arrived. Changes nothing if the number is not lost. */
export const unmarkLost = async (deps: TableDeps, ws: WorkspaceId, number: number): Promise<void> => {
  const leaf = computeNodeIndex(0, number);
  const offset = number - computeFirstNumberOfLeaf(leaf);
  const { item } = await updateItem(deps, lostKey(ws, 0, leaf), LeafItem, {
    update: "DELETE #numbers :numbers ADD #version :one",
    condition: "contains(#numbers, :number)",
    names: { "#numbers": "numbers", "#version": "version" },
    values: { ":numbers": new Set([offset]), ":number": offset, ":one": 1 },
  });
  // The counts are updated even if the number is not lost, because an interrupted attempt may not have updated the counts.
  if (item !== undefined) await updateLostCounts(deps, ws, number, item);
};

const AuditedItem = v.object({
  checked: v.number(),
  /** The last event number that had been assigned when the previous audit ran. */
  pending: v.number(),
  /** The time of the previous audit, in milliseconds. */
  at: v.number(),
});
export type Audited = v.InferOutput<typeof AuditedItem>;

export const readAuditProgress = async (deps: TableDeps, ws: WorkspaceId): Promise<Audited> =>
  (await getItem(deps, auditProgressKey(ws), AuditedItem)) ?? { checked: 0, pending: 0, at: 0 };

/** Stores up to which event number audits have checked. Returns false if another audit has stored its progress since `seen`. */
export const storeAuditProgress = async (
  deps: TableDeps,
  ws: WorkspaceId,
  seen: Audited,
  next: Audited,
): Promise<boolean> => {
  const isSeen = {
    condition: "checked = :checked AND pending = :pending AND #at = :at",
    names: { "#at": "at" },
    values: { ":checked": seen.checked, ":pending": seen.pending, ":at": seen.at },
  };
  return (await putItemIf(deps, auditProgressKey(ws), next, AuditedItem, seen.at === 0 ? {} : isSeen)).kind === "done";
};

const DayItem = v.object({ sk: v.string(), last: v.number() });

/** Returns the last number that was assigned up to a day (UTC), as stored by the audits. */
const readLastSeq = async (deps: TableDeps, ws: WorkspaceId, day: string): Promise<number> => {
  const range = { pk: lostNumbersPk(ws), from: dayKey(ws, "").sk, to: dayKey(ws, day).sk };
  const [item] = await queryItems(deps, range, DayItem, { consistent: false, descending: true, limit: 1 });
  return item?.last ?? 0;
};

const isEdgeValidOn = (day: string, edge: Edge | undefined): edge is Edge => edge !== undefined && day <= edge.through;

/** Returns the last event number past retention: the stored number (`edge`) or, if `edge` is outdated, a newly read number. */
export const readEdge = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  { retention, edge }: Pick<Control, "retention" | "edge">,
): Promise<number> => {
  const day = computeLastPastDay(retention, deps.now());
  return isEdgeValidOn(day, edge) ? edge.number : readLastSeq(deps, ws, day);
};

/** Returns the last event number past retention, and until which day it is valid; undefined if the stored one still is valid. */
export const findNewRetentionEdge = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  { retention, edge }: Pick<Control, "retention" | "edge">,
): Promise<Edge | undefined> => {
  const day = computeLastPastDay(retention, deps.now());
  if (isEdgeValidOn(day, edge)) return undefined;
  const range = { pk: lostNumbersPk(ws), from: `${dayKey(ws, day).sk}~`, to: dayKey(ws, "~").sk };
  const [next] = await queryItems(deps, range, DayItem, { consistent: false, limit: 1 });
  return {
    through: next === undefined ? day : computePreviousDay(parseDayOfKey(next)),
    number: await readLastSeq(deps, ws, day),
  };
};

/** Stores a day's last event number; under a later day if an instance with a faster clock has already stored a later day. */
export const setLastNumber = async (deps: TableDeps, ws: WorkspaceId, day: string, seq: number): Promise<void> => {
  const range = { pk: lostNumbersPk(ws), from: dayKey(ws, "").sk, to: dayKey(ws, "~").sk };
  const [newest] = await queryItems(deps, range, DayItem, { descending: true, limit: 1 });
  if (seq <= (newest?.last ?? 0)) return;
  const known = newest === undefined ? day : parseDayOfKey(newest);
  await putItemIf(deps, dayKey(ws, known > day ? known : day), { last: seq }, DayItem, {
    condition: "attribute_not_exists(pk) OR #last < :last",
    names: { "#last": "last" },
    values: { ":last": seq },
  });
};

const KeysPage = v.array(v.object({ sk: v.string() }));

/** Returns the numbers from `from` to `to` that have a stored event. Strongly consistent. */
export const listStoredNumbers = async (
  deps: TableDeps,
  ws: WorkspaceId,
  { from, to }: { from: number; to: number },
): Promise<Set<number>> => {
  const shares = await Promise.all(eventsPks(ws, from, to).map((pk) => listStoredNumbersIn(deps, pk, { from, to })));
  return new Set(shares.flat());
};

const listStoredNumbersIn = async (
  deps: TableDeps,
  pk: string,
  { from, to }: { from: number; to: number },
): Promise<number[]> => {
  const range = eventRange(from, to);
  const found: number[] = [];
  let start: Record<string, unknown> | undefined;
  do {
    const page = await deps.table.client.send(
      new QueryCommand({
        TableName: deps.table.name,
        KeyConditionExpression: "pk = :pk AND sk BETWEEN :from AND :to",
        ExpressionAttributeValues: { ":pk": pk, ":from": range.from, ":to": range.to },
        ProjectionExpression: "sk",
        ConsistentRead: true,
        ...(start === undefined ? {} : { ExclusiveStartKey: start }),
      }),
    );
    for (const key of parseOrThrow("a page of keys", KeysPage, page.Items ?? []))
      if (!isProgressKey(key)) found.push(parseSeqOfKey(key));
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
  return found;
};

const AuditItem = v.object({ ws: WorkspaceId, due: v.number() });
export type Audit = v.InferOutput<typeof AuditItem>;

/** Schedules the next audit of a workspace. Every workspace always has one scheduled audit. */
export const scheduleAudit = (deps: TableDeps, audit: Audit): Promise<void> =>
  putItem(deps, dueAuditKey(audit.due, audit.ws), audit);

export const removeAudit = (deps: TableDeps, audit: Audit): Promise<void> =>
  deleteItem(deps, dueAuditKey(audit.due, audit.ws));

/** Returns the ids of all workspaces by a query of each shard's audits, which costs less than a scan. Eventually consistent. */
export const listAuditedWorkspaces = async (deps: TableDeps): Promise<WorkspaceId[]> => {
  const audits = await Promise.all(
    shards.map((shard) => queryItems(deps, { pk: dueAuditsPk(shard) }, AuditItem, { consistent: false })),
  );
  return [...new Set(audits.flat().map(({ ws }) => ws))];
};

export const listDueAudits = /* @__PURE__ */ createDueLister(dueAuditsPk, AuditItem);
