import * as v from "valibot";
import type { WorkspaceId } from "../../core/domain/basics/ids.ts";
import type { Deps, RecordingTable } from "../../core/deps.ts";
import { hashApiKey, parseApiKey } from "../../core/domain/workspace/api-key-text.ts";
import { EventInput } from "../../core/domain/event/event.ts";
import type { EscalationPolicyInput } from "../../core/domain/escalation/escalation-policy.ts";
import { OnCallSchedule } from "../../core/domain/on-call/index.ts";
import { toAddress, toAddressId, type DeviceInput } from "../../core/domain/device/device.ts";
import type { PushMessage } from "../../core/domain/delivery/push/message.ts";
import type { Push, PushOutcome } from "../../core/domain/delivery/push/outcome.ts";
import { RuleInput } from "../../core/domain/rules/rule-input.ts";
import { toIso } from "../../core/domain/basics/time.ts";
import { createIngest } from "../../core/flow/ingest/ingest-event.ts";
import { registerDevice } from "../../core/flow/admin/register-device.ts";
import { processReport } from "../../core/flow/respond/report-notification.ts";
import { runSweep } from "../../core/flow/sweep/sweep.ts";
import { createApiKey } from "../../core/store/people/api-keys.ts";
import { raisePeopleVersion } from "../../core/store/events/control.ts";
import { createPolicy } from "../../core/store/rules/escalation-policies.ts";
import { addGroupMember, createGroup } from "../../core/store/people/groups.ts";
import { devicesKey, groupMemberKey, memberKey } from "../../core/store/keys.ts";
import { saveMember } from "../../core/store/people/members.ts";
import { putSchedule } from "../../core/store/schedules/on-call.ts";
import { listNewestPacks } from "./newest-packs.ts";
import { storeSweepStart, skipTimeTo } from "../../core/store/delivery/sweeps.ts";
import { createRule } from "../../core/store/rules/rules.ts";
import { createWorkspace } from "../../core/store/people/workspaces.ts";
import { createEscalator } from "../../functions/escalator.ts";
import { createInbound } from "../../functions/inbound.ts";
import { createMatcher } from "../../functions/matcher.ts";
import { createWebhookSender } from "../../functions/webhook-sender.ts";
import type { PostOutcome, PostRequest } from "../../core/domain/webhook/delivery-queue.ts";
import type { SlackAnswer, SlackCall } from "../../core/domain/connection/slack-answer.ts";
import { slackApp, createSlackStandIn } from "../support/slack.ts";
import { createSender } from "../../functions/sender.ts";
import { addContact } from "../faults/fixtures.ts";
import { toPush } from "../support/push.ts";
import { ODD_START, createTestClock } from "./clock.ts";
import { createTestQueues, queueNames } from "./queues.ts";
import type { PartitionLimit } from "./partition-limit.ts";
import { createStepLimit, REFUSED_STEPS } from "./step-limit.ts";
import { startTable } from "./table.ts";

const MINUTE = 60_000;
/** The delay of a late sweep: less than the time by which sweeps look ahead. */
const LATE_SWEEP_MS = 12_000;
/** The partitions that the sweeper reads: until an item in one of them is due, its sweeps do nothing. */
const MARKERS = /^(?:PENDING|STEPS|AUDIT|HEARTBEATS|ENDS|LINES|PROOFS|COVERS)#/;
/** The partitions whose items the sweeper sends up to two minutes ahead; items in other partitions wait until they are due. */
const QUEUED_AHEAD = /^(?:PENDING|STEPS|LINES)#/;

type Item = { pk?: string; sk?: string };
export type Sent = {
  constructor: { name: string };
  input: {
    Item?: Item;
    Key?: Item;
    UpdateExpression?: string;
    ConditionExpression?: string;
    ExpressionAttributeValues?: Record<string, unknown> & { ":pk"?: string };
  };
};

export type Pushed = { at: number; userId: string; token: string; message: PushMessage };

export type WorldOptions = PartitionLimit & {
  start?: number;
  /** The workspace's id. */
  ws?: WorkspaceId;
  /** The second of each minute at which the sweeper runs; by default each fourth sweep is late. */
  sweepAtSecond?: number;
  /** The answer to a push; accepted by default. */
  answer?: (message: PushMessage) => PushOutcome;
  /** The answer of a webhook; 200 by default. */
  receive?: (request: PostRequest) => PostOutcome;
  /** The answer of Slack; by default that of a simulated channel. */
  slack?: (call: SlackCall) => SlackAnswer | undefined;
  push?: Push;
  /** How many text messages and calls a workspace may send in a month; without it, they are not counted. */
  monthly?: NonNullable<Deps["monthly"]>;
  /** How many messages a second each channel accepts; without it, channels have no rate limit. */
  pace?: NonNullable<Deps["pace"]>;
  /** Whether the world's clock also advances with real time, and batches are handled in parallel, as on Lambda. */
  live?: boolean;
  /** How a worker waits: for ever by default, or in real time if `live`. */
  sleep?: (ms: number) => Promise<void>;
  /** Whether reads may currently be stale, and whether AWS's throughput limits apply. */
  stale?: () => boolean;
  throttled?: () => boolean;
  beforeCall?: (command: Sent) => Promise<void>;
};

export const stepTo = (id: string, delayMinutes: number): EscalationPolicyInput["steps"][number] => {
  const target = id.startsWith("usr_")
    ? { type: "user" as const, userId: id }
    : { type: "group" as const, groupId: id, onCallOnly: false };
  return { delayMinutes, targets: [target] };
};

const openWorlds: (() => Promise<void>)[] = [];

export const closeWorlds = async () => {
  await Promise.all(openWorlds.splice(0).map((close) => close()));
};

/**
 * Creates one workspace and all workers in this process, in virtual time: queues with delays, a sweeper each minute, and a
 * clock that jumps to the next event. A device's token contains its user: `usr_a-1`.
 */
export const createWorld = async (options: WorldOptions = {}) => {
  const start = options.start ?? ODD_START;
  const { deps: clock, advance } = createTestClock(start);
  const began = performance.now();
  const now = () => clock.now() + (options.live === true ? Math.floor(performance.now() - began) : 0);
  const { stale = () => false, throttled = () => false } = options;
  const stand = await startTable({
    now,
    stale,
    throttled,
    share: options.share,
    tableWrites: options.tableWrites,
  });
  openWorlds.push(stand.close);
  const { queues } = createTestQueues(now, { visibilitySeconds: { events: 120, escalations: 120 } });
  const pushed: Pushed[] = [];
  const posted: (PostRequest & { at: number })[] = [];
  const slack = createSlackStandIn(now);
  const slackCalls: (SlackCall & { at: number })[] = [];
  let throttles = 0;
  const markers = new Map<string, number>();

  /** Whether a webhook receives on-call changes or the audit trail, so that any sweep may find something. */
  let isWatched = false;
  const trackMarkers = ({ constructor, input: { Item: item, Key: key } }: Sent) => {
    const found = item ?? key;
    if (found?.pk === "WATCHES" && constructor.name === "UpdateCommand") isWatched = true;
    if (found?.pk === "WATCHES" && constructor.name === "DeleteCommand") isWatched = false;
    if (found?.pk === undefined || found.sk === undefined || !MARKERS.test(found.pk)) return;
    const name = `${found.pk} ${found.sk}`;
    if (constructor.name === "PutCommand") markers.set(name, Number(found.sk.slice(0, 13)));
    if (constructor.name === "DeleteCommand") markers.delete(name);
  };
  /**
   * Returns whether a query for markers would find none, so that it can be skipped: a sweep makes 54 of these queries, which take
   * long. The world knows all markers.
   */
  const findsNoMarker = ({ constructor, input }: Sent) => {
    const { [":pk"]: pk, [":to"]: to } = input.ExpressionAttributeValues ?? {};
    if (constructor.name !== "QueryCommand" || typeof pk !== "string" || !MARKERS.test(pk)) return false;
    const upTo = Number(String(to).slice(0, 13));
    return !markers.entries().some(([name, due]) => due <= upTo && name.startsWith(`${pk} `));
  };
  const countCall = createStepLimit(now);
  const table: RecordingTable = {
    ...stand.table,
    client: {
      send: (async (command: Sent) => {
        countCall();
        await options.beforeCall?.(command);
        if (findsNoMarker(command)) return { Items: [] };
        try {
          const answer = await stand.table.client.send(command as never);
          trackMarkers(command);
          return answer;
        } catch (error) {
          if (error instanceof Error && error.name === "ThrottlingException") throttles += 1;
          countCall(REFUSED_STEPS);
          throw error;
        }
      }) as never,
    },
  };
  const recorded = toPush(async (message) => {
    const token = toAddressId("call" in message ? { call: message.call } : toAddress(message));
    pushed.push({ at: now(), userId: token.replace(/^.*\//, "").replace(/-[^-]*$/, ""), token, message });
    return options.answer?.(message) ?? { kind: "accepted", messageId: "m" };
  });
  const deps = {
    ...clock,
    now,
    table,
    sleep:
      options.sleep ??
      ((ms: number) =>
        new Promise<void>((resolve) => {
          if (options.live === true) setTimeout(resolve, ms);
        })),
    queues: {
      events: queues.events.queue,
      pushes: queues.pushes.queue,
      escalations: queues.escalations.queue,
      webhooks: queues.webhooks.queue,
      inbound: queues.inbound.queue,
    },
    post: async (request: PostRequest) => {
      posted.push({ at: now(), ...request });
      return options.receive?.(request) ?? ({ kind: "taken", code: "HTTP_200" } as const);
    },
    slack: async (call: SlackCall) => {
      slackCalls.push({ at: now(), ...call });
      return options.slack?.(call) ?? slack.takeCall(call);
    },
    slackApps: async () => [slackApp],
    push: options.push ?? recorded,
    baseUrl: "https://alerts.example",
    ...(options.monthly === undefined ? {} : { monthly: options.monthly }),
    ...(options.pace === undefined ? {} : { pace: options.pace }),
  } satisfies Deps;

  const ws = options.ws ?? (`ws_${openWorlds.length}` as const);
  await createWorkspace(deps, {
    name: "Acme",
    id: ws,
    plan: { monthlyEvents: 1_000_000, eventsPerMinute: 600_000, burst: 100_000, retentionDays: 400 },
    creator: { userId: "usr_owner", name: "Owner", email: "owner@acme.example" },
  });
  const { key } = await createApiKey(deps, ws, { name: "test" });
  const apiKey = { workspaceId: parseApiKey(key)!.workspaceId, hash: await hashApiKey(key) };
  const ingest = createIngest(deps);
  const workers = {
    events: createMatcher(deps),
    pushes: createSender(deps),
    escalations: createEscalator(deps),
    inbound: createInbound(deps),
    // At its rate limit, a delivery queue waits until the clock advances, so this wait advances the clock.
    webhooks: createWebhookSender({ ...deps, sleep: async (ms) => void advance(ms) }),
  };

  const workOn = async (name: keyof typeof workers): Promise<boolean> => {
    const batches: Promise<void>[] = [];
    for (let records = queues[name].batch(); records !== undefined; records = queues[name].batch()) {
      const given = records;
      batches.push(workers[name](given).then((answer) => queues[name].settle(given, answer)));
      if (options.live !== true) await batches.at(-1);
    }
    await Promise.all(batches);
    return batches.length > 0;
  };
  /** Runs the workers until nothing is left to do at the current time. */
  const countStep = createStepLimit(now);
  const work = async () => {
    for (let worked = true; worked;) {
      countStep();
      worked = false;
      for (const name of queueNames) worked = (await workOn(name)) || worked;
    }
  };

  const phase = (options.sweepAtSecond ?? 0) * 1000;
  const lateMs = options.sweepAtSecond === undefined ? LATE_SWEEP_MS : 0;
  /** Returns the time of a minute's sweep. Each fourth sweep is late. */
  const findTick = (minute: number) => minute * MINUTE + phase + (minute % 4 === 2 ? lateMs : 0);
  const findNextTick = (after: number) => {
    const minute = Math.floor((after - phase) / MINUTE);
    return findTick(minute) > after ? findTick(minute) : findTick(minute + 1);
  };
  /** Returns the time of the first sweep that may find something; earlier sweeps would only read. */
  const findUsefulTick = () => {
    const useful = [...markers].map(([name, due]) => (QUEUED_AHEAD.test(name) ? due - 2 * MINUTE : due - 1));
    const earliest = isWatched ? now() : Math.min(Infinity, ...useful);
    return earliest === Infinity ? Infinity : findNextTick(Math.max(now(), earliest));
  };
  /** Records sweeps that find nothing and are not run. */
  const skipTicks = async (first: number, last: number) => {
    if (last < first) return;
    await storeSweepStart({ table: stand.aside, now: () => first });
    await skipTimeTo({ table: stand.aside }, last);
  };
  const runUntil = async (until: number) => {
    let due = findNextTick(now());
    await work();
    for (;;) {
      const tick = findUsefulTick();
      const next = Math.min(tick, ...queueNames.map((name) => queues[name].nextAt() ?? Infinity));
      if (next > until) break;
      countStep();
      advance(Math.max(0, next - now()));
      if (next === tick) {
        await skipTicks(due, tick - MINUTE);
        due = findNextTick(tick);
        await runSweep(deps, Infinity);
      }
      await work();
    }
    advance(Math.max(0, until - now()));
    await skipTicks(due, findNextTick(until) - MINUTE);
  };

  const acknowledge = (notificationId: string) => processReport(deps, ws, notificationId, "ACKNOWLEDGED");
  const notifications = async () =>
    (await listNewestPacks(deps, ws, 10_000)).flatMap(({ packId, rule, priority, recipients }) =>
      recipients.map((recipient) => ({ ...recipient, packId, rule, priority })),
    );

  return {
    ws,
    start,
    deps,
    queues,
    pushed,
    posted,
    slack: slack.workspace,
    slackCalls,
    markers,
    now,
    apiKey: key,
    credentials: apiKey,
    usedUnits: stand.usedUnits,
    used: stand.used,
    throttles: () => throttles,
    fill: stand.fill,
    listItems: stand.listItems,
    work,
    runUntil,
    /** Moves the clock while nothing runs, as in a total outage. */
    skip: (ms: number) => {
      advance(ms);
    },
    runFor: (ms: number) => runUntil(now() + ms),
    /** Creates a group. Each person becomes a member of the workspace with `devices` devices. */
    group: async (name: string, userIds: readonly string[], devices = 1) => {
      const group = await createGroup(deps, ws, name);
      for (const userId of userIds) {
        await saveMember(deps, ws, { userId, name: userId.slice(4), email: `${userId.slice(4)}@acme.example` });
        await addGroupMember(deps, ws, { groupId: group.id, userId });
        for (let nr = 1; nr <= devices; nr += 1)
          await registerDevice(deps, ws, userId, { token: `${userId}-${nr}`, platform: "ios" });
      }
      return group.id;
    },
    contact: (userId: string, input: DeviceInput) => addContact(deps, ws, userId, input),
    /** Creates a group of many people. `tokensOf` returns a person's device tokens. */
    largeGroup: async (userIds: readonly string[], tokensOf: (userId: string) => readonly string[]) => {
      const group = await createGroup(deps, ws, "Crowd");
      const createdAt = toIso(start);
      const items = userIds.flatMap((userId) => {
        const devices = tokensOf(userId).map((token, index) => {
          const id = `dev_${userId.slice(4)}${index}`;
          return { id, platform: "android", name: null, createdAt, registeredAt: createdAt, token };
        });
        return [
          { ...memberKey(ws, userId), userId, name: userId, email: `${userId}@acme.example`, createdAt },
          { ...groupMemberKey(ws, { groupId: group.id, userId }), groupId: group.id, userId, createdAt },
          { ...devicesKey(ws, userId), version: 1, devices: Object.fromEntries(devices.map((one) => [one.id, one])) },
        ];
      });
      await stand.fill(items);
      await raisePeopleVersion(deps, ws);
      return group.id;
    },
    rule: (groupIds: readonly string[], fields: object = {}) =>
      createRule(
        deps,
        ws,
        v.parse(RuleInput, {
          name: "All",
          eventKey: "*",
          targets: groupIds.map((groupId) => ({ type: "group", groupId })),
          // The rule's weekly probe would be among the events and pushes that a test counts.
          probe: null,
          ...fields,
        }),
      ),
    policy: async (steps: EscalationPolicyInput["steps"], fields: Partial<EscalationPolicyInput> = {}) =>
      (await createPolicy(deps, ws, { name: "Ladder", repeat: 0, steps, ...fields })).id,
    schedule: (groupId: string, schedule: object) =>
      putSchedule(deps, ws, groupId, () => v.parse(OnCallSchedule, schedule)),
    post: (fields: object = {}) =>
      ingest({
        apiKey,
        input: {
          event: v.parse(EventInput, { event: "disk.full", title: "Disk full", body: "db-1 has 2 % left", ...fields }),
          idempotency: undefined,
        },
      }),
    acknowledge,
    /** `userId`: whose newest notification; by default the newest one of all people. */
    acknowledgeNewest: async (userId?: string) => {
      const newest = (await notifications()).find((one) => userId === undefined || one.userId === userId);
      await acknowledge(newest!.notificationId);
    },
    notifications,
  };
};
export type World = Awaited<ReturnType<typeof createWorld>>;

/** Returns the markers by which the sweeper finds shifts, probes, switches and shadows that it must check. */
export const listCheckMarkers = (world: World): string[] =>
  [...world.markers.keys()].filter((name) => name.startsWith("PROOFS#"));

/** Returns the markers of unfinished work, without those of hourly audits and those that `listCheckMarkers` returns. */
export const listMarkers = (world: World): string[] =>
  [...world.markers.keys()].filter((name) => !/^(?:AUDIT|PROOFS)#/.test(name));
