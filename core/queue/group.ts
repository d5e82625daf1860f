import type { WorkspaceId } from "../domain/basics/ids.ts";
import { PART_PACKS_MAX } from "../domain/delivery/delivery-plan.ts";
import type {
  EscalationMessage,
  EventMessage,
  EndMessage,
  MisplacedMessage,
  PackMessage,
  ProbeMessage,
  ReachabilityCheckMessage,
  SwitchMessage,
  WebhookMessage,
} from "./messages.ts";

export type QueueMessage =
  | EventMessage
  | EndMessage
  | MisplacedMessage
  | ReachabilityCheckMessage
  | ProbeMessage
  | SwitchMessage
  | PackMessage
  | EscalationMessage
  | WebhookMessage;

/** Work that has its own message group: for URGENT events (`urgent`), or for many recipients (`large`). */
type Lane = { urgent?: boolean; large?: boolean };

/** Returns the id of a workspace's SQS message group for urgent work, for large work, or for all other work. */
const formatMessageGroupId = (ws: WorkspaceId, { urgent = false, large = false }: Lane): string =>
  `${ws}${urgent ? ".urgent" : ""}${large ? ".great" : ""}`;

/** Returns whether the pack's marker covers one part of a split plan, or more than `PART_PACKS_MAX` packs. */
const isLargePack = ({ marker, sizes }: PackMessage): boolean =>
  marker.part !== undefined || sizes.reduce((sum, [, packs]) => sum + packs, 0) > PART_PACKS_MAX;

/** Returns the SQS message group. Each workspace has its own groups, so that no workspace delays the others. */
export const chooseMessageGroup = (message: QueueMessage): string => {
  if ("Type" in message || "mail" in message) return "sns";
  if ("kind" in message)
    switch (message.kind) {
      case "accepted":
        return formatMessageGroupId(message.event.workspaceId, { urgent: message.event.content.priority === "URGENT" });
      case "unfinished":
        return formatMessageGroupId(message.marker.ws, { large: message.marker.part !== undefined });
      case "grouped":
      case "over":
      case "proof":
      case "probe":
      case "switch":
      case "event":
      case "line":
      case "watch":
        return formatMessageGroupId(message.ws, {});
    }
  if ("packId" in message)
    return formatMessageGroupId(message.marker.ws, { urgent: message.urgent === true, large: isLargePack(message) });
  return formatMessageGroupId(message.marker.ws, {});
};
