import { expect, it } from "vitest";
import { createSender } from "../../functions/sender.ts";
import { useWorld } from "../world/use-world.ts";

it.each([
  ["a reply", { Type: "Notification", Timestamp: "2026-11-21T12:00:00.000Z", Message: '{"inboundMessageId":"in-1"}' }],
  ["a delivery event", { eventType: "Bounce", mail: { messageId: "m-1" }, bounce: { bounceType: "Permanent" } }],
])("the function sender moves %s unchanged from its own queue to the inbound queue", async (_, message) => {
  const { deps, queues } = await useWorld();
  queues.pushes.send(JSON.stringify(message));

  const answer = await createSender(deps)(queues.pushes.drainBatch());

  expect(answer).toEqual({ batchItemFailures: [] });
  expect(queues.inbound.drainBatch().Records.map(({ body }) => JSON.parse(body) as object)).toEqual([message]);
});
