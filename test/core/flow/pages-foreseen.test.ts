import { describe, expect, it } from "vitest";
import * as v from "valibot";
import { PRIORITIES } from "../../../core/domain/basics/priority.ts";
import type {
  NotificationRulesInput,
  ScheduledStepsView,
  NotificationStep,
} from "../../../core/domain/people/notification-rules.ts";
import { toChannel } from "../../../core/domain/device/device.ts";
import type { Channel } from "../../../core/domain/device/channel.ts";
import { DryRunInput } from "../../../core/domain/planning/dry-run.ts";
import { SimulationInput } from "../../../core/domain/planning/simulation.ts";
import { explainEvent } from "../../../core/flow/read/explain-event.ts";
import { simulateEvent } from "../../../core/flow/read/simulate.ts";
import { tryRules } from "../../../core/flow/read/try-rules.ts";
import { putNotificationRules, setUrgentFloor } from "../../../core/store/people/notification-rules.ts";
import { createRandom } from "../../../tools/random.ts";
import { toPush } from "../../support/push.ts";
import { useWorld } from "../../world/use-world.ts";
import { stepTo, type World } from "../../world/world.ts";

/*
 * Compares the pages predicted by the simulation, the dry run and an explanation with the real ones, for random rules, quiet
 * hours, minimums, priorities and times.
 */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Saturday, 21:00 in Berlin, which is near quiet hours. */
const EVENING = Date.UTC(2026, 10, 21, 20);
const channels: readonly Channel[] = ["push", "email", "sms", "voice"];
const days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
const numbers: Readonly<Record<string, string>> = { "+4930000001": "usr_ann", "+4930000002": "usr_bob" };

/** A page with its person, channel, and time in ms since 1970. */
type Sent = { userId: string; way: Channel; at: number };

const setUp = async (start: number): Promise<{ world: World; paged: Sent[] }> => {
  const paged: Sent[] = [];
  const world: World = await useWorld({
    start,
    monthly: { sms: 500, voice: 500 },
    push: toPush(async (message) => {
      const way = toChannel(message);
      const address =
        "email" in message
          ? message.email
          : "call" in message
            ? message.call
            : "phone" in message
              ? message.phone
              : "token" in message
                ? message.token
                : "";
      paged.push({
        userId: numbers[address] ?? address.replace(/-.*$/, ""),
        way: way === "fcm" || way === "web-push" ? "push" : way,
        at: world.now(),
      });
      return { kind: "accepted", messageId: "m" };
    }),
  });
  for (const [phone, userId] of Object.entries(numbers)) {
    await world.group(userId, [userId]);
    await world.contact(userId, { email: `${userId}-m@acme.example` });
    await world.contact(userId, { phone, ways: ["sms", "voice"] });
  }
  return { world, paged };
};

const createCase = (seed: number) => {
  const random = createRandom(seed);
  const randomUpTo = (max: number): number => Math.floor(random() * (max + 1));
  const pick = <One>(items: readonly One[]): One => items[randomUpTo(items.length - 1)]!;
  const pickChannels = (): Channel[] => {
    const chosen = channels.filter(() => random() < 0.4);
    return chosen.length === 0 ? [pick(channels)] : chosen;
  };
  const createSteps = (): NotificationStep[] => {
    const minutes = [...new Set(Array.from({ length: randomUpTo(4) }, () => randomUpTo(60)))].toSorted(
      (one, other) => one - other,
    );
    return minutes.map((afterMinutes) => ({ afterMinutes, ways: pickChannels() }));
  };
  const createRules = (): NotificationRulesInput => ({
    rungs: { LOW: createSteps(), NORMAL: createSteps(), HIGH: createSteps(), URGENT: createSteps() },
    quietHours:
      random() < 0.5
        ? null
        : {
            days: [...days],
            from: "21:30",
            to: `0${randomUpTo(8)}:00`,
            timeZone: "Europe/Berlin",
            holdBelow: pick(["NORMAL", "HIGH", "URGENT"]),
          },
  });
  return {
    start: EVENING + randomUpTo(5 * 3600) * 1000,
    ann: createRules(),
    bob: createRules(),
    floor: random() < 0.5 ? null : { ways: pickChannels(), withinMinutes: randomUpTo(30) },
    priority: pick(PRIORITIES),
    requiresAck: random() < 0.8,
    delayMinutes: 1 + randomUpTo(30),
  };
};

/** A person's predicted pages. Without steps (`pages` null), every channel pages at once, voice only with `requiresAck`. */
const predictedPages = (userId: string, pages: ScheduledStepsView, at: number, requiresAck: boolean): Sent[] =>
  pages === null
    ? channels.filter((way) => requiresAck || way !== "voice").map((way) => ({ userId, way, at }))
    : pages.flatMap((page) => page.ways.map((way) => ({ userId, way, at: Date.parse(page.at) })));

const formatSorted = (sent: readonly Sent[]): string[] =>
  sent.map(({ userId, way, at }) => `${userId} ${way} ${Math.floor(at / 1000)}`).toSorted();

describe("the listed pages of a person's notification steps", () => {
  it.each(Array.from({ length: 24 }, (_, index) => index + 1))(
    "are sent at exactly the listed second, for the random seed %i",
    async (seed) => {
      const { start, ann, bob, floor, priority, requiresAck, delayMinutes } = createCase(seed);
      const { world, paged } = await setUp(start);
      const { deps, ws } = world;
      const [first, second] = [await world.group("First", ["usr_ann"], 0), await world.group("Second", ["usr_bob"], 0)];
      const escalationPolicyId = await world.policy([stepTo(second, delayMinutes)]);
      await world.rule([first], { requiresAck, ...(requiresAck ? { escalationPolicyId } : {}) });
      await putNotificationRules(deps, ws, "usr_ann", ann);
      await putNotificationRules(deps, ws, "usr_bob", bob);
      await setUrgentFloor(deps, ws, floor);
      const event = { event: "disk.full", title: "Disk full", body: "db-1", priority };

      const simulated = await simulateEvent(deps, ws, v.parse(SimulationInput, { event }));
      const tried = await tryRules(deps, ws, v.parse(DryRunInput, { event }));
      const { eventId } = await world.post({ priority });
      await world.runFor(26 * HOUR);

      const notified = simulated.rules.flatMap(({ recipients }) => recipients);
      const later = simulated.escalations.flatMap(({ steps: all }) =>
        all.flatMap(({ at, recipients }) => recipients.map((one) => ({ ...one, at }))),
      );
      const foreseen = [
        ...notified.flatMap(({ userId, rings }) => predictedPages(userId, rings, start, requiresAck)),
        ...later.flatMap(({ userId, rings, at }) => predictedPages(userId, rings, Date.parse(at), requiresAck)),
      ];
      expect(formatSorted(paged)).toEqual(formatSorted(foreseen));
      const [hers] = tried.rules.flatMap(({ recipients }) => recipients);
      expect(hers?.rings).toEqual(notified[0]?.rings);
      const explained = await Promise.all(
        ["usr_ann", "usr_bob"].map((userId) => explainEvent(deps, ws, eventId, userId)),
      );
      const pages = explained.map((one) => one?.rules[0]?.notifications[0]?.rings ?? null);
      expect(pages).toEqual([notified[0]?.rings ?? null, later[0]?.rings ?? null]);
    },
  );
});
