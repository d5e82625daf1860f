import type { TimedDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { toContact } from "../../domain/device/device.ts";
import { fromIso } from "../../domain/basics/time.ts";
import { listScheduleUsers } from "../../domain/on-call/index.ts";
import type { MemberDetail } from "../../domain/people/member-detail.ts";
import { isOnCall, type People } from "../../domain/people/people.ts";
import { findPoliciesThatName } from "../../domain/planning/uses.ts";
import { addReachability } from "./reach-of-people.ts";
import { listApiKeys } from "../../store/people/api-keys.ts";
import { listOwnersOfFeedsCreatedBy } from "../../store/schedules/calendars.ts";
import { loadPeople } from "../../store/people/people.ts";
import { listDevices } from "../../store/people/devices.ts";
import { listPolicies } from "../../store/rules/escalation-policies.ts";
import { listHeartbeats } from "../../store/rules/heartbeats.ts";
import { listInvitations } from "../../store/people/invitations.ts";
import { listWebhooks } from "../../store/delivery/webhooks.ts";
import { readMemberView } from "./list-members.ts";

type NamedItem = { id: string; name: string };

const toIdAndName = ({ id, name }: NamedItem): NamedItem => ({ id, name });

const listSchedulesOfPerson = (people: People, userId: string, now: number): MemberDetail["schedules"] =>
  [...people.groups.values()].flatMap(({ group }) => {
    const schedule = people.schedules.get(group.id);
    const isOnSchedule = schedule !== undefined && listScheduleUsers(schedule).includes(userId);
    const hasOverride = (people.overrides.get(group.id) ?? []).some(
      (override) => override.userId === userId && (fromIso(override.end) ?? 0) > now,
    );
    return isOnSchedule || hasOverride
      ? [{ ...toIdAndName(group), onCallNow: isOnCall(people, { groupId: group.id, userId }, now) }]
      : [];
  });

export const readMemberDetail = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  userId: string,
): Promise<MemberDetail | undefined> => {
  const member = await readMemberView(deps, ws, userId);
  if (member === undefined) return undefined;
  const [people, devices, keys, feeds, heartbeats, webhooks, invitations, policies] = await Promise.all([
    loadPeople(deps, ws),
    listDevices(deps, ws, userId),
    listApiKeys(deps, ws),
    listOwnersOfFeedsCreatedBy(deps, ws, userId),
    listHeartbeats(deps, ws),
    listWebhooks(deps, ws),
    listInvitations(deps, ws),
    listPolicies(deps, ws),
  ]);
  const fields = devices.map((device) => toContact(device)?.field);
  const groups = [...people.groups.values()];
  return {
    ...member,
    made: {
      keys: keys
        .filter(({ createdBy }) => createdBy?.id === userId)
        .map(({ lastUsedAt, ...key }) => ({ ...toIdAndName(key), lastUsedAt })),
      feeds: groups.filter(({ group }) => feeds.includes(group.id)).map(({ group }) => toIdAndName(group)),
      heartbeats: heartbeats.filter(({ createdBy }) => createdBy === userId).map(toIdAndName),
      webhooks: webhooks.filter(({ createdBy }) => createdBy === userId).map(toIdAndName),
      invitations: invitations.filter(({ createdBy }) => createdBy === userId).length,
    },
    devices: devices.map(({ id, platform, createdAt, lastDeliveredAt }) => ({
      id,
      platform,
      createdAt,
      lastDeliveredAt: lastDeliveredAt ?? null,
    })),
    contacts: {
      push: fields.filter((field) => field === undefined).length,
      email: fields.filter((field) => field === "email").length,
      sms: fields.filter((field) => field === "phone").length,
    },
    groups: groups.filter(({ memberIds }) => memberIds.includes(userId)).map(({ group }) => toIdAndName(group)),
    schedules: listSchedulesOfPerson(await addReachability(deps, ws, people), userId, deps.now()),
    policies: findPoliciesThatName({ userId }, policies).map(toIdAndName),
  };
};
