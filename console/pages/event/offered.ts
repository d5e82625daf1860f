import type { Answers } from "../../app/types.ts";
import { isFinal } from "./moments.ts";

type Event = Answers["Event"];

/** Returns whether somebody takes care of the event, or must. */
export const isBeingHandled = ({ state }: Event): boolean => state === "open" || state === "acknowledged";

/** Returns what a reader can do about an event, in the order of the page. Who may escalate may notify more people. */
export const listOfferedActions = (event: Event): ("acknowledge" | "resolve" | "snooze" | "escalate")[] => [
  ...(event.state === "open" ? (["acknowledge"] as const) : []),
  ...(isFinal(event) ? [] : (["resolve"] as const)),
  ...(isBeingHandled(event) ? (["snooze", "escalate"] as const) : []),
];
