import * as v from "valibot";

/** The priorities, in ascending order of urgency. */
export const PRIORITIES = ["LOW", "NORMAL", "HIGH", "URGENT"] as const;
export const Priority = v.picklist(PRIORITIES);
export type Priority = v.InferOutput<typeof Priority>;

export const PRIORITY_SPELLINGS = [...PRIORITIES, "CRITICAL"] as const;
export const PrioritySpelling = v.picklist(
  PRIORITY_SPELLINGS,
  `A priority is one of ${PRIORITY_SPELLINGS.join(", ")}.`,
);
export type PrioritySpelling = v.InferOutput<typeof PrioritySpelling>;

/** Returns URGENT for its other spelling, CRITICAL, and any other priority unchanged. */
export function canonicalizePriority(priority: PrioritySpelling): Priority;
export function canonicalizePriority(priority: string): string;
export function canonicalizePriority(priority: string): string {
  return priority === "CRITICAL" ? "URGENT" : priority;
}

export const findMostUrgent = (priorities: readonly Priority[]): Priority | undefined =>
  PRIORITIES.findLast((priority) => priorities.includes(priority));
