import { expect, it } from "vitest";
import { testWebhook, updateWebhook } from "../../../core/flow/admin/webhooks.ts";
import { listMarkers } from "../../world/world.ts";
import { MINUTE, HOUR, setUp, listBodies, listDelivered } from "./webhook-world.ts";

it("messages created while a webhook is paused are sent when the webhook is resumed", async () => {
  const { world, ops, webhook } = await setUp({}, { paused: true });
  await world.rule([ops]);
  await world.post();
  await world.runFor(HOUR);
  expect(world.posted).toEqual([]);
  await updateWebhook(world.deps, world.ws, webhook.id, { paused: false });
  await world.runFor(1000);

  expect(listDelivered(world)).toEqual(["1 opened none"]);
});

it("a webhook gets at most ten messages a second, in the order of its delivery queue", async () => {
  const { world, ops, webhook } = await setUp({}, { paused: true });
  await world.rule([ops]);
  for (let n = 0; n < 25; n += 1) await world.post({ title: `Disk ${n}` });
  await world.runFor(MINUTE);
  await updateWebhook(world.deps, world.ws, webhook.id, { paused: false });
  await world.runFor(MINUTE);
  const times = world.posted.map(({ at }) => at);

  expect(listBodies(world).map(({ data }) => data["title"])).toEqual(Array.from({ length: 25 }, (_, n) => `Disk ${n}`));
  for (const [index, at] of times.entries())
    if (index >= 10) expect(at - times[index - 10]!).toBeGreaterThanOrEqual(1000);
});

it("an acknowledgement is delivered to webhooks even if the webhook queue was unavailable when somebody acknowledged", async () => {
  const { world, ops } = await setUp();
  await world.rule([ops], { requiresAck: true });
  await world.post();
  await world.runFor(MINUTE);
  world.queues.webhooks.setUp(false);
  await world.acknowledgeNewest();
  world.queues.webhooks.setUp(true);
  await world.runFor(3 * MINUTE);

  expect(listDelivered(world)).toEqual(["1 opened open", "2 acknowledged acknowledged"]);
  expect(listMarkers(world)).toEqual([]);
});

it("the push of an event is sent even if the webhook queue is unavailable, and the webhook gets the event later", async () => {
  const { world, ops } = await setUp();
  await world.rule([ops]);
  world.queues.webhooks.setUp(false);
  await world.post();
  await world.runFor(1000);
  expect(world.pushed).toHaveLength(1);
  world.queues.webhooks.setUp(true);
  await world.runFor(5 * MINUTE);

  expect(listDelivered(world)).toEqual(["1 opened none"]);
  expect(world.pushed).toHaveLength(1);
});

it("two webhooks get the same message under one id, and a webhook is tested at most every ten seconds", async () => {
  const { world, ops, addWebhook, webhook } = await setUp();
  await addWebhook("second");
  await world.rule([ops]);
  await world.post();
  await world.runFor(1000);
  expect(new Set(world.posted.map(({ headers }) => headers["webhook-id"])).size).toBe(1);

  await testWebhook(world.deps, world.ws, webhook.id);
  world.skip(1);
  await expect(testWebhook(world.deps, world.ws, webhook.id)).rejects.toMatchObject({ kind: "rate_limited" });
  world.skip(9_999);
  expect(await testWebhook(world.deps, world.ws, webhook.id)).toMatchObject({ delivered: true, code: "HTTP_200" });
});
