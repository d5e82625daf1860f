import type { Ws } from "./history.ts";
import type { RecordedAck } from "./acknowledgements.ts";
import {
  expectStatus,
  findLife,
  keyOf,
  checkNextState,
  type Answered,
  type EventView,
  type WorkspaceModel,
  type NotificationView,
  type Play,
} from "./play.ts";
import type { Order, Target } from "./specification.ts";

const MINUTE_MS = 60_000;
const CHAIN_MS = 24 * 60 * MINUTE_MS;
/** A person who has acknowledged is asked to confirm, at most this time before the acknowledgement ends. */
const ASKED_BEFORE_MS = 5 * MINUTE_MS;

export const recordAck = async (
  play: Play,
  model: WorkspaceModel,
  as: string,
  eventId: string,
  { from }: Answered<unknown>,
  what: Pick<RecordedAck, "rule" | "snoozed" | "again">,
): Promise<void> => {
  const answer = await play.call<EventView>(model.fixture.ws as Ws, as, "get-event", { path: { eventId } });
  if (!expectStatus(play, `read ${eventId}`, answer, [200])) return;
  checkNextState(play, model, answer.body);
  const { state, acknowledgedUntil } = answer.body;
  const until = acknowledgedUntil === null ? null : Date.parse(acknowledgedUntil);
  findLife(model, eventId).acks.push({ from, to: answer.to, ...what, state, until });
};

type Range = { low: number; high: number } | null;

/** Returns when an acknowledgement may end (`until`; null: never), and when the first of its renewals began (`chain`). */
const findExpectedEnd = (
  hold: RecordedAck,
  { policy }: Order,
  before: { until: number | null; chain: Range },
): { until: Range; chain: Range } => {
  const { from, to, snoozed, again } = hold;
  const minutes = snoozed ?? policy?.ackMinutes ?? null;
  const chain = snoozed !== null || before.chain === null ? { low: from, high: to } : before.chain;
  const present = before.until !== null && before.until > from ? before.until : undefined;
  // An acknowledgement without an end of its own does not change the end of the present one.
  if (minutes === null && again && present !== undefined)
    return { until: { low: present, high: present }, chain: before.chain };
  if (minutes === null) return { until: null, chain: before.chain };
  const given = { low: from + minutes * MINUTE_MS, high: to + minutes * MINUTE_MS };
  if (snoozed !== null) return { until: given, chain };
  if (present !== undefined && present >= given.high) return { until: { low: present, high: present }, chain };
  return { until: given.low > chain.high + CHAIN_MS ? null : given, chain };
};

const findAckEndFault = (holds: readonly RecordedAck[], order: Order): string | undefined => {
  let before: { until: number | null; chain: Range } = { until: null, chain: null };
  for (const hold of holds) {
    const { until, chain } = findExpectedEnd(hold, order, before);
    if (hold.state !== "acknowledged") return undefined;
    const isNear = chain !== null && hold.to + CHAIN_MS > chain.low + CHAIN_MS + CHAIN_MS / 2;
    const said = `acknowledged at ${hold.from} until ${hold.until}`;
    if (!isNear && (hold.until === null) !== (until === null)) return `${said}, not ${until?.low ?? "for good"}`;
    if (hold.until !== null && until !== null && (hold.until < until.low || hold.until > until.high))
      return `${said}, not ${until.low} to ${until.high}`;
    before = { until: hold.until, chain };
  }
  return undefined;
};

type Notified = { at: number; step: number; because: string | undefined; ruleId: string };

const listNotified = ({ notifications }: EventView): Notified[] =>
  notifications
    .filter(
      ({ escalationStep, added }) => escalationStep > 0 || ["still_on_it", "open_again"].includes(added?.because ?? ""),
    )
    .map(({ createdAt, escalationStep, added, rule }: NotificationView) => ({
      at: Date.parse(createdAt),
      step: escalationStep,
      because: added?.because,
      ruleId: rule.id,
    }));

/**
 * Checks that no step runs during an acknowledgement, that the person who acknowledged is asked once before it ends, and that
 * the policy continues after it. `end`: the time at which somebody or the sender may have ended the event.
 */
export const findAckFault = (
  view: EventView,
  holds: readonly RecordedAck[],
  orders: readonly Order[],
  {
    decidedAt,
    end,
    latest,
    mayName,
  }: {
    /** The time at which the event's plan was stored: before it, an acknowledgement finds no policy. */
    decidedAt: number;
    end: number;
    latest: (due: number) => number;
    /** The people whom targets may name at some moment of a period. */
    mayName: (targets: readonly Target[], from: number, to: number) => readonly (readonly string[])[];
  },
): string | undefined => {
  const notified = listNotified(view);
  const [only, other] = orders;
  if (only !== undefined && other === undefined && holds.every(({ from }) => from > decidedAt)) {
    const fault = findAckEndFault(holds, only);
    if (fault !== undefined) return fault;
  }
  for (const {
    rule: { id },
  } of orders) {
    const own = holds.filter(({ rule, state }) => (rule === null || rule === id) && state === "acknowledged");
    for (const [index, { to, until }] of own.entries()) {
      const ends = Math.min(until ?? Infinity, own[index + 1]?.from ?? Infinity);
      const early = notified.find(({ at, ruleId, step }) => step > 0 && ruleId === id && at > to && at < ends);
      if (early !== undefined) return `step ${early.step} of ${id} came at ${early.at}, acknowledged until ${until}`;
    }
  }
  const questions = notified.filter(({ because }) => because === "still_on_it");
  for (const [index, { at }] of questions.entries()) {
    const about = holds.find(({ until, from }) => until !== null && from <= at && at >= until - ASKED_BEFORE_MS);
    if (about === undefined) return `somebody was asked at ${at}, before any acknowledgement ended`;
    if (index > 0 && at === questions[index - 1]?.at) return `somebody was asked twice at ${at}`;
  }
  const ended = holds.filter(({ until }) => until !== null).map(({ until }) => until ?? 0);
  if (new Set(ended).size < questions.length) return `${questions.length} questions for ${new Set(ended).size} ends`;
  const chainBegan = Math.max(...holds.filter(({ until }) => until !== null).map(({ to }) => to));
  const late = notified.find(({ at }) => at > latest(chainBegan + CHAIN_MS));
  if (late !== undefined) return `somebody was notified at ${late.at}, long after ${chainBegan}`;
  const last = holds.at(-1);
  if (last === undefined || last.until === null || end < Infinity || last.state !== "acknowledged") return undefined;
  if (view.acknowledgedUntil !== null) return `still acknowledged until ${view.acknowledgedUntil}`;
  const { until } = last;
  const steps = orders.flatMap(({ policy }) => policy?.steps ?? []).filter(({ targets }) => targets.length > 0);
  const wakes = notified.filter(({ at, because }) => because !== "still_on_it" && at >= until && at <= latest(until));
  // Nobody need be notified if a step has no recipients, or if an acknowledgement of another rule may be permanent.
  const namesSome = steps.every(({ targets }) => mayName(targets, until, latest(until)).every((one) => one.length > 0));
  if ((steps.length === 0 || (other === undefined && namesSome)) && wakes.length === 0)
    return `nobody was notified that the event was open again at ${until}`;
  return undefined;
};

export const findFirstAcknowledgement = (model: WorkspaceModel, eventId: string, ruleId: string) => {
  const { acknowledged } = findLife(model, eventId);
  const own = model.acknowledged.get(keyOf(eventId, ruleId));
  return [own, ...acknowledged.filter(({ ofEvent }) => ofEvent)]
    .filter((action) => action !== undefined)
    .toSorted((one, next) => one.to - next.to)[0];
};
