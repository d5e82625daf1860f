import * as v from "valibot";
import { wholeNumberSchema } from "../basics/number.ts";
import { PRIORITIES, type Priority } from "../basics/priority.ts";
import { toIso } from "../basics/time.ts";
import { Warning } from "../basics/warning.ts";
import { isWholeWeek } from "../basics/clock/weekly.ts";
import { Restriction, TimeZone } from "../basics/clock/week.ts";
import { Channel, Channels } from "../device/channel.ts";

/* A person without notification rules is notified on every device at once. */

/** How many steps a priority may have, and how late a step may begin. */
export const NOTIFICATION_STEPS_MAX = 4;
export const NOTIFICATION_STEP_MINUTES_MAX = 60;

export const NotificationStep = v.strictObject(
  { afterMinutes: wholeNumberSchema("afterMinutes", 0, NOTIFICATION_STEP_MINUTES_MAX), ways: Channels },
  "A step must be an object: {afterMinutes, ways}.",
);
export type NotificationStep = v.InferOutput<typeof NotificationStep>;

const NotificationSteps = v.pipe(
  v.array(NotificationStep, "The steps of a priority must be an array of {afterMinutes, ways}."),
  v.maxLength(NOTIFICATION_STEPS_MAX, `A priority has at most ${NOTIFICATION_STEPS_MAX} steps.`),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const { value: rungs } = dataset;
    for (const [index, step] of rungs.entries()) {
      const before = rungs[index - 1];
      if (before === undefined || step.afterMinutes > before.afterMinutes) continue;
      addIssue({
        message: `afterMinutes must be more than the ${before.afterMinutes} of the step before it.`,
        path: [
          { type: "array", origin: "value", input: rungs, key: index, value: step },
          { type: "object", origin: "value", input: step, key: "afterMinutes", value: step.afterMinutes },
        ],
      });
    }
  }),
);

const holdable = ["NORMAL", "HIGH", "URGENT"] as const satisfies Priority[];

/** A person's quiet hours, in which notifications with a lower priority than `holdBelow` wait. */
export const QuietHours = v.pipe(
  v.strictObject(
    {
      ...Restriction.entries,
      timeZone: TimeZone,
      holdBelow: v.picklist(
        holdable,
        `holdBelow must be one of ${holdable.join(", ")}: less urgent notifications wait.`,
      ),
    },
    "quietHours must be null or an object: {days, from, to, timeZone, holdBelow}.",
  ),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed || !isWholeWeek([dataset.value])) return;
    const { value } = dataset;
    addIssue({
      message: "Quiet hours must not cover the whole week: held notifications are sent outside of quiet hours.",
      path: [{ type: "object", origin: "value", input: value, key: "to", value: value.to }],
    });
  }),
);
export type QuietHours = v.InferOutput<typeof QuietHours>;

const noSteps = { LOW: [], NORMAL: [], HIGH: [], URGENT: [] };
const StepsByPriority = v.strictObject(
  {
    LOW: v.optional(NotificationSteps, []),
    NORMAL: v.optional(NotificationSteps, []),
    HIGH: v.optional(NotificationSteps, []),
    URGENT: v.optional(NotificationSteps, []),
  },
  `rungs must be an object with a list of steps for each of ${PRIORITIES.join(", ")}.`,
);

/** A person's notification rules. If a priority has no steps, every device is notified at once. */
export const NotificationRulesInput = v.strictObject({
  rungs: v.optional(StepsByPriority, noSteps),
  quietHours: v.optional(v.nullable(QuietHours), null),
});
export type NotificationRulesInput = v.InferOutput<typeof NotificationRulesInput>;

/** `version`: 0 if no rules were saved. */
export const NotificationRules = v.object({
  userId: v.string(),
  ...NotificationRulesInput.entries,
  version: v.number(),
});
export type NotificationRules = v.InferOutput<typeof NotificationRules>;

export const createEmptyRules = (userId: string): NotificationRules => ({
  userId,
  rungs: noSteps,
  quietHours: null,
  version: 0,
});

/** For URGENT notifications that need an acknowledgement, one of `ways` must be used within `withinMinutes`. */
export const UrgentFloor = v.nullable(
  v.strictObject(
    { ways: Channels, withinMinutes: wholeNumberSchema("withinMinutes", 0, NOTIFICATION_STEP_MINUTES_MAX) },
    "urgentFloor must be null or an object: {ways, withinMinutes}.",
  ),
);
export type UrgentFloor = v.InferOutput<typeof UrgentFloor>;

/** A notification step of one notification. `at`: when the step is due, in milliseconds. */
export const ScheduledStep = v.object({ at: v.number(), ways: v.array(Channel) });
export type ScheduledStep = v.InferOutput<typeof ScheduledStep>;

/** When a person's own steps page; null if there are no steps, so that every device is notified at once. */
export const ScheduledStepsView = v.nullable(v.array(v.object({ at: v.string(), ways: v.array(Channel) })));
export type ScheduledStepsView = v.InferOutput<typeof ScheduledStepsView>;

export const toScheduledStepsView = (steps: readonly ScheduledStep[] | undefined): ScheduledStepsView =>
  steps?.map(({ at, ways }) => ({ at: toIso(at), ways: [...ways] })) ?? null;

export const ShownSteps = v.array(NotificationStep);

/** The rules, with the workspace's minimum for URGENT notifications and the stage's channels (`ways`). */
export const NotificationRulesView = v.object({
  userId: v.string(),
  rungs: v.object({ LOW: ShownSteps, NORMAL: ShownSteps, HIGH: ShownSteps, URGENT: ShownSteps }),
  quietHours: v.nullable(QuietHours),
  version: v.number(),
  urgentFloor: UrgentFloor,
  ways: v.array(Channel),
  /** Warnings, only in the answer to a change. */
  warnings: v.exactOptional(v.array(Warning)),
});
export type NotificationRulesView = v.InferOutput<typeof NotificationRulesView>;

/** Fields of the view that the person does not set. */
export const RULES_DERIVED = ["userId", "version", "urgentFloor", "ways", "warnings"] as const;

export const toRulesView = (
  { userId, rungs, quietHours, version }: NotificationRules,
  urgentFloor: UrgentFloor,
  channels: readonly Channel[],
): NotificationRulesView => ({ userId, rungs, quietHours, version, urgentFloor, ways: [...channels] });
