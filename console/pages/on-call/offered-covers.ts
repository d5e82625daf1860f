import type { Answers } from "../../app/types.ts";

type Cover = Answers["Cover"];

/** Lists open and taken covers that have not begun. */
export const listShownCovers = (covers: readonly Cover[], nowMs: number): Cover[] =>
  covers.filter(({ status, start }) => (status === "open" || status === "taken") && Date.parse(start) > nowMs);

/** Lists what the reader (`me`) may do with a cover. A person who has declined may still take the cover. */
export const listCoverActions = (
  { canTake, declined, userId, takenBy }: Cover,
  me: string,
): ("take" | "decline" | "withdraw")[] => [
  ...(canTake ? (["take"] as const) : []),
  ...(canTake && !declined.includes(me) ? (["decline"] as const) : []),
  ...(userId === me || takenBy?.userId === me ? (["withdraw"] as const) : []),
];
