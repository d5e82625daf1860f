import type { Api } from "../../app/api.ts";
import type { Answers } from "../../app/types.ts";
import { texts } from "../../page-texts.ts";

type OnDuty = readonly Answers["GroupOnCallNow"][];

/** Returns a sentence if the group would have no member or nobody on call without the user; otherwise, an empty list. */
const describeCoverageLoss = async (
  api: Api,
  groupId: string,
  groupName: string,
  userId: string,
  now: OnDuty,
): Promise<string[]> => {
  const members = await api("groups/list-group-members", { path: { groupId } });
  if (!members.some((member) => member.userId === userId)) return [];
  if (members.length === 1) return [texts.losses.lastMember(groupName)];
  const onDuty = now.find((one) => one.groupId === groupId)?.onCall.filter(({ inGroup }) => inGroup) ?? [];
  return onDuty.length === 1 && onDuty[0]?.userId === userId ? [texts.losses.lastOnDuty(groupName)] : [];
};

/** Describes which groups would lose their last member or their only person on call if the person left. */
export const listCoverageLosses = async (
  api: Api,
  groups: readonly Pick<Answers["Group"], "id" | "name">[],
  userId: string,
): Promise<string[]> => {
  const now = await api("on-call/list-on-call-now", {});
  const losses = await Promise.all(groups.map(({ id, name }) => describeCoverageLoss(api, id, name, userId, now)));
  return losses.flat();
};
