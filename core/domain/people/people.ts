import type { FrozenPolicy, UnreachedGroup } from "../delivery/delivery-plan.ts";
import type { Recipient, RecipientReason } from "../delivery/notification.ts";

/** The members of a workspace and how they are grouped, scheduled and escalated to, at one version. */
export type People = {
  members: ReadonlyMap<string, { name: string; email: string }>;
  groups: ReadonlyMap<string, { memberIds: readonly string[] }>;
  policies: ReadonlyMap<string, FrozenPolicy>;
  /** Who is on call in a group at an instant (milliseconds), and by which layer or override. */
  onCall: (groupId: string, at: number) => ReadonlyMap<string, RecipientReason>;
};

export type Target =
  | { type: "group"; groupId: string; onCallOnly?: boolean | undefined }
  | { type: "user"; userId: string };

const inGroup = (people: People, groupId: string, onCallOnly: boolean, at: number): Recipient[] => {
  const memberIds = people.groups.get(groupId)?.memberIds ?? [];
  if (!onCallOnly) return memberIds.map((userId) => ({ userId, reason: { groupId } }));
  const onCall = people.onCall(groupId, at);
  return memberIds.flatMap((userId) => {
    const shift = onCall.get(userId);
    return shift === undefined ? [] : [{ userId, reason: { groupId, ...shift } }];
  });
};

const named = (people: People, target: Target, at: number): Recipient[] => {
  if (target.type === "group") return inGroup(people, target.groupId, target.onCallOnly ?? false, at);
  return people.members.has(target.userId) ? [{ userId: target.userId, reason: {} }] : [];
};

/** The people that targets name at an instant, each once, by the first target that names them. */
export const resolveTargets = (people: People, targets: readonly Target[], at: number): Recipient[] => {
  const recipients = new Map<string, Recipient>();
  for (const target of targets)
    for (const recipient of named(people, target, at))
      if (!recipients.has(recipient.userId)) recipients.set(recipient.userId, recipient);
  return [...recipients.values()];
};

/** The groups among targets in which nobody is to be told at an instant, and why. `recipients`: whom the targets name. */
export const unreachedGroups = (
  people: People,
  targets: readonly Target[],
  recipients: readonly Recipient[],
  at: number,
): UnreachedGroup[] => {
  // Mostly every group gave somebody; only those that seem to have given nobody are looked at once more.
  const reached = new Set(recipients.map(({ reason }) => reason.groupId));
  const unreached = new Map<string, UnreachedGroup>();
  for (const target of targets) {
    if (target.type !== "group" || reached.has(target.groupId)) continue;
    const { groupId } = target;
    const group = people.groups.get(groupId);
    if (group === undefined) unreached.set(groupId, { groupId, because: "group_deleted" });
    else if (group.memberIds.length === 0) unreached.set(groupId, { groupId, because: "group_empty" });
    else if (inGroup(people, groupId, target.onCallOnly ?? false, at).length === 0)
      unreached.set(groupId, { groupId, because: "nobody_on_call" });
  }
  return [...unreached.values()];
};
