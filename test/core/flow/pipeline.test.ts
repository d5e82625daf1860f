import * as v from "valibot";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EventInput } from "../../../core/domain/event.ts";
import type { PushMessage } from "../../../core/domain/push/message.ts";
import type { PushOutcome } from "../../../core/domain/push/outcome.ts";
import { createIngest } from "../../../core/flow/ingest-event.ts";
import { registerDevice } from "../../../core/flow/register-device.ts";
import { takeReport } from "../../../core/flow/report-notification.ts";
import { sweep } from "../../../core/flow/sweep.ts";
import { createApiKey } from "../../../core/store/api-keys.ts";
import { readEvent } from "../../../core/store/events.ts";
import { addGroupMember, createGroup } from "../../../core/store/groups.ts";
import { listDueEvents } from "../../../core/store/markers.ts";
import { saveMember } from "../../../core/store/members.ts";
import { listNewestPacks } from "../../../core/store/packs.ts";
import { createRule } from "../../../core/store/rules.ts";
import { shards } from "../../../core/store/keys.ts";
import { createWorkspace } from "../../../core/store/workspaces.ts";
import { parseApiKey, hashApiKey } from "../../../core/domain/api-key.ts";
import { createMatcher } from "../../../functions/matcher.ts";
import { createSender } from "../../../functions/sender.ts";
import { testClock } from "../../support/deps.ts";
import { startTable, type TestTable } from "../../support/dynamo.ts";
import { testQueue } from "../../support/queue.ts";

let stand: TestTable;
beforeAll(async () => {
  stand = await startTable();
});
afterAll(() => stand.close());

const setUp = async (answer: (message: PushMessage) => PushOutcome = () => ({ kind: "accepted", messageId: "m" })) => {
  const { deps: clock, advance } = testClock();
  const queues = { events: testQueue(), pushes: testQueue(), escalations: testQueue() };
  const pushed: PushMessage[] = [];
  const deps = {
    ...clock,
    table: stand.table,
    sleep: () => new Promise<void>(() => {}),
    queues: { events: queues.events.queue, pushes: queues.pushes.queue, escalations: queues.escalations.queue },
    push: {
      send: async (message: PushMessage) => {
        pushed.push(message);
        return answer(message);
      },
    },
  };
  const { id: ws } = await createWorkspace(deps, {
    name: "Acme",
    id: `ws_${Math.random().toString(36).slice(2)}`,
    creator: { userId: "usr_a", name: "Ann", email: "ann@acme.example" },
  });
  await saveMember(deps, ws, { userId: "usr_b", name: "Bob", email: "bob@acme.example" });
  const group = await createGroup(deps, ws, "Ops");
  for (const userId of ["usr_a", "usr_b"]) await addGroupMember(deps, ws, group.id, userId);
  await createRule(deps, ws, {
    name: "All",
    eventKey: "*",
    targets: [{ type: "group", groupId: group.id }],
    conditions: [],
    conditionMatch: "all",
    requiresAck: true,
    priorityOverride: "CRITICAL",
    onCallOnly: false,
    escalationPolicyId: null,
  });
  for (const userId of ["usr_a", "usr_b"])
    for (const nr of [1, 2])
      await registerDevice(deps, ws, userId, { token: `${ws}-${userId}-${nr}`, platform: "ios" });
  const { key } = await createApiKey(deps, ws, "test");
  const apiKey = { workspaceId: parseApiKey(key)!.workspaceId, hash: await hashApiKey(key) };
  const ingest = createIngest(deps);
  const matcher = createMatcher(deps);
  const sender = createSender(deps);
  const post = (more: object = {}) =>
    ingest({
      apiKey,
      input: {
        event: v.parse(EventInput, { event: "order.failed", title: "Order failed", body: "No stock", ...more }),
        idempotency: undefined,
      },
    });
  const run = async () => [await matcher(queues.events.drain()), await sender(queues.pushes.drain())];
  return { ws, deps, advance, queues, pushed, post, run };
};

const markersLeft = async (deps: Parameters<typeof listDueEvents>[0], ws: string) => {
  const found = await Promise.all(shards.map((shard) => listDueEvents(deps, shard, Number.MAX_SAFE_INTEGER, 1000)));
  return found.flat().filter((marker) => marker.ws === ws);
};

const none = { batchItemFailures: [] };

describe("an event that a rule matches", () => {
  it("reaches every device of every member, and is finished", async () => {
    const { ws, deps, post, run, pushed } = await setUp();

    const answer = await post();
    const results = await run();

    expect(answer.kind).toBe("created");
    expect(results).toEqual([none, none]);
    expect(pushed.map(({ token }) => token).sort()).toEqual([
      `${ws}-usr_a-1`,
      `${ws}-usr_a-2`,
      `${ws}-usr_b-1`,
      `${ws}-usr_b-2`,
    ]);
    const [pack] = await listNewestPacks(deps, ws, 10);
    expect(pack?.recipients.map(({ status }) => status)).toEqual(["SENT", "SENT"]);
    expect(pack?.priority).toBe("URGENT");
    expect((await readEvent(deps, ws, answer.eventId))?.notifications).toBe(2);
    expect(await markersLeft(deps, ws)).toEqual([]);
  });

  it("costs 3 units to take in and at most 6 to deliver, when the workers are warm", async () => {
    const { post, run } = await setUp();
    await post();
    await run();
    stand.usedUnits();

    await post();
    const ingest = stand.usedUnits();
    await run();

    expect(ingest).toBe(3);
    expect(stand.usedUnits()).toBeLessThanOrEqual(6);
  });

  it("is delivered by the sweeper when the queue was down", async () => {
    const { ws, deps, post, run, queues, advance, pushed } = await setUp();

    queues.events.setUp(false);
    const answer = await post();
    queues.events.setUp(true);
    advance(46_000);
    await sweep(deps);
    await run();

    expect(answer.kind).toBe("created");
    expect(pushed).toHaveLength(4);
    expect(await markersLeft(deps, ws)).toEqual([]);
  });

  it("is acknowledged once, and keeps the first time", async () => {
    const { ws, deps, post, run, advance } = await setUp();
    await post();
    await run();
    const [pack] = await listNewestPacks(deps, ws, 10);
    const id = pack!.recipients[0]!.notificationId;

    const first = await takeReport(deps, ws, id, "ACKNOWLEDGED");
    advance(5000);
    const second = await takeReport(deps, ws, id, "ACKNOWLEDGED");

    expect(first.recipient.status).toBe("ACKNOWLEDGED");
    expect(second.recipient.acknowledgedAt).toBe(first.recipient.acknowledgedAt);
  });
});

describe("a dedupeKey", () => {
  it("makes one event of many posts at once, and charges one", async () => {
    const { post } = await setUp();

    const answers = await Promise.all(Array.from({ length: 20 }, () => post({ dedupeKey: "disk-full" })));

    expect(answers.filter(({ kind }) => kind === "created")).toHaveLength(1);
    expect(new Set(answers.map(({ eventId }) => eventId)).size).toBe(1);
  });
});
