import { Readable } from "node:stream";
import { SQSClient } from "@aws-sdk/client-sqs";
import * as v from "valibot";
import { type Deps, type Log, type Queue, bindAuthor, type RecordingTable } from "../../core/deps.ts";
import type { WorkspaceId, DeviceId } from "../../core/domain/basics/ids.ts";
import { EVENT_MARKER_DUE_MS } from "../../core/domain/basics/limits.ts";
import type { PushOutcome } from "../../core/domain/delivery/push/outcome.ts";
import { hashApiKey } from "../../core/domain/workspace/api-key-text.ts";
import { EventInput } from "../../core/domain/event/event.ts";
import { OnCallSchedule } from "../../core/domain/on-call/index.ts";
import { RuleInput } from "../../core/domain/rules/rule-input.ts";
import { SilenceInput } from "../../core/domain/rules/silence-input.ts";
import { EscalationPolicyInput } from "../../core/domain/escalation/escalation-policy.ts";
import { countStatistics } from "../../core/flow/sweep/count-statistics.ts";
import { createIngest } from "../../core/flow/ingest/ingest-event.ts";
import { createEventMatcher } from "../../core/flow/match/match-event.ts";
import { registerDevice } from "../../core/flow/admin/register-device.ts";
import { processReport } from "../../core/flow/respond/report-notification.ts";
import { sendPack } from "../../core/flow/notify/send-notification.ts";
import { sendEndPushes } from "../../core/flow/notify/send-end.ts";
import { snoozeUntil } from "../../core/flow/respond/respond.ts";
import { writeNote } from "../../core/flow/respond/write-note.ts";
import { readEventView } from "../../core/flow/read/read-event.ts";
import { addOverride, putSchedule } from "../../core/flow/admin/write-on-call.ts";
import { readControl } from "../../core/store/events/control.ts";
import { createPolicy } from "../../core/store/rules/escalation-policies.ts";
import { listEventsBetween } from "../../core/store/events/events.ts";
import { addGroupMember, createGroup } from "../../core/store/people/groups.ts";
import { createRule } from "../../core/store/rules/rules.ts";
import { createSilence } from "../../core/store/rules/silences.ts";
import { storeConfirmedPushes, setUpIntegrations } from "./integrations.ts";
import { type Kind, findEventKind, kinds } from "./events.ts";
import { addEarlierWeeks } from "./weeks.ts";
import { groups, policies, rotations, rules, withPhone } from "./sketch.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../core/domain/basics/units.ts";

/* Creates a shop's recent events with the code that processes real events, and statistics of the seven weeks before. */

type Member = { userId: string; name: string };
export type DemoDeps = Pick<Deps, "newId"> & { table: RecordingTable };

const EVENTS_A_DAY = 8;

/** Creates a queue that drops all messages: `createEventPlayer` sends pushes itself, and the sweeper finds all other work. */
const createDroppingQueue = (): Queue => ({
  url: "http://127.0.0.1:1/demo",
  client: new SQSClient({
    region: "local",
    endpoint: "http://127.0.0.1:1",
    credentials: { accessKeyId: "none", secretAccessKey: "none" },
    md5: false,
    requestHandler: {
      handle: async () => ({ response: { statusCode: 200, headers: {}, body: Readable.from([Buffer.from("{}")]) } }),
    },
  }),
});

const silent: Log = { info: () => {}, warn: () => {}, error: () => {}, metric: () => {} };

/** Chooses how a recipient responds to event number `index` after 1 to 12 minutes: four of five acknowledge, one only opens. */
const chooseAnswer = (index: number): { status: "ACKNOWLEDGED" | "OPENED" | "DELIVERED"; afterMs: number } => ({
  status: index % 5 === 4 ? "OPENED" : "ACKNOWLEDGED",
  afterMs: (1 + ((index * 7) % 12)) * MINUTE_MS,
});

/** Creates the event of a gold customer's ticket: the customers of tickets with even numbers are gold. */
const createGoldTicket: Kind = (index) => findEventKind("ticket.opened")(2 * index);

/** The latest events, which are open at the start. */
const latest: readonly { kind: Kind; minutesAgo: number; is?: "snoozed" }[] = [
  { kind: findEventKind("checkout.slow"), minutesAgo: 34, is: "snoozed" },
  { kind: createGoldTicket, minutesAgo: 31 },
  { kind: createGoldTicket, minutesAgo: 30 },
  { kind: createGoldTicket, minutesAgo: 28 },
  { kind: findEventKind("backup.failed"), minutesAgo: 26 },
  { kind: findEventKind("order.failed"), minutesAgo: 11 },
  { kind: findEventKind("disk.filling"), minutesAgo: 4 },
];

/** Creates dependencies that use `clock`, never wait, and send nothing, but report all pushes as accepted. */
const createDemoDeps = (baseDeps: DemoDeps, clock: { at: number }) => ({
  ...baseDeps,
  now: () => clock.at,
  random: () => 0.5,
  // Only time limits use `sleep`, and seeding reaches no time limit.
  sleep: () => new Promise<void>(() => {}),
  baseUrl: "http://127.0.0.1",
  log: silent,
  queues: {
    events: createDroppingQueue(),
    pushes: createDroppingQueue(),
    escalations: createDroppingQueue(),
    webhooks: createDroppingQueue(),
    inbound: createDroppingQueue(),
  },
  push: {
    send: async (): Promise<PushOutcome> => ({ kind: "accepted", messageId: "demo" }),
    prepare: async () => true,
  },
  receiptKeys: async () => undefined,
});
type Demo = ReturnType<typeof createDemoDeps>;

/** Returns dependencies that create the same ids in every directory. */
const createDepsWithFixedIds = (deps: Demo): Demo => {
  const counts = new Map<string, number>();
  const newId: Demo["newId"] = (prefix) => {
    const n = (counts.get(prefix) ?? 0) + 1;
    counts.set(prefix, n);
    return `${prefix}_demo${String(n).padStart(12, "0")}`;
  };
  return { ...deps, newId };
};

type FindId = (name: string) => string;

const notifyNobody = async (): Promise<void> => undefined;

/** Creates groups, phones and schedules. `fixed`: gives groups fixed ids. Returns devices, and `groupOf`: group ids by name. */
const setUpPeople = async (
  deps: Demo,
  fixed: Demo,
  clock: { at: number },
  ws: WorkspaceId,
  members: readonly Member[],
  findUserId: FindId,
) => {
  const devices: { userId: string; id: DeviceId }[] = [];
  const groupIds = new Map<string, string>();
  for (const [name, people] of Object.entries(groups)) {
    const { id } = await createGroup(fixed, ws, name);
    groupIds.set(name, id);
    clock.at += 7 * MINUTE_MS;
    for (const person of people) await addGroupMember(deps, ws, { groupId: id, userId: findUserId(person) });
  }
  for (const { userId, name } of members)
    if (withPhone.has(name)) {
      const phone = { token: `demo-phone-of-${name.toLowerCase()}`, platform: "ios", name: `${name}'s phone` } as const;
      clock.at += 43 * MINUTE_MS;
      const own = bindAuthor(deps, { userId, via: "api", requestId: "demo" });
      const { device } = await registerDevice(own, ws, userId, phone);
      devices.push({ userId, id: device.id });
    }
  const findGroupId = (name: string): string => groupIds.get(name) ?? "";
  for (const [name, { timeZone, layers }] of Object.entries(rotations)) {
    const inFull = layers.map(({ people, ...layer }) => ({
      start: "2026-01-05T09:00",
      ...layer,
      participants: people.map(findUserId),
    }));
    await putSchedule(
      deps,
      ws,
      findGroupId(name),
      v.parse(OnCallSchedule, { timeZone, layers: inFull }),
      undefined,
      notifyNobody,
    );
  }
  return { groupOf: findGroupId, devices };
};

/** Creates the escalation policies, rules and silence. `fixed`: creates items with fixed ids. */
const setUpRules = async (fixed: Demo, clock: { at: number }, ws: WorkspaceId, findGroupId: FindId): Promise<void> => {
  const policyIds = new Map<string, string>();
  for (const { name, group, repeat, minutes } of policies) {
    const steps = minutes.map((delayMinutes, step) => ({
      delayMinutes,
      targets: [{ type: "group", groupId: findGroupId(step === 0 ? group : "Everybody") }],
    }));
    const { id } = await createPolicy(fixed, ws, v.parse(EscalationPolicyInput, { name, repeat, steps }));
    policyIds.set(name, id);
  }
  for (const { name, eventKey, groups: named, policy, rest } of rules) {
    clock.at += 11 * MINUTE_MS;
    const targets = named.map((group) => ({ type: "group", groupId: findGroupId(group) }));
    const escalationPolicyId = policy === undefined ? null : policyIds.get(policy);
    await createRule(fixed, ws, v.parse(RuleInput, { name, eventKey, targets, escalationPolicyId, ...rest }));
  }
  const weekly = { days: ["sun"], from: "02:00", to: "04:00", timeZone: "Europe/Berlin" };
  await createSilence(fixed, ws, v.parse(SilenceInput, { name: "Weekly maintenance", eventKey: "disk.*", weekly }));
};

/** Stores that an event's pushes arrived, and that the first recipient opened or acknowledged it. `n`: the event's number. */
const openOrAcknowledge = async (
  deps: Demo,
  clock: { at: number },
  ws: WorkspaceId,
  event: { eventId: string; n: number; since: number },
) => {
  const { eventId, n, since } = event;
  const view = await readEventView(deps, ws, eventId);
  const sent = (view?.notifications ?? []).filter(({ status }) => status === "SENT");
  const first = sent.find(({ requiresAck }) => requiresAck) ?? sent[0];
  if (first === undefined) return;
  clock.at += 2300;
  for (const one of sent) if (one !== first) await processReport(deps, ws, one.id, "DELIVERED");
  const { status, afterMs } = chooseAnswer(n);
  clock.at = since + afterMs;
  await processReport(deps, ws, first.id, first.requiresAck ? "ACKNOWLEDGED" : status);
};

/** Adds a note after three minutes, and a minute later snoozes the event for four hours. Advances the clock. */
const snoozeWithNote = async (
  deps: Demo,
  clock: { at: number },
  ws: WorkspaceId,
  eventId: string,
  by: { id: string; name: string },
): Promise<void> => {
  clock.at += 3 * MINUTE_MS;
  await writeNote(deps, ws, eventId, by, "The cache is warming up after the deployment. I will check again later.");
  clock.at += MINUTE_MS;
  await snoozeUntil(deps, ws, eventId, by, { minutes: SNOOZED_MINUTES });
};
const SNOOZED_MINUTES = 240;

/** Returns a function that ingests an event, sends its pushes, and returns its id. `answered`: whether a recipient responds. */
const createEventPlayer = async (deps: Demo, clock: { at: number }, ws: WorkspaceId, apiKey: string) => {
  const ingest = createIngest(deps);
  const match = createEventMatcher(deps);
  const hash = await hashApiKey(apiKey);
  return async (kind: Kind, n: number, receivedAt: number, { answered }: { answered: boolean }): Promise<string> => {
    clock.at = receivedAt;
    const event = v.parse(EventInput, kind(n));
    const taken = await ingest({ apiKey: { workspaceId: ws, hash }, input: { event, idempotency: undefined } });
    if (taken.kind !== "created") return "";
    const { eventId, receivedAt: since } = taken;
    clock.at += 90 + ((n * 37) % 140);
    const due = since + EVENT_MARKER_DUE_MS;
    const work = await match({ kind: "unfinished", marker: { ws, eventId, due, since, tries: 0 } });
    const pushes = work === "not begun" ? [] : work.pushes;
    clock.at += 180 + ((n * 53) % 310);
    for (const message of pushes) {
      if (!("kind" in message)) await sendPack(deps, message);
      else if (message.kind === "over") await sendEndPushes(deps, message);
    }
    if (answered && pushes.length > 0) await openOrAcknowledge(deps, clock, ws, { eventId, n, since });
    return eventId;
  };
};

/** Seeds the demo workspace with people, rules, integrations, and the events of the last `days` days. */
export const seedDemo = async (
  baseDeps: DemoDeps,
  ws: WorkspaceId,
  { members, apiKey, days }: { members: readonly Member[]; apiKey: string; days: number },
): Promise<void> => {
  const today = Date.now();
  const clock = { at: today - (days + 1) * DAY_MS };
  const deps = createDemoDeps(baseDeps, clock);
  const fixed = createDepsWithFixedIds(deps);
  const findUserId = (name: string): string => members.find((member) => member.name === name)?.userId ?? "";
  /** Returns dependencies whose changes are recorded as changes by the member `name`. */
  const actAs = (name: string): Demo =>
    bindAuthor(fixed, { userId: findUserId(name), via: "console", requestId: "demo" });
  const { groupOf, devices } = await setUpPeople(deps, actAs("Dora"), clock, ws, members, findUserId);
  await setUpRules(actAs("Lena"), clock, ws, groupOf);
  await setUpIntegrations({ deps, clock, ws, today, idOf: findUserId });

  const play = await createEventPlayer(deps, clock, ws, apiKey);
  const total = days * EVENTS_A_DAY;
  const step = DAY_MS / EVENTS_A_DAY;
  for (let n = 0; n < total; n += 1) {
    // The events are evenly spaced, but shifted by up to 41 minutes. The last event is 40 minutes old.
    const time =
      today - 45 * MINUTE_MS - days * DAY_MS + n * step + ((n * 7919) % 60) * MINUTE_MS * 0.7 + ((n * 7907) % 60_000);
    const kind = kinds[(n * 5 + Math.floor(n / 9)) % kinds.length];
    if (kind !== undefined) await play(kind, n, Math.min(Math.round(time), today - 40 * MINUTE_MS), { answered: true });
  }
  if (days > 0)
    for (const [index, { kind, minutesAgo, is }] of latest.entries()) {
      const at = today - minutesAgo * MINUTE_MS - index * 7_391;
      const eventId = await play(kind, total + index, at, { answered: false });
      if (is === "snoozed") await snoozeWithNote(deps, clock, ws, eventId, { id: findUserId("Omar"), name: "Omar" });
    }
  await storeConfirmedPushes({ deps, clock, ws, today, idOf: findUserId }, devices);
  clock.at = today;
  // The events are counted now, because the hourly job would count them only in an hour or two.
  const control = await readControl(deps, ws);
  if (days > 0 && control !== undefined) {
    const events = await listEventsBetween(deps, ws, { from: 1, to: control.seq });
    await addEarlierWeeks(deps, ws, events);
    await countStatistics(deps, ws, { events, upTo: control.seq, keptDays: control.retention.days });
  }
  clock.at = today - 5 * HOUR_MS;
  const start = new Date(today + 2 * DAY_MS).toISOString();
  const end = new Date(today + 2.5 * DAY_MS).toISOString();
  await addOverride(actAs("Dan"), ws, groupOf("Platform"), { userId: findUserId("Dan"), start, end }, notifyNobody);
};
