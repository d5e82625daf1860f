import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { toIso } from "../../../core/domain/basics/time.ts";
import { FIRST_PROBE_NUMBER } from "../../../core/domain/event/probe.ts";
import type { PushOutcome } from "../../../core/domain/delivery/push/outcome.ts";
import { registerDevice } from "../../../core/flow/admin/register-device.ts";
import { listNewestEvents, sendProbe, sendProbeEvent } from "../../../core/flow/ingest/send-probe.ts";
import { listEvents, searchEvents } from "../../../core/flow/read/list-events.ts";
import { sendProbePush } from "../../../core/flow/notify/send-probe-push.ts";
import { readProbes } from "../../../core/flow/read/list-probes.ts";
import { readEventView } from "../../../core/flow/read/read-event.ts";
import { simulateHistory } from "../../../core/flow/read/simulate.ts";
import { readStatistics } from "../../../core/flow/read/list-statistics.ts";
import { processReceipt } from "../../../core/flow/respond/take-receipt.ts";
import { checkProbes, rescheduleProbes } from "../../../core/flow/sweep/check-probes.ts";
import { readControl } from "../../../core/store/events/control.ts";
import { listEventsBetween } from "../../../core/store/events/events.ts";
import { controlKey } from "../../../core/store/keys.ts";
import { deleteApiKey, listApiKeys } from "../../../core/store/people/api-keys.ts";
import { removeDevices } from "../../../core/store/people/devices.ts";
import { deleteGroup, removeGroupMember } from "../../../core/store/people/groups.ts";
import { removeMember } from "../../../core/store/people/members.ts";
import { addOverride } from "../../../core/store/schedules/on-call.ts";
import {
  listProbes,
  putProbe,
  putProbedPerson,
  readProbePlan,
  setProbesDue,
} from "../../../core/store/schedules/probes.ts";
import { readRule, updateRule } from "../../../core/store/rules/rules.ts";
import { updateItem } from "../../../core/store/table.ts";
import { createReceiptKey } from "../../support/phone.ts";
import { callTo, createInterruption } from "../../world/interruption.ts";
import { useWorld } from "../../world/use-world.ts";
import { listMarkers, stepTo, type WorldOptions } from "../../world/world.ts";

const MINUTE = 60_000;
const NOON = Date.UTC(2026, 10, 23, 12);
const keys = await createReceiptKey();
const otherKeys = await createReceiptKey();

/** Ann and Bob have phones that sign receipts. A rule notifies Ann of orders from Berlin, and has matched
 * one. The second step of the rule's policy notifies Bob. */
const aWorld = async (options: WorldOptions = {}) => {
  const world = await useWorld({ start: NOON + 7 * MINUTE + 23_456, sweepAtSecond: 17, ...options });
  const { ws, deps } = world;
  const registerPhone = (userId: string, fields: object = {}) =>
    registerDevice(deps, ws, userId, {
      token: `${userId}-1`,
      platform: "android",
      receiptKey: keys.receiptKey,
      ...fields,
    });
  const ops = await world.group("Ops", ["usr_ann"], 0);
  const web = await world.group("Web", ["usr_bob"], 0);
  for (const userId of ["usr_ann", "usr_bob"]) await registerPhone(userId);
  const policyId = await world.policy([stepTo("usr_ann", 5), stepTo("usr_bob", 10)]);
  const conditions = [{ field: "data.city", operator: "equals", value: "Berlin" }];
  const asks = { requiresAck: true, escalationPolicyId: policyId };
  const fields = { name: "Orders", eventKey: "order.*", conditions, probe: null, ...asks };
  const rule = await world.rule([ops], fields);
  await world.post({ event: "order.failed", data: { city: "Berlin", amount: 7 } });
  await world.runFor(MINUTE);
  await world.acknowledgeNewest("usr_ann");
  const before = world.pushed.length;
  const startProbe = async () => sendProbe(deps, (await readRule(deps, ws, rule.id))!);
  /** Confirms all pushes since the world was set up, with receipts that are signed with these keys. */
  const confirm = async (signingKeys = keys) => {
    for (const { message } of world.pushed.slice(before)) {
      const signed = await signingKeys.sign(message.data["receipt"] ?? "", "DELIVERED");
      await processReceipt(deps, { ...signed, status: "DELIVERED" }).catch(() => undefined);
    }
  };
  const readProbe = async (id = rule.id) => (await readProbes(deps, ws)).find((one) => one.id === id)!;
  const changeRule = (patch: object) => updateRule(deps, ws, rule.id, patch);
  const listNewPushes = () => world.pushed.slice(before);
  return {
    ...world,
    registerPhone,
    ops,
    web,
    policyId,
    probe: startProbe,
    confirm,
    readProbe,
    change: changeRule,
    newPushes: listNewPushes,
    ruleId: rule.id,
  };
};
type ProbeWorld = Awaited<ReturnType<typeof aWorld>>;

/** Sends a probe, confirms its pushes, and waits until its result is final. */
const probeAndWait = async (world: ProbeWorld, signingKeys = keys) => {
  await world.probe();
  await world.runFor(MINUTE + 1_000);
  await world.confirm(signingKeys);
  await world.runFor(4 * MINUTE);
};

type Links = NonNullable<Awaited<ReturnType<ProbeWorld["readProbe"]>>["links"]>;

const answerProbesWith = (outcome: PushOutcome): WorldOptions => ({
  answer: (message) =>
    message.notification.title === "Your alerts arrive" ? outcome : { kind: "accepted", messageId: "m" },
});
const addRule = (world: ProbeWorld, fields: object) => world.rule([world.web], { name: "Other", ...fields });
const setOnCall = async (world: ProbeWorld, participants: string[]) => {
  await world.schedule(world.ops, {
    timeZone: "UTC",
    layers: [{ start: "2026-11-20T00:00", every: 1, unit: "day", participants }],
  });
  await world.change({ onCallOnly: true });
};
const cityCondition = (operator: string, value?: string) => ({ field: "data.city", operator, ...(value && { value }) });

describe("a fault in the configuration", () => {
  it.each<[string, [keyof Links, string], (world: ProbeWorld) => unknown, WorldOptions?]>([
    [
      "conditions that no event can meet",
      ["matched", "contradiction"],
      ({ change }) => change({ conditions: [cityCondition("equals", "Berlin"), cityCondition("equals", "Bonn")] }),
    ],
    ["a disabled rule", ["matched", "rule_disabled"], ({ change }) => change({ enabled: false })],
    [
      "hours in which the rule is not active",
      ["matched", "outside_active_hours"],
      ({ change }) => change({ activeHours: [{ days: ["sun"], from: "01:00", to: "02:00" }], timeZone: "UTC" }),
    ],
    [
      "a fallback rule for events that another rule matches",
      ["matched", "no_match"],
      async (world) => {
        await addRule(world, { eventKey: "*" });
        await world.change({ fallback: true });
      },
    ],
    [
      "an earlier rule of the chain that matches",
      ["matched", "no_match"],
      async (world) => {
        await addRule(world, { chain: "orders", position: 1 });
        await world.change({ chain: "orders", position: 2 });
      },
    ],
    [
      "a condition that the events do not meet",
      ["matched", "no_match"],
      ({ change }) => change({ conditions: [cityCondition("equals", "Hamburg")] }),
    ],
    ["an event key of other events", ["matched", "no_match"], ({ change }) => change({ eventKey: "invoice.*" })],
    [
      "a deleted API key of the sender",
      ["accepted", "api_key_deleted"],
      async ({ deps, ws }) => {
        const [key] = await listApiKeys(deps, ws);
        await deleteApiKey(deps, ws, key!.id);
      },
    ],
    [
      "an empty group",
      ["recipient", "group_empty"],
      (world) => removeGroupMember(world.deps, world.ws, { groupId: world.ops, userId: "usr_ann" }),
    ],
    ["a deleted group", ["recipient", "group_deleted"], ({ deps, ws, ops }) => deleteGroup(deps, ws, ops)],
    [
      "a group whose people have left",
      ["recipient", "group_empty"],
      ({ deps, ws }) => removeMember(deps, ws, "usr_ann"),
    ],
    ["a schedule without anybody", ["recipient", "nobody_on_call"], (world) => setOnCall(world, [])],
    [
      "a schedule of somebody outside the group",
      ["recipient", "nobody_on_call"],
      (world) => setOnCall(world, ["usr_bob"]),
    ],
    [
      "an override of somebody outside the group",
      ["recipient", "nobody_on_call"],
      async (world) => {
        await world.change({ onCallOnly: true });
        const override = { userId: "usr_bob", start: "2026-11-23T00:00:00Z", end: "2026-11-24T00:00:00Z" };
        await addOverride(world.deps, world.ws, world.ops, override);
      },
    ],
    ["a person without a device", ["sent", "no_device"], ({ deps, ws }) => removeDevices(deps, ws, "usr_ann")],
    [
      "a person with only a mailbox",
      ["sent", "no_device"],
      async ({ deps, ws, contact }) => {
        await removeDevices(deps, ws, "usr_ann");
        await contact("usr_ann", { email: "ann@acme.example" });
      },
    ],
    ["a stale token", ["sent", "unregistered"], () => {}, answerProbesWith({ kind: "unregistered" })],
    [
      "a device registered for another Firebase project",
      ["sent", "SENDER_ID_MISMATCH"],
      () => {},
      answerProbesWith({ kind: "foreign", code: "SENDER_ID_MISMATCH", proven: true }),
    ],
    ["refused push credentials", ["sent", "DENIED"], () => {}, answerProbesWith({ kind: "auth", code: "DENIED" })],
    [
      "an app that sends no receipts",
      ["confirmed", "not_confirmed"],
      async ({ deps, ws, registerPhone }) => {
        await removeDevices(deps, ws, "usr_ann");
        await registerPhone("usr_ann", { receiptKey: undefined });
      },
    ],
    [
      "a device that signs with another key",
      ["confirmed", "not_confirmed"],
      async ({ deps, ws, registerPhone }) => {
        await removeDevices(deps, ws, "usr_ann");
        await registerPhone("usr_ann", { receiptKey: otherKeys.receiptKey });
      },
    ],
  ])(
    "gives a probe the status red, and shows which step between event and device failed; the fault is %s",
    async (_fault, [link, fault], plant, options) => {
      const world = await aWorld(options);
      await plant(world);

      await probeAndWait(world);

      const { status, links } = await world.readProbe();
      const broken = Object.entries(links!).filter(([, one]) => one.fault !== null);
      expect({ status, broken }).toEqual({ status: "red", broken: [[link, { at: null, fault }]] });
      expect(listMarkers(world)).toEqual([]);
    },
  );

  it.each<[string, (world: ProbeWorld) => unknown]>([
    ["a step that names somebody who has left", ({ deps, ws }) => removeMember(deps, ws, "usr_bob")],
    ["a step whose only person has no device", ({ deps, ws }) => removeDevices(deps, ws, "usr_bob")],
  ])(
    "gives the probe of an escalation policy the status red, but not the probe of the rule; the fault is %s",
    async (_fault, plant) => {
      const world = await aWorld();
      await plant(world);

      await probeAndWait(world);

      expect(await world.readProbe()).toMatchObject({ status: "green" });
      expect(await world.readProbe(world.policyId)).toMatchObject({
        status: "red",
        steps: [{ status: "green" }, { status: "red", confirmed: 0 }],
      });
    },
  );
});

describe("a probe of a rule", () => {
  it("has the status green once it was accepted, matched, planned, accepted by the push service and confirmed", async () => {
    const world = await aWorld({ start: NOON, sweepAtSecond: 0 });

    await world.probe();
    expect(await world.readProbe()).toMatchObject({
      status: "pending",
      links: { confirmed: { at: null, fault: null } },
    });
    await world.runFor(MINUTE + 1_000);
    expect(await world.readProbe()).toMatchObject({
      status: "pending",
      links: { confirmed: { at: null, fault: null } },
    });
    await world.confirm();

    expect(await world.readProbe()).toMatchObject({
      type: "rule",
      name: "Orders",
      status: "green",
      links: {
        accepted: { at: "2026-11-23T12:01:00.000Z", fault: null },
        matched: { at: "2026-11-23T12:01:00.000Z", fault: null },
        recipient: { at: "2026-11-23T12:01:00.000Z", fault: null },
        sent: { at: expect.stringMatching(/^2026-11-23T12:02/), fault: null },
        confirmed: { at: "2026-11-23T12:02:01.000Z", fault: null },
      },
    });
    expect(await world.readProbe(world.policyId)).toMatchObject({
      type: "policy",
      status: "green",
      steps: [
        { status: "green", people: 1, confirmed: 1 },
        { status: "green", people: 1, confirmed: 1 },
      ],
    });
  });

  it("is not in the event list, the open events or the statistics, and no notice reports it, even if no rule matches", async () => {
    const world = await aWorld();
    await world.post({ event: "order.failed", data: { city: "Berlin" }, priority: "URGENT", dedupeKey: "order-7" });
    await world.runFor(MINUTE);
    await world.change({ conditions: [cityCondition("equals", "Hamburg")] });

    await probeAndWait(world);
    await world.runFor(3 * 60 * MINUTE);

    const { total, items } = await listEvents(world.deps, world.ws, { page: 1, limit: 50 });
    expect(items.map(({ title, state, _count }) => [title, state, _count.notifications])).toEqual([
      ["Disk full", "open", 3],
      ["Disk full", "acknowledged", 1],
    ]);
    expect(total).toBe(2);
    const open = await searchEvents(world.deps, world.ws, { state: "open" }, { page: 1, limit: 50 });
    expect(open.items.map(({ title }) => title)).toEqual(["Disk full"]);
    const rows = await readStatistics(world.deps, world.ws, "rule", { from: "2026-11-23", to: "2026-11-23" });
    expect(rows.map(({ counts }) => counts["events"])).toEqual([2]);
  });

  it("is shown by its id for a month, with its rule", async () => {
    const world = await aWorld();
    const { eventId } = await world.probe();
    await world.runFor(MINUTE);

    expect(await readEventView(world.deps, world.ws, eventId)).toMatchObject({
      title: "Probe: Disk full",
      state: "none",
      probe: { ruleId: world.ruleId },
      notifications: [],
    });
    world.skip(31 * 24 * 60 * MINUTE);
    expect(await readEventView(world.deps, world.ws, eventId)).toBeUndefined();
  });

  it("is accepted in the field `before` of a preview, which then continues with events older than the probe", async () => {
    const world = await aWorld();
    const { eventId } = await world.probe();

    const input = { rules: [], onCall: [], days: 7, before: eventId };
    expect(await simulateHistory(world.deps, world.ws, input)).toMatchObject({ next: null });
  });

  it("sends each person one silent push for all probed rules", async () => {
    const world = await aWorld();
    const other = await addRule(world, { eventKey: "disk.*", requiresAck: true });
    await world.probe();
    await sendProbe(world.deps, other);

    await world.runFor(MINUTE + 1_000);

    expect(
      world
        .newPushes()
        .map(({ token }) => token)
        .toSorted(),
    ).toEqual(["usr_ann-1", "usr_bob-1"]);
    // The queue may deliver a message twice.
    const { id } = (await listProbes(world.deps, world.ws)).people.get("usr_ann")!;
    await sendProbePush(world.deps, { kind: "probe", ws: world.ws, userId: "usr_ann", id });
    expect(world.newPushes()).toHaveLength(2);
    for (const { message } of world.newPushes())
      expect(message).toMatchObject({ android: { notification: { channelId: "events_low", priority: "low" } } });
    await world.confirm();
    expect(await world.readProbe()).toMatchObject({ status: "green" });
    // No event has matched the rule, so the event of the probe is composed from the rule.
    expect(await world.readProbe(other.id)).toMatchObject({ status: "green" });
  });

  it("reports a deleted API key only if the event on which the probe is based was sent with an API key", async () => {
    const world = await aWorld();
    const [example] = await listNewestEvents(world.deps, world.ws);
    const rule = (await readRule(world.deps, world.ws, world.ruleId))!;
    const readAcceptedFault = async (id: string) => {
      const content = { ...example!.content, sender: { id, name: "Backup" } };
      await sendProbeEvent(world.deps, rule, [{ ...example!, content }]);
      await world.runFor(1_000);
      return (await world.readProbe()).links?.accepted.fault;
    };

    expect([await readAcceptedFault("hb_1"), await readAcceptedFault("key_1")]).toEqual([null, "api_key_deleted"]);
  });

  it("is refused until a minute after the last probe", async () => {
    const world = await aWorld();
    await world.probe();
    await world.runFor(MINUTE - 400);

    await expect(world.probe()).rejects.toMatchObject({
      kind: "rate_limited",
      message: "A probe was just sent. Try again in 1 s.",
    });
    await world.runFor(400);
    await world.probe();
  });

  it("shows no result for a rule that was changed after the probe", async () => {
    const world = await aWorld();
    await probeAndWait(world);

    await world.change({ name: "Renamed" });

    expect(await world.readProbe()).toMatchObject({ status: "none", links: null });
  });

  it("shows no result after a week and a day", async () => {
    const world = await aWorld();
    await probeAndWait(world);

    await world.runFor((8 * 24 * 60 - 10) * MINUTE);
    expect(await world.readProbe()).toMatchObject({ status: "green" });
    await world.runFor(10 * MINUTE);
    expect(await world.readProbe()).toMatchObject({ status: "none" });
  });

  it("has the status red, and sends its push again, while the push service is unavailable", async () => {
    let outcome: PushOutcome = { kind: "retry", code: "UNAVAILABLE" };
    const world = await aWorld({
      answer: (message) =>
        message.notification.title === "Your alerts arrive" ? outcome : { kind: "accepted", messageId: "m" },
    });
    await world.probe();
    await world.runFor(MINUTE + 1_000);
    expect(await world.readProbe()).toMatchObject({ status: "red", links: { sent: { fault: "UNAVAILABLE" } } });

    outcome = { kind: "accepted", messageId: "m" };
    await world.runFor(MINUTE);
    await world.confirm();

    expect(await world.readProbe()).toMatchObject({ status: "green" });
    expect(
      new Set(world.newPushes().map(({ userId, message }) => `${userId} ${message.data["notificationId"]}`)).size,
    ).toBe(2);
  });

  it("costs about ten write units, plus three for each person, however many rules the person is probed for", async () => {
    const world = await aWorld({ start: NOON, sweepAtSecond: 0 });
    const other = await addRule(world, { eventKey: "disk.*" });
    world.used();
    await world.probe();
    await sendProbe(world.deps, other);
    await world.runFor(0);
    // The writes are two events with their claims, markers, plans and probes, and the time at which each person is probed.
    expect(world.used().writes).toBe(20);

    await world.runFor(MINUTE + 1_000);
    await world.confirm();
    await world.runFor(5 * MINUTE);

    // Six of the units are for two people, and the other units for the sweeper and for all rules of the workspace.
    expect(world.used().writes).toBe(14);
  });
});

describe("the check of a workspace's probes", () => {
  const nextMinute = (at: number) => (Math.floor(at / MINUTE) + 1) * MINUTE;

  it("is repeated every minute until the matcher has processed each probe", async () => {
    const { deps, ws, now } = await aWorld();
    await putProbe(deps, ws, { ruleId: "rule_late", eventId: "evt_late", acceptedAt: now(), recipients: [] });
    await setProbesDue(deps, ws, now() + 60 * MINUTE);

    expect(await checkProbes(deps, ws)).toBe(nextMinute(now()));
  });

  it("sends a person another push if a further rule is probed before the first push is accepted", async () => {
    const { deps, ws, now } = await aWorld();
    const probe = { eventId: "evt_1", acceptedAt: now(), applies: true, recipients: ["usr_ann"] };
    await putProbe(deps, ws, { ...probe, ruleId: "rule_1", matchedAt: now() - 1 });
    await putProbe(deps, ws, { ...probe, ruleId: "rule_2", matchedAt: now() + 1 });
    await putProbedPerson(deps, ws, { userId: "usr_ann", id: "prb_first", askedAt: now() });

    await checkProbes(deps, ws);

    expect((await listProbes(deps, ws)).people.get("usr_ann")?.id).not.toBe("prb_first");
  });

  it("changes nothing before its scheduled time", async () => {
    const { deps, ws, now } = await aWorld();
    const at = now() + 60 * MINUTE;
    await setProbesDue(deps, ws, at);

    expect(await checkProbes(deps, ws)).toBe(at);
    expect(await readProbePlan(deps, ws)).toEqual({ since: now(), at, red: [] });
  });

  it("looks for the events on which probes are based only among the newest two hundred events", async () => {
    const { deps, ws } = await aWorld();
    expect(await listNewestEvents(deps, ws)).toHaveLength(1);

    await updateItem(deps, controlKey(ws), v.object({ seq: v.number() }), {
      update: "ADD seq :more",
      values: { ":more": 200 },
    });

    expect(await listNewestEvents(deps, ws)).toEqual([]);
  });
});

describe("rules that are probed automatically", () => {
  const HOUR = 60 * MINUTE;
  const DAY = 24 * HOUR;
  const daily = { probe: { everyHours: 24 } };
  const listEventsTitled = async ({ deps, ws }: ProbeWorld, start: string) => {
    const { items } = await listEvents(deps, ws, { page: 1, limit: 100 });
    return items.filter(({ title }) => title.startsWith(start));
  };
  const countProbes = async ({ deps, ws }: ProbeWorld) => {
    const from = FIRST_PROBE_NUMBER;
    const events = await listEventsBetween(deps, ws, { from, to: from + 100 });
    return { count: events.length, starts: [...new Set(events.map(({ receivedAt }) => toIso(receivedAt)))] };
  };
  const countNotices = async (world: ProbeWorld) => (await listEventsTitled(world, "3 probes failed")).length;
  /** Lets time pass until the next probes have begun, and until they have results. */
  const runProbes = async (world: ProbeWorld, confirm: () => Promise<void> = async () => {}) => {
    const { count } = await countProbes(world);
    const lastAt = world.now() + 9 * DAY;
    while ((await countProbes(world)).count === count && world.now() < lastAt) await world.runFor(15 * MINUTE);
    await confirm();
    await world.runFor(70 * MINUTE);
  };
  const hourIn = (timeZone: string, at: string): number =>
    Number(new Intl.DateTimeFormat("en", { timeZone, hour: "2-digit", hourCycle: "h23" }).format(new Date(at)));

  // The ids of these workspaces select 10:00 or 17:00 UTC for probes, when it is night in the people's time zone.
  it.each([
    ["America/Los_Angeles", "ws_nightw"],
    ["Asia/Tokyo", "ws_nightf"],
  ] as const)(
    "are probed in the daytime of the notified people (in %s), by one push for all rules of a person",
    async (timeZone, ws) => {
      const world = await aWorld({ ws });
      for (const group of [world.ops, world.web]) await world.schedule(group, { timeZone, layers: [] });
      await world.change(daily);
      await world.rule([world.ops], { name: "Disks", eventKey: "disk.*", ...daily });

      for (let day = 0; day < 3; day += 1) await runProbes(world);

      const { count, starts } = await countProbes(world);
      const pushes = world
        .newPushes()
        .filter(({ userId, message }) => userId === "usr_ann" && message.notification.title === "Your alerts arrive");
      expect({ count, starts: starts.length, pushes: pushes.length }).toEqual({ count: 6, starts: 3, pushes: 3 });
      for (const start of starts) {
        expect(start.slice(14, 16)).toBe("00");
        expect(hourIn(timeZone, start)).toBeGreaterThanOrEqual(7);
        expect(hourIn(timeZone, start)).toBeLessThan(22);
      }
    },
  );

  it("are probed once a week if they require an acknowledgement", async () => {
    const world = await aWorld();
    // A probe every 168 hours is the default, which is not stored.
    await addRule(world, { eventKey: "disk.*", requiresAck: true, probe: { everyHours: 168 } });
    await addRule(world, { eventKey: "page.*" });
    await runProbes(world);

    await world.runFor(6 * DAY);
    expect((await countProbes(world)).count).toBe(1);
    await world.runFor(DAY);
    expect((await countProbes(world)).count).toBe(2);
  });

  it("include a rule that is created while the next probes are planned", async () => {
    const { beforeCall, arm } = createInterruption(callTo("Put", "#NEXT#PROBES"));
    const world = await aWorld({ beforeCall });
    let added = "";
    arm(async () => {
      ({ id: added } = await world.rule([world.ops], { name: "Disks", eventKey: "disk.*", ...daily }));
      await rescheduleProbes(world.deps, world.ws, (await readControl(world.deps, world.ws))!);
    });

    await world.runFor(50 * HOUR);

    expect([...(await listProbes(world.deps, world.ws)).rules.keys()]).toContain(added);
  });

  it("with a failed probe are reported to the owners once, even if another probe becomes due while the next probes are planned", async () => {
    const { beforeCall, arm } = createInterruption(callTo("Put", "#NEXT#PROBES"));
    const world = await aWorld({ beforeCall });
    await world.change(daily);
    await world.rule([world.ops], { name: "Disks", eventKey: "disk.*", ...daily });

    await runProbes(world, async () => arm(() => setProbesDue(world.deps, world.ws, world.now() + MINUTE)));

    expect(await countNotices(world)).toBe(1);
  });

  it("whose probes failed are reported to the owners once, even if a sweep dies after sending the notice", async () => {
    const { beforeCall, arm } = createInterruption(callTo("Put", "#NEXT#PROBES"));
    const world = await aWorld({ beforeCall });
    await world.change(daily);
    await world.rule([world.ops], { name: "Disks", eventKey: "disk.*", ...daily });

    await runProbes(world, async () => arm());

    expect(await countNotices(world)).toBe(1);
  });

  it("cost nothing in a workspace where no rule is probed automatically", async () => {
    const world = await aWorld();

    await world.runFor(26 * HOUR);

    expect([listMarkers(world), (await countProbes(world)).count]).toEqual([[], 0]);
  });

  it("whose probes failed are reported to the owners in one notice, and in a second notice only after a probe succeeded", async () => {
    const world = await aWorld();
    await world.change(daily);
    await world.rule([world.ops], { name: "Disks", eventKey: "disk.*", ...daily });
    await runProbes(world);
    expect([await countNotices(world), (await world.readProbe()).status]).toEqual([1, "red"]);

    await runProbes(world);
    expect([await countNotices(world), (await world.readProbe()).status]).toEqual([1, "red"]);

    await runProbes(world, () => world.confirm());
    expect([await countNotices(world), (await world.readProbe()).status]).toEqual([1, "green"]);

    await runProbes(world);
    expect([await countNotices(world), (await world.readProbe()).status]).toEqual([2, "red"]);
  });

  it("cost at most eleven write units each", async () => {
    // Probes start at full hours, while audits and counts of statistics start at half past.
    const world = await aWorld({ start: NOON + 30 * MINUTE });
    await world.change({ conditions: [], ...daily });
    for (let nr = 0; nr < 9; nr += 1)
      await world.rule([world.ops], { name: `Disk ${nr}`, eventKey: "disk.*", ...daily });
    await runProbes(world);
    const [start = ""] = (await countProbes(world)).starts;
    await world.runFor(Date.parse(start) + DAY - 2 * MINUTE - world.deps.now());
    world.used();

    await world.runFor(10 * MINUTE);

    expect((await countProbes(world)).count).toBe(20);
    expect(world.used().writes).toBeLessThanOrEqual(10 * 11);
  });
});
