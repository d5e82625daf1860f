import type { WorkspaceId } from "../domain/basics/ids.ts";
import { PART_PACKS_MAX } from "../domain/delivery/delivery-plan.ts";
import type {
  EscalationMessage,
  EventMessage,
  EndMessage,
  MisplacedMessage,
  PackMessage,
  ReachabilityCheckMessage,
  WebhookMessage,
} from "./messages.ts";

/** A message for a worker. */
export type QueueMessage =
  | EventMessage
  | EndMessage
  | MisplacedMessage
  | ReachabilityCheckMessage
  | PackMessage
  | EscalationMessage
  | WebhookMessage;

/** Separated in the queue, so that urgent and large work do not wait behind a workspace's other work. */
type Lane = { urgent?: boolean; great?: boolean };

const inLane = (ws: WorkspaceId, { urgent = false, great = false }: Lane): string =>
  `${ws}${urgent ? ".urgent" : ""}${great ? ".great" : ""}`;

const isGreat = ({ marker, sizes }: PackMessage): boolean =>
  marker.part !== undefined || sizes.reduce((sum, [, packs]) => sum + packs, 0) > PART_PACKS_MAX;

/**
 * The queue's `MessageGroupId` of a message: the workspace, among which a queue divides its consumers when there are
 * too few. URGENT work of a workspace is its own group, and so is that of a large event.
 */
export const groupOf = (message: QueueMessage): string => {
  if ("Type" in message || "mail" in message) return "sns";
  if ("kind" in message)
    switch (message.kind) {
      case "accepted":
        return inLane(message.event.workspaceId, { urgent: message.event.content.priority === "URGENT" });
      case "unfinished":
        return inLane(message.marker.ws, { great: message.marker.part !== undefined });
      case "grouped":
      case "over":
      case "proof":
      case "event":
      case "line":
      case "watch":
        return inLane(message.ws, {});
    }
  if ("packId" in message)
    return inLane(message.marker.ws, { urgent: message.urgent === true, great: isGreat(message) });
  return inLane(message.marker.ws, {});
};
