import { describe, expect, it } from "vitest";
import { searchEvents } from "../../../../core/flow/read/list-events.ts";
import { useWorld } from "../../../world/use-world.ts";
import { stepTo } from "../../../world/world.ts";

const MINUTE = 60_000;
type World = Awaited<ReturnType<typeof useWorld>>;

const listByUrgency = ({ deps, ws }: World, user: string | undefined, wanted: { page?: number; limit?: number } = {}) =>
  searchEvents(deps, ws, { state: "open", order: "urgency", user }, { page: 1, limit: 100, ...wanted });

describe("the list of open events by urgency", () => {
  it("counts all events that a person must acknowledge, including those on further pages", async () => {
    const world = await useWorld();
    await world.rule([await world.group("Ops", ["usr_ann"])], {
      name: "Flood",
      eventKey: "flood.*",
      requiresAck: true,
    });
    const urgent = { name: "Urgent", eventKey: "disk.full", requiresAck: true, priorityOverride: "URGENT" } as const;
    await world.rule([await world.group("Disks", ["usr_ann"])], urgent);
    await world.rule([await world.group("Boss", ["usr_bob"])], { eventKey: "boss.came", requiresAck: true });
    await world.post({ event: "disk.full", title: "urgent", priority: "LOW" });
    for (let count = 0; count < 30; count += 1)
      await world.post({ event: "flood.came", title: "low", priority: "LOW" });
    await world.post({ event: "boss.came", title: "his", priority: "HIGH" });
    await world.work();

    const { items, total, urgencies } = await listByUrgency(world, "usr_ann", { limit: 25 });
    expect([total, urgencies]).toEqual([31, { LOW: 30, NORMAL: 0, HIGH: 0, URGENT: 1 }]);
    expect(items[0]).toMatchObject({ title: "urgent", urgency: "URGENT", rules: [{ name: "Urgent" }] });
    expect(new Set(items.slice(1).flatMap(({ rules = [] }) => rules.map(({ name }) => name)))).toEqual(
      new Set(["Flood"]),
    );
    expect(items.filter(({ card }) => card !== null)).toHaveLength(20);
    const rest = await listByUrgency(world, "usr_ann", { limit: 25, page: 2 });
    expect(rest.items.map(({ card }) => card)).toEqual(Array.from({ length: 6 }, () => null));

    await world.acknowledgeNewest("usr_ann");
    expect((await listByUrgency(world, "usr_ann")).total).toBe(30);
    expect((await listByUrgency(world, undefined)).total).toBe(31);
    expect((await listByUrgency(world, "usr_bob")).items.map(({ title }) => title)).toEqual(["his"]);
  });

  it("shows for a group of events the state and the escalation of its first event", async () => {
    const world = await useWorld();
    const boss = await world.group("Boss", ["usr_bob"]);
    const escalationPolicyId = await world.policy([stepTo(boss, 5), stepTo(boss, 10)]);
    await world.rule([await world.group("Ops", ["usr_ann"])], { requiresAck: true, escalationPolicyId });
    const data = { site: "https://shop.example", site_name: "Shop" };
    await world.post({ title: "A", body: "Look", data });
    await world.work();

    expect((await listByUrgency(world, "usr_ann")).items.map(({ card }) => card)).toEqual([
      {
        body: "Look",
        site: "Shop",
        recipients: ["ann"],
        grouped: 0,
        escalation: { at: new Date(world.start + 5 * MINUTE).toISOString(), targets: ["Boss"] },
      },
    ]);
    expect((await listByUrgency(world, "usr_bob")).total).toBe(0);
    await world.runFor(6 * MINUTE);
    const [seen] = (await listByUrgency(world, "usr_bob")).items;
    expect(seen).toMatchObject({ title: "A", card: { recipients: ["bob"], escalation: { targets: ["Boss"] } } });
  });

  it("shows for a group of events the earliest of its next escalation steps", async () => {
    const world = await useWorld();
    const [boss, chief] = [await world.group("Boss", ["usr_bob"]), await world.group("Chief", ["usr_cleo"])];
    for (const [name, group, minutes] of [
      ["ann", chief, 20],
      ["dan", boss, 10],
    ] as const)
      await world.rule([await world.group(name, [`usr_${name}`])], {
        requiresAck: true,
        escalationPolicyId: await world.policy([stepTo(group, minutes)]),
      });
    await world.post({ title: "A" });
    await world.work();
    const ofDan = await listByUrgency(world, "usr_dan");
    expect(ofDan.items.map(({ card }) => card?.escalation?.targets)).toEqual([["Boss"]]);
  });

  it("shows neither rules nor recipients of an event with very many recipients, except in the list of one person", async () => {
    const world = await useWorld();
    const many = Array.from({ length: 40 }, (_, index) => `usr_p${index}`);
    await world.rule([await world.group("Ops", ["usr_ann", "usr_bob"])], {
      name: "Two",
      eventKey: "a.came",
      requiresAck: true,
    });
    await world.rule([await world.largeGroup(many, () => [])], { name: "Many", eventKey: "b.came", requiresAck: true });
    await world.post({ event: "a.came", title: "A" });
    await world.post({ event: "b.came", title: "B" });
    await world.work();

    const { items } = await listByUrgency(world, undefined);
    expect(items.map(({ title, rules, card }) => [title, rules?.map(({ name }) => name), card?.recipients])).toEqual([
      ["B", [], []],
      ["A", ["Two"], ["ann", "bob"]],
    ]);
    expect((await listByUrgency(world, "usr_p33")).items.map(({ rules }) => rules?.[0]?.name)).toEqual(["Many"]);
  });
});
