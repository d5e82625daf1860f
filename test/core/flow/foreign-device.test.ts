import { describe, expect, it } from "vitest";
import type { PushMessage } from "../../../core/domain/delivery/push/message.ts";
import type { PushOutcome } from "../../../core/domain/delivery/push/outcome.ts";
import { registerDevice } from "../../../core/flow/admin/register-device.ts";
import { interpretError } from "../../../core/push/outcome-of-error.ts";
import { interpretWebPushAnswer } from "../../../core/push/web/outcome-of-answer.ts";
import { toDeviceView } from "../../../core/domain/device/device.ts";
import { listDevices } from "../../../core/store/people/devices.ts";
import { createFcmErrorBody } from "../../../local/fcm/answers.ts";
import { createBrowser } from "../../support/web-push.ts";
import { useWorld } from "../../world/use-world.ts";
import { listMarkers } from "../../world/world.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Answers like FCM or a browser's push service for a device that was registered with another project or key. */
const refuseAsForeign = (message: PushMessage): PushOutcome => {
  const data = createFcmErrorBody(403, "SENDER_ID_MISMATCH", "SenderId mismatch");
  return "subscription" in message
    ? interpretWebPushAnswer(
        403,
        {},
        "the VAPID credentials in the authorization header do not correspond to the credentials used to create the subscriptions.\n",
        0,
      )
    : interpretError(
        { code: "messaging/mismatched-credential", httpResponse: { status: 403, headers: {}, data } },
        true,
        0,
      );
};

const isAlert = ({ message }: { message: PushMessage }): boolean => !JSON.stringify(message).includes("register it");

const addressIn = (message: PushMessage): string =>
  "subscription" in message ? message.subscription.endpoint : "token" in message ? message.token : "";

/** Ann's only device was registered for another Firebase project or Web Push key, and Bob's was not. */
const setUp = async (channel: "fcm" | "web") => {
  const state: { allRefused: boolean; annTakes: boolean; answer?: PushOutcome } = {
    allRefused: false,
    annTakes: false,
  };
  const world = await useWorld({
    answer: (message) => {
      const isAnns = addressIn(message).includes("usr_ann-") && !state.annTakes;
      return isAnns || state.allRefused
        ? (state.answer ?? refuseAsForeign(message))
        : { kind: "accepted", messageId: "m" };
    },
  });
  const register = (user: string) => {
    const token = `${user}-1`;
    const web = createBrowser(`https://fcm.googleapis.com/fcm/send/${token}`);
    return registerDevice(world.deps, world.ws, user, channel === "fcm" ? { token, platform: "android" } : web);
  };
  await world.rule([await world.group("Ops", ["usr_ann", "usr_bob"], 0)]);
  for (const user of ["usr_ann", "usr_bob"]) await register(user);
  const viewAnnsDevices = async () =>
    (await listDevices(world.deps, world.ws, "usr_ann")).map((device) => toDeviceView(device, world.now()));
  const readStatuses = async () =>
    Object.fromEntries((await world.notifications()).map(({ userId, status }) => [userId, status]));
  return { world, state, register, viewAnnsDevices, readStatuses };
};

describe.each(["fcm", "web"] as const)("a device (%s) of another Firebase project or Web Push key", (channel) => {
  it("makes a push fail at once if another device accepts the push, leaves no unfinished work, and raises no alarm", async () => {
    const { world, readStatuses } = await setUp(channel);
    await world.post({ priority: "NORMAL" });

    await world.runFor(DAY + HOUR);

    // The third push is the notice to the owner of the device, on the same device.
    expect(world.pushed.filter(isAlert)).toHaveLength(2);
    expect(world.pushed).toHaveLength(3);
    expect(await readStatuses()).toEqual({ usr_ann: "FAILED", usr_bob: "SENT" });
    expect(listMarkers(world)).toEqual([]);
    expect(world.queues.pushes.nextAt()).toBeUndefined();
    expect(world.deps.log.metric).not.toHaveBeenCalledWith("PushAuthFailed", expect.anything());
  });

  it("is kept, and is shown to its owner as needing registration until it registers again", async () => {
    const { world, register, viewAnnsDevices } = await setUp(channel);
    await world.post();
    await world.runFor(HOUR);
    const [refused] = await viewAnnsDevices();

    await register("usr_ann");

    expect(refused).toMatchObject({ mustRenew: true, lastFailure: { code: expect.stringContaining("_MISMATCH") } });
    expect(await viewAnnsDevices()).toMatchObject([{ mustRenew: false, lastFailure: null }]);
  });

  it("is reported to its owner once, on the owner's other devices", async () => {
    const { world } = await setUp(channel);
    await registerDevice(world.deps, world.ws, "usr_ann", { token: "phone-of-ann", platform: "ios" });
    for (let event = 0; event < 3; event += 1) {
      await world.post();
      await world.runFor(HOUR);
    }

    const notices = world.pushed.filter(({ message }) => JSON.stringify(message).includes("alerts: register it"));
    const taken = notices.filter(({ message }) => addressIn(message) === "phone-of-ann");

    expect([notices.length, taken.length]).toEqual([2, 1]);
    expect(listMarkers(world)).toEqual([]);
  });

  it("still gets a push for each further event, and counts as reachable again once it accepts a push", async () => {
    const { world, state, viewAnnsDevices } = await setUp(channel);
    await world.post();
    await world.runFor(HOUR);
    state.annTakes = true;

    await world.post();
    await world.runFor(HOUR);

    expect(world.pushed.filter(isAlert)).toHaveLength(4);
    expect(await viewAnnsDevices()).toMatchObject([{ mustRenew: false }]);
  });
});

describe("a browser that a push service refuses without a reason", () => {
  it("must register again if the service accepts other pushes meanwhile, but not after a single refusal", async () => {
    const { world, state, viewAnnsDevices } = await setUp("web");
    Object.assign(state, { answer: { kind: "auth", code: "HTTP_403" } });
    await world.post({ priority: "NORMAL" });
    await world.runFor(5000);
    const soon = await viewAnnsDevices();

    await world.runFor(DAY + HOUR);

    expect(soon).toMatchObject([{ mustRenew: false }]);
    expect(await viewAnnsDevices()).toMatchObject([{ mustRenew: true, lastFailure: { code: "HTTP_403" } }]);
    expect(world.pushed.filter(isAlert)).toHaveLength(6);
  });
});

describe.each(["fcm", "web"] as const)("a push service (%s) that refuses every device", (channel) => {
  it("shows that our credentials are wrong: an alarm is raised, and people are notified once pushes are accepted", async () => {
    const { world, state, viewAnnsDevices, readStatuses } = await setUp(channel);
    Object.assign(state, { allRefused: true, annTakes: true });
    await world.post({ priority: "NORMAL" });
    await world.runFor(HOUR);
    const during = [await readStatuses(), await viewAnnsDevices()];

    state.allRefused = false;
    await world.runFor(3 * 60_000);

    expect(during).toMatchObject([{ usr_ann: "QUEUED", usr_bob: "QUEUED" }, [{ mustRenew: false }]]);
    expect(world.deps.log.metric).toHaveBeenCalledWith("PushAuthFailed", 2);
    expect(await readStatuses()).toEqual({ usr_ann: "SENT", usr_bob: "SENT" });
  });
});
