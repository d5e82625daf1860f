import { buildWorkspace } from "../fixtures.ts";
import type { Scenario } from "../scenario.ts";

const MINUTE_MS = 60_000;

export const secretsUnavailable: Scenario = {
  name: "secrets-unavailable",
  about:
    "Secrets Manager does not answer the first sender, and refuses it half an hour later, when it has cached secrets",
  setup: async (deps) => [
    await buildWorkspace(deps, {
      people: { alice: ["signing-alice"], bob: ["bob-browser"] },
      rules: { orders: { eventKey: "order.*" } },
    }),
  ],
  channel: "both",
  play: async ({ clients, world, fixtures: [acme] }) => {
    const postDuringFault = async (what: "silent" | "fail", ms: number, title: string) => {
      world.outage.secrets = what;
      await clients.post(acme!, { event: "order.failed", title }, { idempotencyKey: title });
      await world.kernel.sleep(ms);
      world.outage.secrets = undefined;
      world.extendDisturbance(world.kernel.now());
    };
    await postDuringFault("silent", 2 * MINUTE_MS, "one");
    if (world.fcm.calls.length === 0) world.seen.add("nothing was sent while no secret could be read");
    await world.kernel.sleep(30 * MINUTE_MS);
    const before = world.fcm.calls.length;
    await postDuringFault("fail", MINUTE_MS / 2, "two");
    if (world.fcm.calls.length > before) world.seen.add("pushes were sent with cached secrets");
  },
  expectNotified: () => [["orders|alice", "orders|bob"]],
  minutes: 60,
  expectsNoErrors: false,
};
