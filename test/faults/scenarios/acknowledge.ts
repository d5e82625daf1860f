import { buildWorkspace } from "../fixtures.ts";
import type { Scenario } from "../scenario.ts";
import { listItems } from "../items.ts";

/** The reports: user, position, status, and milliseconds after the first pack is stored. */
const REPORTS = [
  ["alice", 0, "ACKNOWLEDGED", 0],
  ["bob", 1, "DELIVERED", 90],
  ["bob", 1, "ACKNOWLEDGED", 130],
  ["bob", 1, "OPENED", 170],
  ["cleo", 2, "OPENED", 260],
] as const;

export const acknowledge: Scenario = {
  name: "acknowledge",
  about: "apps report statuses before, while and after the pushes are sent",
  setup: async (deps) => [
    await buildWorkspace(deps, {
      people: { alice: ["alice-phone"], bob: ["bob-phone", "bob-tablet"], cleo: ["cleo-phone"] },
      rules: { orders: { eventKey: "order.*", requiresAck: true } },
    }),
  ],
  play: async ({ clients, world, fixtures: [acme] }) => {
    await clients.post(acme!, { event: "order.failed", title: "Order 1 failed" });
    const listPacks = () => listItems(world, "NOTIFICATIONS");
    for (let round = 0; listPacks().length === 0; round += 1) {
      if (round > 2000) return;
      await world.kernel.sleep(round < 100 ? 7 : 500);
    }
    const sk = listPacks()[0]!["sk"]?.S ?? "";
    await Promise.all(
      REPORTS.map(async ([user, position, status, after]) => {
        await world.kernel.sleep(after);
        await clients.report(acme!, user, `ntf_${sk}${position}`, status);
      }),
    );
  },
  expectNotified: () => [["orders|alice", "orders|bob", "orders|cleo"]],
  check: async ({ clients, world }) => {
    const [pack] = listItems(world, "NOTIFICATIONS");
    const statuses = (pack?.["r"]?.L ?? []).map((recipient) => recipient.M?.["s"]?.S);
    return clients.acknowledgements.flatMap(({ notificationId, status }) => {
      const stored = statuses[Number(notificationId.at(-1))];
      return status === 200 && stored !== "ACKNOWLEDGED"
        ? [`${notificationId} was acknowledged, but is stored as ${stored}`]
        : [];
    });
  },
};
