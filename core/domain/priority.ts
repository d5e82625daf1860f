import * as v from "valibot";

const priorities = ["LOW", "NORMAL", "HIGH", "URGENT"] as const;

/** A priority as the service keeps and shows it. */
export const Priority = v.picklist(priorities);
export type Priority = v.InferOutput<typeof Priority>;

const EXPECTED = "must be one of LOW, NORMAL, HIGH, URGENT, CRITICAL.";

/** A priority as people write it. */
export const PriorityName = v.picklist([...priorities, "CRITICAL"], `The priority ${EXPECTED}`);
export type PriorityName = v.InferOutput<typeof PriorityName>;

/** `CRITICAL` is another name of `URGENT`. */
export const canonicalPriority = (name: PriorityName): Priority => (name === "CRITICAL" ? "URGENT" : name);
