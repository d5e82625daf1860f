import { QueryCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import { describe, expect, it, vi } from "vitest";
import { hashApiKey, parseApiKey } from "../../../core/domain/workspace/api-key-text.ts";
import { EventInput } from "../../../core/domain/event/event.ts";
import { Refusal } from "../../../core/domain/basics/refusal.ts";
import { createIngest } from "../../../core/flow/ingest/ingest-event.ts";
import { listEvents } from "../../../core/flow/read/list-events.ts";
import { createApiKey, deleteApiKey, readApiKey } from "../../../core/store/people/api-keys.ts";
import { readEvent } from "../../../core/store/events/events.ts";
import { readControl, refundEvent, setUsagePlan } from "../../../core/store/events/control.ts";
import { markLost } from "../../../core/store/events/sequence.ts";
import { createWorkspace } from "../../../core/store/people/workspaces.ts";
import { createTestClock } from "../../world/clock.ts";
import { withHook, callWith, createInterruption } from "../../world/interruption.ts";
import { useTable } from "../../world/use-table.ts";
import { createTestQueues } from "../../world/queues.ts";

const stand = await useTable();

let workspaces = 0;
const generous = { monthlyEvents: 1_000_000, eventsPerMinute: 600_000, burst: 100_000, retentionDays: 400 };

const aWorkspace = async (plan: Partial<typeof generous> = {}) => {
  const { deps: clock, advance } = createTestClock();
  const deps = { ...clock, table: stand.table, queues: { events: createTestQueues(clock.now).queues.events.queue } };
  workspaces += 1;
  const { id: ws } = await createWorkspace(deps, {
    id: `ws_ingest${workspaces}`,
    name: "Acme",
    creator: { userId: "usr_a", name: "Ann", email: "ann@acme.example" },
    plan: { ...generous, ...plan },
  });
  const created = await createApiKey(deps, ws, { name: "test" });
  const apiKey = { workspaceId: parseApiKey(created.key)!.workspaceId, hash: await hashApiKey(created.key) };
  const instances = [createIngest(deps), createIngest(deps), createIngest(deps)];
  let turn = 0;
  const post = (fields: object = {}, idempotencyKey?: string) => {
    const body = { event: "order.failed", title: "Order failed", body: "No stock", ...fields };
    const idempotency = idempotencyKey === undefined ? undefined : { key: idempotencyKey, body: JSON.stringify(body) };
    return instances[(turn += 1) % 3]!({ apiKey, input: { event: v.parse(EventInput, body), idempotency } }).catch(
      (error: unknown) => {
        if (error instanceof Refusal) return { kind: error.kind, refusal: error, eventId: "" };
        throw error;
      },
    );
  };
  const countKinds = async (answers: ReturnType<typeof post>[]) =>
    Object.fromEntries(
      Object.entries(Object.groupBy(await Promise.all(answers), ({ kind }) => kind)).map(([kind, all]) => [
        kind,
        all?.length,
      ]),
    );
  return { ws, deps, advance, post, countKinds, apiKey, keyId: created.id };
};

const repeat = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

describe("the monthly event quota", () => {
  it("admits exactly as many of 200 parallel posts as it has events left", async () => {
    const { countKinds, post } = await aWorkspace({ monthlyEvents: 50 });

    expect(await countKinds(repeat(200, () => post()))).toEqual({ created: 50, quota_exceeded: 150 });
  });

  it("is named with its reset time in the refusal, and is reset at that time", async () => {
    const { post, advance } = await aWorkspace({ monthlyEvents: 1 });
    await post();

    const refused = await post();
    advance(10 * 24 * 3600 * 1000);
    const next = await post();

    expect("refusal" in refused && refused.refusal.extras.members).toEqual({
      limit: 1,
      used: 1,
      resetAt: "2026-12-01T00:00:00.000Z",
    });
    expect(next.kind).toBe("created");
  });

  it("is refunded only in the month of the event, and only up to the used number", async () => {
    const { post, deps, ws } = await aWorkspace();
    await post();

    for (const [index, month] of ["2026-10", "2026-12", "2026-11", "2026-11"].entries()) {
      await refundEvent(deps, ws, month);
      expect((await readControl(deps, ws))?.used).toBe(index < 2 ? 1 : 0);
    }
  });
});

describe("the rate limit of events", () => {
  it("admits a burst, refuses the next event, and admits one more event after the interval", async () => {
    const { post, countKinds, advance } = await aWorkspace({ eventsPerMinute: 600, burst: 10 });

    expect(await countKinds(repeat(30, () => post()))).toEqual({ created: 10, rate_limited: 20 });
    advance(100);
    expect(await countKinds(repeat(5, () => post()))).toEqual({ created: 1, rate_limited: 4 });
  });

  it("costs one write per event if several instances admit events at the same moment, however old their cached values are", async () => {
    const { post, countKinds, advance } = await aWorkspace();
    for (let turn = 0; turn < 3; turn += 1) {
      await post();
      advance(1);
    }
    const send = vi.spyOn(stand.table.client, "send");

    for (let turn = 0; turn < 10; turn += 1) {
      expect(await countKinds(repeat(3, () => post()))).toEqual({ created: 3 });
      advance(10);
    }

    const admissions = send.mock.calls.filter(([command]) => command instanceof UpdateCommand);
    send.mockRestore();
    expect(admissions).toHaveLength(30);
  });

  it.each([
    ["allows more events", { eventsPerMinute: 6_000, burst: 100 }],
    ["allows a smaller burst", { eventsPerMinute: 60, burst: 2 }],
  ])("does not count earlier events after a change to a usage plan that %s", async (_, plan) => {
    const { post, countKinds, ws, deps, advance } = await aWorkspace({ eventsPerMinute: 6, burst: 100 });
    expect(await countKinds(repeat(101, () => post()))).toEqual({ created: 100, rate_limited: 1 });

    await setUsagePlan(deps, ws, { ...generous, ...plan });

    // The bucket fills up in the time of the new plan, and not in the 1,000 seconds of the old plan.
    advance((plan.burst * 60_000) / plan.eventsPerMinute);
    expect(await countKinds(repeat(plan.burst + 1, () => post()))).toEqual({ created: plan.burst, rate_limited: 1 });
  });

  it("says in the refusal how long to wait", async () => {
    const { post } = await aWorkspace({ eventsPerMinute: 6, burst: 1 });
    await post();

    const refused = await post();

    expect("refusal" in refused && refused.refusal.extras).toEqual({
      retryAfterSeconds: 10,
      rate: { burst: 1, remaining: 0, resetSeconds: 10, windowSeconds: 10 },
    });
  });
});

describe("a dedupeKey of an event", () => {
  it("makes one event of 50 simultaneous posts, counts that event once, and records the other numbers as unused", async () => {
    const { post, countKinds, ws, deps } = await aWorkspace();

    expect(await countKinds(repeat(50, () => post({ dedupeKey: "disk" })))).toEqual({ created: 1, duplicate: 49 });

    const control = await readControl(deps, ws);
    expect(control?.used).toBe(1);
    expect(control?.seq).toBeGreaterThan(1);
    expect((await listEvents(deps, ws, { page: 1, limit: 50 })).total).toBe(1);
  });

  it("catches duplicates for ten minutes after the first event, not after the last duplicate", async () => {
    const { post, advance } = await aWorkspace();
    const first = await post({ dedupeKey: "disk" });
    advance(599_000);
    const duplicate = await post({ dedupeKey: "disk" });
    advance(1_000);
    const second = await post({ dedupeKey: "disk" });

    expect(duplicate).toMatchObject({ kind: "duplicate", eventId: first.eventId });
    expect(second.kind).toBe("created");
    expect(second.eventId).not.toBe(first.eventId);
  });

  it("lets a duplicate be answered even if the quota is used up", async () => {
    const { post } = await aWorkspace({ monthlyEvents: 1 });
    const first = await post({ dedupeKey: "disk" });

    expect(await post({ dedupeKey: "disk" })).toMatchObject({ kind: "duplicate", eventId: first.eventId });
    expect((await post({ dedupeKey: "other" })).kind).toBe("quota_exceeded");
  });
});

describe("an Idempotency-Key of a request", () => {
  it("gives a retry the first answer, byte for byte", async () => {
    const { post, advance } = await aWorkspace();
    const first = await post({}, "retry-1");
    advance(3600_000);
    const again = await post({}, "retry-1");

    expect(first.kind).toBe("created");
    expect(again).toMatchObject({
      kind: "created",
      eventId: first.eventId,
      receivedAt: (first as { receivedAt: number }).receivedAt,
    });
  });

  it("is refused with a different body, and while the first request is in progress", async () => {
    const { post } = await aWorkspace();

    const answers = await Promise.all(repeat(5, () => post({}, "same")));

    const created = answers.filter(({ kind }) => kind === "created");
    expect(new Set(created.map(({ eventId }) => eventId)).size).toBe(1);
    expect(answers.filter(({ kind }) => kind !== "created").every(({ kind }) => kind === "request_in_progress")).toBe(
      true,
    );
    expect((await post({ title: "Another" }, "same")).kind).toBe("idempotency_key_reused");
  });

  it("keeps the event number of the first attempt, even if a retry stores the event hours later", async () => {
    const { post, advance, deps, ws } = await aWorkspace();
    const { client } = deps.table;
    const send = client.send.bind(client);
    const dies = vi
      .spyOn(client, "send")
      .mockImplementation(((command: { input: { Item?: { pk?: string } } }) =>
        command.input.Item?.pk?.startsWith("PENDING#") === true
          ? Promise.reject(new Error("it dies here"))
          : send(command as never)) as never);
    await expect(post({}, "slow")).rejects.toThrow("it dies here");
    dies.mockRestore();
    await markLost(deps, ws, [1]);
    advance(3 * 3600 * 1000);

    const answer = await post({}, "slow");

    expect(answer).toMatchObject({ kind: "created" });
    expect((await listEvents(deps, ws, { page: 1, limit: 50 })).total).toBe(1);
  });

  it("counts one event if a retry finishes a slow request that has already claimed the event's dedupeKey", async () => {
    const { post, deps, ws, apiKey, advance } = await aWorkspace();
    const { beforeCall, arm } = createInterruption(callWith(":deduplicated"));
    const ingest = createIngest({ ...deps, table: withHook(deps.table, beforeCall) });
    const body = { event: "order.failed", title: "Order failed", body: "No stock", dedupeKey: "disk" };
    const idempotency = { key: "slow", body: JSON.stringify(body) };
    arm(async () => {
      // A retry may take over the Idempotency-Key of a request that has been silent for 15 seconds.
      advance(20_000);
      expect(await post({ dedupeKey: "disk" }, "slow")).toMatchObject({ kind: "created" });
    });

    const slow = ingest({ apiKey, input: { event: v.parse(EventInput, body), idempotency } });

    await expect(slow).rejects.toMatchObject({ kind: "request_in_progress" });
    expect((await readControl(deps, ws))?.used).toBe(1);
    expect((await listEvents(deps, ws, { page: 1, limit: 50 })).total).toBe(1);
  });

  it("is not stored for a request that was refused", async () => {
    const { post, advance } = await aWorkspace({ eventsPerMinute: 60, burst: 1 });
    await post();
    const refused = await post({}, "later");
    advance(1000);

    expect(refused.kind).toBe("rate_limited");
    expect((await post({}, "later")).kind).toBe("created");
  });
});

describe("an API key of a sender", () => {
  it("is stored as the sender of its events, and is read once per instance", async () => {
    const { post, deps, ws, keyId } = await aWorkspace();
    await createApiKey(deps, ws, { name: "another" });
    const send = vi.spyOn(stand.table.client, "send");

    const first = await Promise.all(repeat(3, () => post()));
    const lookedUp = send.mock.calls.filter(([command]) => command instanceof QueryCommand).length;
    const later = await Promise.all([post(), post({ dedupeKey: "x" }), post({}, "idem")]);
    const lookedUpLater = send.mock.calls.filter(([command]) => command instanceof QueryCommand).length;
    send.mockRestore();

    expect([lookedUp, lookedUpLater]).toEqual([3, 3]);
    const events = await Promise.all([...first, ...later].map(({ eventId }) => readEvent(deps, ws, eventId)));
    expect(events.map((event) => event?.content.sender)).toEqual(repeat(6, () => ({ id: keyId, name: "test" })));
  });

  it("records its last use with the next event if the first write of the use fails", async () => {
    const { deps, ws, apiKey, keyId } = await aWorkspace();
    const { beforeCall, arm } = createInterruption(callWith(":before"));
    const ingest = createIngest({ ...deps, table: withHook(deps.table, beforeCall) });
    const event = v.parse(EventInput, { event: "order.failed", title: "Order failed", body: "No stock" });
    arm();

    for (let turn = 0; turn < 2; turn += 1) await ingest({ apiKey, input: { event, idempotency: undefined } });

    expect((await readApiKey(deps, ws, keyId))?.lastUsedAt).toBe(new Date(deps.now()).toISOString());
  });

  it("updates its last use only at the first use of each UTC day, even if the uses of two days are minutes apart", async () => {
    const { deps, ws, apiKey, keyId, advance } = await aWorkspace();
    const ingest = createIngest(deps);
    const event = v.parse(EventInput, { event: "order.failed", title: "Order failed", body: "No stock" });
    const shown: (string | null | undefined)[] = [];
    for (const time of ["2026-11-21T23:50:00.000Z", "2026-11-22T00:10:00.000Z", "2026-11-22T23:40:00.000Z"]) {
      advance(Date.parse(time) - deps.now());
      await ingest({ apiKey, input: { event, idempotency: undefined } });
      shown.push((await readApiKey(deps, ws, keyId))?.lastUsedAt);
    }

    expect(shown).toEqual(["2026-11-21T23:50:00.000Z", "2026-11-22T00:10:00.000Z", "2026-11-22T00:10:00.000Z"]);
  });

  it("is invalid once it is deleted, even on an instance that has cached it", async () => {
    const { post, deps, ws, keyId } = await aWorkspace();
    await Promise.all(repeat(3, () => post()));
    await Promise.all(repeat(3, () => post({ dedupeKey: "known" })));

    await deleteApiKey(deps, ws, keyId);

    expect((await post()).kind).toBe("unauthenticated");
    expect((await post({ dedupeKey: "x" })).kind).toBe("unauthenticated");
    expect((await post({ dedupeKey: "known" })).kind).toBe("unauthenticated");
    expect((await post({}, "idem")).kind).toBe("unauthenticated");
  });
});
