import type { Answers } from "../../app/types.ts";
import { isResolvedOrExpired } from "./timeline-entries.ts";

type Event = Answers["Event"];

export const isOpenOrAcknowledged = ({ state }: Event): boolean => state === "open" || state === "acknowledged";

/** Lists the actions that the event's state allows, in the page's order. `escalate` also offers to notify more people. */
export const listOfferedActions = (event: Event): ("acknowledge" | "resolve" | "snooze" | "escalate")[] => [
  ...(event.state === "open" ? (["acknowledge"] as const) : []),
  ...(isResolvedOrExpired(event) ? [] : (["resolve"] as const)),
  ...(isOpenOrAcknowledged(event) ? (["snooze", "escalate"] as const) : []),
];
