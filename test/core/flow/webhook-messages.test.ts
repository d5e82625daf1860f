import { Webhook as Checker } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { deriveCurrentSecret } from "../../../core/domain/webhook/signature.ts";
import { EVENT_TYPES } from "../../../core/domain/webhook/webhook.ts";
import { snoozeUntil } from "../../../core/flow/respond/respond.ts";
import { createSilence } from "../../../core/store/rules/silences.ts";
import { SilenceInput } from "../../../core/domain/rules/silence-input.ts";
import { createWebhook } from "../../../core/store/delivery/webhooks.ts";
import * as v from "valibot";
import { useWorld } from "../../world/use-world.ts";
import { listMarkers, stepTo } from "../../world/world.ts";
import {
  MINUTE,
  HOUR,
  bob,
  toUrl,
  setUp,
  listBodies,
  listDelivered,
  listNotices,
  acknowledge,
  resolve,
} from "./webhook-world.ts";

describe("a webhook that receives events", () => {
  it("gets an event's opening, acknowledgement and resolution, each signed, numbered and with its author", async () => {
    const { world, ops, webhook } = await setUp();
    await world.rule([ops], { requiresAck: true });
    const { eventId } = await world.post({ url: "https://shop.example/1", dedupeKey: "disk-1" });
    await world.runFor(MINUTE);
    await acknowledge(world, eventId);
    await world.runFor(MINUTE);
    await resolve(world, eventId);
    await world.runFor(MINUTE);

    expect(listDelivered(world)).toEqual(["1 opened open", "2 acknowledged acknowledged", "3 resolved resolved"]);
    expect(listBodies(world)[2]).toEqual({
      type: "event.resolved",
      timestamp: new Date(world.start + 2 * MINUTE).toISOString(),
      data: {
        sequence: 3,
        workspaceId: world.ws,
        eventId,
        eventKey: "disk.full",
        title: "Disk full",
        body: "db-1 has 2 % left",
        priority: "NORMAL",
        url: "https://shop.example/1",
        dedupeKey: "disk-1",
        createdAt: new Date(world.start).toISOString(),
        state: "resolved",
        by: bob,
      },
    });
    const checker = new Checker(await deriveCurrentSecret(await world.deps.webhookKey(), webhook));
    const { headers, body } = world.posted[0]!;
    expect(headers["webhook-id"]).toBe(`msg_${eventId}_1`);
    // The library accepts only current timestamps, and the clock of this world shows another time.
    expect(() => checker.verify(body, { ...headers })).toThrow("too");
    expect(listMarkers(world)).toEqual([]);
  });

  it("gets messages only about the one event of a group of events that notified people", async () => {
    const { world, ops } = await setUp();
    const atLeast = { count: 2, withinMinutes: 10 };
    await world.rule([ops], { requiresAck: true, groupBy: ["data.host"], groupMinutes: 30, atLeast });
    const post = async (host: string) => {
      const { eventId } = await world.post({ data: { host } });
      await world.runFor(MINUTE);
      return eventId;
    };
    const [, rang] = [await post("db-1"), await post("db-1"), await post("db-1"), await post("db-2")];
    await resolve(world, rang);
    await world.runFor(MINUTE);

    expect(listDelivered(world)).toEqual(["1 opened open", "2 resolved resolved"]);
    expect(new Set(listBodies(world).map(({ data }) => data.eventId))).toEqual(new Set([rang]));
  });

  it("gets a message for each escalation step, for an event that reached nobody, and for an acknowledgement that has ended", async () => {
    const { world, ops } = await setUp({ answer: () => ({ kind: "invalid", code: "INVALID_ARGUMENT" }) });
    const escalationPolicyId = await world.policy([stepTo("usr_bob", 10)]);
    await world.rule([ops], { requiresAck: true, escalationPolicyId });
    const { eventId } = await world.post();
    await world.runFor(2 * MINUTE);
    await snoozeUntil(world.deps, world.ws, eventId, bob, { minutes: 30 });
    await world.runFor(HOUR);

    expect(listDelivered(world)).toEqual([
      "1 opened open",
      "2 escalated open",
      "3 unreached open",
      "4 acknowledged acknowledged",
      "5 opened open",
      "6 escalated open",
    ]);
  });

  it("gets only messages of the types, and about events with the event keys, that it names", async () => {
    const { world, ops, addWebhook } = await setUp({}, { eventKeys: ["order.*"] });
    await addWebhook("ends", { types: ["event.resolved"], eventKeys: null });
    await world.rule([ops], { requiresAck: true });
    const disk = await world.post();
    const order = await world.post({ event: "order.failed" });
    await world.runFor(MINUTE);
    for (const { eventId } of [disk, order]) await resolve(world, eventId);
    await world.runFor(MINUTE);

    expect(listBodies(world).map(({ data }) => data.eventId)).toEqual([order.eventId, order.eventId]);
    expect(listDelivered(world, "ends")).toEqual(["2 resolved resolved", "2 resolved resolved"]);
  });

  it("gets a message that an event has ended if another event resolves it", async () => {
    const { world, ops } = await setUp();
    await world.rule([ops], { requiresAck: true, eventKey: "disk.full" });
    await world.post({ dedupeKey: "disk-1" });
    await world.runFor(MINUTE);
    await world.post({ event: "disk.back", title: "Back", resolves: "disk-1" });
    await world.runFor(MINUTE);

    expect(listDelivered(world)).toEqual(["1 opened open", "2 resolved resolved"]);
  });

  it("gets silenced events only when they notify people", async () => {
    const { world, ops } = await setUp();
    await world.rule([ops], { requiresAck: true });
    const endsAt = new Date(world.start + 30 * MINUTE).toISOString();
    await createSilence(world.deps, world.ws, v.parse(SilenceInput, { name: "Work", eventKey: "disk.*", endsAt }));
    await world.post();
    await world.runFor(20 * MINUTE);
    expect(listDelivered(world)).toEqual([]);
    await world.runFor(20 * MINUTE);

    expect(listDelivered(world)).toEqual(["1 opened open"]);
  });

  it("gets neither the service's own notices nor events that no rule matches", async () => {
    const { world, ops } = await setUp({ receive: () => ({ kind: "gone", code: "HTTP_410" }) });
    await world.rule([ops], { eventKey: "order.*" });
    await world.post();
    await world.post({ event: "order.failed" });
    await world.runFor(MINUTE);

    expect(await listNotices(world)).toHaveLength(1);
    expect(world.posted).toHaveLength(1);
  });

  it("adds no cost to an event if the workspace has no webhook", async () => {
    const measureUnits = async (other: boolean) => {
      const world = await useWorld();
      if (other)
        await createWebhook(world.deps, world.ws, {
          name: "w",
          url: toUrl("w"),
          types: [...EVENT_TYPES],
          eventKeys: ["nothing.ever"],
          paused: false,
        });
      await world.rule([await world.group("Ops", ["usr_ann"])], { requiresAck: true });
      await world.post();
      await world.runFor(MINUTE);
      const { eventId } = await world.post();
      await world.runFor(MINUTE);
      world.usedUnits();
      const third = await world.post();
      await world.runFor(30_000);
      await acknowledge(world, eventId);
      await resolve(world, third.eventId);
      await world.runFor(10_000);
      expect(world.posted).toEqual([]);
      return world.usedUnits();
    };

    expect(await measureUnits(true)).toEqual(await measureUnits(false));
  });
});
