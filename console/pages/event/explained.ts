import type { Answers } from "../../app/types.ts";
import { nameOrId } from "./timeline-entries.ts";

/** Returns whether a rule matters for an explanation, unlike the many rules for other event keys. */
export const isRelevantRule = ({ reason, trace }: Answers["EventExplanation"]["rules"][number]): boolean =>
  reason !== "event_key_differs" && trace?.eventKey.verdict !== false;

export type Recipient = { id: string; name: string; status: Answers["Notification"]["status"] };

/** Lists each recipient once, with the newest notification's outcome. */
export const listRecipients = ({ notifications }: Answers["Event"]): Recipient[] => [
  ...new Map(
    notifications.map(({ user, status }) => [user.id, { id: user.id, name: nameOrId(user), status }] as const),
  ).values(),
];
