import * as v from "valibot";
import { SilenceInput } from "../../../../core/domain/rules/silence-input.ts";
import { createSilence } from "../../../../core/store/rules/silences.ts";
import { createRandom } from "../../../../tools/random.ts";
import { useWorld } from "../../../world/use-world.ts";
import type { World } from "../../../world/world.ts";
import { recordingWrites } from "./simulating.ts";

/** Creates a generator of random choices that are the same in every run. */
export const createChoices = (seed: number) => {
  const random = createRandom(seed);
  const randomBelow = (count: number) => Math.floor(random() * count);
  const pick = <Item>(items: readonly Item[]): Item => items[randomBelow(items.length)]!;
  const pickHalf = <Item>(items: readonly Item[]): Item[] => items.filter(() => randomBelow(2) === 0);
  return { below: randomBelow, pick, some: pickHalf };
};
type Choices = ReturnType<typeof createChoices>;

const priorities = ["LOW", "NORMAL", "HIGH", "URGENT"] as const;
const keys = ["disk.full", "disk.ok", "order.failed"];
const everybody = ["usr_a", "usr_b", "usr_c", "usr_d", "usr_e"];
export const days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

const drawLayer = (choices: Choices) => ({
  start: "2026-11-01T00:00",
  every: 1 + choices.below(3),
  unit: choices.pick(["hour", "day", "week", "month"]),
  participants: Array.from({ length: choices.below(4) }, () =>
    choices.below(3) === 0 ? choices.some(everybody) : choices.pick(everybody),
  ),
  turns: choices.pick(["calendar", "duty"]),
  restrictions:
    choices.below(2) === 0
      ? []
      : [{ days: [choices.pick(days), ...choices.some(days.slice(0, 5))], from: "11:00", to: "18:30" }],
});

const drawTarget = (choices: Choices, groupIds: readonly string[]) =>
  choices.below(3) === 0
    ? { type: "user", userId: choices.pick(everybody) }
    : { type: "group", groupId: choices.pick(groupIds), onCallOnly: choices.below(2) === 0 };

export const drawPolicy = (choices: Choices, groupIds: readonly string[]) => ({
  name: "Policy",
  repeat: choices.below(2),
  confirmWithinSeconds: choices.pick([null, 30, 90, 400]),
  steps: Array.from({ length: 1 + choices.below(3) }, () => ({
    delayMinutes: 1 + choices.below(25),
    targets: Array.from({ length: choices.below(3) }, () => drawTarget(choices, groupIds)),
  })),
});

export const drawRule = (choices: Choices, groupIds: readonly string[], escalationPolicyId: string | null) => ({
  name: "Rule",
  eventKey: choices.pick([...keys, "*", "disk.*"]),
  targets: [{ type: "group", groupId: choices.pick(groupIds) }],
  conditions: choices.below(3) === 0 ? [{ field: "data.n", operator: "greater_than", value: choices.below(10) }] : [],
  requiresAck: choices.below(4) > 0,
  priorityOverride: choices.pick([null, "URGENT", "LOW"]),
  onCallOnly: choices.below(2) === 0,
  escalationPolicyId,
  enabled: choices.below(8) > 0,
  ...choices.pick([{}, { chain: "disks", position: 1 + choices.below(3) }]),
  ...choices.pick([
    {},
    { groupBy: choices.pick([[], ["data.n"], ["eventKey"]]), groupMinutes: 1 + choices.below(1_440) },
    { atLeast: { count: 2, withinMinutes: 1_440 } },
  ]),
});

export const drawEvent = (choices: Choices) => ({
  event: choices.pick(keys),
  title: "Something happened",
  body: "Look at it",
  priority: choices.pick(priorities),
  data: { n: choices.below(10) },
  ...(choices.below(4) === 0 ? { requiresAck: choices.below(2) === 0 } : {}),
});

export const drawWorld = async (choices: Choices): Promise<{ world: World; groupIds: string[] }> => {
  const start = Date.UTC(2026, 10, 21, choices.below(24), choices.below(60));
  const world = await useWorld({ ...recordingWrites, start, sweepAtSecond: choices.below(60) });
  const groupIds: string[] = [];
  for (const userId of everybody) await world.group("One", [userId], choices.below(3));
  for (const name of ["First", "Second"]) {
    const groupId = await world.group(name, [...choices.some(everybody)], 0);
    groupIds.push(groupId);
    await world.schedule(groupId, {
      timeZone: choices.pick(["Europe/Berlin", "America/New_York", "UTC"]),
      layers: Array.from({ length: 1 + choices.below(2) }, () => drawLayer(choices)),
    });
  }
  if (choices.below(3) === 0)
    await createSilence(
      world.deps,
      world.ws,
      v.parse(SilenceInput, { name: "Quiet", eventKey: "disk.*", endsAt: "2027-01-01T00:00:00Z" }),
    );
  return { world, groupIds };
};
