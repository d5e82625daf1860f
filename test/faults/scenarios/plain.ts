import { buildWorkspace } from "../fixtures.ts";
import type { Scenario } from "../scenario.ts";

export const plain: Scenario = {
  name: "plain",
  about:
    "one event, one rule, two people, one of them with two devices, whose devices are read by key among so many members",
  setup: async (deps) => [
    await buildWorkspace(deps, {
      people: { alice: ["alice-phone"], bob: ["bob-phone", "bob-tablet"], carol: [], dave: [], erin: [] },
      groups: { ops: ["alice", "bob"] },
      rules: { orders: { eventKey: "order.*" } },
    }),
  ],
  play: async ({ clients, fixtures: [acme] }) => {
    await clients.post(acme!, { event: "order.failed", title: "Order 1 failed" });
  },
  tells: () => [["orders|alice", "orders|bob"]],
};
