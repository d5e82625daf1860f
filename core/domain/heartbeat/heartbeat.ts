import * as v from "valibot";
import { patchSchema } from "../basics/changes.ts";
import { Authored, versionedEntries } from "../basics/authored.ts";
import { createSecret } from "../basics/digest.ts";
import { type NewId, WorkspaceId } from "../basics/ids.ts";
import { NAME_MAX_CODE_POINTS } from "../basics/limits.ts";
import { canonicalizePriority, Priority, PrioritySpelling } from "../basics/priority.ts";
import { nameSchema } from "../basics/text.ts";
import { toIso, toIsoOrNull } from "../basics/time.ts";
import { Warning } from "../basics/warning.ts";
import type { EventContent } from "../event/event.ts";

/* A job calls its heartbeat regularly. If a call is missing, the service creates an event, which the next call resolves. */

/** Heartbeats with shorter intervals would flap, because the sweeper runs only once a minute. */
const EVERY_MIN_SECONDS = 10;
/** The longest interval: a leap year, for yearly jobs. */
const EVERY_MAX_SECONDS = 366 * 24 * 3600;

const secondsSchema = (field: string, min: number) =>
  v.pipe(
    v.number(`${field} must be a whole number of seconds.`),
    v.integer(`${field} must be a whole number of seconds.`),
    v.minValue(min, `${field} must be at least ${min} seconds.`),
    v.maxValue(EVERY_MAX_SECONDS, `${field} must be at most ${EVERY_MAX_SECONDS} seconds (366 days).`),
  );

const entries = {
  name: nameSchema("name", NAME_MAX_CODE_POINTS),
  everySeconds: secondsSchema("everySeconds", EVERY_MIN_SECONDS),
  graceSeconds: secondsSchema("graceSeconds", 0),
  priority: v.pipe(
    PrioritySpelling,
    v.transform((priority) => canonicalizePriority(priority)),
  ),
  paused: v.boolean("paused must be true or false."),
};

export const HeartbeatInput = v.strictObject({
  name: entries.name,
  everySeconds: entries.everySeconds,
  graceSeconds: v.optional(entries.graceSeconds, 60),
  priority: v.optional(entries.priority, "HIGH"),
  paused: v.optional(entries.paused, false),
});
export type HeartbeatInput = v.InferOutput<typeof HeartbeatInput>;

export const HeartbeatPatch = v.strictObject({
  ...patchSchema(entries).entries,
  /** Whether to replace the URL by a new URL. */
  newUrl: v.exactOptional(v.literal(true, "newUrl must be true or left out.")),
});
export type HeartbeatPatch = v.InferOutput<typeof HeartbeatPatch>;

/** A missed call. Times are in milliseconds. */
const Missed = v.object({
  /** When the call was due; also the id of the miss. */
  at: v.number(),
  /** The event that reports the miss; absent until it is created. */
  eventId: v.optional(v.string()),
  /** The time of the first call after the miss. */
  calledAt: v.optional(v.number()),
  /** Earlier misses since the last call, each followed by a pause and a resumption, whose events are still open. */
  earlier: v.optional(v.array(v.number())),
});
export type Missed = v.InferOutput<typeof Missed>;

const stored = {
  id: v.string(),
  workspaceId: WorkspaceId,
  name: v.string(),
  everySeconds: v.number(),
  graceSeconds: v.number(),
  priority: Priority,
  paused: v.boolean(),
};

/** `waitsFrom`, `lastCallAt` and `checkAt` are in milliseconds. */
export const Heartbeat = v.object({
  ...stored,
  ...versionedEntries,
  ...Authored.entries,
  /** When the wait for a call began: at the last call, or at creation, resumption or a change of the interval. */
  waitsFrom: v.number(),
  lastCallAt: v.optional(v.number()),
  /** The sweeper's next check; undefined while the heartbeat is paused, or after a missed call was reported. */
  checkAt: v.optional(v.number()),
  missed: v.optional(Missed),
});
export type Heartbeat = v.InferOutput<typeof Heartbeat>;

export type MissedHeartbeat = Heartbeat & { missed: Missed };
/** Returns whether a missed call was detected, even if a later call has arrived. */
export const isMissed = (heartbeat: Heartbeat | undefined): heartbeat is MissedHeartbeat =>
  heartbeat?.missed !== undefined;

/** Returns whether calls can be missed again: a miss was reported, then the heartbeat was resumed or its interval changed. */
export const isWaitingAgain = ({ missed, waitsFrom }: Pick<Heartbeat, "missed" | "waitsFrom">): boolean =>
  missed?.eventId !== undefined && missed.calledAt === undefined && waitsFrom > missed.at;

/** Returns whether the sweeper must still create the event of a miss, or of the first call after the miss. */
export const isReportPending = ({ missed, checkAt }: Pick<Heartbeat, "missed" | "checkAt">): boolean =>
  missed !== undefined && checkAt !== undefined && (missed.eventId === undefined || missed.calledAt !== undefined);

type Interval = Pick<Heartbeat, "waitsFrom" | "everySeconds" | "graceSeconds">;

/** Returns when the next call is missed unless it arrives, in milliseconds. */
export const computeCallDeadline = ({ waitsFrom, everySeconds, graceSeconds }: Interval): number =>
  waitsFrom + (everySeconds + graceSeconds) * 1000;

export const HeartbeatView = v.object({
  ...stored,
  /** `new`: no call so far. `late`: a call is overdue, but within the grace period. */
  status: v.picklist(["new", "up", "late", "missed", "paused"]),
  lastCallAt: v.nullable(v.string()),
  /** When the next call is missed unless it arrives; null for a paused or missed heartbeat. */
  missedAfter: v.nullable(v.string()),
  missedSince: v.nullable(v.string()),
  ...versionedEntries,
  ...Authored.entries,
});
export type HeartbeatView = v.InferOutput<typeof HeartbeatView>;
/** The fields of a heartbeat that clients cannot set. */
export const HEARTBEAT_MOVES: readonly string[] = [
  "status",
  "lastCallAt",
  "missedAfter",
  "missedSince",
  "url",
  "warnings",
];

/** The URL is shown only when it is created, because the service does not store the URL. */
export const HeartbeatWithUrl = v.object({ ...HeartbeatView.entries, url: v.string(), warnings: v.array(Warning) });
/** The answer to a change, with the new URL if the change created one. */
export const ChangedHeartbeat = v.object({
  ...HeartbeatView.entries,
  url: v.exactOptional(v.string()),
  warnings: v.array(Warning),
});

/** Returns since when a call is missed (milliseconds), even if not detected by the sweeper; undefined if no call is missed. */
const findMissedSince = (heartbeat: Heartbeat, now: number): number | undefined => {
  if (heartbeat.paused) return undefined;
  const { missed } = heartbeat;
  if (missed !== undefined && missed.calledAt === undefined && !isWaitingAgain(heartbeat)) return missed.at;
  const deadline = computeCallDeadline(heartbeat);
  return now >= deadline ? deadline : undefined;
};

/** Returns the status at `now` (ms). `late`: the call is overdue, but the grace period has not ended. */
const judgeHeartbeatStatus = (heartbeat: Heartbeat, now: number): HeartbeatView["status"] => {
  if (heartbeat.paused) return "paused";
  if (findMissedSince(heartbeat, now) !== undefined) return "missed";
  if (now >= heartbeat.waitsFrom + heartbeat.everySeconds * 1000) return "late";
  return heartbeat.lastCallAt === undefined ? "new" : "up";
};

export const toHeartbeatView = (heartbeat: Heartbeat, now: number): HeartbeatView => {
  const { id, workspaceId, name, everySeconds, graceSeconds, priority, paused, version } = heartbeat;
  const { createdAt, createdBy, updatedAt, updatedBy } = heartbeat;
  const since = findMissedSince(heartbeat, now);
  return {
    id,
    workspaceId,
    name,
    everySeconds,
    graceSeconds,
    priority,
    paused,
    status: judgeHeartbeatStatus(heartbeat, now),
    lastCallAt: toIsoOrNull(heartbeat.lastCallAt),
    missedAfter: paused || since !== undefined ? null : toIso(computeCallDeadline(heartbeat)),
    missedSince: toIsoOrNull(since),
    version,
    createdAt,
    createdBy,
    updatedAt,
    updatedBy,
  };
};

/** The answer to a call. `nextBefore`: when the next call is due; null for a paused heartbeat. */
export const HeartbeatCall = v.object({ ok: v.literal(true), name: v.string(), nextBefore: v.nullable(v.string()) });

export const toCallAnswer = (heartbeat: Heartbeat): v.InferOutput<typeof HeartbeatCall> => ({
  ok: true,
  name: heartbeat.name,
  nextBefore: heartbeat.paused ? null : toIso(computeCallDeadline(heartbeat)),
});

const SHAPE = /^call_(?<workspace>[0-9A-Za-z]{1,64})_(?<heartbeat>[0-9A-Za-z]{1,64})_[0-9A-Za-z_-]{43}$/;

/** Returns the last segment of the call URL: workspace, heartbeat and 256 random bits. */
export const createCallSecret = async (newId: NewId, workspaceId: WorkspaceId, id: string): Promise<string> => {
  const secret = await createSecret(newId);
  return `call_${workspaceId.slice("ws_".length)}_${id.slice("hb_".length)}_${secret}`;
};

/** Reads the ids from the last segment of a call URL; undefined if it is malformed. Does not check the random bits. */
export const parseCallSecret = (secret: string): { workspaceId: WorkspaceId; id: string } | undefined => {
  const { workspace, heartbeat } = SHAPE.exec(secret)?.groups ?? {};
  if (workspace === undefined || heartbeat === undefined) return undefined;
  return { workspaceId: `ws_${workspace}`, id: `hb_${heartbeat}` };
};

const UNITS = [
  { seconds: 86_400, name: "d" },
  { seconds: 3_600, name: "h" },
  { seconds: 60, name: "min" },
] as const;

/** Formats seconds in the largest unit that divides them, such as `2 h`. */
const formatDuration = (seconds: number): string => {
  const unit = UNITS.find((one) => seconds >= one.seconds && seconds % one.seconds === 0);
  return unit === undefined ? `${seconds} s` : `${seconds / unit.seconds} ${unit.name}`;
};

/** Returns the `dedupeKey` of the miss's event, which the next call's event resolves. */
const formatMissKey = ({ id, missed }: MissedHeartbeat): string => `heartbeat:${id}:${toIso(missed.at)}`;

export type ReturnedHeartbeat = MissedHeartbeat & { missed: { calledAt: number } };
/** Returns whether a call has arrived after a missed call. */
export const hasReturned = (heartbeat: Heartbeat | undefined): heartbeat is ReturnedHeartbeat =>
  heartbeat?.missed?.calledAt !== undefined;

const toHeartbeatData = ({ id, name, everySeconds, graceSeconds }: Heartbeat) => ({
  heartbeat: name,
  heartbeat_id: id,
  every_seconds: everySeconds,
  grace_seconds: graceSeconds,
});

export const buildMissedHeartbeatEvent = (heartbeat: MissedHeartbeat): EventContent => {
  const { id, name, everySeconds, graceSeconds, priority, missed } = heartbeat;
  const before = missed.at - (everySeconds + graceSeconds) * 1000;
  const last = heartbeat.lastCallAt === undefined ? undefined : Math.min(heartbeat.lastCallAt, before);
  const since = last === undefined ? "No call has ever arrived." : `The last call arrived at ${toIso(last)}.`;
  const interval = `every ${formatDuration(everySeconds)}, with a grace period of ${formatDuration(graceSeconds)}`;
  return {
    eventKey: "heartbeat.missed",
    title: `Heartbeat missed: ${name}`,
    body: `No call arrived by ${toIso(missed.at)}. ${since} A call is due ${interval}.`,
    priority,
    data: toHeartbeatData(heartbeat),
    dedupeKey: formatMissKey(heartbeat),
    sender: { id, name },
    heartbeat: { id, name, missedAt: toIso(missed.at), calledAt: null },
    notice: { unlessMatched: true },
  };
};

/** Builds the event that reports the first call after a missed call, and resolves the miss's event. */
export const buildReturnedHeartbeatEvent = (heartbeat: ReturnedHeartbeat): EventContent => {
  const { id, name, missed } = heartbeat;
  const calledAt = toIso(missed.calledAt);
  return {
    eventKey: "heartbeat.resolved",
    title: `Heartbeat is back: ${name}`,
    body: `A call arrived at ${calledAt}. Calls had been missing since ${toIso(missed.at)}.`,
    priority: "LOW",
    data: toHeartbeatData(heartbeat),
    resolves: formatMissKey(heartbeat),
    sender: { id, name },
    heartbeat: { id, name, missedAt: toIso(missed.at), calledAt },
  };
};
