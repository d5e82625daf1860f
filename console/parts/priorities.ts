import { texts } from "../texts.ts";

/** The priorities to choose from, as a select shows them. */
export const priorityOptions = (["LOW", "NORMAL", "HIGH", "URGENT"] as const).map(
  (priority) => [priority, texts.priority[priority]] as const,
);
