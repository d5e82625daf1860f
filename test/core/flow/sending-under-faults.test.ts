import { describe, expect, it } from "vitest";
import type { PushOutcome } from "../../../core/domain/delivery/push/outcome.ts";
import { CHECK_MAX_MS, sendPack } from "../../../core/flow/notify/send-notification.ts";
import { useWorld } from "../../world/use-world.ts";
import { listMarkers, stepTo, type Sent } from "../../world/world.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const accepted: PushOutcome = { kind: "accepted", messageId: "m" };

const isPackUpdate = ({ constructor, input: { Key: key } }: Sent) =>
  constructor.name === "UpdateCommand" && key?.pk?.includes("NOTIFICATIONS") === true;
const storesOutcomes = (command: Sent) =>
  isPackUpdate(command) && command.input.UpdateExpression?.includes(".#s") === true;
const takesLease = (command: Sent) =>
  isPackUpdate(command) && command.input.UpdateExpression?.includes("#until = :until") === true;
const readsEscalation = ({ constructor, input: { Key: key } }: Sent) =>
  constructor.name === "GetCommand" && key?.pk?.includes("ESCALATIONS") === true;

const throttlingError = () => Object.assign(new Error("slow down"), { name: "ProvisionedThroughputExceededException" });

/** Creates a world whose table throttles some calls. */
const createThrottled = async (isThrottled: (command: Sent) => boolean, answer = () => accepted) => {
  const world: Awaited<ReturnType<typeof useWorld>> = await useWorld({
    answer,
    beforeCall: async (command) => {
      if (isThrottled(command)) throw throttlingError();
    },
    // Pauses take virtual time, and the timeout of the sender's last check never elapses.
    sleep: (ms) => (ms === CHECK_MAX_MS ? new Promise<void>(() => {}) : Promise.resolve(world.skip(ms))),
  });
  return world;
};

describe("a push outcome that cannot be stored at once", () => {
  it("is stored when the table accepts writes again, and nobody gets a second push", async () => {
    let throttledUntil = 0;
    const world = await createThrottled((command) => storesOutcomes(command) && world.now() < throttledUntil);
    await world.rule([await world.group("Ops", ["usr_ann"])]);
    throttledUntil = world.start + 20 * SECOND;
    await world.post({ priority: "URGENT" });

    await world.runFor(10 * MINUTE);

    expect(world.pushed).toHaveLength(1);
    const [notification] = await world.notifications();
    expect(notification?.status).toBe("SENT");
    expect(listMarkers(world)).toEqual([]);
  });

  it("is given up when the lease ends, because another sender may then process the same notifications", async () => {
    let tries = 0;
    const world = await createThrottled((command) => {
      const is = storesOutcomes(command) && world.now() < world.start + MINUTE;
      tries += is ? 1 : 0;
      return is;
    });
    await world.rule([await world.group("Ops", ["usr_ann"])]);
    await world.post({ priority: "URGENT" });

    await world.work();

    expect(world.now() - world.start).toBeGreaterThan(35 * SECOND);
    expect(world.now() - world.start).toBeLessThanOrEqual(40 * SECOND);
    expect(tries).toBeLessThan(40);
  });
});

describe("a push of an escalation step", () => {
  it.each(["before", "after"])("is sent once, even if four reads fail %s the worker claims it", async (when) => {
    let failures = 0;
    let sendingSteps = false;
    let claimed = false;
    const world = await createThrottled((command) => {
      if (takesLease(command)) claimed = true;
      if (!sendingSteps || !readsEscalation(command) || failures >= 4 || claimed !== (when === "after")) return false;
      claimed = false;
      failures += 1;
      return true;
    });
    const lead = await world.group("Lead", ["usr_bob"]);
    const escalationPolicyId = await world.policy([stepTo(lead, 5)]);
    await world.rule([await world.group("Ops", ["usr_ann"])], { requiresAck: true, escalationPolicyId });
    await world.post({ priority: "URGENT" });
    await world.runFor(4 * MINUTE);
    claimed = false;
    sendingSteps = true;

    await world.runFor(30 * MINUTE);

    expect(failures).toBe(4);
    expect(world.pushed.map(({ userId }) => userId)).toEqual(["usr_ann", "usr_bob"]);
    const [newest] = await world.notifications();
    expect([newest?.userId, newest?.status, Object.values(newest?.attempts ?? {})]).toEqual([
      "usr_bob",
      "SENT",
      [{ outcome: "accepted", tries: 1, unknowns: 0 }],
    ]);
    expect(listMarkers(world)).toEqual([]);
  });
});

describe("FCM's Retry-After", () => {
  it.each([600, 3000, 50_000])(
    "of %i s is respected, even if the sweeper finds the unfinished event meanwhile",
    async (seconds) => {
      const answers: PushOutcome[] = [{ kind: "retry", code: "QUOTA_EXCEEDED", retryAfterMs: seconds * SECOND }];
      const world = await useWorld({ answer: () => answers.shift() ?? accepted });
      await world.rule([await world.group("Ops", ["usr_ann"])]);
      await world.post({ priority: "LOW" });

      await world.runFor((seconds + 180) * SECOND);

      const [first, second, ...more] = world.pushed.map(({ at }) => (at - world.start) / SECOND);
      expect([first, more]).toEqual([0, []]);
      expect(second).toBeGreaterThanOrEqual(seconds);
      expect(second).toBeLessThanOrEqual(seconds + 120);
      const [notification] = await world.notifications();
      expect(notification?.status).toBe("SENT");
      expect(listMarkers(world)).toEqual([]);
      expect(Object.values(world.queues).filter(({ dead }) => dead.size > 0)).toEqual([]);
    },
  );

  it("makes a second copy of the queue message wait, without a push or a write", async () => {
    const world = await useWorld({
      answer: () => ({ kind: "retry", code: "UNAVAILABLE", retryAfterMs: 600 * SECOND }),
    });
    await world.rule([await world.group("Ops", ["usr_ann"])]);
    await world.post();
    await world.work();
    const [first] = await world.notifications();
    const marker = { ws: world.ws, eventId: "evt_any", due: 0 };
    const text = { title: "Disk full", body: "db-1 has 2 % left" };
    world.skip(100 * SECOND);
    world.used();

    const sent = await sendPack(world.deps, {
      marker,
      packId: first!.packId,
      userIds: ["usr_ann"],
      sizes: [[0, 1]],
      text,
    });

    expect(sent).toEqual({ kind: "again", afterMs: 515_000 });
    expect(world.used().writes).toBe(0);
    expect(world.pushed).toHaveLength(1);
  });

  it("makes the push fail without a second attempt if the push expires before that time", async () => {
    const world = await useWorld({
      answer: () => ({ kind: "retry", code: "QUOTA_EXCEEDED", retryAfterMs: 8 * 3600 * SECOND }),
    });
    await world.rule([await world.group("Ops", ["usr_ann"])]);
    await world.post({ priority: "URGENT" });

    await world.runFor(64 * MINUTE);

    expect(world.pushed).toHaveLength(1);
    const [notification] = await world.notifications();
    expect(notification?.status).toBe("FAILED");
    expect(notification?.failedReason).toContain("not available before the push expired");
  });
});
