import type { Api } from "../../app/api.ts";
import { listHumanMembers } from "../../app/people.ts";
import type { Answers } from "../../app/types.ts";
import { texts } from "../../page-texts/escalation.ts";

export type Names = { groups: Answers["Group"][]; members: Answers["ListedMember"][] };
export type Target = Answers["EscalationPolicy"]["steps"][number]["targets"][number];

/** Returns the groups and the people that targets can refer to. */
export const readNames = async (api: Api): Promise<Names> => {
  const [groups, members] = await Promise.all([api("groups/list-groups", {}), listHumanMembers(api)]);
  return { groups, members };
};

/** Describes a target, which may be a deleted group or person. */
export const describeTarget = (target: Target, { groups, members }: Names): string => {
  if (target.type === "user")
    return members.find(({ userId }) => userId === target.userId)?.name ?? texts.policy.personGone;
  const name = groups.find(({ id }) => id === target.groupId)?.name ?? texts.groupGone;
  return target.onCallOnly ? texts.policy.onCallOf(name) : name;
};

type TimedStep = { delayMinutes: number | string; targets: readonly Target[] };

/** Lists steps with their time in minutes after the event. Leaves out steps without targets. */
export const listStepTimes = (steps: readonly TimedStep[], names: Names): { minutes: number; who: string[] }[] => {
  let minutes = 0;
  return steps
    .filter(({ targets }) => targets.length > 0)
    .map(({ delayMinutes, targets }) => {
      minutes += Number(delayMinutes);
      return { minutes, who: targets.map((target) => describeTarget(target, names)) };
    });
};

export const toTargetKey = (target: Target): string => {
  if (target.type === "user") return target.userId;
  return target.onCallOnly ? `${target.groupId} on-call` : target.groupId;
};

/** Lists every possible target: who is on call in each group, each whole group, and each person. */
export const listTargets = ({ groups, members }: Names): Target[] => [
  ...groups.flatMap(({ id }): Target[] => [
    { type: "group", groupId: id, onCallOnly: true },
    { type: "group", groupId: id, onCallOnly: false },
  ]),
  ...members.map(({ userId }): Target => ({ type: "user", userId })),
];
