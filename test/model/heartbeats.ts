import type { WorkspaceId } from "../../core/domain/basics/ids.ts";
import { listEventsBetween } from "../../core/store/events/events.ts";
import { listHeartbeats, updateHeartbeat } from "../../core/store/rules/heartbeats.ts";
import type { Ws } from "./history.ts";
import {
  pickValue,
  expectStatus,
  memberAt,
  checkNextState,
  listUnknown,
  type HeartbeatModel,
  type EventView,
  type Handlers,
  type WorkspaceModel,
  type Play,
} from "./play.ts";
import { listValuesWithin } from "./specification.ts";

/** The longest time until the sweeper notices a missed call, if nothing fails. */
const NOTICED_MS = 3 * 60_000;

type HeartbeatView = { id: string; url: string; paused: boolean };

const listExisting = (model: WorkspaceModel): HeartbeatModel[] => model.heartbeats.filter(({ deleted }) => !deleted);

export const heartbeats = {
  createHeartbeat: async (play, { ws, by, everySeconds, graceSeconds }) => {
    const model = play.model[ws];
    const body = { name: "job", everySeconds, graceSeconds };
    const answer = await play.call<HeartbeatView>(ws, memberAt(model, by), "create-heartbeat", { body });
    if (!expectStatus(play, "create heartbeat", answer, [201])) return "create heartbeat";
    const made =
      answer.tries > 1
        ? listUnknown(await listHeartbeats(play.world.faultlessDeps, ws), model.heartbeats)
        : [{ id: answer.body.id }];
    for (const { id } of made)
      model.heartbeats.push({
        id,
        secret: id === answer.body.id ? answer.body.url.split("/").at(-1) : undefined,
        waitMs: (everySeconds + graceSeconds) * 1000,
        begun: [answer],
        ended: [],
        paused: false,
        deleted: false,
      });
    return `create heartbeat ${answer.body.id}, a call in ${everySeconds} + ${graceSeconds} s`;
  },
  callHeartbeat: async (play, { ws, pick }) => {
    const beat = pickValue(
      play.model[ws].heartbeats.filter(({ secret }) => secret !== undefined),
      pick,
    );
    if (beat === undefined) return undefined;
    const answer = await play.call(ws, "nobody", "take-call", { path: { heartbeat: beat.secret! } });
    expectStatus(play, `call ${beat.id}`, answer, beat.deleted ? [404] : [200]);
    if (!beat.deleted) beat.begun.push({ from: answer.from, to: answer.to, inPause: beat.paused });
    return `call ${beat.id}: ${answer.status}`;
  },
  pauseHeartbeat: async (play, { ws, by, pick }) => {
    const model = play.model[ws];
    const beat = pickValue(listExisting(model), pick);
    if (beat === undefined) return undefined;
    const paused = !beat.paused;
    const answer = await play.call<HeartbeatView>(ws, memberAt(model, by), "update-heartbeat", {
      path: { heartbeatId: beat.id },
      body: { paused },
    });
    if (!expectStatus(play, `change ${beat.id}`, answer, [200])) return "change heartbeat";
    (paused ? beat.ended : beat.begun).push(answer);
    beat.paused = paused;
    return `${paused ? "pause" : "resume"} ${beat.id}`;
  },
  deleteHeartbeat: async (play, { ws, by, pick }) => {
    const model = play.model[ws];
    const beat = pickValue(listExisting(model), pick);
    if (beat === undefined) return undefined;
    const answer = await play.call(ws, memberAt(model, by), "delete-heartbeat", { path: { heartbeatId: beat.id } });
    expectStatus(play, `delete ${beat.id}`, answer, answer.tries > 1 ? [204, 404] : [204]);
    beat.ended.push(answer);
    beat.deleted = true;
    return `delete ${beat.id}`;
  },
} satisfies Partial<Handlers>;

const isAwaited = ({ paused, deleted }: HeartbeatModel): boolean => !paused && !deleted;

/** Calls each heartbeat, which ends its miss, and then deletes it, because the sweeper would check it for ever. */
export const endHeartbeats = async (play: Play): Promise<void> => {
  const { world } = play;
  const all = Object.entries(play.model).flatMap(([ws, { heartbeats: some }]) => some.map((beat) => ({ ws, beat })));
  const awaited = all.filter(({ beat }) => isAwaited(beat));
  if (all.length === 0) return;
  for (const { ws, beat } of awaited)
    if (beat.secret !== undefined)
      beat.begun.push({
        ...(await play.call(ws as Ws, "nobody", "take-call", { path: { heartbeat: beat.secret } })),
        inPause: false,
      });
  await world.kernel.sleep(NOTICED_MS);
  for (const { ws, beat } of awaited) {
    const at = world.kernel.now();
    await world.outside((deps) => updateHeartbeat(deps, ws as Ws, beat.id, { paused: true }));
    beat.ended.push({ from: at, to: at });
  }
};

type Notified = { id: string; missedAt: number; receivedAt: number };

const findHeartbeatFault = (
  beat: HeartbeatModel,
  missed: readonly Notified[],
  back: readonly Notified[],
  sure: boolean,
): string | undefined => {
  const { begun, ended, waitMs } = beat;
  const resumed = begun.filter(({ inPause }) => inPause !== true);
  const isOver = (at: number) =>
    ended.some((end) => end.to < at && !resumed.some(({ to }) => to > end.from && to < at));
  const listMoments = (some: readonly Notified[]) => new Set(some.map(({ missedAt }) => missedAt));
  if (listMoments(missed).size < missed.length) return "people were notified twice of one miss";
  if (listMoments(back).size < back.length) return "people were notified twice of one return";
  for (const { missedAt, receivedAt } of missed) {
    if (!begun.some(({ from }) => from + waitMs <= missedAt)) return `missed at ${missedAt}, before it was due`;
    const call = begun.find(({ from, to }) => to < missedAt && from + waitMs > missedAt);
    if (call !== undefined) return `missed at ${missedAt}, although it was called at ${call.to}`;
    if (isOver(missedAt)) return `missed at ${missedAt}, when no call was expected`;
    const next = begun.find(({ from, inPause }) => from > receivedAt && inPause !== undefined);
    const notified = back.find((one) => one.missedAt === missedAt);
    if (sure && next !== undefined && notified === undefined) return `its return at ${next.to} was not reported`;
    if (notified !== undefined && !begun.some(({ to }) => to >= missedAt))
      return "people were notified of a return, but no call came";
  }
  if (back.some(({ missedAt }) => !listMoments(missed).has(missedAt)))
    return "people were notified of a return without a miss";
  for (const { from, to } of sure ? begun : []) {
    const noticed = to + waitMs + NOTICED_MS;
    const isEnded = [...begun, ...ended].some((other) => other.to > from && other.from < noticed && other.from > from);
    const before = ended.some((end) => end.to > from && end.from <= to);
    const isPaused = ended.some((end) => end.to <= from && !resumed.some((again) => again.from > end.from));
    if (isEnded || before || isPaused || isOver(from + waitMs)) continue;
    if (!missed.some(({ missedAt }) => missedAt >= from + waitMs && missedAt <= to + waitMs))
      return `no call came after ${to}, and nobody was notified`;
  }
  return undefined;
};

const listHeartbeatEvents = async (play: Play, ws: WorkspaceId) =>
  (await listEventsBetween(play.world.faultlessDeps, ws, { from: 0, to: 1_000_000 })).filter(({ content }) =>
    content.eventKey.startsWith("heartbeat."),
  );

export const listHeartbeatEventIds = async (play: Play, ws: WorkspaceId): Promise<string[]> =>
  (await listHeartbeatEvents(play, ws)).map(({ eventId }) => eventId);

export const readHeartbeatViews = async (play: Play, ws: Ws, as: string): Promise<EventView[]> => {
  const views: EventView[] = [];
  for (const eventId of await listHeartbeatEventIds(play, ws))
    views.push((await play.call<EventView>(ws, as, "get-event", { path: { eventId } })).body);
  return views;
};

/**
 * Checks, when no work is left, that each missed call and its end are reported once, and nothing else. A missed call that no rule
 * matches notifies everybody.
 */
export const judgeHeartbeats = async (play: Play, ws: Ws, as: string): Promise<EventView[]> => {
  const model = play.model[ws];
  const events = await listHeartbeatEvents(play, ws);
  const addViolation = (text: string) => play.violations.push(`${ws}: ${text}`);
  const listEventsOf = (beat: string, key: string): Notified[] =>
    events
      .filter(({ content }) => content.eventKey === key && content.heartbeat?.id === beat)
      .map(({ eventId, content, receivedAt }) => ({
        id: eventId,
        missedAt: Date.parse(content.heartbeat?.missedAt ?? ""),
        receivedAt,
      }));
  const views = await readHeartbeatViews(play, ws, as);
  for (const view of views) checkNextState(play, model, view);
  for (const beat of model.heartbeats) {
    const missed = listEventsOf(beat.id, "heartbeat.missed");
    const back = listEventsOf(beat.id, "heartbeat.resolved");
    const fault = findHeartbeatFault(beat, missed, back, play.isUndisturbed());
    if (fault !== undefined) addViolation(`${beat.id}: ${fault}`);
    for (const { id, missedAt } of missed) {
      const view = views.find((one) => one.id === id)!;
      const isBack = back.some((one) => one.missedAt === missedAt);
      if (isBack && view.state !== "resolved" && view.state !== "expired")
        addViolation(`${id} is ${view.state}, and ${beat.id} is back`);
      if (view.matchedRules.length > 0 || view.silence !== null) continue;
      const sets = listValuesWithin(model.people, Date.parse(view.receivedAt), play.seen.plannedAt(ws, id) ?? Infinity);
      const notified = view.notifications
        .map(({ user }) => user.id)
        .toSorted()
        .join();
      if (!sets.some(({ members }) => members.toSorted().join() === notified))
        addViolation(`${id} notified [${notified}], not everybody`);
    }
  }
  const known = model.heartbeats.map(({ id }) => id);
  for (const { eventId, content } of events)
    if (!known.includes(content.heartbeat?.id ?? ""))
      addViolation(`${eventId} belongs to no heartbeat of this workspace`);
  return views;
};
