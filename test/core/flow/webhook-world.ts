import { EVENT_TYPES, type WebhookInput } from "../../../core/domain/webhook/webhook.ts";
import { acknowledgeEvents, resolveEvent } from "../../../core/flow/respond/lifecycle.ts";
import { listMessages } from "../../../core/store/delivery/delivery-queues.ts";
import { createWebhook } from "../../../core/store/delivery/webhooks.ts";
import { listEventsBetween } from "../../../core/store/events/events.ts";
import { useWorld } from "../../world/use-world.ts";
import type { World, WorldOptions } from "../../world/world.ts";

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
export const bob = { id: "usr_bob", name: "Bob" };
export const toUrl = (name: string) => `https://${name}.example.com/hook`;

export const setUp = async (options: WorldOptions = {}, fields: Partial<WebhookInput> = {}) => {
  const world = await useWorld(options);
  const ops = await world.group("Ops", ["usr_ann"]);
  await world.group("Bobs", ["usr_bob"]);
  const addWebhook = (name: string, ownFields: Partial<WebhookInput> = {}) =>
    createWebhook(world.deps, world.ws, {
      name,
      url: toUrl(name),
      types: [...EVENT_TYPES],
      eventKeys: null,
      paused: false,
      ...fields,
      ...ownFields,
    });
  return { world, ops, addWebhook, webhook: await addWebhook("first") };
};

export type Body = {
  type: string;
  timestamp: string;
  data: Record<string, unknown> & { sequence: number; eventId: string };
};
export const listBodies = (world: World, name = "first"): Body[] =>
  world.posted.filter(({ url }) => url === toUrl(name)).map(({ body }) => JSON.parse(body) as Body);
/** Lists the messages that a webhook received, each with its number, the change and the state of the event. */
export const listDelivered = (world: World, name = "first") =>
  listBodies(world, name).map(
    ({ type, data }) => `${data.sequence} ${type.slice("event.".length)} ${String(data["state"])}`,
  );
export const listNotices = async ({ deps, ws }: World) =>
  (await listEventsBetween(deps, ws, { from: 1, to: 1_000 }))
    .filter(({ content }) => content.eventKey === "service.webhook")
    .map(({ content, receivedAt }) => ({ title: content.title, at: receivedAt }))
    .reverse();
export const acknowledge = (world: World, eventId: string) => acknowledgeEvents(world.deps, world.ws, [eventId], bob);
export const resolve = (world: World, eventId: string) => resolveEvent(world.deps, world.ws, eventId, bob, undefined);
export const listDeliveries = async (world: World, id: string) =>
  (await listMessages(world.deps, { ws: world.ws, id }, { limit: 500 })).toReversed();
