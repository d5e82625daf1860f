import { expect, it } from "vitest";
import { EVENT_TYPES, toWebhookView } from "../../../core/domain/webhook/webhook.ts";
import { listEventsBetween } from "../../../core/store/events/events.ts";
import { readQueue } from "../../../core/store/delivery/delivery-queues.ts";
import { createWebhook } from "../../../core/store/delivery/webhooks.ts";
import { useWorld } from "../../world/use-world.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const HANGING = "https://hanging.example.com/hook";
const QUICK = "https://quick.example.com/hook";

it("a webhook that hangs shows since when and why, is reported after an hour, and delays no other webhook", async () => {
  const hangsUntil = 2 * HOUR;
  const world = await useWorld({
    receive: ({ url }) =>
      url === HANGING && world.now() - world.start < hangsUntil
        ? { kind: "failed", code: "DEADLINE" }
        : { kind: "taken", code: "HTTP_200" },
  });
  const ops = await world.group("Ops", ["usr_ann"]);
  await world.rule([ops], { eventKey: "disk.*" });
  const rest = { types: [...EVENT_TYPES], eventKeys: null, paused: false };
  const webhook = await createWebhook(world.deps, world.ws, { name: "Board", url: HANGING, ...rest });
  await createWebhook(world.deps, world.ws, { name: "Quick", url: QUICK, ...rest });
  const minutesOf = (host: string) =>
    world.posted.filter(({ url }) => url === host).map(({ at }) => (at - world.start) / MINUTE);
  const viewWebhook = async () => toWebhookView(webhook, await readQueue(world.deps, { ws: world.ws, id: webhook.id }));

  await world.post();
  await world.runFor(50 * MINUTE);
  expect(world.pushed.map(({ at }) => at - world.start)).toEqual([0]);
  expect(minutesOf(QUICK)).toEqual([0]);
  expect(await viewWebhook()).toMatchObject({
    status: "waiting",
    // The message to this webhook may be delivered before or after the message to the quick webhook.
    failingSince: expect.toBeOneOf([0, 100].map((ms) => new Date(world.start + ms).toISOString())),
    lastFailure: { code: "DEADLINE" },
    nextTryAt: expect.any(String),
  });
  expect(minutesOf(HANGING).length).toBeLessThan(6);

  await world.runFor(4 * HOUR);
  const notices = (await listEventsBetween(world.deps, world.ws, { from: 1, to: 100 })).filter(
    ({ content }) => content.eventKey === "service.webhook",
  );
  expect(notices.map(({ content }) => content)).toMatchObject([
    {
      title: "Webhook Board is failing",
      body: expect.stringContaining("the last attempt ended with DEADLINE. Messages wait in order"),
    },
  ]);
  const notifiedAfter = (notices[0]!.receivedAt - world.start) / MINUTE;
  expect(notifiedAfter).toBeGreaterThanOrEqual(60);
  expect(notifiedAfter).toBeLessThan(75);
  expect(await viewWebhook()).toMatchObject({ status: "active", failingSince: null, nextTryAt: null });
});
