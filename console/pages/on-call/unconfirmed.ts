import type { Answers } from "../../app/types.ts";

type OnCallPeople = Pick<Answers["GroupOnCallNow"], "onCall" | "next">;

/** Lists people who are on call now or next, and who are unreachable or did not confirm the reachability check. */
export const listUnconfirmed = ({ onCall, next }: OnCallPeople): { userId: string; name: string }[] => {
  const unconfirmed = [
    ...onCall.filter(({ notified, inGroup }) => inGroup && !notified),
    ...[...onCall, ...(next?.onCall ?? [])].filter(({ proven }) => proven === false),
  ];
  return [...new Map(unconfirmed.map(({ userId, name }) => [userId, { userId, name }])).values()];
};
