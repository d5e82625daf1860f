import { describe, expect, it } from "vitest";
import { toIso } from "../../../core/domain/basics/time.ts";
import { registerDevice } from "../../../core/flow/admin/register-device.ts";
import { processDeliveryEvent } from "../../../core/flow/notify/take-delivery-event.ts";
import { processReceipt } from "../../../core/flow/respond/take-receipt.ts";
import { listEvents } from "../../../core/flow/read/list-events.ts";
import { readOnCallNow } from "../../../core/flow/read/who-is-on-call.ts";
import { runDueChecks } from "../../../core/flow/sweep/check-reachability.ts";
import { createSweep } from "../../../core/flow/sweep/due-items.ts";
import { runSweep } from "../../../core/flow/sweep/sweep.ts";
import { readEvent } from "../../../core/store/events/events.ts";
import { removeMember, setRole } from "../../../core/store/people/members.ts";
import { addOverride, deleteOverride, listOverrides } from "../../../core/store/schedules/on-call.ts";
import { oneShard } from "../../../core/store/keys.ts";
import { addGroupMember } from "../../../core/store/people/groups.ts";
import { listReachabilityChecks } from "../../../core/store/schedules/reachability-checks.ts";
import { startShadow, updateWorkspace } from "../../../core/store/people/workspaces.ts";
import { addContact } from "../../faults/fixtures.ts";
import { createReceiptKey } from "../../support/phone.ts";
import { withHook } from "../../world/interruption.ts";
import { useWorld } from "../../world/use-world.ts";
import { listCheckMarkers, type WorldOptions } from "../../world/world.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOON = Date.UTC(2026, 9, 23, 12);
const PHONE = "+4930123456";
const keys = await createReceiptKey();

/**
 * Ann and Bob hand off at 09:00 in Berlin: at 07:00 UTC until 24 October 2026, and at 08:00 UTC from the 25th. Bob is on call
 * from the 24th, Ann from the 25th. Ann and Bob have phones that sign receipts, and Bob has a phone number.
 */
const aWorld = async (options: WorldOptions = {}) => {
  const world = await useWorld({ start: NOON, ...options });
  const { ws, deps } = world;
  const group = await world.group("Ops", ["usr_ann", "usr_bob"], 0);
  for (const name of ["ann", "bob"])
    await registerDevice(deps, ws, `usr_${name}`, {
      token: `usr_${name}-1`,
      platform: "android",
      receiptKey: keys.receiptKey,
    });
  await addContact(deps, ws, "usr_bob", { phone: PHONE, ways: ["sms"] });
  const layers = [{ start: "2026-10-23T09:00", every: 1, unit: "day", participants: ["usr_ann", "usr_bob"] }];
  await world.schedule(group, { timeZone: "Europe/Berlin", layers });
  const setCheck = (minutesBefore: number | null) =>
    updateWorkspace(deps, ws, { proveShifts: minutesBefore === null ? null : { minutesBefore } });
  await setCheck(60);
  let seen = 0;
  /** Lists the messages since the last call, each with time and address. */
  const listNewMessages = () => {
    const fresh = world.pushed.slice(seen);
    seen = world.pushed.length;
    return fresh.map(({ at, token, message: { notification } }) => {
      const what = notification.title.startsWith("You are on call") ? "" : ` ${notification.title}`;
      return `${toIso(at).slice(8, 16)} ${token.replace(/^.*usr_|^phone /, "")}${what}`;
    });
  };
  /** Confirms the last push to the phone with this token. */
  const confirm = async (token: string) => {
    const pushed = world.pushed.findLast((one) => one.token === token);
    const signed = await keys.sign(pushed?.message.data["receipt"] ?? "", "DELIVERED");
    await processReceipt(deps, { ...signed, status: "DELIVERED" });
  };
  const listProvenOnCall = async () => {
    const { onCall } = await readOnCallNow(deps, ws, group, world.now());
    return onCall.map((one) => [one.name, one.proven]);
  };
  const listNextProvenOnCall = async () =>
    (await readOnCallNow(deps, ws, group, world.now())).next?.onCall.map((one) => [one.name, one.proven]);
  const listNotices = async () =>
    (await listEvents(deps, ws, { page: 1, limit: 50 })).items.filter(({ eventKey }) => eventKey === "service.shift");
  const readNoticeBody = async () => (await readEvent(deps, ws, (await listNotices())[0]!.id))?.content.body;
  return {
    ...world,
    ops: group,
    setCheck,
    newMessages: listNewMessages,
    confirm,
    readProven: listProvenOnCall,
    readNextProven: listNextProvenOnCall,
    listNotices,
    readNoticeBody,
  };
};

describe("a reachability check before a shift", () => {
  it("is not made during a shadow", async () => {
    const world = await aWorld({ start: Date.UTC(2026, 9, 24, 5) });
    await startShadow(world.deps, world.ws, toIso(world.now() + 72 * HOUR));

    await world.runFor(40 * HOUR);

    expect(world.newMessages()).toEqual([]);
    expect(await world.listNotices()).toEqual([]);
  });

  it("is one silent push an hour before the shift, in local time, even across a clock change", async () => {
    const world = await aWorld({ start: Date.UTC(2026, 9, 24, 5) });

    for (const [at, name] of [
      ["2026-10-24T06:00", "bob"],
      ["2026-10-25T07:00", "ann"],
    ] as const) {
      await world.runUntil(Date.parse(`${at}Z`) + 2 * MINUTE);
      expect(world.newMessages()).toEqual([`${at.slice(8)} ${name}-1`]);
      const { message } = world.pushed.at(-1)!;
      expect(message).toMatchObject({
        android: { priority: "high", notification: { channelId: "events_low", priority: "low" } },
      });
      await world.confirm(`usr_${name}-1`);
      await world.runFor(MINUTE);
      expect(await world.readNextProven()).toEqual([[name, true]]);
      await world.runUntil(Date.parse(`${at}Z`) + 61 * MINUTE);
      expect(world.newMessages()).toEqual([]);
      expect(await world.readProven()).toEqual([[name, true]]);
    }
    expect(await world.listNotices()).toEqual([]);
  });

  it("tries the next channel if no device answers, then notifies the previous person on call and the managers", async () => {
    const world = await aWorld();
    await world.group("Desk", ["usr_dan"]);
    await setRole(world.deps, world.ws, "usr_dan", "responder");

    await world.runUntil(Date.parse("2026-10-24T07:05Z"));

    const title = "bob may not be reachable: on call in Ops soon";
    expect(world.newMessages()).toEqual([
      "24T06:00 bob-1",
      "24T06:15 bob-1",
      `24T06:30 ${PHONE}`,
      `24T06:45 ann-1 ${title}`,
    ]);
    expect(await world.readProven()).toEqual([["bob", false]]);
    const [notice, ...others] = await world.listNotices();
    expect(others).toEqual([]);
    expect(notice).toMatchObject({ title, priority: "HIGH" });
    expect(await world.readNoticeBody()).toBe(
      "The shift begins at 2026-10-24T07:00:00.000Z. No confirmation by push, text message. On call until then: ann. " +
        "Contact bob in another way, or put somebody else on call with an override.",
    );
    const recipients = (await world.notifications()).map(({ userId }) => userId).sort();
    expect(recipients).toEqual(["usr_ann", "usr_owner"]);
    // The two pushes have the same tag, so the phone shows only the later one.
    const [first, second] = world.pushed;
    expect(first?.message.data["notificationId"]).toBe(second?.message.data["notificationId"]);
    // A shift counts as confirmed once any device of the person has confirmed, even after the shift has
    // begun.
    await world.confirm("usr_bob-1");
    await world.runFor(10 * MINUTE);
    expect(await world.readProven()).toEqual([["bob", true]]);
  });

  it("uses the language of the person's newest device", async () => {
    const world = await aWorld();
    await registerDevice(world.deps, world.ws, "usr_bob", { token: "usr_bob-1", platform: "android", language: "de" });

    await world.runUntil(Date.parse("2026-10-24T06:31Z"));

    // Bob's phone number was registered before this device, without a language.
    expect(world.pushed.map(({ message }) => message.notification.title)).toEqual([
      "Ihre Bereitschaft beginnt bald: Ops",
      "Ihre Bereitschaft beginnt bald: Ops",
      "Ihre Bereitschaft beginnt bald: Ops",
    ]);
    expect(world.pushed.at(-1)?.message.notification.body).toBe(
      "Beginn: 24. Oktober 2026 um 07:00 UTC. Ihre Erreichbarkeit ist damit bestätigt; Sie müssen nichts tun.",
    );
  });

  it("succeeds without a notice to anybody if its text message is delivered", async () => {
    const world = await aWorld();
    await world.runUntil(Date.parse("2026-10-24T06:31Z"));
    const { message } = world.pushed.at(-1)!;
    const event = { fate: "arrived", code: "TEXT_DELIVERED", to: { field: "phone", address: PHONE } } as const;
    const receipt = "receipt" in message ? (message.receipt ?? "") : "";
    await processDeliveryEvent(world.deps, { ...event, receipt, sentAt: toIso(world.now()) });

    await world.runUntil(Date.parse("2026-10-24T07:05Z"));

    expect(await world.readProven()).toEqual([["bob", true]]);
    expect(await world.listNotices()).toEqual([]);
  });

  it("of a person without a device is reported at once", async () => {
    const world = await aWorld();
    await world.group("Other", ["usr_cat"], 0);
    await addGroupMember(world.deps, world.ws, { groupId: world.ops, userId: "usr_cat" });
    await addOverride(world.deps, world.ws, world.ops, {
      userId: "usr_cat",
      start: "2026-10-24T05:00:00.000Z",
      end: "2026-10-24T06:00:00.000Z",
    });

    await world.runUntil(Date.parse("2026-10-24T04:03Z"));

    expect((await world.listNotices()).map(({ title }) => title)).toEqual([
      "cat may not be reachable: on call in Ops soon",
    ]);
    expect(await world.readNoticeBody()).toBe(
      "The shift begins at 2026-10-24T05:00:00.000Z. This person has no device that can confirm the reachability check. " +
        "On call until then: ann. Contact cat in another way, or put somebody else on call with an override.",
    );
    // Ann comes on call again after the override, and is checked before that.
    expect((await listReachabilityChecks(world.deps, world.ws)).map(({ userId, before }) => [userId, before])).toEqual([
      ["usr_cat", ["usr_ann"]],
    ]);
  });

  it("is reported to the checked person if the check fails and nobody else can be notified", async () => {
    const world = await useWorld({ start: NOON });
    const group = await world.group("Solo", ["usr_owner"], 0);
    const layers = [{ start: "2026-10-23T13:00", every: 1, unit: "day", participants: ["usr_owner"] }];
    await world.schedule(group, { timeZone: "UTC", layers });
    await updateWorkspace(world.deps, world.ws, { proveShifts: { minutesBefore: 30 } });

    await world.runFor(2 * HOUR);

    expect((await world.notifications()).map(({ userId }) => userId)).toEqual(["usr_owner"]);
  });

  it("is reported to the checked person if the previous person on call has left the workspace", async () => {
    const world = await aWorld();
    const layers = [{ start: "2026-10-23T09:00", every: 1, unit: "day", participants: ["usr_ann"] }];
    await world.schedule(world.ops, { timeZone: "UTC", layers });
    const override = { userId: "usr_bob", start: toIso(NOON + HOUR), end: toIso(NOON + 3 * HOUR) };
    await addOverride(world.deps, world.ws, world.ops, override);
    await world.runFor(10 * MINUTE);
    await setRole(world.deps, world.ws, "usr_bob", "owner");
    for (const userId of ["usr_ann", "usr_owner"]) await removeMember(world.deps, world.ws, userId);

    await world.runFor(HOUR);

    expect((await world.notifications()).map(({ userId }) => userId)).toEqual(["usr_bob"]);
  });

  it("is planned within five minutes after an edit of the schedule, and dropped if the shift is removed", async () => {
    const world = await aWorld();
    const start = NOON + 30 * MINUTE;
    const override = { userId: "usr_bob", start: toIso(start), end: toIso(start + HOUR) };
    await world.runUntil(NOON + 2 * MINUTE);
    await addOverride(world.deps, world.ws, world.ops, override);

    await world.runUntil(NOON + 7 * MINUTE);

    const [proof] = await listReachabilityChecks(world.deps, world.ws);
    expect(proof).toMatchObject({ userId: "usr_bob", start, before: ["usr_ann"], asked: 1 });
    const [added] = await listOverrides(world.deps, world.ws, world.ops);
    await deleteOverride(world.deps, world.ws, world.ops, added?.id ?? "");
    world.newMessages();
    await world.runUntil(start + 10 * MINUTE);
    expect(await listReachabilityChecks(world.deps, world.ws)).toEqual([]);
    expect(world.newMessages()).toEqual([]);
  });

  it("stops once the workspace turns checks off, and leaves neither state nor a planned check", async () => {
    const world = await aWorld();
    await world.runUntil(Date.parse("2026-10-24T07:05Z"));
    expect(await world.readProven()).toEqual([["bob", false]]);
    world.newMessages();
    await world.setCheck(null);

    await world.runUntil(Date.parse("2026-10-25T09:05Z"));

    expect(world.newMessages()).toEqual([]);
    expect(await listReachabilityChecks(world.deps, world.ws)).toEqual([]);
    expect(listCheckMarkers(world)).toEqual([]);
    expect(await world.readProven()).toEqual([["ann", null]]);
  });

  it("is made once, however often the workspace's setting is written and however many sweepers run", async () => {
    const world = await aWorld();
    await world.setCheck(60);
    await world.runFor(MINUTE);
    await world.setCheck(60);

    await world.runUntil(Date.parse("2026-10-24T06:00Z") - 30_000);
    await Promise.all([runSweep(world.deps, Infinity), runSweep(world.deps, Infinity)]);
    await world.runUntil(Date.parse("2026-10-24T07:05Z"));

    expect(listCheckMarkers(world)).toHaveLength(1);
    expect(await world.listNotices()).toHaveLength(1);
    expect(world.newMessages().filter((line) => line.includes("bob-1"))).toHaveLength(2);
  });

  it("is made for each of two groups in which the person's shifts begin at the same time", async () => {
    const world = await aWorld();
    await world.runUntil(Date.parse("2026-10-24T06:05Z"));
    const net = await world.group("Net", ["usr_bob"], 0);
    const layers = [{ start: "2026-10-24T09:00", every: 1, unit: "day", participants: ["usr_bob"] }];
    await world.schedule(net, { timeZone: "Europe/Berlin", layers });

    await world.runUntil(Date.parse("2026-10-24T06:15Z"));

    const checks = await listReachabilityChecks(world.deps, world.ws);
    expect(checks.map(({ groupId }) => groupId)).toEqual([world.ops, net]);
  });

  it("is still planned after a sweeper has stopped between its two writes", async () => {
    const world = await aWorld();
    await world.runFor(MINUTE);
    const due = Number(/\d{13}/.exec(listCheckMarkers(world)[0]!)![0]);
    let hasWritten = false;
    const table = withHook(world.deps.table, ({ constructor, input }) => {
      if (hasWritten) throw new Error("the invocation was stopped");
      const { pk } = input.Item ?? input.Key ?? {};
      hasWritten = constructor.name !== "GetCommand" && pk?.startsWith("PROOFS#") === true;
    });
    const deps = { ...world.deps, table, now: () => due };

    await runDueChecks(deps, createSweep(deps, Infinity), oneShard[0]!).catch(() => undefined);

    expect(hasWritten).toBe(true);
    expect(listCheckMarkers(world)).not.toEqual([]);
  });

  it("stays planned if the sweeper's clock is set back while the sweeper processes the check", async () => {
    const world = await aWorld();
    await world.runFor(MINUTE);
    const due = Number(/\d{13}/.exec(listCheckMarkers(world)[0]!)![0]);
    let now = due;
    const table = withHook(world.deps.table, () => (now = due - 1));
    const deps = { ...world.deps, table, now: () => now };

    await runDueChecks(deps, createSweep(deps, Infinity), oneShard[0]!);

    expect(now).toBe(due - 1);
    expect(listCheckMarkers(world)).toHaveLength(1);
  });
});
