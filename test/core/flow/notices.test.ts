import { describe, expect, it } from "vitest";
import * as v from "valibot";
import { HeartbeatInput } from "../../../core/domain/heartbeat/heartbeat.ts";
import { SilenceInput } from "../../../core/domain/rules/silence-input.ts";
import { explainEvent } from "../../../core/flow/read/explain-event.ts";
import { explainNotification } from "../../../core/flow/read/explain-notification.ts";
import { updateDevices } from "../../../core/flow/notify/update-devices.ts";
import { createUnnotifiedReporter } from "../../../core/flow/match/report-unnoticed.ts";
import { createOwnIngest } from "../../../core/flow/ingest/ingest-event.ts";
import { listEvents, searchEvents } from "../../../core/flow/read/list-events.ts";
import { readEventView } from "../../../core/flow/read/read-event.ts";
import { readControl, setUsagePlan } from "../../../core/store/events/control.ts";
import { readEvent } from "../../../core/store/events/events.ts";
import { listDevices } from "../../../core/store/people/devices.ts";
import { listEventTypes } from "../../../core/store/events/event-types.ts";
import { createHeartbeat } from "../../../core/store/rules/heartbeats.ts";
import { createSilence } from "../../../core/store/rules/silences.ts";
import { setRole } from "../../../core/store/people/members.ts";
import { withHook, createInterruption } from "../../world/interruption.ts";
import { useWorld } from "../../world/use-world.ts";
import { listMarkers, stepTo, type World, type WorldOptions } from "../../world/world.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const overAll = {
  name: "All",
  eventKey: "*",
  everything: true,
  endsAt: "2026-12-31T00:00:00Z",
  includeUrgent: true,
};
const notice = { eventKey: "service.quota", title: "Nearly used up", body: "80 of 100", priority: "HIGH" } as const;

/** A world with Ann and Bob, who are notified of everything, and the owner, who has no device. */
const aWorld = async (options: WorldOptions = {}) => {
  const world = await useWorld(options);
  await world.rule([await world.group("Ops", ["usr_ann", "usr_bob"])], { requiresAck: true });
  const sendNotice = (once: string, to?: string[]) =>
    createOwnIngest(world.deps)({ workspaceId: world.ws, once, content: { ...notice, notice: { to } } });
  return { ...world, sendNotice };
};

const listNotifiedUsers = ({ pushed }: Pick<World, "pushed">) => pushed.map(({ userId }) => userId).toSorted();
const titlesOf = ({ pushed }: Pick<World, "pushed">) =>
  pushed.map(({ message }) => ("notification" in message ? message.notification.title : undefined));
const quotaEvents = async ({ deps, ws }: World) => {
  const { items } = await listEvents(deps, ws, { page: 1, limit: 100 });
  return items.filter(({ eventKey }) => eventKey === "service.quota").toReversed();
};

describe("a notice of the service", () => {
  it("goes only to the owners if a push reaches one of them", async () => {
    const world = await aWorld();
    await setRole(world.deps, world.ws, "usr_bob", "owner");

    await world.sendNotice("quota");
    await world.runFor(MINUTE);

    expect(listNotifiedUsers(world)).toEqual(["usr_bob"]);
    expect((await world.notifications()).map(({ userId }) => userId).toSorted()).toEqual(["usr_bob", "usr_owner"]);
  });

  it("goes once to every member if it reaches no owner; it is in the event list, and needs no rule", async () => {
    const world = await aWorld();

    const first = await world.sendNotice("quota");
    const again = await world.sendNotice("quota");
    await world.runFor(MINUTE);

    expect(again).toEqual({ eventId: first?.eventId, first: false });
    expect(listNotifiedUsers(world)).toEqual(["usr_ann", "usr_bob"]);
    expect(world.pushed[0]?.message).toMatchObject({ data: { priority: "HIGH", requiresAck: "false" } });
    expect(await readEventView(world.deps, world.ws, first!.eventId)).toMatchObject({
      eventKey: "service.quota",
      state: "none",
      outcome: "partial",
      matchedRules: [],
      notice: { to: "owners", because: "the service itself sent this notice" },
      _count: { notifications: 3 },
      notifications: [{ rule: { id: "service" } }, { rule: { id: "service" } }, { rule: { id: "service" } }],
    });
    expect((await listEvents(world.deps, world.ws, { page: 1, limit: 10 })).total).toBe(1);
    expect(await listEventTypes(world.deps, world.ws)).toEqual([]);
    expect(listMarkers(world)).toEqual([]);
  });

  it("is still found by its id two months later", async () => {
    const world = await aWorld();
    const first = await world.sendNotice("quota");
    await world.runFor(59 * 24 * HOUR);

    expect(await world.sendNotice("quota")).toEqual({ eventId: first?.eventId, first: false });
  });

  it("is not affected by silences", async () => {
    const world = await aWorld();
    await createSilence(world.deps, world.ws, v.parse(SilenceInput, overAll));

    await world.post();
    await world.sendNotice("quota");
    await world.runFor(MINUTE);

    expect(titlesOf(world)).toEqual(["Nearly used up", "Nearly used up"]);
  });

  it("may be limited to some members", async () => {
    const world = await aWorld();

    const made = await world.sendNotice("quota", ["usr_bob", "usr_gone"]);
    await world.runFor(MINUTE);

    expect(listNotifiedUsers(world)).toEqual(["usr_bob"]);
    const explained = await explainEvent(world.deps, world.ws, made!.eventId, "usr_ann");
    expect(explained).toMatchObject({ told: false, rules: [{ id: "service", reason: "not_for_you" }] });
    expect(explained?.summary).toContain(
      "The people responsible were notified because the service itself sent this notice",
    );
  });

  it("says why it was sent", async () => {
    const world = await aWorld();
    const made = await world.sendNotice("quota");
    await world.runFor(MINUTE);

    expect(await explainEvent(world.deps, world.ws, made!.eventId, "usr_ann")).toMatchObject({
      told: true,
      summary: expect.stringContaining("The owners were notified because the service itself sent this notice."),
      notice: { to: "owners" },
      rules: [{ id: "service", reason: "told", basis: "record" }],
      rulesNotListed: 0,
    });
    const [{ notificationId } = { notificationId: "" }] = await world.notifications();
    const why = await explainNotification(world.deps, world.ws, notificationId);
    expect(why?.why.summary).toMatch(/because the service itself sent this notice, and \w+ was one of the owners\./);
  });

  it("does not count towards the monthly event quota", async () => {
    const world = await aWorld();
    await world.post();
    await world.sendNotice("quota");

    expect(await readControl(world.deps, world.ws)).toMatchObject({ seq: 2, used: 1 });
  });
});

describe("the event of a missed heartbeat", () => {
  const backup = v.parse(HeartbeatInput, { name: "Backup", everySeconds: 60, graceSeconds: 0 });
  const missHeartbeat = async (world: World) => {
    await createHeartbeat(world.deps, world.ws, backup);
    await world.runFor(3 * MINUTE);
    const { items } = await listEvents(world.deps, world.ws, { page: 1, limit: 1 });
    return readEventView(world.deps, world.ws, items[0]!.id);
  };

  it("notifies the owners despite silences if no rule matches", async () => {
    const world = await useWorld();
    await world.rule([await world.group("Ops", ["usr_ann"])], { eventKey: "disk.full" });
    await createSilence(world.deps, world.ws, v.parse(SilenceInput, overAll));

    const event = await missHeartbeat(world);

    expect(event).toMatchObject({
      eventKey: "heartbeat.missed",
      silence: null,
      matchedRules: [],
      notice: { to: "owners", because: "no rule matched the event" },
    });
    expect(titlesOf(world)).toEqual(["Heartbeat missed: Backup"]);
  });

  it("notifies by a rule that matches, and can be silenced in that case", async () => {
    const world = await aWorld();
    await createSilence(world.deps, world.ws, v.parse(SilenceInput, overAll));

    expect(await missHeartbeat(world)).toMatchObject({
      outcome: "silenced",
      notice: null,
      matchedRules: [{ name: "All" }],
    });
    expect(world.pushed).toEqual([]);
  });
});

describe("an URGENT event that notifies nobody", () => {
  it("is not reported if its rule escalates", async () => {
    const world = await useWorld();
    const escalationPolicyId = await world.policy([stepTo(await world.group("Ops", ["usr_ann"]), 10)]);
    await world.rule([await world.group("Empty", [])], { requiresAck: true, escalationPolicyId });

    await world.post({ priority: "URGENT" });
    await world.runFor(11 * MINUTE);

    expect(titlesOf(world)).toEqual(["Disk full"]);
  });

  it("is reported once an hour, even if the first notice could not be stored", async () => {
    const world = await useWorld();
    const { eventId } = await world.post({ priority: "URGENT" });
    await world.work();
    world.skip(HOUR);
    const table = withHook(world.deps.table, (_, nr) => {
      if (nr === 1) throw new Error("down");
    });
    const report = createUnnotifiedReporter({ ...world.deps, table });
    const event = (await readEvent(world.deps, world.ws, eventId))!;
    for (let attempt = 0; attempt < 3; attempt += 1) await report({ ...event, plan: event.plan! }, false);

    const { items } = await listEvents(world.deps, world.ws, { page: 1, limit: 100 });
    expect(items.map(({ eventKey }) => eventKey).filter((key) => key === "service.unnoticed")).toHaveLength(2);
  });
});

describe("the month's event quota", () => {
  const small = { monthlyEvents: 10, eventsPerMinute: 600_000, burst: 100_000, retentionDays: 400 };

  it("is reported at 80 and at 100 percent, each once a month", async () => {
    const world = await aWorld();
    await setUsagePlan(world.deps, world.ws, small);

    for (let count = 1; count <= 7; count += 1) await world.post();
    expect(await quotaEvents(world)).toEqual([]);
    await world.post();
    await world.post();
    await world.post();
    await expect(world.post()).rejects.toMatchObject({ kind: "quota_exceeded" });
    await world.runFor(50 * HOUR);

    expect(await quotaEvents(world)).toMatchObject([
      { title: "80 % of this month's events are used", priority: "HIGH" },
      { title: "This month's events are used up", priority: "HIGH" },
    ]);
    expect(titlesOf(world).filter((title) => title?.includes("80 %"))).toHaveLength(2);
  });

  it("is reported by the audit if the request that reached the limit died", async () => {
    let dies = true;
    const world = await aWorld({
      beforeCall: async ({ input }) => {
        if (dies && JSON.stringify(input).includes("#IDEM#")) throw new Error("the invocation died");
      },
    });
    await setUsagePlan(world.deps, world.ws, small);
    for (let count = 1; count <= 9; count += 1) await world.post();
    dies = false;
    expect(await quotaEvents(world)).toEqual([]);

    await world.runFor(2 * HOUR);

    expect(await quotaEvents(world)).toMatchObject([{ title: "80 % of this month's events are used" }]);
  });

  it("starts again with the next month", async () => {
    const world = await aWorld({ start: Date.UTC(2026, 10, 30, 23, 30) });
    await setUsagePlan(world.deps, world.ws, small);
    for (let count = 1; count <= 8; count += 1) await world.post();
    await world.runFor(HOUR);
    // Last month's eight events would use up the quota of this plan.
    await setUsagePlan(world.deps, world.ws, { ...small, monthlyEvents: 8 });
    await world.runFor(4 * HOUR);
    await setUsagePlan(world.deps, world.ws, small);
    for (let count = 1; count <= 8; count += 1) await world.post();

    expect(await quotaEvents(world)).toHaveLength(2);
  });
});

describe("a person whose last device has stopped working", () => {
  const listUnreachable = async ({ deps, ws }: World) => {
    const { items } = await searchEvents(deps, ws, { eventKey: "service.unreachable" }, { page: 1, limit: 10 });
    return items;
  };
  /** Answers like FCM, which does not know tokens that end in `-1`. */
  const answer: WorldOptions["answer"] = (message) =>
    "token" in message && message.token.endsWith("-1")
      ? { kind: "unregistered", code: "UNREGISTERED" }
      : { kind: "accepted", messageId: "m" };
  const setUpAndPost = async (devices: number, options: WorldOptions = {}) => {
    const world = await useWorld({ answer, ...options });
    await world.rule([await world.group("Ops", ["usr_ann"], devices)], { eventKey: "disk.full" });
    await world.post();
    await world.runFor(MINUTE);
    return world;
  };

  it("is reported to the owners once", async () => {
    const world = await setUpAndPost(1);
    await world.post();
    await world.runFor(MINUTE);

    expect(await listUnreachable(world)).toMatchObject([{ title: "ann can no longer be reached", priority: "LOW" }]);
    expect(await listDevices(world.deps, world.ws, "usr_ann")).toEqual([]);
  });

  it("is not reported while another device accepts pushes", async () => {
    expect(await listUnreachable(await setUpAndPost(2))).toEqual([]);
  });

  it("is not reported if the device has registered again meanwhile", async () => {
    const world = await useWorld();
    await world.group("Ops", ["usr_ann"], 1);
    const [device] = await listDevices(world.deps, world.ws, "usr_ann");
    const pack = { workspaceId: world.ws, recipients: [{ userId: "usr_ann", name: "Ann" }] };
    const call = { position: 0, device: { ...device, registeredAt: "2026-11-01" }, answer: { kind: "unregistered" } };

    await updateDevices(world.deps, pack as never, [call] as never);

    expect(await listUnreachable(world)).toEqual([]);
    expect(await listDevices(world.deps, world.ws, "usr_ann")).toEqual([device]);
  });

  it("is reported even if the sender dies before it removes the device", async () => {
    const { beforeCall, arm } = createInterruption(
      ({ input }) => input.UpdateExpression?.startsWith("REMOVE devices") === true,
    );
    arm();
    const world = await setUpAndPost(1, { beforeCall });
    await world.post();
    await world.runFor(MINUTE);

    expect(await listUnreachable(world)).toHaveLength(1);
    expect(await listDevices(world.deps, world.ws, "usr_ann")).toEqual([]);
  });
});
