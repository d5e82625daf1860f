import { describe, expect, it, vi } from "vitest";
import { CHECK_MAX_MS } from "../../../core/flow/notify/send-notification.ts";
import type { Push } from "../../../core/domain/delivery/push/outcome.ts";
import { registerDevice } from "../../../core/flow/admin/register-device.ts";
import { vapidKeys } from "../../support/web-push.ts";
import { useWorld } from "../../world/use-world.ts";
import { listMarkers, type Sent } from "../../world/world.ts";

const MINUTE = 60_000;

/** Creates a world in which Ann has one device, and the push credentials can be read while `isReady`. */
const setUp = async (fields: Parameters<typeof useWorld>[0] = {}) => {
  const state = { isReady: true };
  const send = vi.fn<Push["send"]>(async () => ({ kind: "accepted", messageId: "m" }));
  const world = await useWorld({ push: { send, prepare: async () => state.isReady }, ...fields });
  await world.rule([await world.group("Ops", ["usr_ann"], 0)], { requiresAck: true });
  await registerDevice(world.deps, world.ws, "usr_ann", {
    token: "usr_ann-1",
    platform: "ios",
    receiptKey: vapidKeys.publicKey,
  });
  return { world, state, send };
};

describe("while the push credentials cannot be read,", () => {
  it("no notification is leased, and everybody is notified within minutes after the credentials can be read", async () => {
    const { world, state, send } = await setUp();
    state.isReady = false;
    await world.post();
    await world.runFor(10 * MINUTE);
    const [during] = await world.notifications();
    state.isReady = true;

    await world.runFor(3 * MINUTE);

    expect(during).toMatchObject({ status: "QUEUED", attempts: undefined });
    expect(world.deps.log.warn).toHaveBeenCalledWith("pack.not_ready", expect.anything());
    expect(send).toHaveBeenCalledTimes(1);
    expect(await world.notifications()).toMatchObject([{ status: "SENT" }]);
    expect(listMarkers(world)).toEqual([]);
    expect(Object.values(world.queues).flatMap(({ dead }) => [...dead])).toEqual([]);
  });

  it("a push still expires, and the escalation of the event waits until the push has expired", async () => {
    const { world, state, send } = await setUp();
    state.isReady = false;
    await world.post({ priority: "URGENT" });

    await world.runFor(70 * MINUTE);

    expect(send).not.toHaveBeenCalled();
    expect(await world.notifications()).toMatchObject([
      { status: "FAILED", failedReason: expect.stringContaining("before the push expired") },
    ]);
    expect(listMarkers(world)).toEqual([]);
  });
});

const takesLease = ({ input }: Sent) => input.UpdateExpression?.startsWith("SET lease = :lease, #until") === true;
const isReadOfEvent = ({ constructor, input }: Sent) =>
  constructor.name === "QueryCommand" && /#EVENTS(?:#\w+)?$/.test(String(input.ExpressionAttributeValues?.[":pk"]));

describe("after a worker has leased notifications and before it sends their pushes,", () => {
  it("no secret is read, because after a crash at that point the pushes would count as sent", async () => {
    const order: string[] = [];
    const { world } = await setUp({
      beforeCall: async (command) => {
        if (takesLease(command)) order.push("claim");
      },
      push: {
        prepare: async () => order.push("credentials") > 0,
        send: async () => {
          order.push("push");
          return { kind: "accepted", messageId: "m" };
        },
      },
    });
    Object.assign(world.deps, {
      receiptKeys: async () => {
        order.push("receipt keys");
        return { key: "a key of tokens that is good for tests only", since: 0 };
      },
    });
    await world.post();

    await world.work();

    expect(order.slice(0, 4)).toEqual(["credentials", "receipt keys", "claim", "push"]);
  });

  it(
    "a request that is never answered is aborted, the lease is released, and the push is sent later",
    { timeout: 20_000 },
    async () => {
      let claims = 0;
      let unanswered = 0;
      const { world, send } = await setUp({
        // In the first claim, the sender's last check times out at once; in later claims, it never does.
        sleep: (ms) => new Promise<void>((resolve) => void (ms === CHECK_MAX_MS && claims === 1 && resolve())),
        beforeCall: async (command) => {
          if (takesLease(command)) claims += 1;
          if (isReadOfEvent(command) && claims === 1) {
            unanswered += 1;
            await new Promise<void>(() => {});
          }
        },
      });
      await world.post();

      await world.runFor(5 * MINUTE);

      expect(unanswered).toBe(1);
      const [notification] = await world.notifications();
      expect(notification).toMatchObject({ status: "SENT" });
      expect(Object.values(notification?.attempts ?? {})).toEqual([{ outcome: "accepted", tries: 1, unknowns: 0 }]);
      expect(send).toHaveBeenCalledTimes(1);
    },
  );
});
