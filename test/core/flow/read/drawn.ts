import * as v from "valibot";
import { SilenceInput } from "../../../../core/domain/rules/silence-input.ts";
import { createSilence } from "../../../../core/store/rules/silences.ts";
import { useWorld } from "../../../world/use-world.ts";
import type { World } from "../../../world/world.ts";
import { watching } from "./simulating.ts";

/** Creates a generator of random values that are the same in every run. */
export const createRandom = (seed: number) => {
  let state = seed;
  const next = () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
  const below = (count: number) => Math.floor(next() * count);
  const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)]!;
  const some = <Item>(items: readonly Item[]): Item[] => items.filter(() => below(2) === 0);
  return { below, pick, some };
};
type Random = ReturnType<typeof createRandom>;

const priorities = ["LOW", "NORMAL", "HIGH", "URGENT"] as const;
const keys = ["disk.full", "disk.ok", "order.failed"];
const everybody = ["usr_a", "usr_b", "usr_c", "usr_d", "usr_e"];
export const days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

const drawLayer = (random: Random) => ({
  start: "2026-11-01T00:00",
  every: 1 + random.below(3),
  unit: random.pick(["hour", "day", "week", "month"]),
  participants: Array.from({ length: random.below(4) }, () =>
    random.below(3) === 0 ? random.some(everybody) : random.pick(everybody),
  ),
  turns: random.pick(["calendar", "duty"]),
  restrictions:
    random.below(2) === 0
      ? []
      : [{ days: [random.pick(days), ...random.some(days.slice(0, 5))], from: "11:00", to: "18:30" }],
});

const drawTarget = (random: Random, groupIds: readonly string[]) =>
  random.below(3) === 0
    ? { type: "user", userId: random.pick(everybody) }
    : { type: "group", groupId: random.pick(groupIds), onCallOnly: random.below(2) === 0 };

export const drawPolicy = (random: Random, groupIds: readonly string[]) => ({
  name: "Policy",
  repeat: random.below(2),
  confirmWithinSeconds: random.pick([null, 30, 90, 400]),
  steps: Array.from({ length: 1 + random.below(3) }, () => ({
    delayMinutes: 1 + random.below(25),
    targets: Array.from({ length: random.below(3) }, () => drawTarget(random, groupIds)),
  })),
});

export const drawRule = (random: Random, groupIds: readonly string[], escalationPolicyId: string | null) => ({
  name: "Rule",
  eventKey: random.pick([...keys, "*", "disk.*"]),
  targets: [{ type: "group", groupId: random.pick(groupIds) }],
  conditions: random.below(3) === 0 ? [{ field: "data.n", operator: "greater_than", value: random.below(10) }] : [],
  requiresAck: random.below(4) > 0,
  priorityOverride: random.pick([null, "URGENT", "LOW"]),
  onCallOnly: random.below(2) === 0,
  escalationPolicyId,
  enabled: random.below(8) > 0,
  ...random.pick([{}, { chain: "disks", position: 1 + random.below(3) }]),
  ...random.pick([
    {},
    { groupBy: random.pick([[], ["data.n"], ["eventKey"]]), groupMinutes: 1 + random.below(1_440) },
    { atLeast: { count: 2, withinMinutes: 1_440 } },
  ]),
});

export const drawEvent = (random: Random) => ({
  event: random.pick(keys),
  title: "Something happened",
  body: "Look at it",
  priority: random.pick(priorities),
  data: { n: random.below(10) },
  ...(random.below(4) === 0 ? { requiresAck: random.below(2) === 0 } : {}),
});

export const drawWorld = async (random: Random): Promise<{ world: World; groupIds: string[] }> => {
  const start = Date.UTC(2026, 10, 21, random.below(24), random.below(60));
  const world = await useWorld({ ...watching, start, sweepAtSecond: random.below(60) });
  const groupIds: string[] = [];
  for (const userId of everybody) await world.group("One", [userId], random.below(3));
  for (const name of ["First", "Second"]) {
    const groupId = await world.group(name, [...random.some(everybody)], 0);
    groupIds.push(groupId);
    await world.schedule(groupId, {
      timeZone: random.pick(["Europe/Berlin", "America/New_York", "UTC"]),
      layers: Array.from({ length: 1 + random.below(2) }, () => drawLayer(random)),
    });
  }
  if (random.below(3) === 0)
    await createSilence(
      world.deps,
      world.ws,
      v.parse(SilenceInput, { name: "Quiet", eventKey: "disk.*", endsAt: "2027-01-01T00:00:00Z" }),
    );
  return { world, groupIds };
};
