import { describe, expect, it } from "vitest";
import * as v from "valibot";
import { SimulationInput } from "../../../core/domain/planning/simulation.ts";
import { simulateEvent } from "../../../core/flow/read/simulate.ts";
import { resolveEvent } from "../../../core/flow/respond/lifecycle.ts";
import { putNotificationRules } from "../../../core/store/people/notification-rules.ts";
import { useWorld } from "../../world/use-world.ts";
import { listMarkers, stepTo } from "../../world/world.ts";
import { SECOND, MINUTE, HOUR, createRules, setUp, listMessages } from "./notification-step-world.ts";

const nights = { days: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"], from: "22:00", to: "07:00" } as const;
const midnightInBerlin = Date.UTC(2026, 10, 21, 23);
const berlinNights = { ...nights, days: [...nights.days], timeZone: "Europe/Berlin" };

describe("quiet hours of a person", () => {
  it("do not delay the question to the acknowledger whether they are still working on the event", async () => {
    const world = await useWorld({ start: midnightInBerlin });
    const group = await world.group("Ops", ["usr_ann"]);
    const escalationPolicyId = await world.policy([stepTo(group, 10)], { ackMinutes: 30 });
    await world.rule([group], { requiresAck: true, escalationPolicyId });
    const hours = { ...berlinNights, holdBelow: "URGENT" } as const;
    await world.post({ priority: "HIGH" });
    await world.work();
    await putNotificationRules(world.deps, world.ws, "usr_ann", createRules({}, hours));
    await world.acknowledgeNewest();
    await world.runFor(28 * MINUTE);

    expect(listMessages(world)).toEqual(["0 usr_ann push", "1500 usr_ann push"]);
  });

  it("hold back less urgent notifications until quiet hours end, and let other notifications page", async () => {
    // 23:30 in Berlin.
    const world = await setUp(
      createRules({}, { ...berlinNights, holdBelow: "HIGH" }),
      { requiresAck: false },
      { start: Date.UTC(2026, 10, 21, 22, 30) },
    );

    await world.post({ priority: "HIGH", title: "High" });
    await world.post({ priority: "NORMAL", title: "Normal" });
    await world.runFor(12 * HOUR);

    const hours = 7.5 * 3600;
    expect(
      listMessages(world)
        .filter((line) => line.includes("usr_ann"))
        .toSorted(),
    ).toEqual(["0 usr_ann email", "0 usr_ann push", `${hours} usr_ann email`, `${hours} usr_ann push`]);
    expect(listMarkers(world)).toEqual([]);
  });

  it("never hold back URGENT notifications", async () => {
    const world = await setUp(
      createRules({}, { ...berlinNights, holdBelow: "URGENT" }),
      {},
      { start: Date.UTC(2026, 10, 21, 22, 30) },
    );

    await world.post({ priority: "URGENT" });
    await world.runFor(SECOND);

    expect(listMessages(world)).toContain("0 usr_ann push");
  });

  it.each<[string, boolean, string]>([
    ["acknowledged", true, "Not sent: the event was acknowledged before this person's notification steps were due"],
    ["resolved", true, "Not sent: the event was resolved before this notification was sent"],
    [
      "resolved and required no acknowledgement",
      false,
      "Not sent: the event was resolved before this notification was sent",
    ],
  ])("end without a notification if the event was %s, and the reason is stored", async (done, requiresAck, reason) => {
    const world = await setUp(
      createRules({}, { ...berlinNights, holdBelow: "URGENT" }),
      { requiresAck },
      { start: Date.UTC(2026, 10, 21, 22, 30) },
    );
    const notificationOfAnn = async () => (await world.notifications()).find(({ userId }) => userId === "usr_ann");
    const bob = { id: "usr_bob", name: "Bob" };

    const { eventId } = await world.post({ priority: "HIGH" });
    await world.runFor(MINUTE);
    expect((await notificationOfAnn())?.status).toBe("QUEUED");
    if (done === "acknowledged") await world.acknowledgeNewest("usr_bob");
    else await resolveEvent(world.deps, world.ws, eventId, bob, undefined);
    await world.runFor(12 * HOUR);

    expect(listMessages(world).filter((line) => line.includes("usr_ann"))).toEqual([]);
    expect(await notificationOfAnn()).toMatchObject({ status: "FAILED", failedReason: reason });
    expect(listMarkers(world)).toEqual([]);
  });

  it("delay a notification by a rule that requires no acknowledgement, and keep it even if the event is acknowledged", async () => {
    const world = await useWorld({ start: Date.UTC(2026, 10, 21, 22, 30) });
    await world.rule([await world.group("Ops", ["usr_bob"])], { requiresAck: true });
    await world.rule([await world.group("Desk", ["usr_ann"])], { requiresAck: false });
    const hours = { ...berlinNights, holdBelow: "URGENT" } as const;
    await putNotificationRules(world.deps, world.ws, "usr_ann", createRules({}, hours));

    await world.post({ priority: "HIGH" });
    await world.runFor(MINUTE);
    await world.acknowledgeNewest("usr_bob");
    await world.runFor(12 * HOUR);

    expect(listMessages(world)).toEqual(["0 usr_bob push", `${7.5 * 3600} usr_ann push`]);
  });

  it("delay the predicted notifications in a simulation", async () => {
    const world = await setUp(
      createRules({}, { ...berlinNights, holdBelow: "URGENT" }),
      {},
      { start: midnightInBerlin },
    );
    const event = { event: "disk.full", title: "Disk full", body: "db-1", priority: "HIGH" };

    const { people } = await simulateEvent(world.deps, world.ws, v.parse(SimulationInput, { event }));

    expect(people.map(({ userId, firstToldAt }) => [userId, firstToldAt])).toEqual([
      ["usr_bob", "2026-11-21T23:00:00.000Z"],
      ["usr_ann", "2026-11-22T06:00:00.000Z"],
    ]);
  });
});
