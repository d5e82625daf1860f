import { afterEach, describe, expect, it } from "vitest";
import type { NotificationRulesInput, RingsView } from "../../../core/domain/people/notification-rules.ts";
import { noteCode, noteVerified, saveDevice } from "../../../core/store/devices.ts";
import * as v from "valibot";
import { toIso } from "../../../core/domain/basics/time.ts";
import { DryRunInput } from "../../../core/domain/planning/dry-run.ts";
import { SimulationInput } from "../../../core/domain/planning/simulation.ts";
import { explainEvent } from "../../../core/flow/read/explain-event.ts";
import { simulateEvent } from "../../../core/flow/read/simulate.ts";
import { tryRules } from "../../../core/flow/read/try-rules.ts";
import { resolveEvent } from "../../../core/flow/life/life.ts";
import { takeReport } from "../../../core/flow/life/report-notification.ts";
import { putNotificationRules, setUrgentFloor } from "../../../core/store/notification-rules.ts";
import { closeWorlds, createWorld, markersOf, type World, type WorldOptions } from "../../world/world.ts";

afterEach(closeWorlds);

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Gives somebody a verified e-mail address. */
const addMail = async ({ deps, ws }: World, userId: string): Promise<void> => {
  const { device } = await saveDevice(deps, ws, userId, { email: `${userId}-m@acme.example` }, async () => true);
  await noteCode(deps, ws, userId, device.id, { hash: "h", sentAt: deps.now(), tries: 0 });
  await noteVerified(deps, ws, userId, device.id, { hash: "h", sentAt: deps.now(), tries: 0 });
};

type Rungs = Partial<Record<"LOW" | "NORMAL" | "HIGH" | "URGENT", readonly [number, ...string[]][]>>;
const everyPriority = (rungs: readonly [number, ...string[]][]): Rungs => ({
  LOW: rungs,
  NORMAL: rungs,
  HIGH: rungs,
  URGENT: rungs,
});

const rulesOf = (rungs: Rungs, quietHours: NotificationRulesInput["quietHours"] = null): NotificationRulesInput => {
  const of = (priority: keyof Rungs) =>
    (rungs[priority] ?? []).map(([afterMinutes, ...ways]) => ({ afterMinutes, ways: ways as "push"[] }));
  return { rungs: { LOW: of("LOW"), NORMAL: of("NORMAL"), HIGH: of("HIGH"), URGENT: of("URGENT") }, quietHours };
};

/** Ann has a phone and a verified address; Bob has a phone. A rule tells both, and asks for an acknowledgement. */
const setUp = async (
  rules: NotificationRulesInput,
  fields: object = {},
  options: WorldOptions = {},
): Promise<World> => {
  const world = await createWorld(options);
  const group = await world.group("Ops", ["usr_ann", "usr_bob"]);
  await addMail(world, "usr_ann");
  await world.rule([group], { requiresAck: true, ...fields });
  await putNotificationRules(world.deps, world.ws, "usr_ann", rules);
  return world;
};

/** What reached whom by what, and how many seconds after the start. */
const told = ({ pushed, start }: World) =>
  pushed.map(({ at, userId, token }) => {
    const isMail = token.startsWith("mail ");
    return `${(at - start) / SECOND} ${isMail ? userId.slice("mail ".length) : userId} ${isMail ? "email" : "push"}`;
  });

const nights = { days: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"], from: "22:00", to: "07:00" } as const;
const midnightInBerlin = Date.UTC(2026, 10, 21, 23);
const berlinNights = { ...nights, days: [...nights.days], timeZone: "Europe/Berlin" };

describe("rungs", () => {
  it("ring the ways of each at its second until somebody acknowledges", async () => {
    const world = await setUp(
      rulesOf({
        HIGH: [
          [0, "push"],
          [5, "push", "email"],
          [20, "push"],
          [40, "email"],
        ],
      }),
    );

    await world.post({ priority: "HIGH" });
    await world.runFor(30 * MINUTE);
    const [mine] = (await world.notifications()).filter(({ userId }) => userId === "usr_ann");
    await world.acknowledge(mine!.notificationId);
    await world.runFor(HOUR);

    expect(told(world).toSorted()).toEqual([
      "0 usr_ann push",
      "0 usr_bob push",
      "1200 usr_ann push",
      "300 usr_ann email",
      "300 usr_ann push",
    ]);
    expect(markersOf(world)).toEqual([]);
  });

  it("end when somebody else acknowledges the event", async () => {
    const world = await setUp(
      rulesOf({
        HIGH: [
          [0, "push"],
          [5, "email"],
        ],
      }),
    );

    await world.post({ priority: "HIGH" });
    await world.runFor(MINUTE);
    const [theirs] = (await world.notifications()).filter(({ userId }) => userId === "usr_bob");
    await world.acknowledge(theirs!.notificationId);
    await world.runFor(HOUR);

    expect(told(world)).toHaveLength(2);
    expect(markersOf(world)).toEqual([]);
  });

  it("go on after the notification was opened, which acknowledges nothing", async () => {
    const world = await setUp(
      rulesOf({
        HIGH: [
          [0, "push"],
          [5, "email"],
        ],
      }),
    );

    await world.post({ priority: "HIGH" });
    await world.runFor(MINUTE);
    const [mine] = (await world.notifications()).filter(({ userId }) => userId === "usr_ann");
    await takeReport(world.deps, world.ws, mine!.notificationId, "OPENED");
    await world.runFor(HOUR);

    expect(told(world)).toContain("300 usr_ann email");
  });

  it("after the first are for what calls for an acknowledgement", async () => {
    const world = await setUp(
      rulesOf({
        HIGH: [
          [0, "push"],
          [5, "email"],
        ],
      }),
      { requiresAck: false },
    );

    await world.post({ priority: "HIGH" });
    await world.runFor(HOUR);

    expect(told(world).toSorted()).toEqual(["0 usr_ann push", "0 usr_bob push"]);
  });

  it("are of one priority, and every device rings at once for the others", async () => {
    const world = await setUp(rulesOf({ HIGH: [[0, "push"]] }));

    await world.post({ priority: "NORMAL" });
    await world.runFor(HOUR);

    expect(told(world).toSorted()).toEqual(["0 usr_ann email", "0 usr_ann push", "0 usr_bob push"]);
  });

  it("that reach no device let every device ring", async () => {
    const world = await setUp(
      rulesOf(
        everyPriority([
          [0, "voice"],
          [5, "sms"],
        ]),
      ),
    );

    await world.post();
    await world.runFor(HOUR);

    expect(told(world).toSorted()).toEqual(["0 usr_ann email", "0 usr_ann push", "0 usr_bob push"]);
    expect(markersOf(world)).toEqual([]);
  });

  it("give their place to the next one that reaches a device", async () => {
    const world = await setUp(
      rulesOf(
        everyPriority([
          [0, "sms"],
          [5, "email"],
        ]),
      ),
    );

    await world.post();
    await world.runFor(HOUR);

    expect(told(world).toSorted()).toEqual(["0 usr_ann email", "0 usr_bob push", "300 usr_ann email"]);
  });

  it("make a notification SENT that had failed at the first", async () => {
    const world = await setUp(
      rulesOf(
        everyPriority([
          [0, "push"],
          [5, "email"],
        ]),
      ),
      {},
      {
        answer: (message) =>
          "token" in message && message.token === "usr_ann-1"
            ? { kind: "invalid", code: "INVALID_ARGUMENT" }
            : { kind: "accepted", messageId: "m" },
      },
    );
    const statusOfAnn = async () => (await world.notifications()).find(({ userId }) => userId === "usr_ann")?.status;

    await world.post();
    await world.runFor(MINUTE);
    expect(await statusOfAnn()).toBe("FAILED");

    await world.runFor(5 * MINUTE);
    expect(await statusOfAnn()).toBe("SENT");
    expect(told(world)).toContain("300 usr_ann email");
  });

  it("ring later by what the sweeper finds where SQS cannot delay so long, and no second late", async () => {
    const world = await setUp(rulesOf(everyPriority([[60, "push"]])));

    await world.post();
    await world.runFor(2 * HOUR);

    expect(told(world)).toEqual(["0 usr_bob push", "3600 usr_ann push"]);
  });

  it("of a step's people count from the step", async () => {
    const world = await createWorld();
    const [bob, ann] = [await world.group("First", ["usr_bob"]), await world.group("Second", ["usr_ann"])];
    await addMail(world, "usr_ann");
    const escalationPolicyId = await world.policy({
      name: "Ladder",
      repeat: 0,
      steps: [{ delayMinutes: 5, targets: [{ type: "group", groupId: ann, onCallOnly: false }] }],
    });
    await world.rule([bob], { requiresAck: true, escalationPolicyId });
    await putNotificationRules(
      world.deps,
      world.ws,
      "usr_ann",
      rulesOf(
        everyPriority([
          [0, "push"],
          [2, "email"],
        ]),
      ),
    );

    await world.post();
    await world.runFor(HOUR);

    expect(told(world)).toEqual(["0 usr_bob push", "300 usr_ann push", "420 usr_ann email"]);
    expect(markersOf(world)).toEqual([]);
  });
});

describe("what would ring", () => {
  it("is what rings, to the second, in a simulation, the dry run, the notification and its explanation", async () => {
    const rules = rulesOf({
      HIGH: [
        [0, "push"],
        [5, "email"],
        [20, "push", "email"],
      ],
    });
    const world = await setUp(rules);
    const { deps, ws } = world;
    const event = { event: "disk.full", title: "Disk full", body: "db-1", priority: "HIGH" };

    const simulated = await simulateEvent(deps, ws, v.parse(SimulationInput, { event }));
    const tried = await tryRules(deps, ws, v.parse(DryRunInput, { event }));
    const { eventId } = await world.post({ priority: "HIGH" });
    await world.runFor(HOUR);
    const explained = await explainEvent(deps, ws, eventId, "usr_ann");

    const ringsIn = (of: { recipients: { userId: string; rings: RingsView }[] }[]) =>
      of.flatMap(({ recipients }) => recipients).find(({ userId }) => userId === "usr_ann")?.rings;
    const rings = [
      { at: toIso(world.start), ways: ["push"] },
      { at: toIso(world.start + 5 * MINUTE), ways: ["email"] },
      { at: toIso(world.start + 20 * MINUTE), ways: ["push", "email"] },
    ];
    expect(ringsIn(simulated.rules)).toEqual(rings);
    expect(ringsIn(tried.rules)).toEqual(rings);
    expect(explained?.rules[0]?.notifications[0]?.rings).toEqual(rings);
    expect(
      told(world)
        .filter((line) => line.includes("usr_ann"))
        .toSorted(),
    ).toEqual(["0 usr_ann push", "1200 usr_ann email", "1200 usr_ann push", "300 usr_ann email"]);
  });

  it("is told as late by a simulation as quiet hours let it be", async () => {
    const world = await setUp(rulesOf({}, { ...berlinNights, holdBelow: "URGENT" }), {}, { start: midnightInBerlin });
    const event = { event: "disk.full", title: "Disk full", body: "db-1", priority: "HIGH" };

    const { people } = await simulateEvent(world.deps, world.ws, v.parse(SimulationInput, { event }));

    expect(people.map(({ userId, firstToldAt }) => [userId, firstToldAt])).toEqual([
      ["usr_bob", "2026-11-21T23:00:00.000Z"],
      ["usr_ann", "2026-11-22T06:00:00.000Z"],
    ]);
  });
});

describe("quiet hours", () => {
  it("do not hold back the question whether somebody is still on it", async () => {
    const world = await createWorld({ start: midnightInBerlin });
    const group = await world.group("Ops", ["usr_ann"]);
    const escalationPolicyId = await world.policy({
      name: "Ladder",
      repeat: 0,
      ackMinutes: 30,
      steps: [{ delayMinutes: 10, targets: [{ type: "group", groupId: group, onCallOnly: false }] }],
    });
    await world.rule([group], { requiresAck: true, escalationPolicyId });
    const hours = { ...berlinNights, holdBelow: "URGENT" } as const;
    await world.post({ priority: "HIGH" });
    await world.work();
    await putNotificationRules(world.deps, world.ws, "usr_ann", rulesOf({}, hours));
    const [mine] = await world.notifications();
    await world.acknowledge(mine!.notificationId);
    await world.runFor(28 * MINUTE);

    expect(told(world)).toEqual(["0 usr_ann push", "1500 usr_ann push"]);
  });

  it("hold what is less urgent until they end, and ring for the rest", async () => {
    // 23:30 in Berlin.
    const world = await setUp(
      rulesOf({}, { ...berlinNights, holdBelow: "HIGH" }),
      { requiresAck: false },
      { start: Date.UTC(2026, 10, 21, 22, 30) },
    );

    await world.post({ priority: "HIGH", title: "High" });
    await world.post({ priority: "NORMAL", title: "Normal" });
    await world.runFor(12 * HOUR);

    const hours = 7.5 * 3600;
    expect(
      told(world)
        .filter((line) => line.includes("usr_ann"))
        .toSorted(),
    ).toEqual(["0 usr_ann email", "0 usr_ann push", `${hours} usr_ann email`, `${hours} usr_ann push`]);
    expect(markersOf(world)).toEqual([]);
  });

  it("hold nothing back that is URGENT, whatever they say", async () => {
    const world = await setUp(
      rulesOf({}, { ...berlinNights, holdBelow: "URGENT" }),
      {},
      { start: Date.UTC(2026, 10, 21, 22, 30) },
    );

    await world.post({ priority: "URGENT" });
    await world.runFor(SECOND);

    expect(told(world)).toContain("0 usr_ann push");
  });

  it.each<[string, boolean, string]>([
    ["acknowledged", true, "Not sent: the event was acknowledged before this person's own rules let it ring"],
    ["resolved", true, "Not sent: the event was resolved before this notification was sent"],
    [
      "resolved, although nobody has to acknowledge it,",
      false,
      "Not sent: the event was resolved before this notification was sent",
    ],
  ])("deliver nothing that was %s meanwhile, and say so", async (done, requiresAck, reason) => {
    const world = await setUp(
      rulesOf({}, { ...berlinNights, holdBelow: "URGENT" }),
      { requiresAck },
      { start: Date.UTC(2026, 10, 21, 22, 30) },
    );
    const annOf = async () => (await world.notifications()).find(({ userId }) => userId === "usr_ann");
    const bob = { id: "usr_bob", name: "Bob" };

    const { eventId } = await world.post({ priority: "HIGH" });
    await world.runFor(MINUTE);
    expect((await annOf())?.status).toBe("QUEUED");
    const [theirs] = (await world.notifications()).filter(({ userId }) => userId === "usr_bob");
    if (done === "acknowledged") await world.acknowledge(theirs!.notificationId);
    else await resolveEvent(world.deps, world.ws, eventId, bob, undefined);
    await world.runFor(12 * HOUR);

    expect(told(world).filter((line) => line.includes("usr_ann"))).toEqual([]);
    expect(await annOf()).toMatchObject({ status: "FAILED", failedReason: reason });
    expect(markersOf(world)).toEqual([]);
  });
});

describe("the workspace's floor", () => {
  it("adds its ways in time to the rungs of what is URGENT", async () => {
    const world = await setUp(
      rulesOf(
        everyPriority([
          [0, "push"],
          [30, "email"],
        ]),
      ),
    );
    await setUrgentFloor(world.deps, world.ws, { ways: ["email"], withinMinutes: 10 });

    await world.post({ priority: "URGENT" });
    await world.runFor(HOUR);

    expect(told(world)).toEqual(["0 usr_ann push", "0 usr_bob push", "600 usr_ann email", "1800 usr_ann email"]);
  });
});

describe("nothing set", () => {
  it("costs an event no read and no write more", async () => {
    const spend = async (isSet: boolean) => {
      const world = await createWorld();
      const group = await world.group("Ops", ["usr_ann", "usr_bob"]);
      await world.rule([group], { requiresAck: true });
      // Somebody else's rules, whom the event does not concern.
      if (isSet) await putNotificationRules(world.deps, world.ws, "usr_owner", rulesOf(everyPriority([[0, "push"]])));
      await world.post();
      await world.work();
      world.usedUnits();
      await world.post();
      await world.work();
      return world.usedUnits();
    };

    const [unset, set] = [await spend(false), await spend(true)];
    expect(set).toEqual(unset);
  });
});
