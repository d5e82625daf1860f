import type { Deps } from "../../deps.ts";
import { parsePackId } from "../../domain/basics/ids.ts";
import { SECOND_MS } from "../../domain/basics/units.ts";
import {
  hasRateLimitedChannel,
  startPackAttempts,
  createNextAttempts,
  computePackExpiry,
  hasVoiceChannel,
  type Devices,
} from "../../domain/delivery/attempts.ts";
import type { Pace } from "../../domain/delivery/pace.ts";
import { isPackFinished, isStepDue, type Pack, type PackAttempts } from "../../domain/delivery/pack.ts";
import type { ReceiptKeys } from "../../domain/delivery/receipt.ts";
import { toAddress, type PaidChannel } from "../../domain/device/device.ts";
import type { PackMessage } from "../../queue/messages.ts";
import { readDevices } from "../../store/people/devices.ts";
import { claimPack, readPack, type Claim } from "../../store/delivery/packs.ts";
import type { Budget } from "../admin/budget.ts";
import { readReceiptKeys } from "../respond/receipt-for.ts";
import { claimTurns, type TurnDeps } from "./channel-turns.ts";

/** The duration of a lease: longer than the push worker's timeout (30 s), so an expired lease belongs to a dead invocation. */
export const SEND_LEASE_MS = 40 * SECOND_MS;

type TakeDeps = TurnDeps & Pick<Deps, "push" | "receiptKeys" | "newId">;

/** Counts the text messages and calls of the attempts against the workspace's monthly budget. */
const reserveBudget = async (budget: Budget, attempts: PackAttempts): Promise<void> => {
  const sending = [...attempts.values()].flatMap((ofOne) => Object.values(ofOne));
  const countMessagesToSend = (channel: PaidChannel): number =>
    sending.filter((one) => one.outcome === "sending" && one.way === channel).length;
  await budget.reserve("sms", countMessagesToSend("sms"));
  await budget.reserve("voice", countMessagesToSend("voice"));
};

/**
 * Returns a time (ms): the message starts the notification steps that are due by the returned time. A pack's first message has
 * the pack's own time, so that only immediate steps start. A pack's later message starts all due steps.
 */
export const computeLatestStepTime = (
  deps: Pick<Deps, "now">,
  { marker, packId }: Pick<PackMessage, "marker" | "packId">,
): number => (marker.ring === undefined ? (parsePackId(packId)?.at ?? 0) : Math.max(deps.now(), marker.due));

/** Returns whether the pack is finished and the message has no notification step to start. */
export const isPackDone = (deps: Pick<Deps, "now">, message: PackMessage, pack: Pack): boolean =>
  isPackFinished(pack) && !isStepDue(pack, computeLatestStepTime(deps, message));

/** A pack with the lease of this worker. `claimedAt`: when the lease began, in milliseconds. */
export type PackClaim = {
  pack: Pack;
  lease: { id: string; until: number };
  claimedAt: number;
  devices: Devices;
  receiptKeys: ReceiptKeys | undefined;
};

/** `taken`: the pack was claimed. `left`: the pack needs no claim now. `unready`: no credentials. `hurried`: too little time. */
type ClaimResult =
  | { kind: "taken"; claim: PackClaim }
  | { kind: "left"; pack: Pack | undefined }
  | { kind: "unready" }
  | { kind: "hurried" };

/** Reads all secrets; undefined if nothing can be sent now. Called before the claim: a crash after a claim looks like a push. */
const readPushSecrets = async (
  deps: TakeDeps,
  devices: Devices,
): Promise<{ receiptKeys: ReceiptKeys | undefined } | undefined> => {
  const all = [...devices.values()].flat();
  const [isReady, receiptKeys] = await Promise.all([deps.push.prepare(all.map(toAddress)), readReceiptKeys(deps, all)]);
  return isReady ? { receiptKeys } : undefined;
};

/** Returns whether the pack still has something to send. Expired or finished packs need no credentials. */
const isPackWaiting = async (deps: TakeDeps, message: PackMessage): Promise<boolean> => {
  const pack = await readPack(deps, message.marker.ws, message.packId);
  if (pack === undefined) return false;
  return (
    isStepDue(pack, computeLatestStepTime(deps, message)) ||
    (!isPackFinished(pack) && deps.now() <= computePackExpiry(pack))
  );
};

/** Returns whether to read a pack before its claim: if it has own notification steps, calls, or a channel with a limited rate. */
const mustReadBeforeClaim = ({ rings }: PackMessage, devices: Devices, pace: Pace = {}): boolean =>
  rings === true || hasVoiceChannel(devices) || hasRateLimitedChannel(devices, pace);

/** Claims a pack and stores `firstAttempts` without a read. Without `firstAttempts`, reads the pack and claims nothing. */
const claimOrRead = async (
  deps: TakeDeps,
  message: PackMessage,
  lease: { id: string; until: number },
  firstAttempts: PackAttempts | undefined,
): Promise<Claim> => {
  const { ws } = message.marker;
  if (firstAttempts !== undefined) return claimPack(deps, ws, message.packId, lease, undefined, firstAttempts);
  const pack = await readPack(deps, ws, message.packId);
  return pack === undefined ? { kind: "missing" } : { kind: "refused", pack };
};

/**
 * Claims the pack of a message. First tries to claim the pack without a read. If the claim is refused, the pack that the write
 * returns decides about another try. Counts paid messages before the claim. A count after the claim could delay a push, and an
 * invocation that dies while it counts would seem to have sent the push.
 */
export const claimPackOfMessage = async (
  deps: TakeDeps,
  message: PackMessage,
  budget: Budget,
  hasTime: () => boolean,
): Promise<ClaimResult> => {
  const { ws } = message.marker;
  const known = await readDevices(deps, ws, message.userIds, { members: message.members });
  const ready = await readPushSecrets(deps, known);
  if (ready === undefined && (await isPackWaiting(deps, message))) return { kind: "unready" };
  const fresh = mustReadBeforeClaim(message, known, deps.pace) ? undefined : startPackAttempts(message.userIds, known);
  if (fresh !== undefined) await reserveBudget(budget, fresh);
  if (!hasTime()) return { kind: "hurried" };
  const { receiptKeys } = ready ?? {};
  const claimedAt = deps.now();
  const lease = { id: deps.newId("lease"), until: claimedAt + SEND_LEASE_MS };
  const claim = await claimOrRead(deps, message, lease, fresh);
  if (claim.kind === "claimed")
    return { kind: "taken", claim: { pack: claim.pack, lease, claimedAt, devices: known, receiptKeys } };
  if (claim.kind === "missing") throw new Error(`pack ${message.packId} is not stored`);
  const { pack } = claim;
  const held = pack.lease !== undefined && pack.lease.until > deps.now();
  const at = computeLatestStepTime(deps, message);
  const isPutOff = (pack.retryAt ?? 0) > deps.now();
  const early = isPutOff && !isStepDue(pack, at);
  // If the invocation that has claimed the pack dies, the sweeper repeats the work after the lease.
  if (held || early || isPackDone(deps, message, pack)) return { kind: "left", pack };
  // A stale read could miss a new device, or return a device that now belongs to another user.
  const devices = await readDevices(deps, ws, message.userIds, { consistent: true });
  const urgent = message.urgent === true;
  const next = await claimTurns(deps, createNextAttempts(pack, devices, at, isPutOff), { urgent });
  await reserveBudget(budget, next);
  const pagedAt = message.rings === true ? Math.max(at, pack.rangAt ?? 0) : undefined;
  const again = await claimPack(deps, ws, message.packId, lease, pack.lease, next, pagedAt);
  if (again.kind === "claimed")
    return { kind: "taken", claim: { pack: again.pack, lease, claimedAt, devices, receiptKeys } };
  return { kind: "left", pack: again.kind === "refused" ? again.pack : undefined };
};
