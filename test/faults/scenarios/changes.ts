import { buildWorkspace } from "../fixtures.ts";
import type { Scenario } from "../scenario.ts";

const people = { alice: ["alice-phone"], bob: ["bob-phone"], cleo: ["cleo-phone"] };

export const changes: Scenario = {
  name: "changes",
  about: "a rule is turned to another group while an event is under way; an event after the answer goes the new way",
  setup: async (deps) => [
    await buildWorkspace(deps, {
      ws: "ws_acme",
      people,
      groups: { day: ["alice"], night: ["bob"] },
      rules: { orders: { eventKey: "order.*", groups: ["day"] } },
    }),
  ],
  play: async ({ clients, world, fixtures: [acme] }) => {
    const { rules, groups } = acme!;
    await clients.post(acme!, { event: "order.failed", title: "before", dedupeKey: "1" });
    const crossing = clients.post(acme!, { event: "order.failed", title: "crossing", dedupeKey: "2" });
    const changed = await clients.ask(acme!, "alice", "update-routing-rule", {
      path: { ruleId: rules["orders"]! },
      body: { targets: [{ type: "group", groupId: groups["night"] }] },
    });
    if (changed.status === 200) await clients.post(acme!, { event: "order.failed", title: "after", dedupeKey: "3" });
    await crossing;
    const added = await clients.ask(acme!, "alice", "add-group-member", {
      path: { groupId: groups["night"]! },
      body: { userId: acme!.users["cleo"] },
    });
    if (added.status < 300) await clients.post(acme!, { event: "order.failed", title: "with cleo", dedupeKey: "4" });
    await world.kernel.sleep(1);
  },
  tells: ({ title }) => {
    if (title === "after") return [["orders|bob"]];
    if (title === "with cleo") return [["orders|bob", "orders|cleo"]];
    // Workers may be ahead of an event, never behind.
    return [["orders|alice"], ["orders|bob"], ["orders|bob", "orders|cleo"]];
  },
};

export const deletions: Scenario = {
  name: "deletions",
  about: "a group, a member and the API key are deleted while an event is under way",
  setup: async (deps) => [
    await buildWorkspace(deps, {
      ws: "ws_acme",
      people,
      groups: { ops: ["alice", "bob"], more: ["cleo"] },
      rules: { orders: { eventKey: "order.*", groups: ["ops", "more"] } },
    }),
  ],
  play: async ({ clients, fixtures: [acme] }) => {
    const { groups, users, apiKey } = acme!;
    await clients.post(acme!, { event: "order.failed", title: "first", dedupeKey: "1" });
    const group = await clients.ask(acme!, "alice", "delete-group", { path: { groupId: groups["more"]! } });
    if (group.status === 204)
      await clients.post(acme!, { event: "order.failed", title: "without more", dedupeKey: "2" });
    const member = await clients.ask(acme!, "alice", "remove-member", { path: { userId: users["bob"]! } });
    if (member.status === 204)
      await clients.post(acme!, { event: "order.failed", title: "without bob", dedupeKey: "3" });
    const key = await clients.ask(acme!, "alice", "delete-api-key", { path: { id: apiKey.id } });
    if (key.status !== 204 && key.status !== 404) return;
    const late = await clients.post(acme!, { event: "order.failed", title: "too late" });
    for (const { status } of late.answers)
      if (status !== 401 && status < 500) clients.failures.push(`P6: the deleted key was answered ${status}`);
  },
  tells: ({ title }) => {
    const [all, without, alone] = [
      ["orders|alice", "orders|bob", "orders|cleo"],
      ["orders|alice", "orders|bob"],
      ["orders|alice"],
    ];
    if (title === "without bob") return [alone];
    return title === "without more" ? [without, alone] : [all, without, alone];
  },
};
