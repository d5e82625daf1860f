import { texts } from "../texts.ts";

/** The priorities as options of a select. */
export const priorityOptions = (["LOW", "NORMAL", "HIGH", "URGENT"] as const).map(
  (priority) => [priority, texts.priority[priority]] as const,
);
