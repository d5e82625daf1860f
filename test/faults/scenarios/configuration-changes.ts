import { loadPeople } from "../../../core/store/people/people.ts";
import { listNewestPacks } from "../../world/newest-packs.ts";
import { listRules } from "../../../core/store/rules/rules.ts";
import { buildWorkspace } from "../fixtures.ts";
import type { Scenario } from "../scenario.ts";

const MINUTE_MS = 60_000;

const people = { alice: ["alice-phone"], bob: ["bob-phone"], cleo: ["cleo-phone"] };

export const ruleChanges: Scenario = {
  name: "rule-changes",
  about: "a rule's group is changed while an event is processed; an event after the answer notifies the new group",
  setup: async (deps) => [
    await buildWorkspace(deps, {
      people,
      groups: { day: ["alice"], night: ["bob"] },
      rules: { orders: { eventKey: "order.*", groups: ["day"] } },
    }),
  ],
  play: async ({ clients, world, fixtures: [acme] }) => {
    const { rules, groups } = acme!;
    await clients.post(acme!, { event: "order.failed", title: "before", dedupeKey: "1" });
    const crossing = clients.post(acme!, { event: "order.failed", title: "crossing", dedupeKey: "2" });
    // A person who sees a failure may give up.
    const changed = await clients.call(
      acme!,
      "alice",
      "update-routing-rule",
      {
        path: { ruleId: rules["orders"]! },
        body: { targets: [{ type: "group", groupId: groups["night"] }] },
      },
      1,
    );
    if (changed.status === 200) await clients.post(acme!, { event: "order.failed", title: "after", dedupeKey: "3" });
    await crossing;
    const added = await clients.call(acme!, "alice", "add-group-member", {
      path: { groupId: groups["night"]! },
      body: { userId: acme!.users["cleo"] },
    });
    if (added.status < 300) await clients.post(acme!, { event: "order.failed", title: "with cleo", dedupeKey: "4" });
    // After 16 minutes, either all workers apply a change or none, even if the change died halfway.
    await world.kernel.sleep(16 * MINUTE_MS);
    await clients.post(acme!, { event: "order.failed", title: "much later", dedupeKey: "5" });
  },
  check: async ({ world, fixtures: [acme] }) => {
    const { ws, users } = acme!;
    const { rules, people, packs } = await world.outside(async (deps) => ({
      rules: await listRules(deps, ws),
      people: await loadPeople(deps, ws),
      packs: await listNewestPacks(deps, ws, 100),
    }));
    const notified = packs.filter(({ title }) => title === "much later").flatMap(({ recipients }) => recipients);
    if (notified.length === 0) return [];
    const groups = rules.flatMap(({ targets }) =>
      targets.map(({ groupId }) => people.groups.get(groupId)?.memberIds ?? []),
    );
    const now = groups.flat().sort().join();
    const then = notified
      .map(({ userId }) => userId)
      .sort()
      .join();
    return now === then
      ? []
      : [`a worker notified ${then}, but the rules now name ${now} of ${Object.values(users).join()}`];
  },
  expectNotified: ({ title }) => {
    if (title === "much later") return undefined;
    if (title === "after") return [["orders|bob"], ["orders|bob", "orders|cleo"]];
    if (title === "with cleo") return [["orders|bob", "orders|cleo"], ["orders|alice"]];
    // A worker may already apply changes made after the event, but never misses an earlier change.
    return [["orders|alice"], ["orders|bob"], ["orders|bob", "orders|cleo"]];
  },
};

export const deletions: Scenario = {
  name: "deletions",
  about: "a group, a member and the API key are deleted while an event is processed",
  setup: async (deps) => [
    await buildWorkspace(deps, {
      people,
      groups: { ops: ["alice", "bob"], more: ["cleo"] },
      rules: { orders: { eventKey: "order.*", groups: ["ops", "more"] } },
    }),
  ],
  play: async ({ clients, fixtures: [acme] }) => {
    const { groups, users, apiKey } = acme!;
    await clients.post(acme!, { event: "order.failed", title: "first", dedupeKey: "1" });
    const group = await clients.call(acme!, "alice", "delete-group", { path: { groupId: groups["more"]! } });
    if (group.status === 204)
      await clients.post(acme!, { event: "order.failed", title: "without more", dedupeKey: "2" });
    const member = await clients.call(acme!, "alice", "remove-member", { path: { userId: users["bob"]! } });
    if (member.status === 204)
      await clients.post(acme!, { event: "order.failed", title: "without bob", dedupeKey: "3" });
    const key = await clients.call(acme!, "alice", "delete-api-key", { path: { id: apiKey.id } });
    if (key.status !== 204 && key.status !== 404) return;
    const late = await clients.post(acme!, { event: "order.failed", title: "too late" });
    for (const { status } of late.answers)
      if (status !== 401 && status < 500) clients.failures.push(`P6: the deleted key was answered ${status}`);
  },
  expectNotified: ({ title }) => {
    const [all, without, alone] = [
      ["orders|alice", "orders|bob", "orders|cleo"],
      ["orders|alice", "orders|bob"],
      ["orders|alice"],
    ];
    if (title === "without bob") return [alone];
    return title === "without more" ? [without, alone] : [all, without, alone];
  },
};
