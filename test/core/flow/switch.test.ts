import { describe, expect, it } from "vitest";
import { bindAuthor } from "../../../core/deps.ts";
import { toIso } from "../../../core/domain/basics/time.ts";
import { FIRST_PROBE_NUMBER } from "../../../core/domain/event/probe.ts";
import { createOperatorAuthor } from "../../../core/domain/workspace/audit.ts";
import { claimCall } from "../../../core/store/schedules/switches.ts";
import { readSwitch, setSwitch } from "../../../core/flow/admin/switch.ts";
import { createWebhook } from "../../../core/flow/admin/webhooks.ts";
import { registerDevice } from "../../../core/flow/admin/register-device.ts";
import type { PostOutcome } from "../../../core/domain/webhook/delivery-queue.ts";
import { listEvents, searchEvents } from "../../../core/flow/read/list-events.ts";
import { readWorkspaceView } from "../../../core/flow/read/read-workspace.ts";
import { createReceipt, readReceiptKeys } from "../../../core/flow/respond/receipt-for.ts";
import { processReceipt } from "../../../core/flow/respond/take-receipt.ts";
import { checkSwitch } from "../../../core/flow/sweep/check-switch.ts";
import { sendMessages } from "../../../core/queue/send.ts";
import { markLost } from "../../../core/store/events/sequence.ts";
import { removeSwitch } from "../../../core/store/schedules/switches.ts";
import { removeDevices } from "../../../core/store/people/devices.ts";
import { createWebhookSender } from "../../../functions/webhook-sender.ts";
import { createReceiptKey } from "../../support/phone.ts";
import { callTo, callWith, createInterruption } from "../../world/interruption.ts";
import { useWorld } from "../../world/use-world.ts";
import { listCheckMarkers, listMarkers, type WorldOptions } from "../../world/world.ts";

const MINUTE = 60_000;
const NOON = Date.UTC(2026, 10, 23, 12);
const URL = "https://hc.example.com/ping/secret";
const keys = await createReceiptKey();

const parts = [
  "events queue",
  "pushes queue",
  "webhooks queue",
  "table",
  "push service",
  "receipts function",
  "device",
  "region",
  "receiver",
] as const;
type Part = (typeof parts)[number];

/** Creates a dead man's switch that calls a URL every five minutes, and sends pushes to Ann's wall display. */
const aWorld = async (options: WorldOptions = {}) => {
  const down = new Set<Part>();
  const undelivered = new Set<unknown>();
  const world = await useWorld({
    start: NOON,
    sweepAtSecond: 0,
    answer: (message) => {
      if (!down.has("push service")) return { kind: "accepted", messageId: "m" };
      undelivered.add(message);
      return { kind: "retry", code: "UNAVAILABLE" };
    },
    beforeCall: async () => {
      if (down.has("table")) throw new Error("the table cannot be reached");
    },
    receive: () => (down.has("receiver") ? { kind: "failed", code: "HTTP_503" } : { kind: "taken", code: "HTTP_200" }),
    ...options,
  });
  const { ws } = world;
  const { receiptKeys } = world.deps;
  world.deps.receiptKeys = async () => {
    if (down.has("receipts function")) throw new Error("the secret cannot be read");
    return receiptKeys();
  };
  const deps = bindAuthor(world.deps, createOperatorAuthor("req_1"));
  await world.group("Ops", ["usr_ann"], 0);
  const display = { token: "usr_ann-1", platform: "android", receiptKey: keys.receiptKey } as const;
  const { device } = await registerDevice(deps, ws, "usr_ann", display);
  const saveSwitch = (fields: object = {}) =>
    setSwitch(deps, ws, { url: URL, everyMinutes: 5, deviceId: device.id, ...fields });
  await saveSwitch();
  let shown = 0;
  /** Confirms the pushes that the display got since the last call. */
  const confirm = async (signingKeys = keys) => {
    const fresh = world.pushed.slice(shown).filter((one) => !undelivered.has(one.message));
    shown = world.pushed.length;
    for (const { message } of fresh) {
      const signed = await signingKeys.sign(message.data["receipt"] ?? "", "DELIVERED");
      await processReceipt(deps, { ...signed, status: "DELIVERED" }).catch(() => undefined);
    }
    await world.work();
  };
  const setPartUp = (isUp: boolean, part: Part) => {
    if (isUp) down.delete(part);
    else down.add(part);
    for (const name of ["events", "pushes", "webhooks"] as const) world.queues[name].setUp(!down.has(`${name} queue`));
  };
  /** Lets minutes pass, in which the display confirms each push at once. */
  const passMinutes = async (minutes: number) => {
    for (let minute = 0; minute < minutes; minute += 1) {
      const end = world.now() + MINUTE;
      // A sweep whose queue is down throws.
      if (!down.has("region")) await world.runUntil(end).catch(() => undefined);
      world.skip(end - world.now());
      if (!down.has("region") && !down.has("device")) await confirm();
    }
  };
  const listCalls = () => world.posted.filter(({ url }) => url === URL).map(({ at }) => (at - NOON) / MINUTE);
  const readView = async () => (await readSwitch(deps, ws))!;
  return { ...world, setUp: setPartUp, deps, device, saveSwitch, confirm, passMinutes, listCalls, readView };
};
type SwitchWorld = Awaited<ReturnType<typeof aWorld>>;

describe("the dead man's switch of a workspace", () => {
  it("calls its URL once for each test event, after the device has sent the receipt", async () => {
    const world = await aWorld();

    await world.runFor(2 * MINUTE);
    expect(world.listCalls()).toEqual([]);
    await world.confirm();
    expect(await world.readView()).toMatchObject({ lastReceiptAt: "2026-11-23T12:02:00.000Z" });
    await world.passMinutes(14);

    expect(world.listCalls()).toEqual([2, 5, 10, 15]);
    const { url, headers, body } = world.posted[0]!;
    expect({ url, headers, body: JSON.parse(body) }).toEqual({
      url: "https://hc.example.com/ping/secret",
      headers: {},
      body: { type: "switch.confirmed", timestamp: "2026-11-23T12:00:00.000Z", data: { workspaceId: world.ws } },
    });
    expect(await world.readView()).toEqual({
      url: "https://hc.example.com/ping/secret",
      everyMinutes: 5,
      deviceId: world.device.id,
      userId: "usr_ann",
      lastEventAt: "2026-11-23T12:15:00.000Z",
      lastReceiptAt: "2026-11-23T12:15:00.000Z",
      lastCallAt: "2026-11-23T12:15:00.000Z",
      lastFailure: null,
      warnings: [],
    });
  });

  it("calls nothing, and warns after two intervals, if the device confirms nothing", async () => {
    const world = await aWorld();

    await world.runFor(7 * MINUTE);

    const silent = { lastEventAt: "2026-11-23T12:05:00.000Z", lastReceiptAt: null, lastCallAt: null };
    expect(await world.readView()).toMatchObject({ ...silent, warnings: [] });
    await world.runFor(5 * MINUTE);
    expect(world.listCalls()).toEqual([]);
    expect((await world.readView()).warnings).toMatchObject([{ code: "calls_stopped" }]);
  });

  it.each<[string, (world: SwitchWorld) => Promise<unknown>]>([
    [
      "a receipt that comes after two intervals",
      async (world) => {
        await world.runFor(2 * MINUTE);
        world.skip(10 * MINUTE);
        await world.confirm();
      },
    ],
    [
      "a receipt of a test event from before a change of the settings",
      async (world) => {
        await world.runFor(2 * MINUTE);
        await world.saveSwitch({ everyMinutes: 6 });
        await world.confirm();
      },
    ],
    [
      "a receipt of a test event from before a change of the settings in the same millisecond",
      async (world) => {
        await checkSwitch(world.deps, world.ws);
        await world.work();
        await world.saveSwitch({ everyMinutes: 6 });
        await world.confirm();
      },
    ],
    [
      "a receipt that is signed with another key",
      async (world) => (await world.runFor(2 * MINUTE), world.confirm(await createReceiptKey())),
    ],
    [
      "a receipt of another device",
      async (world) => {
        await world.runFor(2 * MINUTE);
        const other = { token: "usr_ann-2", platform: "web", receiptKey: keys.receiptKey } as const;
        const { device } = await registerDevice(world.deps, world.ws, "usr_ann", other);
        const about = { workspaceId: world.ws, userId: "usr_ann", about: `swi_${NOON}` };
        const receiptKeys = await readReceiptKeys(world.deps, [device]);
        const token = await createReceipt(world.deps, receiptKeys, device, about);
        const signed = await keys.sign(token ?? "", "DELIVERED");
        await processReceipt(world.deps, { ...signed, status: "DELIVERED" });
        await world.work();
      },
    ],
    [
      "a message without a receipt",
      async (world) => {
        await world.runFor(2 * MINUTE);
        await sendMessages(world.deps.queues.webhooks, [{ message: { kind: "switch", ws: world.ws, round: NOON } }]);
        await world.work();
      },
    ],
    [
      "a confirmed test event whose call waits for more than two intervals",
      async (world) => {
        await world.runFor(2 * MINUTE);
        world.setUp(false, "webhooks queue");
        await world.confirm();
        world.setUp(true, "webhooks queue");
        world.skip(11 * MINUTE);
        await sendMessages(world.deps.queues.webhooks, [{ message: { kind: "switch", ws: world.ws, round: NOON } }]);
        await world.work();
      },
    ],
    [
      "a receipt after the switch is removed",
      async (world) => {
        await world.runFor(2 * MINUTE);
        await removeSwitch(world.deps, world.ws);
        await world.confirm();
      },
    ],
  ])("does not call its receiver for %s", async (_case, happen) => {
    const world = await aWorld();

    await happen(world);

    expect(world.listCalls()).toEqual([]);
  });

  it("calls its URL once for a test event even if its receipt and queue message come twice", async () => {
    const world = await aWorld();
    await world.runFor(2 * MINUTE);
    const { message } = world.pushed[0]!;
    const signed = await keys.sign(message.data["receipt"] ?? "", "DELIVERED");

    for (let time = 0; time < 2; time += 1) {
      await processReceipt(world.deps, { ...signed, status: "DELIVERED" });
      await world.work();
    }

    expect(world.listCalls()).toEqual([2]);
    expect(await claimCall(world.deps, world.ws, world.now())).toBe(false);
  });

  it.each(parts)(
    "stops its calls within two intervals while the %s is down, and calls again afterwards",
    async (part) => {
      const world = await aWorld();
      await world.passMinutes(11);

      world.setUp(false, part);
      await world.passMinutes(30);
      world.setUp(true, part);
      const { lastCallAt, warnings } = await world.readView();
      await world.passMinutes(11);

      expect(lastCallAt).toBe("2026-11-23T12:10:00.000Z");
      expect(warnings).toMatchObject([{ code: "calls_stopped" }]);
      expect(world.listCalls().filter((at) => at > 41).length).toBeGreaterThan(1);
      expect((await world.readView()).warnings).toEqual([]);
    },
  );

  it("is checked again a minute later if another sweep is just sending the test event", async () => {
    const { beforeCall, arm } = createInterruption(callTo("Put", "#EVENTS"));
    const world = await aWorld({ beforeCall });
    let next: unknown;
    arm(async () => {
      next = await checkSwitch(world.deps, world.ws);
    });

    await checkSwitch(world.deps, world.ws);

    expect(next).toBe(NOON + MINUTE);
  });

  it("repeats a test whose start could not be stored", async () => {
    const { beforeCall, arm } = createInterruption(callWith(":round"));
    const world = await aWorld({ beforeCall });
    arm();

    await expect(checkSwitch(world.deps, world.ws)).rejects.toThrow("the invocation died");
    expect(await checkSwitch(world.deps, world.ws)).toBe(NOON + 5 * MINUTE);
    expect(await world.readView()).toMatchObject({ lastEventAt: toIso(NOON) });
  });

  it("calls its URL once for each test event, even if the URL's server does not answer", async () => {
    const world = await aWorld({ receive: () => ({ kind: "failed", code: "DEADLINE" }) });

    await world.passMinutes(11);

    expect(world.listCalls()).toEqual([1, 5, 10]);
    expect(await world.readView()).toMatchObject({
      lastReceiptAt: "2026-11-23T12:10:00.000Z",
      lastCallAt: null,
      lastFailure: { code: "DEADLINE", at: "2026-11-23T12:10:00.000Z" },
      warnings: [{ code: "calls_stopped" }],
    });
  });

  it("delays no webhook in the same batch while the switch's receiver hangs", async () => {
    const world = await aWorld({ receive: () => ({ kind: "failed", code: "HTTP_503" }) });
    const { webhook } = await createWebhook(world.deps, world.ws, {
      name: "Hook",
      url: "https://hook.example.com/",
      types: ["event.opened"],
      eventKeys: null,
      paused: false,
    });
    await world.rule([await world.group("All", ["usr_bob"])]);
    await world.post();
    await world.runFor(2 * MINUTE);
    world.setUp(false, "webhooks queue");
    await world.confirm();
    world.setUp(true, "webhooks queue");
    world.skip(5 * MINUTE);
    const hanging = Promise.withResolvers<PostOutcome>();
    const delivered = Promise.withResolvers<string>();
    const sender = createWebhookSender({
      ...world.deps,
      sleep: async () => {},
      post: async ({ url }) => {
        if (url === URL) return hanging.promise;
        delivered.resolve(url);
        return { kind: "taken", code: "HTTP_200" };
      },
    });

    await sendMessages(world.deps.queues.webhooks, [
      { message: { kind: "switch", ws: world.ws, round: NOON } },
      { message: { kind: "line", ws: world.ws, id: webhook.id } },
    ]);
    const batch = sender(world.queues.webhooks.batch());

    expect(await delivered.promise).toBe("https://hook.example.com/");
    hanging.resolve({ kind: "failed", code: "DEADLINE" });
    expect(await batch).toEqual({ batchItemFailures: [] });
  });

  it("creates only probe events, which are not listed, open no alert, use no quota and notify nobody", async () => {
    const world = await aWorld();
    await world.rule([await world.group("All", ["usr_bob"])], { eventKey: "*" });

    await world.passMinutes(6);

    expect(await listEvents(world.deps, world.ws, { page: 1, limit: 50 })).toMatchObject({ total: 0, items: [] });
    expect(world.pushed.map(({ token, message }) => [token, message.notification.title])).toEqual([
      ["usr_ann-1", "Your alerts arrive"],
      ["usr_ann-1", "Your alerts arrive"],
    ]);
    expect((await readWorkspaceView(world.deps, world.ws))?.usage).toMatchObject({ used: 0 });
    expect(listMarkers(world)).toEqual([]);
    expect(listCheckMarkers(world)).toHaveLength(1);
  });

  it("leaves the pages and totals of the event list unchanged, even if a request for a test event has died", async () => {
    const world = await aWorld();
    for (let nr = 0; nr < 3; nr += 1) {
      await world.post();
      await world.passMinutes(6);
    }
    await markLost(world.deps, world.ws, [FIRST_PROBE_NUMBER + 1]);

    const pages = await Promise.all([1, 2].map((page) => listEvents(world.deps, world.ws, { page, limit: 2 })));
    const found = await searchEvents(world.deps, world.ws, { eventKey: "*" }, { page: 1, limit: 50 });
    expect(pages.map(({ total, items }) => [total, items.map(({ title }) => title)])).toEqual([
      [3, ["Disk full", "Disk full"]],
      [3, ["Disk full"]],
    ]);
    expect(found.items.map(({ title }) => title)).toEqual(["Disk full", "Disk full", "Disk full"]);
  });

  it("stops its calls once its device is removed, and warns of the removal", async () => {
    const world = await aWorld();
    await world.passMinutes(6);
    await removeDevices(world.deps, world.ws, "usr_ann");

    await world.passMinutes(11);

    expect(world.listCalls()).toEqual([1, 5]);
    expect((await world.readView()).warnings).toMatchObject([{ code: "device_removed" }, { code: "calls_stopped" }]);
  });

  it("sends no test event after it is removed", async () => {
    const world = await aWorld();
    await world.passMinutes(6);

    await removeSwitch(world.deps, world.ws);
    await world.passMinutes(11);

    expect(world.listCalls()).toEqual([1, 5]);
    expect(listCheckMarkers(world)).toEqual([]);
  });

  it("keeps the result of its last test event if the same settings are saved again", async () => {
    const world = await aWorld();
    await world.passMinutes(6);

    await world.saveSwitch();

    expect(await world.readView()).toMatchObject({ lastCallAt: "2026-11-23T12:05:00.000Z" });
  });

  it("costs thirteen write units for each test event", async () => {
    const world = await aWorld();
    await world.passMinutes(6);
    world.used();

    await world.passMinutes(5);

    // One of the write units is the sweeper's own.
    expect(world.used().writes).toBe(13 + 1);
  });
});
