import * as fc from "fast-check";
import type { Hours } from "../support/wall-clock.ts";

/*
 * Histories: successive requests and faults in two workspaces. A command refers to its object by a number
 * (`pick`), modulo the number of objects, so that a shortened history stays valid.
 */

export const workspaces = ["ws_acme", "ws_globex"] as const;
export type Ws = (typeof workspaces)[number];

/** At first Alice is in both workspaces, Bob in one, Cleo in the other, Dora in neither. */
export const people = ["alice", "bob", "cleo", "dora"] as const;
export type Person = (typeof people)[number];

export type RuleDraft = {
  pattern: string;
  groups: readonly number[];
  requiresAck: boolean;
  override: string | null;
  onCallOnly: boolean;
  policy: number | null;
  above: number | null;
  not: boolean;
  fallback: boolean;
  /** The rule's position in the only chain; null for a rule outside of the chain. */
  position: number | null;
  active: ActiveWeek | null;
  storm: GroupingDraft | null;
};
/** Decides which events of a rule cause a page. */
export type GroupingDraft = {
  groupBy: readonly string[] | null;
  groupMinutes: number | null;
  atLeast: { count: number; withinMinutes: number } | null;
};
export type StepDraft = { minutes: number; to: "group" | "onCall" | "user" | "nobody"; pick: number };
export type ActiveWeek = Hours & { timeZone: string };
export type SilenceWish = {
  pattern: string;
  above: number | null;
  includeUrgent: boolean;
  weekly: ActiveWeek | null;
  /** The start in seconds from now; null: at once, by omitting the field. */
  begins: number | null;
  lasts: number;
};
export type LayerWish = {
  unit: "hour" | "day";
  every: number;
  turns: readonly Person[];
  week: Hours | null;
  hoursAgo: number;
};

type Post = {
  event: string;
  amount: number;
  priority: string;
  requiresAck: boolean | null;
  dedupeKey: string | null;
  /** The dedupeKey of the events that the event resolves. */
  resolves: string | null;
  idempotencyKey: string | null;
  /** Whether an Idempotency-Key that was used before is sent with the same body as before. */
  sameBody: boolean;
  apiKey: number;
};

type Moves = {
  post: Post;
  createRule: { rule: RuleDraft };
  editRule: { pick: number; rule: Partial<RuleDraft>; enabled: boolean | null };
  deleteRule: { pick: number };
  createGroup: { first: Person };
  deleteGroup: { pick: number };
  join: { pick: number; who: Person };
  leave: { pick: number; who: Person };
  addMember: { who: Person };
  removeMember: { who: Person };
  registerDevice: { who: Person; token: string };
  deleteDevice: { who: Person; pick: number };
  createKey: { sender: string; resolvesAny: boolean };
  deleteKey: { pick: number };
  createPolicy: { repeat: number; ackMinutes: number | null; steps: readonly StepDraft[] };
  editPolicy: { pick: number; repeat: number; ackMinutes: number | null; steps: readonly StepDraft[] };
  deletePolicy: { pick: number };
  createSilence: { silence: SilenceWish };
  editSilence: { pick: number; silence: Partial<SilenceWish> };
  deleteSilence: { pick: number };
  createHeartbeat: { everySeconds: number; graceSeconds: number };
  callHeartbeat: { pick: number };
  pauseHeartbeat: { pick: number };
  deleteHeartbeat: { pick: number };
  putSchedule: { pick: number; timeZone: string; layers: readonly LayerWish[] };
  createOverride: { pick: number; who: Person; beginsMinutes: number; lastsMinutes: number };
  deleteOverride: { pick: number };
  acknowledge: { picks: readonly number[] };
  resolve: { pick: number; note: string | null };
  snooze: { pick: number; minutes: number };
  listOpen: object;
  lookWhoIsOnCall: { pick: number };
  report: { pick: number; status: "DELIVERED" | "OPENED" | "ACKNOWLEDGED" };
  listEvents: { page: number; limit: number };
  readEvent: { pick: number };
  listNotifications: object;
  listConfiguration: object;
  /** Tries to reach an object of the other workspace, or an object of this one as an outsider. */
  trespass: { pick: number; asStranger: boolean };
  tick: { seconds: number };
  /** Sends a dedupeKey again, `offsetMs` milliseconds after its repeats stop being duplicates (before, if negative). */
  repeatAtWindow: { offsetMs: number } & Omit<Post, "dedupeKey" | "resolves" | "idempotencyKey">;
  /** Opens an alert three times and resolves it twice; after each opening, sends another event, which may join its group. */
  flap: { seconds: number } & Omit<Post, "dedupeKey" | "resolves" | "idempotencyKey">;
  /** An event comes during a silence, and a second silence covers the event after the first has ended. */
  silenceTwice: Omit<Post, "dedupeKey" | "resolves" | "idempotencyKey">;
  /** Somebody snoozes a new event, and snoozes it again after the first snooze has ended. */
  snoozeTwice: Omit<Post, "dedupeKey" | "resolves" | "idempotencyKey">;
  /** Sends an event `offsetMs` milliseconds after the end of the month (before it, if negative). */
  postAtMonthEnd: { offsetMs: number } & Omit<Post, "dedupeKey" | "resolves" | "idempotencyKey">;
  redeliver: { queue: "events" | "pushes" | "escalations"; pick: number };
  /** Makes one of the next network calls fail. */
  fault: { mode: FaultMode; after: number };
  outage: { service: "sqs" | "fcm"; seconds: number };
};
const faultModes = [
  "fail",
  "lost",
  "throttle",
  "denied",
  "die-before",
  "die-after",
  "duplicate",
  "late-duplicate",
  "no-answer",
  "accepted-no-answer",
  "retry",
  "auth",
] as const;
export type FaultMode = (typeof faultModes)[number];

export type MoveName = keyof Moves;
export type Move<Name extends MoveName> = { do: Name; ws: Ws; by: number } & Moves[Name];
export type Command = { [Name in MoveName]: Move<Name> }[MoveName];

const pick = fc.nat(5);
const who = fc.constantFrom(...people);
/** Generates a value one time in `times`, and otherwise null. */
const oneIn = <Value>(times: number, arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> =>
  fc.oneof({ weight: times - 1, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });

/** A history begins on a Saturday at 12:00 UTC. Days are in the order of the week, as the service returns them. */
const everyDay = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
const hours = fc.constantFrom<Hours>(
  { days: ["sat"], from: "12:00", to: "12:20" },
  { days: everyDay, from: "22:00", to: "14:30" },
  { days: ["mon", "sat"], from: "06:00", to: "24:00" },
  { days: ["tue", "sun"], from: "00:00", to: "00:00" },
);
const timeZone = fc.constantFrom("UTC", "Asia/Kathmandu", "America/New_York");
const week = fc.tuple(hours, timeZone).map(([of, zone]): ActiveWeek => ({ ...of, timeZone: zone }));

const ruleWish = {
  pattern: fc.constantFrom("order.*", "order.failed", "site.down", "*"),
  groups: fc.array(pick, { minLength: 1, maxLength: 2 }),
  requiresAck: fc.boolean(),
  override: oneIn(3, fc.constantFrom("LOW", "HIGH", "CRITICAL")),
  onCallOnly: fc.nat(2).map((number) => number === 0),
  policy: oneIn(2, pick),
  above: oneIn(3, fc.constant(50)),
  not: fc.nat(3).map((number) => number === 0),
  fallback: fc.boolean(),
  position: oneIn(2, fc.integer({ min: 1, max: 3 })),
  active: oneIn(6, week),
  storm: oneIn(
    3,
    fc.constantFrom<GroupingDraft>(
      { groupBy: [], groupMinutes: 10, atLeast: null },
      { groupBy: ["data.amount"], groupMinutes: 30, atLeast: null },
      { groupBy: null, groupMinutes: null, atLeast: { count: 2, withinMinutes: 5 } },
      { groupBy: ["data.amount"], groupMinutes: 20, atLeast: { count: 2, withinMinutes: 60 } },
    ),
  ),
};
const steps = fc.array(
  fc.record({
    minutes: fc.constantFrom(1, 5, 16, 20),
    to: fc.constantFrom("group", "onCall", "user", "nobody"),
    pick,
  }),
  { maxLength: 3 },
);
const repeat = fc.nat(1);
const ackMinutes = oneIn(3, fc.constantFrom(5, 20));

const silenceWish = {
  pattern: fc.constantFrom("order.*", "site.down", "*"),
  above: oneIn(3, fc.constant(50)),
  includeUrgent: fc.boolean(),
  weekly: oneIn(2, week),
  begins: oneIn(2, fc.constantFrom(-3600, 60, 300)),
  lasts: fc.constantFrom(30, 300, 7200, 90_000),
};
const layer = fc.record({
  unit: fc.constantFrom("hour", "day"),
  every: fc.integer({ min: 1, max: 2 }),
  turns: fc.array(who, { minLength: 1, maxLength: 3 }),
  week: oneIn(3, hours),
  hoursAgo: fc.integer({ min: -1, max: 30 }),
});

const sent = {
  event: fc.constantFrom("order.failed", "site.down", "order.paid"),
  amount: fc.constantFrom(1, 100),
  priority: fc.constantFrom("NORMAL", "CRITICAL"),
  requiresAck: oneIn(3, fc.boolean()),
  sameBody: fc.boolean(),
  apiKey: fc.nat(3),
};

const moves: {
  [Name in MoveName]: { weight: number; fields: { [Field in keyof Moves[Name]]: fc.Arbitrary<Moves[Name][Field]> } };
} = {
  post: {
    weight: 30,
    fields: {
      ...sent,
      dedupeKey: oneIn(2, fc.constantFrom("d1", "d2")),
      resolves: oneIn(5, fc.constantFrom("d1", "d2")),
      idempotencyKey: oneIn(4, fc.constantFrom("i1", "i2")),
    },
  },
  createRule: { weight: 4, fields: { rule: fc.record(ruleWish) } },
  editRule: {
    weight: 4,
    fields: {
      pick,
      rule: fc.record(ruleWish, { requiredKeys: [] }),
      enabled: oneIn(3, fc.boolean()),
    },
  },
  deleteRule: { weight: 2, fields: { pick } },
  createGroup: { weight: 2, fields: { first: who } },
  deleteGroup: { weight: 2, fields: { pick } },
  join: { weight: 4, fields: { pick, who } },
  leave: { weight: 2, fields: { pick, who } },
  addMember: { weight: 3, fields: { who } },
  removeMember: { weight: 2, fields: { who } },
  registerDevice: {
    weight: 4,
    fields: { who, token: fc.constantFrom("alice-phone", "phone-1", "phone-2", "stale-1", "invalid-1") },
  },
  deleteDevice: { weight: 1, fields: { who, pick } },
  createKey: {
    weight: 2,
    fields: { sender: fc.constantFrom("integration", "other"), resolvesAny: fc.nat(3).map((number) => number === 0) },
  },
  deleteKey: { weight: 3, fields: { pick } },
  createPolicy: { weight: 2, fields: { repeat, ackMinutes, steps } },
  editPolicy: { weight: 2, fields: { pick, repeat, ackMinutes, steps } },
  deletePolicy: { weight: 1, fields: { pick } },
  createSilence: { weight: 3, fields: { silence: fc.record(silenceWish) } },
  editSilence: { weight: 1, fields: { pick, silence: fc.record(silenceWish, { requiredKeys: [] }) } },
  deleteSilence: { weight: 1, fields: { pick } },
  createHeartbeat: {
    weight: 3,
    fields: { everySeconds: fc.constantFrom(60, 600), graceSeconds: fc.constantFrom(0, 90) },
  },
  callHeartbeat: { weight: 4, fields: { pick } },
  pauseHeartbeat: { weight: 1, fields: { pick } },
  deleteHeartbeat: { weight: 1, fields: { pick } },
  putSchedule: { weight: 4, fields: { pick, timeZone, layers: fc.array(layer, { maxLength: 2 }) } },
  createOverride: {
    weight: 2,
    fields: { pick, who, beginsMinutes: fc.constantFrom(-60, 0, 30), lastsMinutes: fc.constantFrom(70, 300) },
  },
  deleteOverride: { weight: 1, fields: { pick } },
  acknowledge: { weight: 4, fields: { picks: fc.array(pick, { minLength: 1, maxLength: 2 }) } },
  resolve: { weight: 4, fields: { pick, note: oneIn(2, fc.constant("Restarted")) } },
  snooze: { weight: 2, fields: { pick, minutes: fc.constantFrom(5, 30) } },
  listOpen: { weight: 2, fields: {} },
  lookWhoIsOnCall: { weight: 2, fields: { pick } },
  report: {
    weight: 10,
    fields: { pick: fc.nat(9), status: fc.constantFrom("ACKNOWLEDGED", "ACKNOWLEDGED", "OPENED", "DELIVERED") },
  },
  listEvents: { weight: 3, fields: { page: fc.integer({ min: 1, max: 3 }), limit: fc.integer({ min: 1, max: 4 }) } },
  readEvent: { weight: 3, fields: { pick } },
  listNotifications: { weight: 2, fields: {} },
  listConfiguration: { weight: 2, fields: {} },
  trespass: { weight: 6, fields: { pick: fc.nat(13), asStranger: fc.boolean() } },
  tick: { weight: 14, fields: { seconds: fc.constantFrom(1, 10, 20, 60, 285, 300, 1200, 7200, 90_000) } },
  repeatAtWindow: { weight: 6, fields: { ...sent, offsetMs: fc.constantFrom(-300, 300) } },
  snoozeTwice: { weight: 3, fields: sent },
  flap: { weight: 5, fields: { ...sent, seconds: fc.constantFrom(1, 60, 300) } },
  silenceTwice: { weight: 3, fields: sent },
  postAtMonthEnd: { weight: 2, fields: { ...sent, offsetMs: fc.constantFrom(-300, 300) } },
  redeliver: {
    weight: 4,
    fields: { queue: fc.constantFrom("events", "pushes", "escalations"), pick },
  },
  fault: { weight: 10, fields: { mode: fc.constantFrom(...faultModes), after: fc.nat(12) } },
  outage: {
    weight: 2,
    fields: { service: fc.constantFrom("sqs", "fcm"), seconds: fc.constantFrom(5, 90, 240) },
  },
};

const createCommand = (name: MoveName): fc.WeightedArbitrary<Command> => ({
  weight: moves[name].weight,
  arbitrary: fc.record({
    do: fc.constant(name),
    ws: fc.constantFrom(...workspaces),
    by: fc.nat(3),
    ...moves[name].fields,
  }) as unknown as fc.Arbitrary<Command>,
});

const LENGTH_MAX = 24;

export type History = readonly Command[];
export const histories: fc.Arbitrary<History> = fc.array(
  fc.oneof(...(Object.keys(moves) as MoveName[]).map((name) => createCommand(name))),
  { minLength: 1, maxLength: LENGTH_MAX, size: "max" },
);
