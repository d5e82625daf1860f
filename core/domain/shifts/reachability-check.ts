import * as v from "valibot";
import { wholeNumber } from "../basics/number.ts";
import { toIso } from "../basics/time.ts";
import { MINUTE_MS } from "../basics/units.ts";
import { isVerified, linesOf, type Device } from "../device/device.ts";
import { TellingWay } from "../device/channel.ts";
import { type DutyGroup, nextChange, stretches } from "../on-call/index.ts";

/*
 * Before somebody comes on call, one of their devices must confirm a message that it was sent. The ways are tried one after the
 * other, each for as long as the others; what is left of the time is for whoever would have to stay on call.
 */

const PROOF_MINUTES_MIN = 10;
export const PROOF_MINUTES_MAX = 24 * 60;

/** Whether shifts begin with a proof, and how long before. */
export const ProveShifts = v.nullable(
  v.strictObject(
    { minutesBefore: wholeNumber("minutesBefore", PROOF_MINUTES_MIN, PROOF_MINUTES_MAX) },
    "proveShifts must be null or an object: {minutesBefore}.",
  ),
);
export type ProveShifts = v.InferOutput<typeof ProveShifts>;

/** Somebody comes on call in a group. `before`: who is on call until then. Times in milliseconds. */
export type ComingShift = { groupId: string; userId: string; start: number; before: string[] };

/** What is known of whoever comes on call: which ways are tried from when on, and what came of it. */
export const ShiftProof = v.object({
  groupId: v.string(),
  userId: v.string(),
  start: v.number(),
  before: v.array(v.string()),
  /** When the first way was tried, or would have been. */
  since: v.number(),
  /** The tries, in order. */
  ways: v.array(TellingWay),
  /** How many of them were made. */
  asked: v.number(),
  provenAt: v.optional(v.number()),
  /** When those were told whom it concerns that nothing was confirmed. */
  toldAt: v.optional(v.number()),
});
export type ShiftProof = v.InferOutput<typeof ShiftProof>;

/** Who comes on call in a group within a time, its end included: those who were not on call just before. */
export const comingShifts = (
  groupId: string,
  group: DutyGroup,
  { from, to }: { from: number; to: number },
): ComingShift[] => {
  const coming: ComingShift[] = [];
  let before: string[] | undefined;
  for (const { start, people } of stretches(group, from, to + 1)) {
    const now = people.map(({ userId }) => userId);
    for (const userId of now) if (before?.includes(userId) === false) coming.push({ groupId, userId, start, before });
    before = now;
  }
  return coming;
};

/** Silent ones first. A push costs nothing, and is sent once more before anything that does, or that rings. */
const ORDER: readonly TellingWay[] = ["push", "push", "sms", "email", "voice"];

/** The ways that are tried for somebody with these devices. An app that sends no receipts can confirm nothing. */
const waysToTry = (devices: readonly Device[]): TellingWay[] => {
  const lines = linesOf(devices.filter((device) => isVerified(device)));
  const has = (wanted: TellingWay): boolean =>
    lines.some(
      ({ way, device }) => (way ?? "push") === wanted && (way !== undefined || device.receiptKey !== undefined),
    );
  return ORDER.filter(has);
};

export const beginProof = (shift: ComingShift, devices: readonly Device[], now: number): ShiftProof => ({
  ...shift,
  since: now,
  ways: waysToTry(devices),
  asked: 0,
});

/** When a try is due, counted from 0; one more than there are: when nothing more is waited for. */
const dueOf = ({ since, start, ways }: ShiftProof, nr: number): number =>
  since + Math.floor((nr * Math.max(0, start - since)) / (ways.length + 1));

/** Whether a device has confirmed anything since the proof began. */
export const isConfirmed = (devices: readonly Device[], since: number): boolean =>
  devices.some((device) => isVerified(device) && (device.lastDeliveredAt ?? "") >= toIso(since));

/** What is to be done for a proof now. */
export type ProofStep = { kind: "proven" } | { kind: "try"; way: TellingWay } | { kind: "tell" } | { kind: "wait" };

export const stepOf = (proof: ShiftProof, devices: readonly Device[], now: number): ProofStep => {
  if (proof.provenAt !== undefined) return { kind: "wait" };
  if (isConfirmed(devices, proof.since)) return { kind: "proven" };
  const way = proof.ways[proof.asked];
  if (now < dueOf(proof, proof.asked) || proof.toldAt !== undefined) return { kind: "wait" };
  return way === undefined ? { kind: "tell" } : { kind: "try", way };
};

/** While the ways are tried, each minute counts. */
const isUnderWay = ({ provenAt, toldAt }: ShiftProof): boolean => provenAt === undefined && toldAt === undefined;

/** Changes of a schedule are noticed within this time. */
const LOOK_EVERY_MS = 5 * MINUTE_MS;
const LOOK_AHEAD_DAYS = 2;

/** The next moment on a grid, so that two looks of one workspace meet. */
const onGrid = (now: number, every: number): number => (Math.floor(now / every) + 1) * every;

/** When to look at the shifts of a workspace's groups again. */
export const nextProofLook = (
  proofs: readonly ShiftProof[],
  groups: readonly DutyGroup[],
  minutesBefore: number,
  now: number,
): number => {
  const ahead = minutesBefore * MINUTE_MS;
  const begins = groups.map((group) => (nextChange(group, now + ahead, LOOK_AHEAD_DAYS)?.at ?? Infinity) - ahead);
  return Math.min(onGrid(now, proofs.some(isUnderWay) ? MINUTE_MS : LOOK_EVERY_MS), ...begins);
};

/** Whether whoever is on call was proven to be reachable when they came; null if nothing was asked of them. */
export const isProven = (
  proofs: readonly ShiftProof[],
  { groupId, userId, at }: { groupId: string; userId: string; at: number },
): boolean | null => {
  const proof = proofs.findLast((one) => one.groupId === groupId && one.userId === userId && one.start <= at);
  if (proof === undefined) return null;
  if (proof.provenAt !== undefined) return true;
  return proof.toldAt === undefined ? null : false;
};
