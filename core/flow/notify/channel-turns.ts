import type { Deps } from "../../deps.ts";
import type { Call } from "../../domain/delivery/attempts.ts";
import {
  revertAttemptsNotDue,
  hasTurn,
  computePauseAfterLimit,
  findLimitWithLongestPause,
  computeTurnIntervalMicros,
  computeTurnTime,
  countTurnsNeeded,
  assignTurns,
  type SendTurns,
} from "../../domain/delivery/pace.ts";
import type { PackAttempts } from "../../domain/delivery/pack.ts";
import { ContactChannel } from "../../domain/device/device.ts";
import { MINUTE_MS, SECOND_MS } from "../../domain/basics/units.ts";
import { readEndOfUrgentTurns, reserveTurns } from "../../store/delivery/paces.ts";
import { metrics } from "../../wiring.ts";

export type TurnDeps = Pick<Deps, "table" | "now" | "log" | "pace">;

/** If messages must wait for at least this time, a metric reports the wait, which raises the operator's alarm. */
const BEHIND_MS = MINUTE_MS;

/** Reserves times of sending (turns) for `count` messages, from `from` (ms). Reports long waits. `tries`: earlier attempts. */
const reserveChannelTurns = async (
  deps: TurnDeps,
  channel: ContactChannel,
  perSecond: number,
  { urgent, count, tries, from }: { urgent: boolean; count: number; tries: number; from: number },
): Promise<SendTurns> => {
  const step = computeTurnIntervalMicros(perSecond, tries);
  const turns = await reserveTurns(deps, channel, { urgent, count, from: from * 1000, step });
  const behindMs = computeTurnTime(turns, count - 1) - deps.now();
  if (behindMs >= BEHIND_MS) {
    const seconds = Math.round(behindMs / SECOND_MS);
    deps.log.metric(metrics.channelBehindSeconds, seconds);
    deps.log.warn("channel.behind", { way: channel, seconds });
  }
  return turns;
};

/** Reserves turns (times of sending) for messages on channels with a limited rate. Returns the attempts that need not wait. */
export const claimTurns = async (
  deps: TurnDeps,
  attempts: PackAttempts,
  { urgent }: { urgent: boolean },
): Promise<PackAttempts> => {
  const { pace = {} } = deps;
  let claimed = attempts;
  for (const way of ContactChannel.options) {
    const perSecond = pace[way];
    if (perSecond === undefined || countTurnsNeeded(claimed, way, { now: 0, urgentUntil: Infinity }).count === 0)
      continue;
    const now = deps.now();
    const urgentUntil = urgent || !hasTurn(claimed, { [way]: perSecond }) ? 0 : await readEndOfUrgentTurns(deps, way);
    const { count, tries } = countTurnsNeeded(claimed, way, { now, urgentUntil });
    if (count === 0) continue;
    const turns = await reserveChannelTurns(deps, way, perSecond, { urgent, count, tries, from: now });
    claimed = assignTurns(claimed, way, turns, { now, urgentUntil });
  }
  return revertAttemptsNotDue(claimed, pace, deps.now());
};

/** Reserves new turns (times) for messages that exceeded a channel's rate. Only logs a failure: outcomes must still be stored. */
export const rebookTurns = async (
  deps: TurnDeps,
  calls: readonly Call[],
  { urgent }: { urgent: boolean },
): Promise<void> => {
  for (const way of ContactChannel.options) {
    const slow = calls.filter((call) => call.way === way && findLimitWithLongestPause([call.answer]) !== undefined);
    const limit = findLimitWithLongestPause(slow.map(({ answer }) => answer));
    if (limit === undefined) continue;
    deps.log.metric(metrics.channelRefused, slow.length);
    deps.log.warn("channel.refused", { way, limit, count: slow.length });
    const perSecond = deps.pace?.[way];
    if (perSecond === undefined) continue;
    const tries = Math.max(...slow.map(({ before }) => before.tries));
    try {
      const earlier = Math.max(...slow.map(({ before }) => before.refusals ?? 0));
      const from = deps.now() + computePauseAfterLimit(limit, earlier);
      const turns = await reserveChannelTurns(deps, way, perSecond, { urgent, count: slow.length, tries, from });
      for (const [index, call] of slow.entries()) call.turn = computeTurnTime(turns, index);
    } catch (error) {
      deps.log.error("channel.not_booked", error, { way });
    }
  }
};
