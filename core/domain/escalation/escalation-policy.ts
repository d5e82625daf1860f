import * as v from "valibot";
import { patchSchema } from "../basics/changes.ts";
import { wholeNumberSchema } from "../basics/number.ts";
import { Authored, versionedEntries } from "../basics/authored.ts";
import { isId, WorkspaceId } from "../basics/ids.ts";
import { ACK_MINUTES_MAX, ACK_MINUTES_MIN, NAME_MAX_CODE_POINTS, TARGETS_MAX } from "../basics/limits.ts";
import { UserId } from "../basics/user-id.ts";
import { nameSchema } from "../basics/text.ts";
import { MINUTE_MS, SECOND_MS } from "../basics/units.ts";

const STEPS_MAX = 20; // ours
const DELAY_MINUTES_MAX = 1_440;
const REPEAT_MAX = 5;
const CONFIRM_SECONDS_MIN = 30;
const CONFIRM_SECONDS_MAX = 600;
/** The maximum lateness of a step that does not delay later steps. */
const STEP_LATE_MS = 30 * SECOND_MS; // ours

const flag = v.boolean("onCallOnly must be true or false.");

const EscalationTarget = v.variant(
  "type",
  [
    v.strictObject({
      type: v.literal("group"),
      groupId: v.pipe(
        v.string("groupId must be a string."),
        v.check((id) => isId("grp", id), "groupId must be the id of a group of this workspace."),
      ),
      onCallOnly: v.optional(flag, false),
    }),
    v.strictObject({
      type: v.literal("user"),
      userId: UserId,
      onCallOnly: v.exactOptional(
        v.literal(false, '"onCallOnly" is allowed only for groups: a user is always notified.'),
      ),
    }),
  ],
  'A target must be {type: "group", groupId, onCallOnly?} or {type: "user", userId}.',
);

/** Returns the schema of a step. `target`: the schema of a target, which has ids in the API and names in a setup file. */
const stepSchema = <Target>(target: v.GenericSchema<unknown, Target>) =>
  v.strictObject(
    {
      delayMinutes: wholeNumberSchema("delayMinutes", 1, DELAY_MINUTES_MAX),
      targets: v.pipe(
        v.array(target, "targets must be an array."),
        v.maxLength(TARGETS_MAX, `targets must have at most ${TARGETS_MAX} entries.`),
      ),
    },
    "A step must be an object: {delayMinutes, targets}.",
  );

export const stepsSchema = <Target>(target: v.GenericSchema<unknown, Target>) =>
  v.pipe(
    v.array(stepSchema(target), "steps must be an array."),
    v.maxLength(STEPS_MAX, `steps must have at most ${STEPS_MAX} entries.`),
  );

/** A step without targets is skipped. */
export const EscalationStep = stepSchema(EscalationTarget);
export type EscalationStep = v.InferOutput<typeof EscalationStep>;

const entries = {
  name: nameSchema("name", NAME_MAX_CODE_POINTS),
  repeat: wholeNumberSchema("repeat", 0, REPEAT_MAX),
  /** How long a device may take to confirm a push before the next step fires early. Null if the next step always waits. */
  confirmWithinSeconds: v.nullable(wholeNumberSchema("confirmWithinSeconds", CONFIRM_SECONDS_MIN, CONFIRM_SECONDS_MAX)),
  /** How long an acknowledgement lasts, in minutes; null if acknowledgements are permanent. */
  ackMinutes: v.nullable(wholeNumberSchema("ackMinutes", ACK_MINUTES_MIN, ACK_MINUTES_MAX)),
  steps: stepsSchema(EscalationTarget),
};

export const EscalationPolicyInput = v.strictObject(
  {
    name: entries.name,
    repeat: v.optional(entries.repeat, 0),
    confirmWithinSeconds: v.optional(entries.confirmWithinSeconds),
    ackMinutes: v.optional(entries.ackMinutes),
    steps: entries.steps,
  },
  "An escalation policy must be an object: {name, repeat, steps}.",
);
export type EscalationPolicyInput = v.InferOutput<typeof EscalationPolicyInput>;

export const EscalationPolicyPatch = patchSchema(entries);
export type EscalationPolicyPatch = v.InferOutput<typeof EscalationPolicyPatch>;

export const EscalationPolicy = v.object({
  id: v.string(),
  workspaceId: WorkspaceId,
  ...entries,
  confirmWithinSeconds: v.optional(entries.confirmWithinSeconds, null),
  ackMinutes: v.optional(entries.ackMinutes, null),
  ...versionedEntries,
  ...Authored.entries,
});
export type EscalationPolicy = v.InferOutput<typeof EscalationPolicy>;

/** The policy as it was when the escalation started. Later changes of the policy have no effect on the escalation. */
export const FrozenPolicy = v.object({
  id: v.string(),
  name: v.string(),
  repeat: v.number(),
  confirmWithinSeconds: v.optional(v.nullable(v.number())),
  /** The field is left out instead of null, to keep the plan small. */
  ackMinutes: v.optional(
    v.pipe(
      v.nullable(v.number()),
      v.transform((minutes): number | null | undefined => minutes ?? undefined),
    ),
  ),
  steps: v.array(EscalationStep),
});
export type FrozenPolicy = v.InferOutput<typeof FrozenPolicy>;

export type EscalationPlan = Pick<EscalationPolicyInput, "repeat" | "confirmWithinSeconds" | "steps">;

/** A step of an escalation; `round` and `step` start at 0. Round 0 is the first run; rounds 1 to `repeat` are its repeats. */
export const EscalationCursor = v.object({ round: v.number(), step: v.number() });
export type EscalationCursor = v.InferOutput<typeof EscalationCursor>;

/** `dueAt`: in milliseconds. */
export const DueStep = v.object({ cursor: EscalationCursor, dueAt: v.number() });
export type DueStep = v.InferOutput<typeof DueStep>;

export const findStep = (plan: EscalationPlan, { step }: EscalationCursor): EscalationStep | undefined =>
  plan.steps[step];

/** Returns the step's number, from 1, in the order in which steps fire. */
export const computeStepNumber = (plan: EscalationPlan, { round, step }: EscalationCursor): number =>
  round * plan.steps.length + step + 1;

/** Returns the cursor of the step with a number, from 1; undefined if the policy does not have this step. */
export const findCursorOfNumber = (plan: EscalationPlan, number: number): EscalationCursor | undefined => {
  const { length } = plan.steps;
  if (!Number.isInteger(number) || number < 1 || number > length * (plan.repeat + 1)) return undefined;
  return { round: Math.floor((number - 1) / length), step: (number - 1) % length };
};

/** Returns the cursor of the first step with targets, beginning at step `firstNumber`; undefined if there is none. */
const findNotifyingCursor = (plan: EscalationPlan, firstNumber: number): EscalationCursor | undefined => {
  for (let next = firstNumber; ; next += 1) {
    const cursor = findCursorOfNumber(plan, next);
    if (cursor === undefined || (findStep(plan, cursor)?.targets.length ?? 0) > 0) return cursor;
  }
};

/** Returns the cursor of the first step with targets; undefined if there is none. */
export const findFirstCursor = (plan: EscalationPlan): EscalationCursor | undefined => findNotifyingCursor(plan, 1);

/** Returns the policy with more repeats. A repeat is added when an acknowledgement ends after the last step. */
export const addRepeats = <Plan extends EscalationPlan>(plan: Plan, count: number): Plan =>
  count === 0 ? plan : { ...plan, repeat: plan.repeat + count };

/**
 * Returns the step that fires when an acknowledgement ends: `next`, or else the first step with targets after step `fired`. After
 * the last step, adds a repeat to the policy. Returns undefined if no step has targets. `added`: the number of added repeats.
 */
export const findResumeStep = (
  plan: EscalationPlan,
  { next, fired, added }: { next: { cursor: number } | undefined; fired: number; added: number },
): { cursor: number; added: number } | undefined => {
  if (next !== undefined) return { cursor: next.cursor, added };
  // Steps may be left even if `next` is undefined: the event may have been acknowledged before its escalation started.
  for (const rounds of [added, added + 1]) {
    const longer = addRepeats(plan, rounds);
    const cursor = findNotifyingCursor(longer, fired + 1);
    if (cursor !== undefined) return { cursor: computeStepNumber(longer, cursor), added: rounds };
  }
  return undefined;
};

/** Returns the cursor of the next step with targets; undefined after the last. */
export const findNextCursor = (plan: EscalationPlan, cursor: EscalationCursor): EscalationCursor | undefined =>
  findNotifyingCursor(plan, computeStepNumber(plan, cursor) + 1);

/** Returns when the step is due (milliseconds). `afterMs`: when the previous step fired, or the escalation started. */
export const computeStepDueTime = (plan: EscalationPlan, cursor: EscalationCursor, afterMs: number): number =>
  afterMs + (findStep(plan, cursor)?.delayMinutes ?? 0) * MINUTE_MS;

/** Returns the first step with targets, if any. The step fires at once if the rule notified nobody who can acknowledge. */
export const findFirstDueStep = (plan: EscalationPlan, startMs: number, hasNotified = true): DueStep | undefined => {
  const cursor = findFirstCursor(plan);
  if (cursor === undefined) return undefined;
  return { cursor, dueAt: hasNotified ? computeStepDueTime(plan, cursor, startMs) : startMs };
};

/**
 * Returns the next step, which fires at once if the fired step notified nobody. The first step of a repeat always waits,
 * because a policy without people on call would fire all steps at once.
 */
export const findNextDueStep = (
  plan: EscalationPlan,
  fired: DueStep,
  firedAtMs: number,
  hasNotified: boolean,
): DueStep | undefined => {
  const cursor = findNextCursor(plan, fired.cursor);
  if (cursor === undefined) return undefined;
  const onTime = firedAtMs - fired.dueAt <= STEP_LATE_MS;
  const base = onTime ? fired.dueAt : firedAtMs;
  const waits = hasNotified || cursor.round > fired.cursor.round;
  return { cursor, dueAt: waits ? computeStepDueTime(plan, cursor, base) : base };
};
