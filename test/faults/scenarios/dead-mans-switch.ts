import { createHmac } from "node:crypto";
import { toIso } from "../../../core/domain/basics/time.ts";
import { parseRoundId } from "../../../core/domain/heartbeat/switch.ts";
import { readSwitch, removeSwitch, setSwitch } from "../../../core/store/schedules/switches.ts";
import { listDevices } from "../../../core/store/people/devices.ts";
import { vapidKeys } from "../../support/web-push.ts";
import { START } from "../engine/world.ts";
import type { PushCall } from "../engine/fcm.ts";
import { buildWorkspace } from "../fixtures.ts";
import type { Play, Scenario } from "../scenario.ts";

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const EVERY_MINUTES = 5;
const END = START + 33 * MINUTE_MS;
/** Two intervals, because the phone confirms every other round, plus the time of two sweeps or of a visibility timeout. */
const CALLS_RESUME_WITHIN_MS = 2 * EVERY_MINUTES * MINUTE_MS + 4 * MINUTE_MS;
const URL = "https://monitor.example.com/ping";

/** The receipts of each run, by round. */
const receipts = new WeakMap<Play["world"], Map<number, number>>();

/** Sends the receipt once; without an answer, it is lost. The engine verifies signatures as HMACs with the public key. */
const sendReceipt = async ({ world }: Play, { receipt: token = "" }: PushCall): Promise<void> => {
  const at = world.kernel.now();
  const signed = createHmac("sha256", Buffer.from(vapidKeys.publicKey, "base64url")).update(
    `${token}\nDELIVERED\n${at}`,
  );
  const body = { token, status: "DELIVERED", at, signature: signed.digest("base64url") };
  await world.http("take-receipt", { body });
};

export const deadMansSwitch: Scenario = {
  name: "dead-mans-switch",
  about: "a phone confirms every other round of a dead man's switch: each confirmed round calls the monitor, and once",
  setup: async (deps) => {
    const acme = await buildWorkspace(deps, {
      people: { alice: ["signing-alice"] },
      rules: { orders: { eventKey: "order.*" } },
    });
    const userId = acme.users["alice"] ?? "";
    const [device] = await listDevices(deps, acme.ws, userId);
    await setSwitch(deps, acme.ws, { url: URL, everyMinutes: EVERY_MINUTES, deviceId: device!.id, userId });
    return [acme];
  },
  play: async (play) => {
    const { world, fixtures } = play;
    const sent = new Map<number, number>();
    const seen = new Set<number>();
    receipts.set(world, sent);
    while (world.kernel.now() < END) {
      await world.kernel.sleep(10 * SECOND_MS);
      for (const push of world.fcm.otherPushes) {
        const round = parseRoundId(push.notificationId);
        if (round === undefined || push.acceptedAt === undefined || seen.has(round)) continue;
        seen.add(round);
        if (seen.size % 2 === 0) continue;
        sent.set(round, world.kernel.now());
        await sendReceipt(play, push);
      }
    }
    // Without the removal, the rounds of the switch would never end.
    await world.outside((deps) => removeSwitch(deps, fixtures[0]!.ws));
  },
  expectNotified: () => [[]],
  check: async ({ world, fixtures }) => {
    const sent = receipts.get(world) ?? new Map<number, number>();
    const found: string[] = [];
    const calls = world.receivers.received.filter(({ url }) => url === URL);
    for (const { timestamp, at } of calls)
      if (![...sent].some(([round, sentAt]) => toIso(round) === timestamp && sentAt <= at))
        found.push(`the monitor was called for ${timestamp}, which the phone had not confirmed`);
    if (new Set(calls.map(({ timestamp }) => timestamp)).size < calls.length)
      found.push("the monitor was called twice for one round");
    const calm = Math.max(START, world.disturbedUntil());
    if (calm + CALLS_RESUME_WITHIN_MS < END && !calls.some(({ at }) => at > calm))
      found.push("the calls of the monitor did not resume");
    if ((await world.outside((deps) => readSwitch(deps, fixtures[0]!.ws))) !== undefined)
      found.push("the switch was not removed");
    return found;
  },
  faultyCalls:
    /^(?:sweeper|wake sweeper|sender|wake sender|matcher|wake matcher|take-receipt|wake take-receipt|webhook-sender|wake webhook-sender)/,
  expectsNoErrors: false,
};
