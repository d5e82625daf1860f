import * as v from "valibot";
import { SnoozeInput } from "../../../core/domain/event/actions.ts";
import { OnCallSchedule } from "../../../core/domain/on-call/index.ts";
import { acknowledgeEvents, resolveEvent } from "../../../core/flow/respond/lifecycle.ts";
import { snoozeUntil } from "../../../core/flow/respond/respond.ts";
import { readEventView } from "../../../core/flow/read/read-event.ts";
import { createRandom } from "../../../tools/random.ts";
import { computeOnCall, walkTime } from "../domain/on-call/slow.ts";
import { useWorld } from "../../world/use-world.ts";
import { listMarkers, type World } from "../../world/world.ts";

/*
 * A month on call: a rotation with two handoffs a day in local time, and events whose acknowledgements are renewed,
 * forgotten, snoozed, repeated or never given. The expected pushes are computed beforehand by simple arithmetic, and every
 * push of the month is compared with them.
 */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const ACK = 4 * HOUR;
const ASKED_BEFORE = 5 * MINUTE;
const STEP = 15 * MINUTE;
/** The policy's one step is repeated twice. */
const STEPS = 3;
const CHAIN = 24 * HOUR;
const MONTH = 33 * DAY;

const people = ["usr_ann", "usr_bob", "usr_cyd"];
const scheduleIn = (timeZone: string) =>
  v.parse(OnCallSchedule, {
    timeZone,
    layers: [{ start: "2026-09-01T08:00", every: 12, unit: "hour", participants: people }],
  });

type Push = { at: number; userId: string; title: string };
type Action =
  | { kind: "post" | "resolve" }
  /** If `whole`, the person on call acknowledges the event; otherwise the recipient of the newest notification does. */
  | { kind: "acknowledge"; whole: boolean }
  | { kind: "snooze"; until: number };
type TimedAction = Action & { at: number; nr: number };
/** Creates an event, the actions on it, and its expected pushes over time. */
const createAlert = (nr: number, posted: number, onCallAt: (at: number) => string) => {
  const title = `Nr ${nr}`;
  const acts: TimedAction[] = [{ kind: "post", at: posted, nr }];
  const pushes: Push[] = [{ at: posted, userId: onCallAt(posted), title }];
  let fired = 0;
  let due: number | undefined = posted + STEP;
  let chain: number | undefined;
  let ack: { until: number; holder: string } | undefined;
  let asked = false;
  let lastStep = Infinity;

  const passUntil = (to: number): void => {
    for (;;) {
      if (ack !== undefined && ack.until - ASKED_BEFORE <= to && !asked) {
        pushes.push({ at: ack.until - ASKED_BEFORE, userId: ack.holder, title: `Still on it? ${title}` });
        asked = true;
      } else if (ack !== undefined && ack.until <= to) {
        due = ack.until;
        ack = undefined;
        lastStep = chain! + CHAIN;
      } else if (ack === undefined && due !== undefined && due <= to) {
        pushes.push({ at: due, userId: onCallAt(due), title });
        fired += 1;
        // No step follows after the last repeat, or more than `CHAIN` after the first of successive acknowledgements.
        due = fired < STEPS && due + STEP <= lastStep ? due + STEP : undefined;
      } else return;
    }
  };
  const acknowledgeUntil = (until: number, holder: string): void => {
    due = undefined;
    asked = false;
    ack = until <= chain! + CHAIN ? { until, holder } : undefined;
  };
  return {
    acts,
    pushes,
    title,
    passUntil,
    ends: () => ack?.until,
    acknowledge: (at: number, whole: boolean): void => {
      passUntil(at);
      acts.push({ kind: "acknowledge", whole, at, nr });
      chain ??= at;
      acknowledgeUntil(at + ACK, whole ? onCallAt(at) : pushes.at(-1)!.userId);
    },
    snooze: (at: number, until: number): void => {
      passUntil(at);
      acts.push({ kind: "snooze", until, at, nr });
      chain = at;
      acknowledgeUntil(until, onCallAt(at));
    },
    resolve: (at: number): void => {
      passUntil(at);
      acts.push({ kind: "resolve", at, nr });
      [due, ack] = [undefined, undefined];
    },
  };
};
type Alert = ReturnType<typeof createAlert>;

/** Returns a random integer from 0 to below the limit. */
type Draw = (limit: number) => number;
const createDraw = (seed: number): Draw => {
  const random = createRandom(seed);
  return (limit) => Math.floor(random() * limit);
};

/** People's different responses to an alert. `nextMorning` returns the next eight o'clock in local time. */
const responses: Record<string, (alert: Alert, at: number, draw: Draw, nextMorning: (at: number) => number) => void> = {
  "forgets it": (alert, at, draw) => {
    alert.acknowledge(at, draw(2) === 0);
  },
  "renews it, then ends it": (alert, at, draw) => {
    alert.acknowledge(at, draw(2) === 0);
    for (let times = 1 + draw(4); times > 0; times -= 1) alert.acknowledge(alert.ends()! - 3 * MINUTE, draw(2) === 0);
    alert.resolve(alert.ends()! - 11 * MINUTE);
  },
  "renews it for ever": (alert, at, draw) => {
    alert.acknowledge(at, draw(2) === 0);
    for (let end = alert.ends(); end !== undefined; end = alert.ends())
      alert.acknowledge(end - 3 * MINUTE, draw(2) === 0);
  },
  "snoozes it until the morning": (alert, at, draw, nextMorning) => {
    alert.acknowledge(at, draw(2) === 0);
    alert.snooze(at + 10 * MINUTE, nextMorning(at + 10 * MINUTE));
    if (draw(2) === 0) alert.resolve(alert.ends()! + 9 * MINUTE + SECOND);
  },
  "acknowledges it again after each end": (alert, at, draw) => {
    alert.acknowledge(at, draw(2) === 0);
    for (let times = 1 + draw(30); times > 0; times -= 1) {
      const end = alert.ends();
      if (end !== undefined) alert.acknowledge(end + (1 + draw(50)) * MINUTE + SECOND, draw(2) === 0);
    }
  },
  "does nothing": (alert, at, draw) => {
    if (draw(2) === 0) alert.resolve(at + 5 * HOUR);
  },
};

const ranks = ["QUEUED", "SENT", "FAILED", "DELIVERED", "OPENED", "ACKNOWLEDGED"];

/** Performs the actions of people, and returns the notifications that went back to an earlier status. */
const perform = async (
  world: World,
  acts: readonly TimedAction[],
  onCallAt: (at: number) => string,
): Promise<string[]> => {
  const { deps, ws } = world;
  const ids = new Map<number, string>();
  const seen = new Map<string, number>();
  const back: string[] = [];
  const onCallPerson = (at: number) => ({ id: onCallAt(at), name: onCallAt(at) });
  for (const act of acts) {
    await world.runUntil(act.at);
    const eventId = ids.get(act.nr) ?? "";
    if (act.kind === "post") ids.set(act.nr, (await world.post({ title: `Nr ${act.nr}` })).eventId);
    if (act.kind === "resolve") await resolveEvent(deps, ws, eventId, onCallPerson(act.at), undefined);
    if (act.kind === "snooze") {
      const input = v.parse(SnoozeInput, { until: new Date(act.until).toISOString() });
      await snoozeUntil(deps, ws, eventId, onCallPerson(act.at), input);
    }
    if (act.kind !== "acknowledge") continue;
    const { notifications } = (await readEventView(deps, ws, eventId))!;
    for (const { id, status } of notifications) {
      const rank = ranks.indexOf(status);
      if (rank < (seen.get(id) ?? 0)) back.push(`${id} went back to ${status}`);
      seen.set(id, rank);
    }
    if (act.whole) await acknowledgeEvents(deps, ws, [eventId], onCallPerson(act.at));
    else {
      const paged = notifications.filter(({ added }) => added?.because !== "handed_over");
      const newest = paged.toSorted((one, other) => (one.createdAt < other.createdAt ? 1 : -1))[0]!;
      await world.acknowledge(newest.id);
    }
  }
  for (const eventId of ids.values())
    for (const { id, status } of (await readEventView(deps, ws, eventId))!.notifications)
      if (ranks.indexOf(status) < (seen.get(id) ?? 0)) back.push(`${id} went back to ${status}`);
  return back;
};

const createClockFormat = (timeZone: string) => {
  const format = new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  return (at: number) => format.format(at);
};

/** Lists all pages, and the pushes "Still on it?": no replacing pushes, notices or LOW pushes of handoffs. */
const listPages = ({ pushed }: World): Push[] =>
  pushed
    .filter(({ message: { data } }) => data["state"] === undefined && data["priority"] !== "LOW")
    .filter(({ message: { notification } }) => /Nr \d+$/.test(notification.title))
    .map(({ at, userId, message }) => ({ at, userId, title: message.notification.title }));

const formatSorted = (pushes: readonly Push[]): string[] =>
  pushes.map(({ at, userId, title }) => `${new Date(at).toISOString()} ${userId} ${title}`).toSorted();

const setUp = async (start: number, timeZone: string) => {
  const world = await useWorld({ start });
  const groupId = await world.group("Duty", people);
  await world.schedule(groupId, scheduleIn(timeZone));
  const escalationPolicyId = await world.policy(
    [{ delayMinutes: STEP / MINUTE, targets: [{ type: "group", groupId, onCallOnly: true }] }],
    { repeat: STEPS - 1, ackMinutes: ACK / MINUTE },
  );
  await world.rule([groupId], { requiresAck: true, onCallOnly: true, escalationPolicyId });
  const onCallAt = (at: number): string => {
    const minute = Math.floor(at / MINUTE) * MINUTE;
    return computeOnCall(scheduleIn(timeZone), [], walkTime(timeZone, minute - 2 * HOUR, minute), minute)[0]!;
  };
  return { world, onCallAt };
};

export type Month = {
  timeZone: string;
  from: string;
  change: string;
  seed: number;
  /** The number of events at random times, besides the events at chosen times. */
  events: number;
};

/** Runs the month and three more months. Returns the sent and the expected pushes, regressed statuses, and unfinished work. */
export const playMonth = async ({ timeZone, from, change, seed, events }: Month) => {
  const [start, changes] = [Date.parse(from), Date.parse(change)];
  const { world, onCallAt } = await setUp(start, timeZone);
  const clock = createClockFormat(timeZone);
  const draw = createDraw(seed);
  const findNextMorning = (at: number) => {
    let minute = Math.ceil(at / MINUTE) * MINUTE + 5 * MINUTE;
    while (clock(minute) !== "08:00") minute += MINUTE;
    return minute;
  };
  const names = Object.keys(responses);
  const alerts: Alert[] = [];
  const addAlert = (posted: number, minutes: number, timeline: string): Alert => {
    const alert = createAlert(alerts.length + 1, posted, onCallAt);
    responses[timeline]!(alert, posted + minutes * MINUTE + 7 * SECOND, draw, findNextMorning);
    alert.passUntil(start + MONTH);
    alerts.push(alert);
    return alert;
  };
  // The acknowledgements of these alerts end after the clock change, in the night, and at a handoff.
  const handoff = findNextMorning(start + DAY);
  addAlert(changes - 40 * MINUTE, 10, "forgets it");
  addAlert(handoff - 10 * HOUR, 3, "forgets it");
  addAlert(handoff - 5 * HOUR, 3, "snoozes it until the morning");
  for (let nr = 0; nr < events; nr += 1)
    addAlert(start + draw(31 * 24 * 60) * MINUTE, 1 + draw(40), names[nr % names.length]!);

  const acts = alerts.flatMap((alert) => alert.acts).toSorted((one, other) => one.at - other.at);
  const back = await perform(world, acts, onCallAt);
  await world.runUntil(start + 4 * MONTH);
  return {
    came: formatSorted(listPages(world)),
    foreseen: formatSorted(alerts.flatMap((alert) => alert.pushes)),
    back,
    left: listMarkers(world),
  };
};
