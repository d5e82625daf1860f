import { describe, expect, it } from "vitest";
import { PACK_RECIPIENTS_MAX, PART_PACKS_MAX } from "../../../core/domain/delivery/delivery-plan.ts";
import type { PushOutcome } from "../../../core/domain/delivery/push/outcome.ts";
import { processReport } from "../../../core/flow/respond/report-notification.ts";
import { useWorld } from "../../world/use-world.ts";
import { listMarkers, stepTo, type World, type WorldOptions } from "../../world/world.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;

type Setting = { devices?: number; confirmWithinSeconds?: number; second?: number; repeat?: number };

/**
 * Carol is notified at first, Bob 5 minutes later, and Eve 5 minutes after Bob. `devices` and `second` are the numbers of
 * Carol's and of Bob's devices.
 */
const setUp = async (
  { devices = 0, second = 1, repeat = 0, ...fields }: Setting = {},
  options: WorldOptions = {},
): Promise<World> => {
  const world = await useWorld(options);
  const [carol, bob, eve] = [
    await world.group("First", ["usr_carol"], devices),
    await world.group("Second", ["usr_bob"], second),
    await world.group("Third", ["usr_eve"], 1),
  ];
  const escalationPolicyId = await world.policy(
    [bob, eve].map((groupId) => stepTo(groupId, 5)),
    { repeat, ...fields },
  );
  await world.rule([carol], { requiresAck: true, escalationPolicyId });
  return world;
};

/** Lists the pushes, each with the seconds since the start and the recipient. */
const listPushes = (world: World) => world.pushed.map(({ at, userId }) => `${(at - world.start) / SECOND} ${userId}`);

const gone = { kind: "unregistered" } as const;
const refused = { kind: "invalid", code: "INVALID_ARGUMENT" } as const;
const accepted = { kind: "accepted", messageId: "m" } as const;

describe("the first escalation step", () => {
  it("starts at once if its recipient has no device, and the next step waits for its time", async () => {
    const world = await setUp();

    await world.post();
    await world.runFor(20 * MINUTE);

    expect(listPushes(world)).toEqual(["0 usr_bob", "300 usr_eve"]);
    expect(listMarkers(world)).toEqual([]);
  });

  it("starts at once if its recipient has no device left, as does each further step without reachable recipients", async () => {
    const world = await setUp(
      { devices: 2 },
      { answer: ({ data }) => (data["notificationId"] === "" ? accepted : gone) },
    );

    await world.post();
    await world.runFor(SECOND);

    expect(new Set(listPushes(world))).toEqual(new Set(["0 usr_carol", "0 usr_bob", "0 usr_eve"]));
  });

  it("waits for its scheduled time if it begins a repeat of the policy", async () => {
    const world = await setUp({ second: 0, repeat: 1 }, { answer: () => refused });

    await world.post();
    await world.runFor(4 * MINUTE);
    expect(listPushes(world)).toEqual(["0 usr_eve"]);

    await world.runFor(2 * MINUTE);
    expect(listPushes(world)).toHaveLength(2);
  });
});

describe("an escalation step after a push that was retried for six minutes and then refused", () => {
  it.each([
    ["starts early if nobody has been reached", 0, true],
    ["waits for its scheduled time if another step has meanwhile reached somebody", 1, false],
  ])("%s", async (_, second, isEarly) => {
    let carol: PushOutcome = { kind: "retry", code: "UNAVAILABLE" };
    const answer: WorldOptions["answer"] = (message) =>
      "token" in message && message.token === "usr_carol-1" ? carol : accepted;
    const world = await setUp({ devices: 1, second }, { answer });

    await world.post();
    await world.runFor(6 * MINUTE);
    carol = refused;
    await world.runFor(14 * MINUTE);

    const eve = world.pushed.filter(({ userId }) => userId === "usr_eve");
    expect(eve.map(({ at }) => at < world.start + 10 * MINUTE)).toEqual([isEarly]);
  });
});

describe("an escalation step", () => {
  it("waits for its scheduled time if its rule has reached nobody, but another rule has reached somebody", async () => {
    const world = await setUp();
    const dan = await world.group("Others", ["usr_dan"], 1);
    await world.rule([dan], { requiresAck: true });

    await world.post();
    await world.runFor(20 * MINUTE);

    expect(new Set(listPushes(world))).toEqual(new Set(["0 usr_dan", "0 usr_bob", "300 usr_eve"]));
  });

  it("waits for its scheduled time if one device of one person accepted the push", async () => {
    const world = await setUp(
      { devices: 2 },
      {
        answer: (message) => ("token" in message && message.token === "usr_carol-1" ? gone : accepted),
      },
    );

    await world.post();
    await world.runFor(4 * MINUTE);

    expect(new Set(listPushes(world))).toEqual(new Set(["0 usr_carol"]));
  });
});

describe("an escalation policy that waits for a confirmation", () => {
  it.each<[string, (world: World) => Promise<unknown>, string[]]>([
    [
      "starts each next step after 30 seconds if no phone confirms",
      () => Promise.resolve(),
      ["0 usr_carol", "30 usr_bob", "60 usr_eve"],
    ],
    ["notifies nobody after an acknowledgement", (world) => world.acknowledgeNewest(), ["0 usr_carol"]],
    [
      "waits for the whole delay of each step once a device has confirmed",
      async ({ deps, ws, notifications }) =>
        processReport(deps, ws, (await notifications())[0]!.notificationId, "DELIVERED"),
      ["0 usr_carol", "300 usr_bob", "600 usr_eve"],
    ],
  ])("%s", async (_, act, expected) => {
    const world = await setUp({ devices: 1, confirmWithinSeconds: 30 });
    await world.post();
    await world.runFor(10 * SECOND);
    await act(world);

    await world.runFor(20 * MINUTE);

    expect(listPushes(world)).toEqual(expected);
    expect(listMarkers(world)).toEqual([]);
  });

  it("begins its waiting time again at each step, even at one whose notifications failed", async () => {
    const answer: WorldOptions["answer"] = (message) =>
      "token" in message && message.token === "usr_bob-1" ? refused : accepted;
    const world = await setUp({ devices: 1, confirmWithinSeconds: 30 }, { answer });
    await world.post();

    await world.runFor(20 * MINUTE);

    expect(listPushes(world)).toEqual(["0 usr_carol", "30 usr_bob", "60 usr_eve"]);
  });

  it("counts its waiting time from the match of the event, even if the match was late and some notifications failed", async () => {
    const world = await useWorld();
    const people = Array.from(
      { length: PART_PACKS_MAX * PACK_RECIPIENTS_MAX + 1 },
      (_, index) => `usr_${1000 + index}`,
    );
    // The only recipient in the second part of the plan has no device.
    const crowd = await world.largeGroup(people, (userId) => (userId === "usr_1000" ? ["usr_1000-1"] : []));
    const bob = await world.group("Second", ["usr_bob"]);
    const escalationPolicyId = await world.policy([stepTo(bob, 5)], { confirmWithinSeconds: 30 });
    await world.rule([crowd], { requiresAck: true, escalationPolicyId });
    await world.post();
    world.skip(MINUTE);

    await world.runFor(MINUTE);

    expect(listPushes(world)).toEqual(["60 usr_1000", "90 usr_bob"]);
  });
});
