import { Readable } from "node:stream";
import { SQSClient } from "@aws-sdk/client-sqs";
import * as v from "valibot";
import type { Deps, Log, Queue } from "../core/deps.ts";
import type { IdPrefix } from "../core/domain/basics/ids.ts";
import { EVENT_MARKER_DUE_SECONDS } from "../core/domain/basics/limits.ts";
import type { PushOutcome } from "../core/domain/delivery/push/outcome.ts";
import { hashApiKey } from "../core/domain/people/api-key.ts";
import { EventInput } from "../core/domain/event/event.ts";
import { OnCallSchedule } from "../core/domain/people/on-call/index.ts";
import { RuleInput } from "../core/domain/rules/rule-input.ts";
import { SilenceInput } from "../core/domain/rules/silence-input.ts";
import { EscalationPolicyInput } from "../core/domain/escalation/escalation-policy.ts";
import { createIngest } from "../core/flow/ingest-event.ts";
import { createMatching } from "../core/flow/match-event.ts";
import { registerDevice } from "../core/flow/register-device.ts";
import { takeReport } from "../core/flow/report-notification.ts";
import { sendPack } from "../core/flow/send-notification.ts";
import { readEventView } from "../core/flow/read-event.ts";
import { addOverride, putSchedule } from "../core/flow/write-on-call.ts";
import { createPolicy } from "../core/store/escalation-policies.ts";
import { addGroupMember, createGroup } from "../core/store/groups.ts";
import { createRule } from "../core/store/rules.ts";
import { createSilence } from "../core/store/silences.ts";

/*
 * The demo workspace: a week of a shop's events, by the flow that handles real ones, with a clock of its own. Nothing of it
 * is written past the code that the service runs.
 */

type Member = { userId: string; name: string };
export type DemoDeps = Pick<Deps, "table" | "newId">;

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const EVENTS_A_DAY = 8;

/** People who carry a phone; the others are there to be noticed as out of reach. */
const withPhone = new Set(["Dora", "Dan", "Lena", "Omar", "Priya"]);

const groups: Readonly<Record<string, readonly string[]>> = {
  Platform: ["Dora", "Dan", "Omar", "Sam"],
  Payments: ["Lena", "Dora", "Priya"],
  Support: ["Priya", "Yuki", "Dan"],
  Everybody: ["Dora", "Dan", "Lena", "Omar", "Priya", "Sam", "Yuki"],
};

/** Weekly turns, days and nights, and a working week with nobody at its ends. */
const rotations: Readonly<Record<string, { timeZone: string; layers: readonly Rotation[] }>> = {
  Platform: { timeZone: "Europe/Berlin", layers: [{ every: 1, unit: "week", people: ["Dora", "Dan", "Omar"] }] },
  Payments: { timeZone: "Europe/Berlin", layers: [{ every: 1, unit: "day", people: ["Lena", "Dora", "Priya"] }] },
  Support: {
    timeZone: "America/New_York",
    layers: [
      {
        every: 1,
        unit: "week",
        people: ["Priya", "Yuki", "Dan"],
        restrictions: [{ days: ["mon", "tue", "wed", "thu", "fri"], from: "08:00", to: "20:00" }],
      },
    ],
  },
};
type Rotation = {
  every: number;
  unit: "day" | "week";
  people: readonly string[];
  restrictions?: readonly { days: readonly string[]; from: string; to: string }[];
};

type RuleSketch = {
  name: string;
  eventKey: string;
  groups: readonly string[];
  policy?: string;
  rest?: Partial<v.InferInput<typeof RuleInput>>;
};
const over = (field: string, value: number) => ({ field, operator: "greater_than" as const, value });
const is = (field: string, value: string) => ({ field, operator: "equals" as const, value });
const rules: readonly RuleSketch[] = [
  {
    name: "Failed orders",
    eventKey: "order.failed",
    groups: ["Payments"],
    policy: "Payments, then all",
    rest: { requiresAck: true, onCallOnly: true },
  },
  {
    name: "Big orders",
    eventKey: "order.created",
    groups: ["Payments"],
    rest: { conditions: [over("data.amount", 1000)] },
  },
  {
    name: "Payments down",
    eventKey: "payment.*",
    groups: ["Payments", "Platform"],
    policy: "Payments, then all",
    rest: { requiresAck: true, onCallOnly: true, conditions: [over("data.error_rate", 5)], priorityOverride: "URGENT" },
  },
  {
    name: "Refunds to look at",
    eventKey: "refund.requested",
    groups: ["Support"],
    rest: { requiresAck: true, conditions: [over("data.amount", 200)] },
  },
  {
    name: "Checkout is slow",
    eventKey: "checkout.slow",
    groups: ["Platform"],
    policy: "Platform on call",
    rest: { requiresAck: true, onCallOnly: true, conditions: [over("data.p95_ms", 2000)] },
  },
  {
    name: "Disks",
    eventKey: "disk.*",
    groups: ["Platform"],
    policy: "Platform on call",
    rest: { requiresAck: true, onCallOnly: true },
  },
  { name: "Deployments", eventKey: "deploy.*", groups: ["Platform"], rest: { priorityOverride: "LOW" } },
  {
    name: "Failed deployments",
    eventKey: "deploy.failed",
    groups: ["Platform"],
    rest: { requiresAck: true, onCallOnly: true },
  },
  { name: "Backups", eventKey: "backup.failed", groups: ["Platform"], rest: { requiresAck: true } },
  {
    name: "Tickets of gold customers",
    eventKey: "ticket.opened",
    groups: ["Support"],
    rest: { conditions: [is("data.customer.tier", "gold")] },
  },
  {
    name: "Urgent, whatever it is",
    eventKey: "*",
    groups: ["Everybody"],
    rest: { conditions: [is("priority", "URGENT")] },
  },
  {
    name: "Certificates",
    eventKey: "certificate.expiring",
    groups: ["Platform"],
    rest: { requiresAck: true, enabled: false },
  },
];

/** `group` is told in the first step, everybody in the others, after so many minutes each. */
const policies: readonly { name: string; group: string; repeat: number; minutes: readonly number[] }[] = [
  { name: "Platform on call", group: "Platform", repeat: 1, minutes: [10, 15] },
  { name: "Payments, then all", group: "Payments", repeat: 0, minutes: [15, 15] },
];

type Kind = (n: number) => v.InferInput<typeof EventInput>;
const shop = { site: "https://shop.example", site_name: "Shop" };
const kinds: readonly Kind[] = [
  (n) => ({
    event: "order.created",
    title: `Order ${4000 + n}`,
    body: `${40 + ((n * 137) % 1900)} EUR, ${1 + (n % 5)} items`,
    priority: "LOW",
    data: { ...shop, amount: 40 + ((n * 137) % 1900), customer: { tier: n % 3 === 0 ? "gold" : "plain" } },
  }),
  (n) => ({
    event: "order.failed",
    title: `Order ${4000 + n} failed`,
    body: "The card was declined twice.",
    priority: "HIGH",
    detail: "Both tries were answered with do_not_honor. The basket is kept for a day.",
    data: { ...shop, amount: 80 + (n % 90), reason: "do_not_honor" },
    url: `https://shop.example/orders/${4000 + n}`,
  }),
  (n) => ({
    event: "deploy.finished",
    title: `web ${n % 9}.${n % 7} is live`,
    body: "All 12 instances are healthy.",
    priority: "LOW",
    data: { service: "web", version: `${n % 9}.${n % 7}` },
  }),
  (n) => ({
    event: "ticket.opened",
    title: `Ticket ${900 + n}: where is my order?`,
    body: "Answer within four hours.",
    data: { ...shop, customer: { tier: n % 2 === 0 ? "gold" : "plain" } },
  }),
  (n) => ({
    event: "checkout.slow",
    title: "Checkout is slow",
    body: `95 % of the calls take up to ${1800 + ((n * 61) % 1500)} ms.`,
    priority: "HIGH",
    data: { ...shop, p95_ms: 1800 + ((n * 61) % 1500), region: "eu-central-1" },
  }),
  (n) => ({
    event: "order.created",
    title: `Order ${4000 + n}`,
    body: `${900 + ((n * 53) % 900)} EUR, one item`,
    priority: "LOW",
    data: { ...shop, amount: 900 + ((n * 53) % 900), customer: { tier: "gold" } },
  }),
  (n) => ({
    event: "refund.requested",
    title: `Refund of ${60 + ((n * 31) % 400)} EUR`,
    body: "The parcel came back opened.",
    data: { ...shop, amount: 60 + ((n * 31) % 400) },
  }),
  (n) => ({
    event: "disk.filling",
    title: `db-${1 + (n % 3)}: the disk is ${82 + (n % 15)} % full`,
    body: "At this rate it is full in nine hours.",
    priority: "HIGH",
    data: { host: `db-${1 + (n % 3)}`, used_percent: 82 + (n % 15) },
  }),
  (n) => ({
    event: "payment.errors",
    title: "Card payments fail",
    body: `${3 + (n % 9)} % of the payments failed in five minutes.`,
    priority: "URGENT",
    data: { ...shop, provider: "cards", error_rate: 3 + (n % 9) },
  }),
  (n) => ({
    event: "deploy.failed",
    title: `api ${n % 9}.${n % 5} was rolled back`,
    body: "Health checks failed on 3 of 12 instances.",
    priority: "HIGH",
    data: { service: "api", version: `${n % 9}.${n % 5}` },
  }),
  () => ({
    event: "backup.failed",
    title: "The nightly backup did not finish",
    body: "It stopped after 41 minutes: no space left.",
    priority: "HIGH",
    data: { host: "db-1", minutes: 41 },
  }),
];
const kindNamed = (eventKey: string): Kind => {
  const found = kinds.find((kind) => kind(1).event === eventKey);
  if (found === undefined) throw new Error(`the demo has no event ${eventKey}`);
  return found;
};

/** Takes every message and forgets it: here the next step of an event follows by itself, and the sweeper finds the rest. */
const noQueue = (): Queue => ({
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

/** Some answer within a minute or a quarter of an hour, some only look, some do neither: the same at every start. */
const answerOf = (n: number): { status: "ACKNOWLEDGED" | "OPENED" | "DELIVERED"; afterMs: number } => ({
  status: n % 5 === 4 ? "OPENED" : "ACKNOWLEDGED",
  afterMs: (1 + ((n * 7) % 12)) * MINUTE_MS,
});

/** The last ones are still open when somebody looks. */
const latest: readonly { kind: Kind; minutesAgo: number }[] = [
  { kind: kindNamed("backup.failed"), minutesAgo: 26 },
  { kind: kindNamed("order.failed"), minutesAgo: 11 },
  { kind: kindNamed("disk.filling"), minutesAgo: 4 },
];

/** Fills the workspace with people's groups, rotations and rules, and with the events of so many days. Ids of what is set up are given, so that a start which was interrupted makes the same again. */
export const seedDemo = async (
  given: DemoDeps,
  ws: string,
  { members, apiKey, days }: { members: readonly Member[]; apiKey: string; days: number },
): Promise<void> => {
  const today = Date.now();
  let at = today - (days + 1) * DAY_MS;
  const counts = new Map<string, number>();
  const deps = {
    ...given,
    now: () => at,
    random: () => 0.5,
    sleep: async () => {},
    baseUrl: "http://127.0.0.1",
    log: silent,
    queues: { events: noQueue(), pushes: noQueue(), escalations: noQueue() },
    push: { send: async (): Promise<PushOutcome> => ({ kind: "accepted", messageId: "demo" }) },
  };
  const fixed = {
    ...deps,
    newId: (prefix: IdPrefix) => {
      const n = (counts.get(prefix) ?? 0) + 1;
      counts.set(prefix, n);
      return `${prefix}_demo${String(n).padStart(12, "0")}`;
    },
  };
  const idOf = (name: string): string => members.find((member) => member.name === name)?.userId ?? "";

  const groupIds = new Map<string, string>();
  for (const [name, people] of Object.entries(groups)) {
    const { id } = await createGroup(fixed, ws, name);
    groupIds.set(name, id);
    for (const person of people) await addGroupMember(deps, ws, id, idOf(person));
  }
  const groupOf = (name: string): string => groupIds.get(name) ?? "";
  for (const { userId, name } of members)
    if (withPhone.has(name)) {
      const phone = { token: `demo-phone-of-${name.toLowerCase()}`, platform: "ios", name: `${name}'s phone` } as const;
      await registerDevice(deps, ws, userId, phone);
    }
  for (const [name, { timeZone, layers }] of Object.entries(rotations))
    await putSchedule(
      deps,
      ws,
      groupOf(name),
      v.parse(OnCallSchedule, {
        timeZone,
        layers: layers.map(({ people, ...layer }) => ({
          start: "2026-01-05T09:00",
          ...layer,
          participants: people.map(idOf),
        })),
      }),
    );
  const policyIds = new Map<string, string>();
  for (const { name, group, repeat, minutes } of policies) {
    const steps = minutes.map((delayMinutes, step) => ({
      delayMinutes,
      targets: [{ type: "group", groupId: groupOf(step === 0 ? group : "Everybody") }],
    }));
    const { id } = await createPolicy(fixed, ws, v.parse(EscalationPolicyInput, { name, repeat, steps }));
    policyIds.set(name, id);
  }
  for (const { name, eventKey, groups: named, policy, rest } of rules)
    await createRule(
      fixed,
      ws,
      v.parse(RuleInput, {
        name,
        eventKey,
        targets: named.map((group) => ({ type: "group", groupId: groupOf(group) })),
        escalationPolicyId: policy === undefined ? null : policyIds.get(policy),
        ...rest,
      }),
    );
  await createSilence(
    fixed,
    ws,
    v.parse(SilenceInput, {
      name: "Weekly maintenance",
      eventKey: "disk.*",
      weekly: { days: ["sun"], from: "02:00", to: "04:00", timeZone: "Europe/Berlin" },
    }),
  );

  const ingest = createIngest(deps);
  const match = createMatching(deps);
  const hash = await hashApiKey(apiKey);
  /** One event, all its way; `answer`: by whom it is noticed, after a while. */
  const play = async (kind: Kind, n: number, receivedAt: number, answered: boolean): Promise<void> => {
    at = receivedAt;
    const event = v.parse(EventInput, kind(n));
    const taken = await ingest({ apiKey: { workspaceId: ws, hash }, input: { event, idempotency: undefined } });
    if (taken.kind !== "created") return;
    const { eventId, receivedAt: since } = taken;
    at += 140;
    const due = since + EVENT_MARKER_DUE_SECONDS * 1000;
    const { pushes } = await match({ kind: "unfinished", marker: { ws, eventId, due, since, tries: 0 } });
    at += 260;
    for (const message of pushes) await sendPack(deps, message);
    if (!answered || pushes.length === 0) return;
    const view = await readEventView(deps, ws, eventId);
    const reached = (view?.notifications ?? []).filter(({ status }) => status === "SENT");
    const { status, afterMs } = answerOf(n);
    const first = reached.find(({ requiresAck }) => requiresAck) ?? reached[0];
    if (first === undefined) return;
    const others = reached.filter((one) => one !== first);
    at += 2300;
    for (const { id } of others) await takeReport(deps, ws, id, "DELIVERED");
    at = since + afterMs;
    await takeReport(deps, ws, first.id, first.requiresAck ? "ACKNOWLEDGED" : status);
  };

  const total = days * EVENTS_A_DAY;
  const step = DAY_MS / EVENTS_A_DAY;
  for (let n = 0; n < total; n += 1) {
    // Half an hour ago it ends; by day there is more than by night.
    const time = today - 45 * MINUTE_MS - days * DAY_MS + n * step + ((n * 7919) % 60) * MINUTE_MS * 0.7;
    const kind = kinds[(n * 5 + Math.floor(n / 9)) % kinds.length];
    if (kind !== undefined) await play(kind, n, Math.min(Math.round(time), today - 40 * MINUTE_MS), true);
  }
  if (days > 0)
    for (const [index, { kind, minutesAgo }] of latest.entries())
      await play(kind, total + index, today - minutesAgo * MINUTE_MS, false);
  at = today;
  await addOverride(fixed, ws, groupOf("Platform"), {
    userId: idOf("Dan"),
    start: new Date(today + 2 * DAY_MS).toISOString(),
    end: new Date(today + 2.5 * DAY_MS).toISOString(),
  });
};
