import type { Deps } from "../../core/deps.ts";
import { createClients, type Clients } from "../faults/clients.ts";
import type { Snapshot } from "../faults/engine/dynamo.ts";
import type { HttpFunction } from "../faults/engine/functions.ts";
import { createWorld, type World } from "../faults/engine/world.ts";
import { isPartitionOf } from "../faults/items.ts";
import type { Fixture } from "../faults/fixtures.ts";
import type { Move, MoveName, Person, Ws } from "./history.ts";
import { packKey, parseSeqOfKey, parseWorkspaceId, type Key as Place } from "../../core/store/keys.ts";
import { parseEventId, parseNotificationId, type WorkspaceId } from "../../core/domain/basics/ids.ts";
import { mayBeOpenAgain, type RecordedAck } from "./acknowledgements.ts";
import { createRepeats, type Repeats } from "./repeats.ts";
import type { Devices, Era, Group, People, Posted, Rule, Silence } from "./specification.ts";

type Moment = { from: number; to: number };
/** When the wait for a call began. `inPause`: for a beginning by a call, whether the heartbeat was paused. */
type WaitStart = Moment & { inPause?: boolean };

/** `secret`: in the heartbeat's URL; undefined if the answer with the secret was lost. */
export type HeartbeatModel = {
  id: string;
  secret: string | undefined;
  waitMs: number;
  /** The times at which the wait began: by creation, a call or a resumption. Any attempt of a retried call may have counted. */
  begun: WaitStart[];
  /** The times at which the wait ended, because the heartbeat was paused or deleted. */
  ended: Moment[];
  paused: boolean;
  deleted: boolean;
};

/** An API key: keys with one name are one sender. `resolvesAny`: the key may also end events of other senders. */
export type Key = { id: string; text: string | undefined; live: boolean; sender: string; resolvesAny: boolean };
/** The event that has a dedupeKey. `freed`: by which resolving event, at once or only when that event was matched. */
export type Claim = {
  eventId: string;
  sender: string;
  from: number;
  to: number;
  freed?: { by: string; atOnce: boolean };
};
type IdempotentPost = { event: EventBody; status: number; eventId: string; from: number };
export type EventBody = { event: string; title: string; [field: string]: unknown };
export type Reported = {
  status: string;
  acknowledged: { from: number; to: number } | undefined;
  acknowledgedAt: string | null;
};

/** `sure`: the action was certainly done by the time `to`. */
export type Action = { by: string; from: number; to: number; sure: boolean; ofEvent: boolean };
/** The state that an event must have, derived from the actions and from what the API showed. */
export type Life = {
  acknowledged: Action[];
  /** Resolutions by people; `listSenderResolutions` derives those by senders from the events. */
  resolved: Action[];
  /** The start of the latest acknowledgement that changed nothing, because the event did not have to be acknowledged. */
  ignoredAt: number | undefined;
  acks: RecordedAck[];
  seen: string;
};

export type WorkspaceModel = {
  fixture: Fixture;
  rules: Era<readonly Rule[]>[];
  people: Era<People>[];
  silences: Era<readonly Silence[]>[];
  keys: Key[];
  heartbeats: HeartbeatModel[];
  events: Posted[];
  claims: Map<string, Claim>;
  remembered: Map<string, IdempotentPost>;
  reports: Map<string, Reported>;
  /** The first acknowledgement, by event and rule. */
  acknowledged: Map<string, { from: number; to: number }>;
  lives: Map<string, Life>;
  limit: number;
  /** The times of posts that got no answer: each may have been counted. */
  lost: { from: number; to: number }[];
  schedules: number;
};

export type Seen = {
  /** The time at which the rules were applied to the event. */
  plannedAt: (ws: WorkspaceId, eventId: string) => number | undefined;
  /** The time at which a plan last replaced an earlier plan, because a silence or flapping had ended. */
  plannedAgainAt: (ws: WorkspaceId, eventId: string) => number | undefined;
  countPlans: (ws: WorkspaceId, eventId: string) => number;
  /** The time at which a sender last wrote to the pack of a notification. */
  sentAt: (ws: WorkspaceId, notificationId: string) => number | undefined;
};

export type Answered<Body = Record<string, unknown>> = {
  status: number;
  body: Body;
  tries: number;
  /** Whether no call failed during the command. */
  clean: boolean;
  from: number;
  to: number;
};

export type NotificationView = {
  id: string;
  status: string;
  failedReason: string | null;
  priority: string;
  requiresAck: boolean;
  createdAt: string;
  sentAt: string | null;
  acknowledgedAt: string | null;
  event: { id: string };
  user: { id: string };
  rule: { id: string; version: number };
  escalationStep: number;
  added: { because: string } | null;
};
type Actor = { id: string } | null;
export type LifecycleView = {
  id: string;
  state: string;
  acknowledgedBy: Actor;
  acknowledgedAt: string | null;
  acknowledgedUntil: string | null;
  resolvedBy: Actor;
  resolvedAt: string | null;
  note: string | null;
  expiredAt: string | null;
};
export type EventView = LifecycleView & {
  sender: { id: string; name: string } | null;
  title: string;
  receivedAt: string;
  matched: boolean;
  outcome: string;
  grouped: number;
  groupedInto: string | null;
  belowThreshold: { count: number; of: number } | null;
  silence: { id: string; recipients: number } | null;
  flapping: { until: string; recipients: number } | null;
  afterSilence: { id: string } | null;
  matchedRules: { id: string; version: number }[];
  notifications: NotificationView[];
};

const RETRY_MS = 1500;
export const TRIES = 12;
export const DEDUPE_MS = 600_000;
const RANK: Readonly<Record<string, number>> = {
  QUEUED: 0,
  SENT: 1,
  FAILED: 1,
  DELIVERED: 2,
  OPENED: 3,
  ACKNOWLEDGED: 4,
};

export const rankOf = (status: string): number => RANK[status] ?? -1;

export const idOf = (person: Person): string => `usr_${person}`;
export const isLater = (one: { id: string }, other: { id: string }): boolean => one.id > other.id;
export const keyOf = (eventId: string, ruleId: string) => `${eventId} ${ruleId}`;

/** Counts ids separately in each workspace, so that the workspaces have as many equal ids as possible. */
const createCountedIds = () => {
  const counts = new Map<string, number>();
  let current = "";
  const newId: Deps["newId"] = (prefix) => {
    const shared = prefix === "lease" || prefix === "req";
    const name = shared ? prefix : `${current} ${prefix}`;
    const count = (counts.get(name) ?? 100) + 1;
    counts.set(name, count);
    return `${prefix}_${String(count).padStart(5, "0")}0000000000`;
  };
  return {
    newId,
    of: (ws: WorkspaceId) => {
      current = ws;
    },
  };
};
export type Ids = ReturnType<typeof createCountedIds>;

export type Start = {
  snapshot: Snapshot;
  workspaces: readonly (Pick<WorkspaceModel, "fixture" | "limit" | "keys"> & {
    rules: readonly Rule[];
    people: People;
  })[];
  devices: Readonly<Record<Ws, Devices>>;
};

export type Play = {
  world: World;
  clients: Clients;
  model: Readonly<Record<Ws, WorkspaceModel>>;
  seen: Seen;
  /** Devices by workspace. A token moves between people in both workspaces at the same time. */
  devices: Era<Readonly<Record<Ws, Devices>>>[];
  violations: string[];
  repeats: Repeats;
  lines: string[];
  /** Whether a message was delivered again, or an outside service was down. */
  isDisturbed: boolean;
  isUndisturbed: () => boolean;
  call: <Body = Record<string, unknown>>(
    ws: Ws,
    as: string,
    name: HttpFunction,
    request?: {
      path?: Record<string, string>;
      query?: Record<string, string>;
      headers?: Record<string, string>;
      body?: unknown;
    },
  ) => Promise<Answered<Body>>;
};

export const currentValue = <Value>(eras: readonly Era<Value>[]): Value => eras.at(-1)!.value;

const watchWrites = (world: World): Seen => {
  const plannedAt = new Map<string, number[]>();
  const sentAt = new Map<string, number>();
  const nameOf = ({ pk, sk }: Place) => `${pk}/${sk}`;
  world.onWrite((write) => {
    const { pk, before, after, by } = write;
    const [was, is] = [before?.["plan"], after?.["plan"]];
    if (isPartitionOf("EVENTS", pk) && is !== undefined && JSON.stringify(is) !== JSON.stringify(was)) {
      const event = `${parseWorkspaceId(write)} ${parseSeqOfKey(write)}`;
      plannedAt.set(event, [...(plannedAt.get(event) ?? []), world.kernel.now()]);
    }
    if (pk.includes("#NOTIFICATIONS") && by?.fn === "sender") sentAt.set(nameOf(write), world.kernel.now());
  });
  const plansOf = (ws: WorkspaceId, eventId: string): readonly number[] =>
    plannedAt.get(`${ws} ${parseEventId(eventId)?.seq ?? 0}`) ?? [];
  return {
    plannedAt: (ws, eventId) => plansOf(ws, eventId)[0],
    plannedAgainAt: (ws, eventId) => plansOf(ws, eventId).slice(1).at(-1),
    countPlans: (ws, eventId) => plansOf(ws, eventId).length,
    sentAt: (ws, notificationId) => sentAt.get(nameOf(packKey(ws, parseNotificationId(notificationId)?.packId ?? ""))),
  };
};

export const createPlay = (start: Start, seed: number) => {
  const ids = createCountedIds();
  const world = createWorld({ seed, plan: [], snapshot: start.snapshot, newId: ids.newId });
  const clients = createClients(world);
  const violations: string[] = [];
  const lines: string[] = [];
  const firstEra = <Value>(value: Value): Era<Value>[] => [{ value, since: 0, sure: 0 }];
  const model = Object.fromEntries(
    start.workspaces.map(({ fixture, limit, keys, rules, people }): [string, WorkspaceModel] => [
      fixture.ws,
      {
        fixture,
        limit,
        keys: keys.map((key) => ({ ...key })),
        rules: firstEra(rules),
        people: firstEra(people),
        silences: firstEra<readonly Silence[]>([]),
        heartbeats: [],
        events: [],
        claims: new Map(),
        remembered: new Map(),
        reports: new Map(),
        acknowledged: new Map(),
        lives: new Map(),
        lost: [],
        schedules: 0,
      },
    ]),
  ) as Record<Ws, WorkspaceModel>;
  const call = (async (ws, as, name, request = {}) => {
    const from = world.kernel.now();
    const before = countFailedCalls(world);
    for (let tries = 1; ; tries += 1) {
      const { status, body } = await world.http<unknown>(name, {
        as,
        ...request,
        path: { workspaceId: ws, ...request.path },
      });
      if (status < 500 || tries === TRIES)
        return { status, body, tries, clean: countFailedCalls(world) === before, from, to: world.kernel.now() };
      await world.kernel.sleep(RETRY_MS);
    }
  }) as Play["call"];
  const play: Play = {
    world,
    clients,
    model,
    seen: watchWrites(world),
    devices: firstEra(start.devices),
    violations,
    repeats: createRepeats(),
    lines,
    isDisturbed: false,
    isUndisturbed: () => !play.isDisturbed && countFailedCalls(world) === 0,
    call,
  };
  return { play, ids };
};

export const countFailedCalls = ({ calls }: World): number =>
  calls.records.filter(({ mode }) => mode !== undefined).length;

/** What a command did, in words; undefined if its object did not exist. */
export type CommandResult = Promise<string | undefined>;
export type Handlers = { [Name in MoveName]: (play: Play, move: Move<Name>) => CommandResult };

export const pickValue = <Value>(values: readonly Value[], pick: number): Value | undefined =>
  values[pick % Math.max(1, values.length)];

export const memberAt = (model: WorkspaceModel, pick: number): string =>
  pickValue(currentValue(model.people).members, pick)!;

export const expectStatus = (
  play: Play,
  what: string,
  { status, body }: Answered<unknown>,
  allowed: readonly number[],
): boolean => {
  if (allowed.includes(status)) return true;
  play.violations.push(`${what} was answered ${status} ${JSON.stringify(body)} instead of ${allowed.join(" or ")}`);
  return false;
};

export const addEra = <Value>(eras: Era<Value>[], { from, to }: { from: number; to: number }, value: Value): void => {
  eras.push({ value, since: from, sure: to });
};

export const findLife = (model: WorkspaceModel, eventId: string): Life => {
  const life = model.lives.get(eventId) ?? {
    acknowledged: [],
    resolved: [],
    ignoredAt: undefined,
    acks: [],
    seen: "none",
  };
  model.lives.set(eventId, life);
  return life;
};

const STATES = ["none", "open", "acknowledged", "resolved", "expired"];

/** Checks that an event's state never goes back, such as from resolved to open, except when an acknowledgement ends. */
export const checkNextState = (
  play: Play,
  model: WorkspaceModel,
  { id, state }: { id: string; state: string },
): void => {
  const life = findLife(model, id);
  const isOpenAgain = life.seen === "acknowledged" && mayBeOpenAgain(life.acks, play.world.kernel.now());
  if (STATES.indexOf(state) < STATES.indexOf(life.seen) && !isOpenAgain)
    play.violations.push(`${id} was ${life.seen}, then ${state}`);
  life.seen = state;
};

export const recordAcknowledged = (model: WorkspaceModel, seen: NotificationView, action: Action): void => {
  const { from, to } = action;
  const key = keyOf(seen.event.id, seen.rule.id);
  if (!model.acknowledged.has(key)) model.acknowledged.set(key, { from, to });
  if (seen.requiresAck) findLife(model, seen.event.id).acknowledged.push(action);
};

export const findAcknowledgedAt = (model: WorkspaceModel, eventId: string, ruleId: string) =>
  model.acknowledged.get(keyOf(eventId, ruleId));

/** Returns the items that were created by requests without an answer. */
export const listUnknown = <Item extends { id: string }>(
  items: readonly Item[],
  known: readonly { id: string }[],
): Item[] => items.filter(({ id }) => !known.some((other) => other.id === id));

export const withGroup = (people: People, group: Group): People => ({
  ...people,
  groups: [...people.groups.filter(({ id }) => id !== group.id), group],
});
