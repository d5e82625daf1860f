import type { FrozenPolicy } from "../escalation/escalation-policy.ts";
import type { Group, MemberOfGroup } from "./group.ts";
import type { Member, Owners } from "./member.ts";
import { noSchedule, type GroupSchedule, type OnCallOverride } from "../on-call/views.ts";
import { compileDuty, type DutyGroup } from "../on-call/index.ts";
import { type NotificationRules, type ScheduledStep, type UrgentFloor } from "./notification-rules.ts";
import { type NotifiedEvent, scheduleSteps } from "./scheduled-steps.ts";
import type { Recipient, UnreachedGroup } from "./recipient.ts";
import { fromIso } from "../basics/time.ts";

/** A workspace's people, groups, schedules and policies, all from the same version. */
export type People = {
  members: ReadonlyMap<string, Member>;
  /** `memberIds` leaves out people who are not members of the workspace. */
  groups: ReadonlyMap<string, { group: Omit<Group, "version">; memberIds: readonly string[] }>;
  schedules: ReadonlyMap<string, Omit<GroupSchedule, "version">>;
  overrides: ReadonlyMap<string, readonly OnCallOverride[]>;
  policies: ReadonlyMap<string, FrozenPolicy>;
  /** The rules of members who have saved notification rules. */
  notificationRules: ReadonlyMap<string, NotificationRules>;
  urgentFloor: UrgentFloor;
  /** The ids of the owners, which are loaded only to plan notices. */
  owners?: Owners | undefined;
  /** People without a device that accepts a push. Only `markUnreachable` sets this field. */
  unreachable?: ReadonlySet<string>;
  /** Returns who is on call in a group, even if the group was deleted. */
  duty: (groupId: string) => GroupDuty;
};

/** Returns a function that finds a member's name, or returns the id if the member has no name or has left. */
export const createNameFinder =
  ({ members }: Pick<People, "members">) =>
  (userId: string): string =>
    members.get(userId)?.name || userId;

type GroupDuty = { group: DutyGroup; at: ReturnType<typeof compileDuty> };
type DutyData = Pick<People, "members" | "groups" | "schedules" | "overrides" | "unreachable">;

/** Returns the group's schedule and overrides, with a function that says whom events would not notify. */
const toDutyGroup = ({ members, groups, schedules, overrides, unreachable }: DutyData, groupId: string): DutyGroup => {
  const memberIds = new Set(groups.get(groupId)?.memberIds);
  return {
    schedule: (groups.has(groupId) ? schedules.get(groupId) : undefined) ?? noSchedule,
    overrides: overrides.get(groupId) ?? [],
    blockOf: (userId) => {
      if (!members.has(userId)) return "left";
      if (!memberIds.has(userId)) return "not_in_group";
      return unreachable?.has(userId) === true ? "unreachable" : undefined;
    },
  };
};

/** Returns a function that finds who is on call in a group. Each schedule is compiled at its first use. */
const createDutyReader = (people: DutyData): People["duty"] => {
  const compiled = new Map<string, GroupDuty>();
  return (groupId) => {
    const known = compiled.get(groupId);
    if (known !== undefined) return known;
    const group = toDutyGroup(people, groupId);
    const made = { group, at: compileDuty(group) };
    compiled.set(groupId, made);
    return made;
  };
};

export const isOnCall = ({ duty }: Pick<People, "duty">, { groupId, userId }: MemberOfGroup, ms: number): boolean =>
  duty(groupId)
    .at(ms)
    .people.some((person) => person.userId === userId);

/** Returns the people with the ids of those who cannot be reached. Overrides of unreachable people are ignored. */
export const markUnreachable = (people: People, unreachable: ReadonlySet<string>): People =>
  unreachable.size === 0 ? people : { ...people, unreachable, duty: createDutyReader({ ...people, unreachable }) };

/** Returns the people with the drafts' schedules and overrides instead of the groups' own ones. */
export const replaceSchedules = (
  people: People,
  drafts: readonly {
    groupId: string;
    schedule?: Omit<GroupSchedule, "version"> | undefined;
    overrides?: readonly OnCallOverride[] | undefined;
  }[],
): People => {
  const [schedules, overrides] = [new Map(people.schedules), new Map(people.overrides)];
  for (const draft of drafts) {
    if (draft.schedule !== undefined) schedules.set(draft.groupId, draft.schedule);
    if (draft.overrides !== undefined) overrides.set(draft.groupId, draft.overrides);
  }
  return { ...people, schedules, overrides, duty: createDutyReader({ ...people, schedules, overrides }) };
};

/** Lists people with overrides between two times (milliseconds). Leaves out people whom events would not notify. */
export const listOverridePeople = ({ groups, overrides, duty }: People, from: number, to: number): string[] => [
  ...new Set(
    [...overrides].flatMap(([groupId, all]) =>
      groups.has(groupId)
        ? all
            .filter(({ start, end }) => (fromIso(start) ?? 0) <= to && (fromIso(end) ?? 0) > from)
            .map(({ userId }) => userId)
            .filter((userId) => duty(groupId).group.blockOf?.(userId) === undefined)
        : [],
    ),
  ),
];

/** Builds a workspace's people from stored items. Ignores remains of deletions: former members and parts of deleted groups. */
export const buildPeople = (kept: {
  members: readonly Member[];
  groups: readonly Omit<Group, "version">[];
  groupMembers: readonly MemberOfGroup[];
  schedules?: readonly Omit<GroupSchedule, "version">[];
  overrides?: readonly OnCallOverride[];
  policies?: readonly FrozenPolicy[];
  notificationRules?: readonly NotificationRules[];
  urgentFloor?: UrgentFloor;
}): People => {
  const members = new Map(kept.members.map((member) => [member.userId, member]));
  const groups = new Map(kept.groups.map((group) => [group.id, { group, memberIds: new Array<string>() }]));
  for (const { groupId, userId } of kept.groupMembers)
    if (members.has(userId)) groups.get(groupId)?.memberIds.push(userId);
  const schedules = new Map(kept.schedules?.map((schedule) => [schedule.groupId, schedule]));
  const overrides = Map.groupBy(kept.overrides ?? [], ({ groupId }) => groupId);
  const policies = new Map(kept.policies?.map((policy) => [policy.id, policy]));
  const notificationRules = new Map(kept.notificationRules?.map((rules) => [rules.userId, rules]));
  const { urgentFloor = null } = kept;
  const duty = createDutyReader({ members, groups, schedules, overrides });
  return { members, groups, schedules, overrides, policies, notificationRules, urgentFloor, duty };
};

/** Measured bytes of a member; of a group membership; of a group, a schedule or a policy; of a person's notification rules. */
const MEMBER_BYTES = 600;
const GROUP_MEMBER_BYTES = 16;
const PART_BYTES = 4_000;
const RULES_BYTES = 2_000;

export const estimatePeopleBytes = ({ members, groups, schedules, policies, notificationRules }: People): number => {
  let groupMembers = 0;
  for (const { memberIds } of groups.values()) groupMembers += memberIds.length;
  const parts = groups.size + schedules.size + policies.size;
  return (
    MEMBER_BYTES * members.size +
    GROUP_MEMBER_BYTES * groupMembers +
    PART_BYTES * parts +
    RULES_BYTES * notificationRules.size
  );
};

/** Returns the recipient's notification steps with times; undefined without steps: every device is notified at once. */
export const scheduleRecipientSteps = (
  { notificationRules, urgentFloor }: People,
  { userId, quiet }: Pick<Recipient, "userId" | "quiet">,
  { priority, requiresAck, at }: Omit<NotifiedEvent, "isLoud">,
): ScheduledStep[] | undefined =>
  scheduleSteps(notificationRules.get(userId), urgentFloor, { priority, requiresAck, isLoud: quiet === undefined, at });

export const listOwnerIds = ({ members, owners }: People): string[] =>
  [...members.keys()].filter((userId) => owners === undefined || owners.has(userId));

export type Target =
  | { type: "group"; groupId: string; onCallOnly?: boolean | undefined }
  | { type: "user"; userId: string };

const listGroupRecipients = (people: People, groupId: string, onCallOnly: boolean, ms: number): Recipient[] => {
  const memberIds = people.groups.get(groupId)?.memberIds ?? [];
  if (!onCallOnly) return memberIds.map((userId) => ({ userId, reason: { groupId } }));
  const onCall = new Map(
    people
      .duty(groupId)
      .at(ms)
      .people.map(({ userId, source }) => [userId, source]),
  );
  return memberIds.flatMap((userId) => {
    const source = onCall.get(userId);
    if (source === undefined) return [];
    const shift = source.kind === "layer" ? { layer: source.layer } : { overrideId: source.overrideId };
    return [{ userId, reason: { groupId, ...shift } }];
  });
};

const listTargetRecipients = (people: People, target: Target, ms: number): Recipient[] => {
  if (target.type === "group") return listGroupRecipients(people, target.groupId, target.onCallOnly ?? false, ms);
  return people.members.has(target.userId) ? [{ userId: target.userId, reason: {} }] : [];
};

/** Lists the recipients of all targets, each person once, with the reason from the first target that includes the person. */
export const listRecipientsOfTargets = (people: People, targets: readonly Target[], ms: number): Recipient[] => {
  const recipients = new Map<string, Recipient>();
  for (const target of targets)
    for (const recipient of listTargetRecipients(people, target, ms))
      if (!recipients.has(recipient.userId)) recipients.set(recipient.userId, recipient);
  return [...recipients.values()];
};

/** Returns the target groups without a recipient, and why. `recipients`: the people that the targets lead to. */
export const findUnreachedGroups = (
  people: People,
  targets: readonly Target[],
  recipients: readonly Recipient[],
  ms: number,
): UnreachedGroup[] => {
  // Skips groups that have recipients, usually all of them, because looking for a reason takes longer.
  const reached = new Set(recipients.map(({ reason }) => reason.groupId));
  const unreached = new Map<string, UnreachedGroup>();
  for (const target of targets) {
    if (target.type !== "group" || reached.has(target.groupId)) continue;
    const { groupId } = target;
    const group = people.groups.get(groupId);
    if (group === undefined) unreached.set(groupId, { groupId, because: "group_deleted" });
    else if (group.memberIds.length === 0) unreached.set(groupId, { groupId, because: "group_empty" });
    else if (listGroupRecipients(people, groupId, target.onCallOnly ?? false, ms).length === 0)
      unreached.set(groupId, { groupId, because: "nobody_on_call" });
  }
  return [...unreached.values()];
};
