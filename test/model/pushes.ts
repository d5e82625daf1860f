import type { WorkspaceId } from "../../core/domain/basics/ids.ts";
import type { Ws } from "./history.ts";
import { findEndOfEscalation } from "./lifecycle.ts";
import {
  findAcknowledgedAt,
  findLife,
  rankOf,
  countFailedCalls,
  type Action,
  type WorkspaceModel,
  type NotificationView,
  type Play,
} from "./play.ts";
import { listValuesWithin } from "./specification.ts";

/** The longest time between the sender's last check of an event and the event's push. */
const LOOK_TO_PUSH_MS = 50;

const isReachableToken = (token: string): boolean => !token.startsWith("stale-") && !token.startsWith("invalid-");

/** Checks that a push went to exactly the devices that the person had at that time. */
export const judgePushes = (
  play: Play,
  model: WorkspaceModel,
  seen: NotificationView,
  resolved: readonly Action[],
): void => {
  const { world, violations } = play;
  const sentAt = play.seen.sentAt(model.fixture.ws, seen.id) ?? world.kernel.now();
  const { ws } = model.fixture;
  const addViolation = (text: string) =>
    violations.push(`${ws} ${seen.id} of ${seen.user.id}, ${seen.status}: ${text}`);
  const calls = world.fcm.calls.filter((call) => call.workspaceId === ws && call.notificationId === seen.id);
  const sets = listValuesWithin(play.devices, Date.parse(seen.createdAt), sentAt).map(
    (devices) => devices[ws as Ws][seen.user.id] ?? [],
  );
  for (const { token } of calls)
    if (!sets.some((tokens) => tokens.includes(token)))
      addViolation(`pushed to ${token}, which belongs to somebody else`);
  const taken = new Set(calls.filter(({ acceptedAt }) => acceptedAt !== undefined).map(({ token }) => token));
  const reported = model.reports.get(seen.id);
  const acknowledgedBefore = seen.failedReason?.startsWith("Not sent: the event was acknowledged") === true;
  const resolvedBefore = seen.failedReason?.startsWith("Not sent: the event was resolved") === true;
  const needless = acknowledgedBefore || resolvedBefore;
  const givenUp = seen.failedReason?.includes("no answer") === true;
  // If a push got no answer and need not be repeated, it counts as not sent, even if FCM accepted it.
  const unknown = needless && calls.some(({ answer }) => (answer ?? "unknown") === "unknown");
  const wanted = reported?.status ?? (taken.size > 0 && !givenUp && !unknown ? "SENT" : "FAILED");
  if (seen.status !== wanted)
    addViolation(
      `it should be ${wanted}${seen.failedReason === null ? "" : `, and failed for "${seen.failedReason}"`}`,
    );
  if (seen.acknowledgedAt !== (reported?.acknowledgedAt ?? null))
    addViolation(`acknowledged at ${seen.acknowledgedAt}`);
  const ended = [
    findAcknowledgedAt(model, seen.event.id, seen.rule.id),
    ...findLife(model, seen.event.id).acknowledged,
  ];
  if (acknowledgedBefore && findEndOfEscalation([...ended, ...resolved]) === undefined)
    addViolation("nobody acknowledged it");
  if (resolvedBefore && resolved.length === 0) addViolation("nobody resolved it");
  const over = Math.min(...resolved.map(({ to }) => to));
  for (const { token, at } of calls)
    if (seen.requiresAck && at > over + LOOK_TO_PUSH_MS)
      addViolation(`${token} got a push ${at - over} ms after the event was resolved`);
  judgeEnds(play, model, seen, resolved, addViolation);
  // Once the event has ended, a push is not retried.
  const isOver = seen.escalationStep > 0 ? findEndOfEscalation([...ended, ...resolved]) : resolved[0];
  if (needless || (seen.requiresAck && isOver !== undefined)) return;
  if (givenUp || rankOf(reported?.status ?? "QUEUED") >= rankOf("OPENED")) return;
  const always = (sets[0] ?? []).filter((token) => sets.every((tokens) => tokens.includes(token)));
  for (const token of always.filter(isReachableToken)) {
    // After two faults, one of them a call without an answer, the sender may count two attempts and stop.
    const unanswered = calls.some((call) => call.token === token && (call.answer ?? "unknown") === "unknown");
    if (!taken.has(token) && !(unanswered && countFailedCalls(world) > 1)) addViolation(`never pushed to ${token}`);
  }
  if (seen.status === "FAILED") judgeReason(addViolation, seen.failedReason, sets);
};

/**
 * Checks that recipients of a resolved event get a silent push in place of the first push. Without a resolution, nobody gets a
 * silent push.
 */
const judgeEnds = (
  { world, devices, isUndisturbed }: Play,
  { fixture: { ws } }: WorkspaceModel,
  seen: NotificationView,
  resolved: readonly Action[],
  say: (text: string) => void,
): void => {
  const isOf = (call: { workspaceId: WorkspaceId; notificationId: string }) =>
    call.workspaceId === ws && call.notificationId === seen.id;
  const ends = world.fcm.otherPushes.filter(isOf);
  const taken = world.fcm.calls.filter((call) => isOf(call) && call.acceptedAt !== undefined);
  // Devices added or removed meanwhile, and faults, explain a missing or an additional push.
  if (!isUndisturbed() || devices.length > 1) return;
  for (const { token } of taken)
    if (resolved.some(({ sure }) => sure) && !ends.some((end) => end.token === token))
      say(`${token} was not notified that it ended`);
  for (const { token } of ends)
    if (!taken.some((call) => call.token === token)) say(`${token} got the end of an event without an earlier push`);
};

const judgeReason = (
  say: (text: string) => void,
  reason: string | null,
  sets: readonly (readonly string[])[],
): void => {
  const none = sets.some((tokens) => tokens.every((token) => token.startsWith("stale-")));
  const counts = sets.flatMap((tokens) => [
    tokens.length,
    tokens.filter((token) => !token.startsWith("stale-")).length,
  ]);
  const all = counts.filter((count) => count > 0).map((count) => `FCM: all ${count} device(s) failed`);
  if (reason === null || ![...(none ? ["No registered devices for user"] : []), ...all].includes(reason))
    say(`it failed for "${reason}"`);
};
