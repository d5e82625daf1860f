import { describe, expect, it } from "vitest";
import type { PostOutcome, PostRequest } from "../../../core/domain/webhook/delivery-queue.ts";
import { toWebhookDelivery } from "../../../core/domain/webhook/message.ts";
import { replayMessages, testWebhook, updateWebhook } from "../../../core/flow/admin/webhooks.ts";
import { readQueue, resumeQueue } from "../../../core/store/delivery/delivery-queues.ts";
import { listMarkers } from "../../world/world.ts";
import {
  MINUTE,
  HOUR,
  DAY,
  toUrl,
  setUp,
  type Body,
  listDelivered,
  listNotices,
  resolve,
  listDeliveries,
} from "./webhook-world.ts";

/** Creates a receiver that can be made unavailable, and records the messages that it accepts. */
const createReceiver = (down: PostOutcome = { kind: "failed", code: "ECONNREFUSED" }) => {
  const took: Body[] = [];
  const state = { up: true, calls: 0 };
  const receive = ({ body }: PostRequest): PostOutcome => {
    state.calls += 1;
    if (!state.up) return down;
    took.push(JSON.parse(body) as Body);
    return { kind: "taken", code: "HTTP_200" };
  };
  return { took, state, receive };
};

describe("a webhook that is unavailable", () => {
  it("counts as available as soon as it accepts a message", async () => {
    const lines: ReturnType<typeof readQueue>[] = [];
    let isUp = false;
    const { world, ops, webhook } = await setUp({
      receive: () => {
        if (!isUp) return { kind: "failed", code: "HTTP_500" };
        lines.push(readQueue(world.deps, { ws: world.ws, id: webhook.id }));
        return { kind: "taken", code: "HTTP_200" };
      },
    });
    await world.rule([ops], { eventKey: "disk.*" });
    for (let nr = 0; nr < 2; nr += 1) await world.post();
    await world.runFor(20 * MINUTE);

    isUp = true;
    await world.runFor(HOUR);

    const [first, second] = await Promise.all(lines);
    expect(first).toMatchObject({ tries: 4, failingSince: world.start });
    expect(second?.tries).toBe(0);
    expect(second?.failingSince).toBeUndefined();
  });

  it("gets everything in order after two days, in which it was called fewer than fifteen times", async () => {
    const { took, state, receive } = createReceiver();
    const { world, ops, webhook } = await setUp({ receive });
    await world.rule([ops], { requiresAck: true, eventKey: "disk.*" });
    state.up = false;
    const ids: string[] = [];
    for (let hour = 0; hour < 48; hour += 6) {
      const { eventId } = await world.post({ title: `Disk ${hour}` });
      ids.push(eventId);
      await world.runFor(3 * HOUR);
      await resolve(world, eventId);
      await world.runFor(3 * HOUR);
    }
    const calls = state.calls;
    state.up = true;
    await world.runFor(11 * HOUR);

    expect(took.map(({ data }) => `${data.eventId} ${data.sequence}`)).toEqual(
      ids.flatMap((id) => [`${id} 1`, `${id} 2`]),
    );
    expect(calls).toBeLessThan(15);
    expect((await listDeliveries(world, webhook.id)).every(({ taken }) => taken === true)).toBe(true);
    expect(await listNotices(world)).toEqual([{ title: "Webhook first is failing", at: expect.any(Number) }]);
    expect(await readQueue(world.deps, { ws: world.ws, id: webhook.id })).toMatchObject({ tries: 0 });
    expect(listMarkers(world)).toEqual([]);
  });

  it("counts as available again when somebody resumes its delivery queue", async () => {
    const { state, receive } = createReceiver();
    const { world, ops, webhook } = await setUp({ receive });
    await world.rule([ops], { requiresAck: true });
    state.up = false;
    await world.post();
    await world.runFor(MINUTE);
    const ref = { ws: world.ws, id: webhook.id };

    expect(await resumeQueue(world.deps, ref)).toHaveProperty("failingSince");
    expect(await readQueue(world.deps, ref)).not.toHaveProperty("failingSince");
  });

  it("is suspended after three days, its owners are notified, and a successful test sends all waiting messages", async () => {
    const { took, state, receive } = createReceiver();
    const { world, ops, webhook } = await setUp({ receive });
    await world.rule([ops], { requiresAck: true, eventKey: "disk.*" });
    state.up = false;
    const first = await world.post();
    await world.runFor(4 * DAY);
    const second = await world.post();
    await world.runFor(DAY);
    const notices = await listNotices(world);
    const calls = state.calls;
    state.up = true;
    await world.runFor(DAY);
    expect(state.calls).toBe(calls);

    expect(notices.map(({ title }) => title)).toEqual(["Webhook first is failing", "Webhook first is suspended"]);
    expect(Math.round((notices[1]!.at - world.start) / HOUR)).toBe(72);
    expect(await readQueue(world.deps, { ws: world.ws, id: webhook.id })).toMatchObject({
      suspendedAt: expect.any(Number),
      failure: { code: "ECONNREFUSED" },
    });
    expect(await testWebhook(world.deps, world.ws, webhook.id)).toMatchObject({ delivered: true });
    await world.runFor(MINUTE);
    expect(took.map(({ type, data }) => (type === "webhook.test" ? "test" : data.eventId))).toEqual([
      "test",
      first.eventId,
      second.eventId,
    ]);
  });

  it("delays no other webhook", async () => {
    const { world, ops, addWebhook } = await setUp({
      receive: ({ url }) =>
        url === toUrl("first") ? { kind: "failed", code: "DEADLINE" } : { kind: "taken", code: "HTTP_200" },
    });
    await addWebhook("second");
    await world.rule([ops]);
    await world.post();
    await world.runFor(1000);

    expect(listDelivered(world, "second")).toEqual(["1 opened none"]);
  });

  it("is retried at once when somebody changes it, and counts as failing from the time of the change", async () => {
    const { took, state, receive } = createReceiver();
    const { world, ops, webhook } = await setUp({ receive });
    await world.rule([ops]);
    state.up = false;
    await world.post();
    await world.runFor(6 * HOUR);
    const changedAt = world.now();
    await updateWebhook(world.deps, world.ws, webhook.id, { url: toUrl("second") });
    await world.runFor(1000);
    expect(await readQueue(world.deps, { ws: world.ws, id: webhook.id })).toMatchObject({ failingSince: changedAt });
    state.up = true;
    await updateWebhook(world.deps, world.ws, webhook.id, { url: toUrl("other") });
    await world.runFor(1000);

    expect(took).toHaveLength(1);
    expect(world.posted.at(-1)!.url).toBe(toUrl("other"));
  });
});

describe("a webhook that refuses messages", () => {
  it("loses only the one message that it refuses; its owners are notified, and the message can be sent again", async () => {
    const refusing = { until: Infinity };
    const { world, ops, webhook } = await setUp({
      receive: ({ body }) =>
        body.includes("Bad") && world.now() < refusing.until
          ? { kind: "refused", code: "HTTP_422" }
          : { kind: "taken", code: "HTTP_200" },
    });
    await world.rule([ops], { eventKey: "disk.*" });
    await world.post({ title: "Bad" });
    await world.post({ title: "Good" });
    await world.runFor(HOUR);
    const set = await listDeliveries(world, webhook.id);
    refusing.until = world.now();
    const at = new Date(set[0]!.told).toISOString();
    expect(await replayMessages(world.deps, world.ws, webhook.id, { from: at, to: at })).toBeGreaterThanOrEqual(1);
    const again = await listDeliveries(world, webhook.id);
    await world.runFor(MINUTE);

    expect(set.map(({ taken, tries, code }) => [taken, tries, code])).toEqual([
      [false, 4, "HTTP_422"],
      [true, 1, "HTTP_200"],
    ]);
    // The message waits again, whatever its earlier result.
    expect(toWebhookDelivery(again[0]!)).toMatchObject({ status: "waiting", tries: 0, lastTriedAt: null });
    expect((await listNotices(world)).map(({ title }) => title)).toEqual(["Webhook first refuses messages"]);
    expect((await listDeliveries(world, webhook.id)).every(({ taken }) => taken === true)).toBe(true);
  });

  it("gets as many attempts for a second refused message as for the first", async () => {
    const left = new Map([
      ["First", 3],
      ["Second", 1],
    ]);
    const { world, ops, webhook } = await setUp({
      receive: ({ body }) => {
        const { title } = (JSON.parse(body) as { data: { title: string } }).data;
        const refusals = left.get(title) ?? 0;
        left.set(title, refusals - 1);
        return refusals > 0 ? { kind: "refused", code: "HTTP_422" } : { kind: "taken", code: "HTTP_200" };
      },
    });
    await world.rule([ops], { eventKey: "disk.*" });
    await world.post({ title: "First" });
    await world.post({ title: "Second" });
    await world.runFor(HOUR);

    expect((await listDeliveries(world, webhook.id)).map(({ taken, tries }) => [taken, tries])).toEqual([
      [true, 4],
      [true, 2],
    ]);
  });

  it("is suspended at once if it refuses all messages permanently", async () => {
    const { world, ops } = await setUp({ receive: () => ({ kind: "gone", code: "HTTP_410" }) });
    await world.rule([ops], { eventKey: "disk.*" });
    await world.post();
    await world.runFor(DAY);

    expect(world.posted).toHaveLength(1);
    expect((await listNotices(world)).map(({ title }) => title)).toEqual(["Webhook first is suspended"]);
  });
});
