import type { Answers } from "../../app/types.ts";
import { isFinal } from "./moments.ts";

type Event = Answers["Event"];

export const isBeingHandled = ({ state }: Event): boolean => state === "open" || state === "acknowledged";

/** Lists actions in the page's order. `escalate` includes notifying more people. */
export const listOfferedActions = (event: Event): ("acknowledge" | "resolve" | "snooze" | "escalate")[] => [
  ...(event.state === "open" ? (["acknowledge"] as const) : []),
  ...(isFinal(event) ? [] : (["resolve"] as const)),
  ...(isBeingHandled(event) ? (["snooze", "escalate"] as const) : []),
];
