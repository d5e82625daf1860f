import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { isSpread } from "../../../core/domain/basics/ids.ts";
import { listEventsBetween } from "../../../core/store/events/events.ts";
import { controlKey } from "../../../core/store/keys.ts";
import { buildWorkspace } from "../fixtures.ts";
import type { Scenario } from "../scenario.ts";

const HOUR_MS = 3_600_000;

export const onePartition: Scenario = {
  name: "one-partition",
  about: "a workspace from before events were spread over partitions gets two events, and a person resolves the first",
  setup: async (deps) => {
    const acme = await buildWorkspace(deps, {
      people: { alice: ["alice-phone"], ben: [] },
      groups: { ops: ["alice"] },
      rules: { orders: { eventKey: "order.*", requiresAck: true } },
    });
    await deps.table.client.send(
      new UpdateCommand({
        TableName: deps.table.name,
        Key: controlKey(acme.ws),
        UpdateExpression: "REMOVE #spread",
        ExpressionAttributeNames: { "#spread": "spread" },
      }),
    );
    return [acme];
  },
  play: async ({ clients, world, fixtures: [acme] }) => {
    const send = (title: string) => clients.post(acme!, { event: "order.failed", title }, { idempotencyKey: title });
    const first = (await send("Before")).answers.find(({ eventId }) => eventId !== undefined)?.eventId;
    await world.kernel.sleep(HOUR_MS);
    await send("After");
    if (first !== undefined)
      await clients.call(acme!, "ben", "resolve-event", { path: { eventId: first }, body: { note: "Restarted" } });
  },
  expectNotified: () => [["orders|alice"]],
  minutes: 120,
  check: async ({ world }) => {
    const stored = await world.outside((deps) => listEventsBetween(deps, "ws_acme", { from: 0, to: 1000 }));
    const titles = stored.map(({ content }) => content.title);
    if (stored.some(({ eventId }) => isSpread(eventId)) && stored.some(({ eventId }) => !isSpread(eventId)))
      world.seen.add("a workspace had events in one partition and in several");
    return new Set(titles).size === titles.length ? [] : [`events are stored twice: ${titles.join(", ")}`];
  },
};
