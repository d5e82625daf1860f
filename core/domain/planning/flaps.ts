import { ownerOf, type EventContent } from "../event/event.ts";
import { EPISODES_KEPT, flappingOf, type Episode, type Flapping } from "../event/flapping.ts";

type Past = { eventId: string; receivedAt: number; content: EventContent };
type Alert = { eventId: string; owner: string; episode: Episode; before: readonly Episode[] };

/**
 * Follows alerts by their dedupeKeys in memory, for events in the order in which they came: what ingest keeps with the
 * keys. It tells of an event which one it ends, and how the alert that it opens flaps.
 */
export const createFlapKeeper = () => {
  const alerts = new Map<string, Alert>();
  const end = ({ content, receivedAt }: Past): string | undefined => {
    const { resolves, resolvesAny, sender, changedAt = receivedAt } = content;
    const alert = resolves === undefined ? undefined : alerts.get(resolves);
    if (resolves === undefined || alert === undefined || alert.episode.closed !== undefined) return undefined;
    const isOwn = resolvesAny === true || alert.owner === ownerOf(sender);
    if (!isOwn || changedAt < alert.episode.opened) return undefined;
    alerts.set(resolves, { ...alert, episode: { ...alert.episode, closed: changedAt } });
    return alert.eventId;
  };
  const open = ({ eventId, content, receivedAt }: Past): Flapping | undefined => {
    const { dedupeKey, sender, changedAt = receivedAt } = content;
    if (dedupeKey === undefined) return undefined;
    const last = alerts.get(dedupeKey);
    const before = last === undefined ? [] : [...last.before, last.episode].slice(-EPISODES_KEPT);
    alerts.set(dedupeKey, { eventId, owner: ownerOf(sender), episode: { opened: changedAt }, before });
    return flappingOf(before, changedAt);
  };
  return (event: Past): { ends: string | undefined; flapping: Flapping | undefined } => ({
    ends: end(event),
    flapping: open(event),
  });
};
