import { TARGETS_MAX } from "../../core/domain/basics/limits.ts";
import type { FileTarget } from "../file.ts";
import { addGroupsForTargets, type Draft } from "./draft.ts";

/** `afterMinutes`: the minutes from the alert until the level's targets are notified, if nobody acknowledges. */
export type Level = { afterMinutes: number; targets: readonly FileTarget[] };

/** An escalation, with its levels in order. */
export type Escalation = {
  name: string;
  levels: readonly Level[];
  repeated: { times: number; afterMinutes: number };
  what?: string;
};

const STEPS_MAX = 20;
const DELAY_MINUTES_MAX = 1_440;
const REPEAT_MAX = 5;

/** The recipients of a rule: its groups are notified first, then its escalation policy starts. */
export type RuleRecipients = { groups: string[]; onCallOnly: boolean; policy: string | null };

const hasSameTargets = (first: readonly FileTarget[], second: readonly FileTarget[]): boolean =>
  JSON.stringify(first) === JSON.stringify(second);

/** Converts levels to steps of a policy. Leaves out and reports settings that policies do not support. */
const toSteps = (draft: Draft, what: string, levels: readonly { targets: readonly FileTarget[]; delay: number }[]) => {
  if (levels.length > STEPS_MAX)
    draft.left(`${what}: ${levels.length - STEPS_MAX} levels`, `A policy has at most ${STEPS_MAX} steps.`);
  return levels.slice(0, STEPS_MAX).map(({ targets, delay }) => {
    const delayMinutes = Math.min(DELAY_MINUTES_MAX, Math.max(1, Math.round(delay)));
    if (delayMinutes !== delay) draft.different(what, `The delay here is ${delayMinutes} minutes, not ${delay}.`);
    if (targets.length > TARGETS_MAX)
      draft.left(
        `${what}: ${targets.length - TARGETS_MAX} targets of a level`,
        `A step has at most ${TARGETS_MAX} targets.`,
      );
    return { delayMinutes, targets: targets.slice(0, TARGETS_MAX) };
  });
};

/** Returns whether a target has people; reports a target without people. */
const hasPeopleOrReport = (draft: Draft, what: string, target: FileTarget): boolean => {
  if ("user" in target) return true;
  const group = draft.setUp.groups.find(({ name }) => name === target.group);
  const isEmpty = group?.members.length === 0;
  if (isEmpty) draft.different(what, `Nobody is in ${target.group}: the level notifies its other targets.`);
  return !isEmpty;
};

/** Adds a policy for an escalation. Returns the recipients of a rule that starts the policy; undefined if nobody is notified. */
export const addEscalationPolicy = (
  draft: Draft,
  { name, levels: allLevels, repeated, what = `Escalation ${name}` }: Escalation,
): RuleRecipients | undefined => {
  const levels = allLevels.map(({ targets, ...level }) => ({
    ...level,
    targets: targets.filter((target) => hasPeopleOrReport(draft, what, target)),
  }));
  const told = levels.filter(({ targets }) => targets.length > 0);
  const [first, ...later] = told;
  if (first === undefined) {
    draft.left(what, "No level of this escalation names anybody whom this service can notify.");
    return undefined;
  }
  const reportDifference = (why: string) => draft.different(what, why);
  const isLost = (allLevels[0]?.afterMinutes ?? 0) < first.afterMinutes;
  if (isLost)
    draft.warn(
      what,
      `The first level notifies nobody here, so those who would be notified after ${first.afterMinutes} minutes are notified at once: ${first.targets.map((target) => ("user" in target ? target.user : target.group)).join(", ")}.`,
    );
  else if (first.afterMinutes > 0)
    reportDifference(
      `The first targets are notified at once here, not after ${first.afterMinutes} minutes; the times between the later levels do not change.`,
    );
  const delayed = later.map(({ targets, afterMinutes }, index) => ({
    targets,
    delay: afterMinutes - (told[index]?.afterMinutes ?? 0),
  }));
  const loops = repeated.times > 0 ? [...delayed, { targets: first.targets, delay: repeated.afterMinutes }] : delayed;
  const repeat = repeated.times === 0 ? 0 : repeated.times - (later.length === 0 ? 1 : 0);
  if (repeated.times > 0 && later.length > 0)
    reportDifference("If nobody has acknowledged after the last repetition, the first level is notified once more.");
  if (repeat > REPEAT_MAX)
    reportDifference(`The escalation is repeated ${REPEAT_MAX} times, not ${repeat}: this is the maximum.`);
  const steps = toSteps(draft, what, loops);
  const { groups, onCallOnly } = addGroupsForTargets(draft, name, first.targets);
  if (groups.length > TARGETS_MAX) draft.left(`${what}: groups at first`, `A rule has at most ${TARGETS_MAX} groups.`);
  if (steps.length === 0) {
    draft.taken(what, `notified first: ${groups.join(", ")}; there are no later levels`);
    return { groups: groups.slice(0, TARGETS_MAX), onCallOnly, policy: null };
  }
  const policy = draft.nameFor("policies", name);
  draft.setUp.policies.push({
    name: policy,
    repeat: Math.min(repeat, REPEAT_MAX),
    confirmWithinSeconds: null,
    ackMinutes: null,
    steps,
  });
  const firstAgain = steps.filter(({ targets }) => hasSameTargets(targets, first.targets)).length;
  draft.taken(
    what,
    `policy ${policy} with ${steps.length} ${steps.length === 1 ? "step" : "steps"}${firstAgain > 0 ? ", including the first level" : ""}; notified first: ${groups.join(", ")}`,
  );
  return { groups: groups.slice(0, TARGETS_MAX), onCallOnly, policy };
};
