import { buildWorkspace } from "../fixtures.ts";
import type { Scenario } from "../scenario.ts";

export const plain: Scenario = {
  name: "plain",
  about: "one event matches one rule and notifies two people, one with two devices, in a workspace with many members",
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
  expectNotified: () => [["orders|alice", "orders|bob"]],
};
