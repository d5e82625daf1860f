import { describe, expect, it } from "vitest";
import { registerDevice } from "../../../core/flow/admin/register-device.ts";
import { testDevice } from "../../../core/flow/admin/test-device.ts";
import { processReceipt } from "../../../core/flow/respond/take-receipt.ts";
import { sendReachabilityCheck } from "../../../core/flow/notify/send-reachability-check.ts";
import { listDevices, saveDevice } from "../../../core/store/people/devices.ts";
import type { ReachabilityCheckMessage } from "../../../core/queue/messages.ts";
import { addContact } from "../../faults/fixtures.ts";
import { createReceiptKey } from "../../support/phone.ts";
import { useWorld } from "../../world/use-world.ts";

const MINUTE = 60_000;
const NOON = Date.UTC(2026, 10, 23, 12);
const keys = await createReceiptKey();

/** Ann, who comes on call in an hour, has the app, a verified phone number, and an unverified one. */
const aWorld = async () => {
  const world = await useWorld({ start: NOON });
  const { ws, deps } = world;
  const groupId = await world.group("Ops", ["usr_ann"], 0);
  const phone = { token: "usr_ann-1", platform: "android" as const, receiptKey: keys.receiptKey };
  await registerDevice(deps, ws, "usr_ann", phone);
  await addContact(deps, ws, "usr_ann", { phone: "+4930123456", ways: ["sms"] });
  await saveDevice(deps, ws, "usr_ann", { phone: "+4930999999", ways: ["sms"] }, async () => true);
  // Entering a verification code also proves that an address is reachable.
  await world.runFor(MINUTE);
  const since = world.now();
  const start = since + 60 * MINUTE;
  const sendCheck = (channel: ReachabilityCheckMessage["way"]) =>
    sendReachabilityCheck(deps, { kind: "proof", ws, groupId, userId: "usr_ann", start, since, way: channel });
  const listTokens = () => world.pushed.map(({ token }) => token);
  return { ...world, sendCheck, listTokens, start };
};

describe("a reachability check before a shift", () => {
  it("is sent to the devices of one channel, but not to an unverified address", async () => {
    const world = await aWorld();

    await world.sendCheck("push");
    expect(world.listTokens()).toEqual(["usr_ann-1"]);
    await world.sendCheck("sms");
    expect(world.listTokens().slice(1)).toEqual(["phone +4930123456"]);
    await world.sendCheck("voice");
    expect(world.listTokens()).toHaveLength(2);
  });

  it("sends the same test again if its queue message comes twice, so that a phone shows it once", async () => {
    const world = await aWorld();

    await world.sendCheck("push");
    await world.sendCheck("push");

    const ids = world.pushed.map(({ message }) => message.data["notificationId"]);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
  });

  it("is not sent to a device that has just received a device test", async () => {
    const world = await aWorld();
    const [app] = await listDevices(world.deps, world.ws, "usr_ann");
    await testDevice(world.deps, world.ws, "usr_ann", app!.id);

    await world.sendCheck("push");

    expect(world.listTokens()).toHaveLength(1);
  });

  it("tries no further channel once a device of the person has confirmed, even if the next message is queued", async () => {
    const world = await aWorld();
    await world.sendCheck("push");
    const signed = await keys.sign(world.pushed[0]!.message.data["receipt"] ?? "", "DELIVERED");
    await processReceipt(world.deps, { ...signed, status: "DELIVERED" });

    await world.sendCheck("sms");

    expect(world.listTokens()).toEqual(["usr_ann-1"]);
  });

  it("ends when the shift begins", async () => {
    const world = await aWorld();

    await world.runUntil(world.start);
    await world.sendCheck("push");
    expect(world.listTokens()).toHaveLength(1);
    await world.runFor(MINUTE);
    await world.sendCheck("push");
    expect(world.listTokens()).toHaveLength(1);
  });
});
