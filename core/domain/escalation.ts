import * as v from "valibot";

const Target = v.variant("type", [
  v.object({ type: v.literal("group"), groupId: v.string(), onCallOnly: v.optional(v.boolean()) }),
  v.object({ type: v.literal("user"), userId: v.string(), onCallOnly: v.optional(v.boolean()) }),
]);

/** An escalation policy as it was when it was armed. Later changes of the policy do not touch it. */
export const FrozenPolicy = v.object({
  id: v.string(),
  name: v.string(),
  repeat: v.number(),
  steps: v.array(v.object({ delayMinutes: v.number(), targets: v.array(Target) })),
});
export type FrozenPolicy = v.InferOutput<typeof FrozenPolicy>;
export type EscalationTarget = v.InferOutput<typeof Target>;

/**
 * The firings of a policy are numbered from 1 through all its rounds: with 3 steps, 4 is the first step again. Undefined
 * after the last step of the last round.
 */
export const stepAt = (policy: FrozenPolicy, cursor: number): FrozenPolicy["steps"][number] | undefined =>
  cursor > policy.steps.length * (policy.repeat + 1) ? undefined : policy.steps[(cursor - 1) % policy.steps.length];

/** When a firing is due that follows something at the given time (milliseconds); undefined when there is none. */
export const dueAfter = (policy: FrozenPolicy, cursor: number, at: number): number | undefined => {
  const step = stepAt(policy, cursor);
  if (step === undefined) return undefined;
  // A step without targets is passed at once: nobody waits for nothing.
  return step.targets.length === 0 ? at : at + step.delayMinutes * 60_000;
};
