import * as v from "valibot";
import type { TableDeps, TimedDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import type { Addition } from "../../domain/statistics/statistics.ts";
import { fromIso } from "../../domain/basics/time.ts";
import { DAY_MS, WEEK_MS } from "../../domain/basics/units.ts";
import { computeDeletableTime } from "../../domain/workspace/retention.ts";
import { deflatedSchema, deflate } from "../codec.ts";
import {
  countMarkKey,
  countMarkPrefix,
  parseSeqOfKey,
  statisticsKey,
  statisticsPk,
  statisticsProgressKey,
} from "../keys.ts";
import { deleteItem, getItem, putItem, putItemIf, queryItems, updateItem } from "../table.ts";

/* Runs count events. A run's numbers are stored, then added to each row, which names the run: a retry skips the row. */

const KINDS = { workspace: "ALL", rule: "RULE", group: "GROUP", person: "PERSON" } as const;
export type SubjectKind = keyof typeof KINDS;

const SubjectItem = v.variant("kind", [
  v.object({ kind: v.literal("workspace") }),
  v.object({ kind: v.picklist(["rule", "group", "person"]), id: v.string(), name: v.string() }),
]);

const AdditionItem = v.object({ week: v.string(), subject: SubjectItem, counts: v.record(v.string(), v.number()) });

/** An event that was open at the last check: its arrival time, its number of counted steps, and whether the event was counted. */
const WaitingEvent = v.object({ seq: v.number(), at: v.number(), fired: v.number(), isCounted: v.boolean() });
export type WaitingEvent = v.InferOutput<typeof WaitingEvent>;

const Run = v.object({
  additions: v.array(AdditionItem),
  /** The event numbers of the events that a person resolved and that are counted as resolved. */
  resolved: v.array(v.number()),
});
export type Run = v.InferOutput<typeof Run>;

const ProgressItem = v.object({
  run: v.number(),
  /** The number of the last counted event. */
  upTo: v.number(),
  waiting: deflatedSchema(v.array(WaitingEvent)),
  /** The numbers that the last run adds to the statistics; stored until all numbers are added. */
  pending: v.optional(deflatedSchema(Run)),
});
export type Progress = { run: number; upTo: number; waiting: WaitingEvent[]; pending: Run | undefined };

/** Reads how far the statistics have counted a workspace's events. */
export const readCountProgress = async (deps: TableDeps, ws: WorkspaceId): Promise<Progress> => {
  const item = await getItem(deps, statisticsProgressKey(ws), ProgressItem);
  return item === undefined ? { run: 0, upTo: 0, waiting: [], pending: undefined } : { ...item, pending: item.pending };
};

/** Stores a new counting run. Returns false if another run was stored after `progress` was read. */
export const beginCountRun = async (
  deps: TableDeps,
  ws: WorkspaceId,
  progress: Progress,
  next: Pick<Progress, "upTo" | "waiting"> & { pending: Run },
): Promise<boolean> => {
  const item = {
    run: progress.run + 1,
    upTo: next.upTo,
    waiting: deflate(next.waiting),
    pending: deflate(next.pending),
  };
  const isSeen = { condition: "#run = :run", names: { "#run": "run" }, values: { ":run": progress.run } };
  const put = await putItemIf(deps, statisticsProgressKey(ws), item, ProgressItem, progress.run === 0 ? {} : isSeen);
  return put.kind === "done";
};

/** Removes the pending additions of a finished counting run, unless a newer run was stored. */
export const endCountRun = async (deps: TableDeps, ws: WorkspaceId, run: number): Promise<void> => {
  await updateItem(deps, statisticsProgressKey(ws), ProgressItem, {
    update: "REMOVE pending",
    condition: "#run = :run",
    names: { "#run": "run" },
    values: { ":run": run },
  });
};

const RowItem = v.objectWithRest(
  { pk: v.string(), sk: v.string(), run: v.number(), ttl: v.optional(v.number()), name: v.string() },
  v.number(),
);

const MONTH_MS = 31 * DAY_MS;

/** Adds a counting run's numbers to the statistics of one subject in one week or month. Idempotent for each run. */
export const addToStatistics = async (
  deps: TableDeps,
  ws: WorkspaceId,
  run: number,
  { week, subject, counts }: Addition,
  keptDays: number,
): Promise<void> => {
  const entries = Object.entries(counts);
  const id = subject.kind === "workspace" ? "" : subject.id;
  await updateItem(deps, statisticsKey(ws, KINDS[subject.kind], week, id), RowItem, {
    update: `SET #run = :run, #name = :name, #ttl = :ttl ADD ${entries.map((_, index) => `#c${index} :c${index}`).join(", ")}`,
    condition: "attribute_not_exists(#run) OR #run < :run",
    names: {
      "#run": "run",
      "#name": "name",
      "#ttl": "ttl",
      ...Object.fromEntries(entries.map(([name], index) => [`#c${index}`, name])),
    },
    values: {
      ":run": run,
      ":name": subject.kind === "workspace" ? "" : subject.name,
      ":ttl": computeDeletableTime((fromIso(week) ?? 0) + (subject.kind === "person" ? MONTH_MS : WEEK_MS), keptDays),
      ...Object.fromEntries(entries.map(([, count], index) => [`:c${index}`, count])),
    },
  });
};

/** Lists the statistics of all subjects of a kind in the weeks from `from` to `to` (inclusive), the oldest week first. */
export const listStatisticsRows = async (
  deps: TableDeps,
  ws: WorkspaceId,
  kind: SubjectKind,
  weeks: { from: string; to: string },
): Promise<Addition[]> => {
  const range = {
    pk: statisticsPk(ws),
    from: statisticsKey(ws, KINDS[kind], weeks.from).sk,
    to: statisticsKey(ws, KINDS[kind], weeks.to, "~").sk,
  };
  const items = await queryItems(deps, range, RowItem, { consistent: false });
  return items.map(({ pk: _pk, sk, run: _run, ttl: _ttl, name, ...counts }) => {
    const [, week = "", id = ""] = sk.split("#");
    return { week, subject: kind === "workspace" ? { kind } : { kind, id, name }, counts };
  });
};

const ResolvedItem = v.object({ sk: v.string(), at: v.number() });

/** Stores that a person is about to resolve an event, so that the statistics count the resolution. */
export const putCountMark = (deps: TimedDeps, ws: WorkspaceId, seq: number): Promise<void> =>
  putItem(deps, countMarkKey(ws, seq), { at: deps.now() });

/** Lists the events that a person has resolved and that the statistics must still count. */
export const listCountMarks = async (deps: TableDeps, ws: WorkspaceId): Promise<{ seq: number; at: number }[]> => {
  const items = await queryItems(deps, { pk: statisticsPk(ws), prefix: countMarkPrefix }, ResolvedItem);
  return items.map(({ sk, at }) => ({ seq: parseSeqOfKey({ sk: sk.slice(countMarkPrefix.length) }), at }));
};

export const removeCountMark = (deps: TableDeps, ws: WorkspaceId, seq: number): Promise<void> =>
  deleteItem(deps, countMarkKey(ws, seq));
