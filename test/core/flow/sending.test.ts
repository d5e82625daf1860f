import { isNoticeRule } from "../../../core/domain/event/notice.ts";
import { describe, expect, it } from "vitest";
import type { PushOutcome } from "../../../core/domain/delivery/push/outcome.ts";
import { registerDevice } from "../../../core/flow/admin/register-device.ts";
import { deleteDevice, listDevices } from "../../../core/store/people/devices.ts";
import { toPush } from "../../support/push.ts";
import { useWorld } from "../../world/use-world.ts";
import { listMarkers, type World } from "../../world/world.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;

const accepted: PushOutcome = { kind: "accepted", messageId: "m" };

/** Creates a world in which Ann has one device or more, and FCM gives these answers in order and repeats the last one. */
const setUp = async (answers: readonly PushOutcome[], { devices = 1, priority = "URGENT" } = {}) => {
  let calls = 0;
  const answer = () => answers[Math.min((calls += 1), answers.length) - 1] ?? accepted;
  const world = await useWorld({ answer });
  await world.rule([await world.group("Ops", ["usr_ann"], devices)]);
  await world.post({ priority });
  return world;
};

const readState = async (world: World) => {
  const notification = (await world.notifications()).find(({ rule }) => !isNoticeRule(rule));
  return { status: notification?.status, reason: notification?.failedReason };
};
const pushSeconds = (world: World) => world.pushed.map(({ at }) => (at - world.start) / SECOND);

describe("a push that FCM does not accept for now", () => {
  it("is retried after FCM's Retry-After, and not before", async () => {
    const world = await setUp([{ kind: "retry", code: "QUOTA_EXCEEDED", retryAfterMs: 7000 }, accepted]);

    await world.runFor(MINUTE);

    // The jitter is up to a quarter of the pause: here an eighth of 7 s, rounded up to a second.
    expect(pushSeconds(world)).toEqual([0, 8]);
    expect(await readState(world)).toEqual({ status: "SENT", reason: undefined });
  });

  it("is retried at growing intervals, and is accepted when FCM is back after ten minutes", async () => {
    let up = false;
    const world = await useWorld({ answer: () => (up ? accepted : { kind: "retry", code: "UNAVAILABLE" }) });
    await world.rule([await world.group("Ops", ["usr_ann"])]);
    await world.post({ priority: "URGENT" });
    await world.runFor(10 * MINUTE);
    const before = world.pushed.length;
    up = true;
    await world.runFor(3 * MINUTE);

    expect(pushSeconds(world).slice(0, 4)).toEqual([0, 1, 3, 6]);
    expect(before).toBeLessThan(30);
    expect(world.pushed).toHaveLength(before + 1);
    expect((await readState(world)).status).toBe("SENT");
    expect(listMarkers(world)).toEqual([]);
    expect(Object.values(world.queues).flatMap(({ dead }) => [...dead])).toEqual([]);
  });

  it("is given up when it has expired, which is after an hour for URGENT", async () => {
    const world = await setUp([{ kind: "retry", code: "UNAVAILABLE" }]);

    await world.work();
    world.skip(58 * MINUTE);
    await world.runFor(MINUTE);
    const during = await readState(world);
    await world.runFor(5 * MINUTE);

    expect(during.status).toBe("QUEUED");
    expect(await readState(world)).toEqual({
      status: "FAILED",
      reason: "FCM: not available before the push expired for 1 device(s); check the FCM credentials and status",
    });
    expect(listMarkers(world)).toEqual([]);
  });

  it("is retried after its own Retry-After if its queue message is lost and another push of the event waits longer", async () => {
    const world = await useWorld({
      answer: (message) => {
        const isAnn = "token" in message && message.token === "usr_ann-1";
        return { kind: "retry", code: "QUOTA_EXCEEDED", retryAfterMs: (isAnn ? 10 : 40) * MINUTE };
      },
    });
    for (const userId of ["usr_ann", "usr_bob"])
      await world.rule([await world.group("Ops", [userId])], { name: userId });
    await world.post({ priority: "URGENT" });
    await world.work();
    world.queues.pushes.drainBatch();

    await world.runFor(20 * MINUTE);

    const retried = world.pushed.filter(({ at }) => at > world.start);
    expect(retried.map(({ userId }) => userId)).toEqual(["usr_ann"]);
  });

  it("is retried only on its device, not on another device whose push FCM accepted", async () => {
    const world = await setUp([accepted, { kind: "retry", code: "UNAVAILABLE" }, accepted], { devices: 2 });

    await world.runFor(MINUTE);

    expect(world.pushed.map(({ token }) => token)).toEqual(["usr_ann-1", "usr_ann-2", "usr_ann-2"]);
    expect((await readState(world)).status).toBe("SENT");
  });
});

describe("a push whose answer never came", () => {
  it("is repeated once, under the same notification id", async () => {
    const world = await setUp([{ kind: "unknown", code: "ECONNRESET" }, accepted]);

    await world.runFor(MINUTE);

    expect(world.pushed).toHaveLength(2);
    expect(new Set(world.pushed.map(({ message }) => message.data["notificationId"])).size).toBe(1);
    expect((await readState(world)).status).toBe("SENT");
  });

  it("counts as failed if its one repeat gets no answer either", async () => {
    const world = await setUp([{ kind: "unknown", code: "DEADLINE" }]);

    await world.runFor(10 * MINUTE);

    expect(world.pushed).toHaveLength(2);
    expect(await readState(world)).toEqual({
      status: "FAILED",
      reason: "FCM: no answer for 1 device(s); the push may or may not have arrived",
    });
  });

  it("is not reported as failed if the device is removed before the push can be repeated", async () => {
    const world = await setUp([{ kind: "unknown", code: "ECONNRESET" }]);
    await world.runFor(100);
    const [device] = await listDevices(world.deps, world.ws, "usr_ann");

    await deleteDevice(world.deps, world.ws, "usr_ann", device!.id);
    await world.runFor(MINUTE);

    expect(world.pushed).toHaveLength(1);
    expect(await readState(world)).toEqual({
      status: "FAILED",
      reason: "FCM: no answer for 1 device(s); the push may or may not have arrived",
    });
  });
});

describe("a token that FCM refuses", () => {
  it.each<[string, PushOutcome, number]>([
    ["is removed if FCM says that it is unregistered", { kind: "unregistered" }, 0],
    [
      "is kept if FCM refuses only the message, which is not sent again",
      { kind: "invalid", code: "INVALID_ARGUMENT" },
      1,
    ],
  ])("%s", async (_, outcome, devices) => {
    const world = await setUp([outcome]);

    await world.runFor(10 * MINUTE);

    expect(world.pushed).toHaveLength(1);
    expect(await readState(world)).toEqual({ status: "FAILED", reason: "FCM: all 1 device(s) failed" });
    expect(await listDevices(world.deps, world.ws, "usr_ann")).toHaveLength(devices);
  });

  it("is kept if it was registered again while FCM answered", async () => {
    const world = await useWorld({
      push: toPush(async () => {
        await world.runFor(0);
        await registerDevice(withLaterClock(), world.ws, "usr_ann", { token: "usr_ann-1", platform: "ios" });
        return { kind: "unregistered" };
      }),
    });
    const withLaterClock = () => ({ ...world.deps, now: () => world.now() + 1 });
    await world.rule([await world.group("Ops", ["usr_ann"])]);
    await world.post();

    await world.work();

    expect((await listDevices(world.deps, world.ws, "usr_ann")).map(({ token }) => token)).toEqual(["usr_ann-1"]);
  });
});

describe("credentials that FCM refuses", () => {
  it("raise an alarm and keep the device, and the push is sent when the credentials are valid again", async () => {
    const world = await setUp([
      { kind: "auth", code: "PERMISSION_DENIED" },
      { kind: "auth", code: "PERMISSION_DENIED" },
      accepted,
    ]);

    await world.runFor(5 * MINUTE);

    expect(world.deps.log.metric).toHaveBeenCalledWith("PushAuthFailed", 1);
    expect(await listDevices(world.deps, world.ws, "usr_ann")).toHaveLength(1);
    expect((await readState(world)).status).toBe("SENT");
  });
});

describe("a person without a device", () => {
  it("has a failed notification, with the documented reason", async () => {
    const world = await useWorld();
    await world.rule([await world.group("Ops", ["usr_ann"], 0)]);
    await world.post();

    await world.runFor(MINUTE);

    expect(await readState(world)).toEqual({ status: "FAILED", reason: "No registered devices for user" });
    expect(listMarkers(world)).toEqual([]);
  });
});

describe("a device to which a push failed", () => {
  it("shows the failure to its owner until its app registers again", async () => {
    const world = await useWorld({ answer: () => ({ kind: "invalid", code: "HTTP_400" }) });
    await world.rule([await world.group("Ops", ["usr_ann"])]);
    const listFailures = async () =>
      (await listDevices(world.deps, world.ws, "usr_ann")).map((device) => device.lastFailure);

    await world.post();
    await world.work();

    expect(await listFailures()).toEqual([{ at: new Date(world.start).toISOString(), code: "HTTP_400" }]);
    await registerDevice(world.deps, world.ws, "usr_ann", { token: "usr_ann-1", platform: "ios" });
    expect(await listFailures()).toEqual([null]);
  });
});
