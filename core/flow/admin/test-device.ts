import type { Deps } from "../../deps.ts";
import { notFound, Refusal } from "../../domain/basics/refusal.ts";
import { addressOf, type DeviceTestAnswer } from "../../domain/people/device.ts";
import { toIso } from "../../domain/basics/time.ts";
import { buildMessage } from "../../domain/delivery/push/message.ts";
import { noteFailure, pruneDevice, startTest } from "../../store/devices.ts";
import { receiptFor } from "./receipt-for.ts";

export type TestDeps = Pick<Deps, "table" | "push" | "receiptKeys" | "baseUrl" | "now" | "newId" | "log">;

/**
 * Sends a test push to a device of the user on the same path as alerts, and gives the push service's answer. The device
 * confirms with its receipt that it was shown. Throws Refusal `not_found`, and `rate_limited` if one was just sent.
 */
export const testDevice = async (
  deps: TestDeps,
  ws: string,
  userId: string,
  deviceId: string,
): Promise<DeviceTestAnswer> => {
  const testId = deps.newId("tst");
  const at = deps.now();
  const start = await startTest(deps, ws, userId, deviceId, { testId, at });
  if (start.kind === "none") throw notFound("device");
  if (start.kind === "soon") {
    const { afterSeconds: retryAfterSeconds } = start;
    throw new Refusal("rate_limited", `A test was just sent; the next one in ${retryAfterSeconds} seconds.`, {
      retryAfterSeconds,
    });
  }
  const { device } = start;
  const outcome = await deps.push.send(
    buildMessage({
      workspaceId: ws,
      eventId: undefined,
      notificationId: testId,
      title: "Test notification",
      body: "This device can be reached.",
      priority: "NORMAL",
      requiresAck: false,
      to: addressOf(device),
      consoleUrl: deps.baseUrl,
      platform: device.platform,
      nowMs: at,
      receipt: await receiptFor(deps, device, { workspaceId: ws, userId, about: testId }),
    }),
  );
  const code = "code" in outcome ? outcome.code : null;
  if (outcome.kind === "unregistered") await pruneDevice(deps, ws, userId, deviceId, device.registeredAt);
  else if (code !== null) await noteFailure(deps, ws, userId, deviceId, code);
  deps.log.info("device.tested", { workspaceId: ws, deviceId, outcome: outcome.kind });
  return { sentAt: toIso(at), outcome: outcome.kind, code };
};
