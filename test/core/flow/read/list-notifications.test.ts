import { describe, expect, it } from "vitest";
import { resolveEvent } from "../../../../core/flow/respond/lifecycle.ts";
import { notifyMorePeople } from "../../../../core/flow/respond/respond.ts";
import { searchEvents } from "../../../../core/flow/read/list-events.ts";
import { listOpenNotifications } from "../../../../core/flow/read/list-notifications.ts";
import { listOpenEvents } from "../../../../core/store/events/open-events.ts";
import { createMatcher } from "../../../../functions/matcher.ts";
import { callTo, createInterruption } from "../../../world/interruption.ts";
import { useWorld } from "../../../world/use-world.ts";
import { stepTo } from "../../../world/world.ts";

const MINUTE = 60_000;
const ann = { id: "usr_ann", name: "Ann" };
type World = Awaited<ReturnType<typeof useWorld>>;

/** Lists the notifications that wait for a person (or for anybody), page by page, each as `<event> <person> <step>`. */
const listWaiting = async ({ deps, ws }: World, user?: string, limit = 7) => {
  const found: string[] = [];
  let after: string | undefined;
  do {
    const page = await listOpenNotifications(deps, ws, { limit, user, after });
    found.push(...page.items.map((one) => `${one.event.title} ${one.user.name} ${one.escalationStep}`));
    after = page.next;
  } while (after !== undefined);
  return found;
};

describe("the list of notifications to acknowledge", () => {
  it("includes people notified by an escalation step, and leaves out events that have ended", async () => {
    const world = await useWorld();
    const ops = await world.group("Ops", ["usr_ann"]);
    const boss = await world.group("Boss", ["usr_bob"]);
    const escalationPolicyId = await world.policy([stepTo(boss, 5)]);
    await world.rule([ops], { eventKey: "site.down", requiresAck: true, escalationPolicyId });
    await world.rule([boss], { eventKey: "*" });
    // A second rule with recipients has no policy.
    await world.rule([await world.group("Aide", ["usr_cleo"])], { eventKey: "site.down", requiresAck: true });
    const first = await world.post({ event: "site.down", title: "A" });
    await world.post({ event: "site.slow", title: "B" });
    await world.runFor(6 * MINUTE);
    await world.post({ event: "site.down", title: "C" });
    await world.work();

    expect(await listWaiting(world)).toEqual(["C cleo 0", "C ann 0", "A bob 1", "A cleo 0", "A ann 0"]);
    expect(await listWaiting(world, "usr_bob")).toEqual(["A bob 1"]);

    await resolveEvent(world.deps, world.ws, first.eventId, ann, undefined);
    expect(await listWaiting(world)).toEqual(["C cleo 0", "C ann 0"]);
    expect(await listWaiting(world, "usr_bob")).toEqual([]);
  });

  it("includes every recipient of an event with very many recipients", async () => {
    const world = await useWorld();
    const many = Array.from({ length: 40 }, (_, index) => `usr_p${index}`);
    await world.rule([await world.largeGroup(many, () => [])], { requiresAck: true });
    await world.post({ title: "A" });
    await world.post({ title: "B" });
    await world.work();

    const all = await listWaiting(world);
    expect(all).toHaveLength(80);
    expect(new Set(all).size).toBe(80);
    expect(await listWaiting(world, "usr_p33")).toEqual(["B usr_p33 0", "A usr_p33 0"]);
  });

  it("follows the stored plan of the event, even if a second matcher later adds notifications by another plan", async () => {
    const { beforeCall, arm } = createInterruption(callTo("Put", "#OPEN"));
    const world = await useWorld({ beforeCall });
    await world.rule([await world.group("Ops", ["usr_ann"])], { requiresAck: true });
    await world.post({ title: "A" });
    const records = world.queues.events.batch()!;
    arm(() => {
      world.skip(1000);
      return createMatcher(world.deps)(records);
    });
    await createMatcher(world.deps)(records);
    await world.work();

    expect(await listWaiting(world, "usr_ann")).toEqual(["A ann 0"]);
  });

  it("includes people who were added to an event before SQS delivers the event's message a second time", async () => {
    const world = await useWorld();
    await world.group("Boss", ["usr_bob"]);
    await world.rule([await world.group("Ops", ["usr_ann"])], { requiresAck: true });
    const { eventId } = await world.post({ title: "A" });
    const records = world.queues.events.batch()!;
    await createMatcher(world.deps)(records);
    await notifyMorePeople(world.deps, world.ws, eventId, ann, { userIds: ["usr_bob"], groupIds: [], note: null });
    await world.runFor(MINUTE);

    await createMatcher(world.deps)(records);

    expect(await listWaiting(world, "usr_bob")).toEqual(["A bob 0"]);
  });

  it("continues with the next older event if `after` is the number of an event", async () => {
    const world = await useWorld();
    await world.rule([await world.group("Ops", ["usr_ann"])], { requiresAck: true });
    for (const title of ["A", "B", "C"]) await world.post({ title });
    await world.work();
    const [, stopped] = await listOpenEvents(world.deps, world.ws, { limit: "all" });

    const { items } = await listOpenNotifications(world.deps, world.ws, { limit: 7, after: String(stopped!.seq) });

    expect(items.map(({ event }) => event.title)).toEqual(["A"]);
  });

  it("has each notification once, and starts with the highest priority if sorted by urgency", async () => {
    const world = await useWorld();
    const ops = await world.group("Ops", ["usr_ann"]);
    await world.rule([ops], { eventKey: "site.*", requiresAck: true });
    await world.rule([ops], { eventKey: "disk.full", requiresAck: true, priorityOverride: "URGENT" });
    await world.post({ event: "disk.full", title: "overridden", priority: "LOW" });
    await world.post({ event: "site.down", title: "urgent", priority: "CRITICAL" });
    for (let count = 0; count < 60; count += 1) await world.post({ event: "site.slow", title: "low", priority: "LOW" });
    await world.post({ event: "site.down", title: "high", priority: "HIGH" });
    await world.work();

    for (const user of ["usr_ann", undefined]) {
      const { items, next } = await listOpenNotifications(world.deps, world.ws, { limit: 5, user, order: "urgency" });
      expect(items.map(({ event }) => event.title)).toEqual(["urgent", "overridden", "high", "low", "low"]);
      expect(next).toBeUndefined();
    }
    const byTime = await listWaiting(world, "usr_ann");
    expect(byTime).toHaveLength(63);
    expect(await listWaiting(world, "usr_ann", 100)).toEqual(byTime);
    const page = await searchEvents(world.deps, world.ws, { state: "open", order: "urgency" }, { page: 1, limit: 4 });
    expect(page.items.map(({ title }) => title)).toEqual(["urgent", "overridden", "high", "low"]);
    expect(page).toMatchObject({ total: 63, next: undefined });
    const last = await searchEvents(world.deps, world.ws, { state: "open", order: "urgency" }, { page: 13, limit: 5 });
    expect(last.items).toHaveLength(3);
  });
});
