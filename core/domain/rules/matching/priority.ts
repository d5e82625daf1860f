import * as v from "valibot";

export const PRIORITIES = ["LOW", "NORMAL", "HIGH", "URGENT"] as const;
/** Every priority as it is stored, compared and shown. */
export type Priority = (typeof PRIORITIES)[number];

/** Every spelling that a sender or a rule may use. */
export const PRIORITY_SPELLINGS = [...PRIORITIES, "CRITICAL"] as const;
export const PrioritySpelling = v.picklist(
  PRIORITY_SPELLINGS,
  `A priority is one of ${PRIORITY_SPELLINGS.join(", ")}.`,
);
export type PrioritySpelling = v.InferOutput<typeof PrioritySpelling>;

/** CRITICAL is another spelling of URGENT; any other text is returned as it is. */
export function canonicalPriority(priority: PrioritySpelling): Priority;
export function canonicalPriority(priority: string): string;
export function canonicalPriority(priority: string): string {
  return priority === "CRITICAL" ? "URGENT" : priority;
}
