import * as v from "valibot";
import { afterEach, beforeEach, expect, it } from "vitest";
import { hashApiKey, parseApiKey } from "../../../core/domain/workspace/api-key-text.ts";
import { EventInput } from "../../../core/domain/event/event.ts";
import type { PushOutcome } from "../../../core/domain/delivery/push/outcome.ts";
import { createIngest } from "../../../core/flow/ingest/ingest-event.ts";
import { sendSynthetic, type SyntheticDeps } from "../../../core/flow/sweep/send-synthetic.ts";
import { createMatcher } from "../../../functions/matcher.ts";
import { createSender } from "../../../functions/sender.ts";
import { setUpSynthetic } from "../../../operator/set-up-synthetic.ts";
import { createTestClock } from "../../world/clock.ts";
import { createTestQueues } from "../../world/queues.ts";
import { startTable, type TestTable } from "../../world/table.ts";
import { toPush } from "../../support/push.ts";

let stand: TestTable;
beforeEach(async () => {
  stand = await startTable();
});
afterEach(() => stand.close());

/** Creates a service with its workspace for synthetic events. The workers run while the synthetic test waits. */
const setUp = async (answer: PushOutcome, working = true) => {
  const { deps: clock, advance } = createTestClock();
  const { events, pushes, escalations, webhooks, inbound } = createTestQueues(clock.now).queues;
  const deps = {
    ...clock,
    table: stand.table,
    sleep: () => new Promise<void>(() => {}),
    queues: {
      events: events.queue,
      pushes: pushes.queue,
      escalations: escalations.queue,
      webhooks: webhooks.queue,
      inbound: inbound.queue,
    },
    push: toPush(async () => answer),
    baseUrl: "https://alerts.example",
  };
  const { workspaceId, apiKey } = await setUpSynthetic(deps, { token: "token-1", platform: "ios" });
  const ingest = createIngest(deps);
  const [matcher, sender] = [createMatcher(deps), createSender(deps)];
  const synthetic: SyntheticDeps = {
    ...deps,
    sleep: async (ms) => {
      advance(ms);
      if (!working) return;
      await matcher(events.drainBatch());
      await sender(pushes.drainBatch());
    },
    readApiKey: async () => apiKey,
    postEvent: async (key, event) => {
      const text = parseApiKey(key)!;
      const { eventId } = await ingest({
        apiKey: { workspaceId: text.workspaceId, hash: await hashApiKey(key) },
        input: { event: v.parse(EventInput, event), idempotency: undefined },
      });
      return { status: 201, body: JSON.stringify({ ok: true, eventId }) };
    },
  };
  return { synthetic, workspaceId, log: clock.log };
};

it("the synthetic test counts its event as arrived if FCM accepts the push", async () => {
  const { synthetic, workspaceId, log } = await setUp({ kind: "accepted", messageId: "m" });

  await sendSynthetic(synthetic);

  expect(log.metric).toHaveBeenCalledWith("SyntheticArrived", 1);
  expect(log.info).toHaveBeenCalledWith("synthetic.arrived", expect.objectContaining({ workspaceId, ms: 1000 }));
});

it("the synthetic test does not count its event as arrived if FCM refuses the push", async () => {
  const { synthetic, log } = await setUp({ kind: "unregistered" });

  await expect(sendSynthetic(synthetic)).rejects.toThrow(/^the synthetic event evt_\w+ has not arrived after 25 s$/);

  expect(log.metric).not.toHaveBeenCalledWith("SyntheticArrived", expect.anything());
});

it("the synthetic test does not count its event as arrived if no worker processes the event", async () => {
  const { synthetic, log } = await setUp({ kind: "accepted", messageId: "m" }, false);

  await expect(sendSynthetic(synthetic)).rejects.toThrow("has not arrived after 25 s");

  expect(log.metric).not.toHaveBeenCalled();
});

it("the synthetic test reports the service's answer if the service does not accept the event", async () => {
  const { synthetic } = await setUp({ kind: "accepted", messageId: "m" });

  await expect(sendSynthetic({ ...synthetic, postEvent: async () => ({ status: 503, body: "" }) })).rejects.toThrow(
    "the synthetic event was answered with 503",
  );
});

it("the synthetic test reports that it was never set up if its secret contains no API key", async () => {
  const { synthetic } = await setUp({ kind: "accepted", messageId: "m" });

  await expect(sendSynthetic({ ...synthetic, readApiKey: async () => "x8Fz" })).rejects.toThrow(
    "the secret of the synthetic event contains no API key; store one with npm run operator -- synthetic",
  );
});
