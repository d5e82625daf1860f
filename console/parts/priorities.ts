import { texts } from "../texts.ts";

export const priorityOptions = (["LOW", "NORMAL", "HIGH", "URGENT"] as const).map(
  (priority) => [priority, texts.priority[priority]] as const,
);
