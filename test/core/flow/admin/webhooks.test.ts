import { describe, expect, it } from "vitest";
import { toIso } from "../../../../core/domain/basics/time.ts";
import { REPLAYED_MAX } from "../../../../core/domain/basics/limits.ts";
import { createWebhook, replayMessages, testWebhook, updateWebhook } from "../../../../core/flow/admin/webhooks.ts";
import { messageSk } from "../../../../core/store/keys.ts";
import { listFirstMessages, queueMessage, finishMessage } from "../../../../core/store/delivery/delivery-queues.ts";
import { readWebhook } from "../../../../core/store/delivery/webhooks.ts";
import { listBodies, setUp, toUrl } from "../webhook-world.ts";

const MINUTE = 60_000;

describe("the URL of a webhook", () => {
  const INWARD = "http://169.254.169.254/latest/meta-data";
  const refusal = { kind: "invalid_input", extras: { faults: [{ field: "url", code: "invalid" }] } };

  it("may not be internal when the webhook is created or changed", async () => {
    const { world, webhook } = await setUp();
    const { deps, ws } = world;
    const input = { name: "n", url: INWARD, types: [], eventKeys: null, paused: false };

    await expect(createWebhook(deps, ws, input)).rejects.toMatchObject(refusal);
    await expect(updateWebhook(deps, ws, webhook.id, { url: INWARD })).rejects.toMatchObject(refusal);

    expect((await readWebhook(deps, ws, webhook.id))?.url).toBe(toUrl("first"));
  });
});

it("a test of a paused webhook is sent at once, and waiting messages are not", async () => {
  const { world, ops, webhook } = await setUp();
  const { deps, ws } = world;
  await world.rule([ops]);
  await updateWebhook(deps, ws, webhook.id, { paused: true });
  await world.post({ title: "Waits" });
  await world.runFor(MINUTE);

  expect(await testWebhook(deps, ws, webhook.id)).toMatchObject({ delivered: true });
  await world.runFor(MINUTE);
  expect(listBodies(world).map(({ type }) => type)).toEqual(["webhook.test"]);

  await updateWebhook(deps, ws, webhook.id, { paused: false });
  await world.runFor(MINUTE);
  expect(listBodies(world).map(({ type }) => type)).toEqual(["webhook.test", "event.opened"]);
});

describe("a request to send webhook messages again", () => {
  it("queues the messages of the types that the webhook still gets, and counts their attempts anew", async () => {
    const { world, webhook } = await setUp();
    const ref = { ws: world.ws, id: webhook.id };
    for (const [index, type] of (["event.opened", "event.resolved"] as const).entries()) {
      const sk = messageSk(world.now(), index + 1, 1);
      const message = { sk, id: `msg_${index}`, type, sequence: 1, told: world.now(), tries: 3, body: "{}" };
      await finishMessage(world.deps, ref, message, { at: world.now(), code: "HTTP_500", taken: false });
    }
    await updateWebhook(world.deps, world.ws, webhook.id, { types: ["event.resolved"] });
    const range = { from: toIso(world.now()), to: toIso(world.now()) };

    expect(await replayMessages(world.deps, world.ws, webhook.id, range)).toBe(1);
    const waiting = await listFirstMessages(world.deps, ref, 10);
    expect(waiting.map(({ type, tries }) => [type, tries])).toEqual([["event.resolved", 0]]);
  });

  it("is refused if it covers too many messages, with the advice to choose a shorter period", async () => {
    const { world, webhook } = await setUp();
    const { deps, ws } = world;
    const ref = { ws, id: webhook.id };
    const at = world.now();
    const range = { from: new Date(at).toISOString(), to: new Date(at).toISOString() };
    const send = async (seq: number) => {
      const message = {
        sk: messageSk(at, seq, 1),
        id: `msg_${seq}`,
        type: "event.opened",
        sequence: 1,
        told: at,
        tries: 0,
        body: "{}",
      };
      await queueMessage(deps, ref, message);
      await finishMessage(deps, ref, message, { at, code: "HTTP_200", taken: true });
    };
    for (let seq = 1; seq <= REPLAYED_MAX; seq += 1) await send(seq);

    expect(await replayMessages(deps, ws, webhook.id, range)).toBe(REPLAYED_MAX);
    await send(REPLAYED_MAX + 1);
    await expect(replayMessages(deps, ws, webhook.id, range)).rejects.toMatchObject({
      kind: "invalid_input",
      extras: { faults: [{ field: "to", code: "too_large" }] },
    });
  });
});
