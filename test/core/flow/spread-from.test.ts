import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { describe, expect, it } from "vitest";
import { isSpread } from "../../../core/domain/basics/ids.ts";
import { resolveEvent } from "../../../core/flow/respond/lifecycle.ts";
import { createIngest } from "../../../core/flow/ingest/ingest-event.ts";
import { listEvents, listEventsOfSite } from "../../../core/flow/read/list-events.ts";
import { readEventView } from "../../../core/flow/read/read-event.ts";
import { callTo, createInterruption } from "../../world/interruption.ts";
import { useWorld } from "../../world/use-world.ts";
import { listMarkers, type World, type WorldOptions } from "../../world/world.ts";

const MINUTE = 60_000;
const SITE = "https://shop.example";
const data = { site: SITE, site_name: "Shop" };

/** A workspace as stored by a version that did not spread events over partitions. */
const aWorldBeforeSpread = async (options: WorldOptions = {}) => {
  const world = await useWorld(options);
  await world.rule([await world.group("Ops", ["usr_ann"])], { requiresAck: true });
  await world.deps.table.client.send(
    new UpdateCommand({
      TableName: world.deps.table.name,
      Key: { pk: `WS#${world.ws}`, sk: "CONTROL" },
      UpdateExpression: "REMOVE #spread",
      ExpressionAttributeNames: { "#spread": "spread" },
    }),
  );
  return world;
};

const idsOf = ({ items }: { items: readonly { id: string }[] }) => items.map(({ id }) => id);
const listIds = async ({ deps, ws }: World) => idsOf(await listEvents(deps, ws, { page: 1, limit: 50 }));

describe("a workspace that was created before events were spread over partitions", () => {
  it("spreads its events from an hour after its next event, and shows, delivers and ends all events", async () => {
    const world = await aWorldBeforeSpread();
    const posts: string[] = [];
    for (let minute = 0; minute < 120; minute += 10) {
      posts.push((await world.post({ title: `At ${minute}`, data })).eventId);
      await world.runFor(10 * MINUTE);
    }

    expect(posts.map(isSpread)).toEqual(posts.map((_, index) => index >= 6));
    expect(await listIds(world)).toEqual(posts.toReversed());
    const ofSite = await listEventsOfSite(world.deps, world.ws, SITE, { page: 1, limit: 50 });
    expect([ofSite.total, idsOf(ofSite)]).toEqual([12, posts.toReversed()]);
    expect(world.pushed).toHaveLength(12);
    const newestIds = (await world.notifications()).map(({ notificationId }) => notificationId);
    for (const notificationId of newestIds.slice(0, 6)) await world.acknowledge(notificationId);
    for (const eventId of posts.slice(0, 6))
      await resolveEvent(world.deps, world.ws, eventId, { id: "usr_ann", name: "Ann" }, undefined);
    for (const [index, eventId] of posts.entries())
      expect(await readEventView(world.deps, world.ws, eventId)).toMatchObject({
        state: index < 6 ? "resolved" : "acknowledged",
        notifications: [{ user: { id: "usr_ann" } }],
      });
    expect(listMarkers(world)).toEqual([]);
  });

  it("does not spread an event that got its number before spreading began, even if it is retried later", async () => {
    const { beforeCall, arm } = createInterruption(callTo("Put", "#EVENTS"));
    const world = await aWorldBeforeSpread({ beforeCall });
    arm();
    const ingest = createIngest(world.deps);
    const { workspaceId, hash } = world.credentials;
    const event = { eventKey: "disk.full", title: "Full", body: "B", priority: "LOW" as const };
    const post = () =>
      ingest({ apiKey: { workspaceId, hash }, input: { event, idempotency: { key: "once", body: "{}" } } });
    await expect(post()).rejects.toThrow("died");
    await world.runFor(120 * MINUTE);

    const again = await post();
    await world.runFor(MINUTE);

    expect([again.kind, isSpread(again.eventId)]).toEqual(["created", false]);
    expect(isSpread((await world.post()).eventId)).toBe(true);
    expect((await listIds(world)).filter((id) => id === again.eventId)).toHaveLength(1);
    expect(world.pushed).toHaveLength(1);
  });
});
