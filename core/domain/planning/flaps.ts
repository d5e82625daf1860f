import { toClaimName, identifySender, type EventContent } from "../event/event.ts";
import { EPISODES_KEPT, detectFlapping, type Episode, type Flapping } from "../event/flapping.ts";

type PastEvent = { eventId: string; receivedAt: number; content: EventContent };
type Alert = { eventId: string; owner: string; episode: Episode; before: readonly Episode[] };

/** Returns a function that takes each event in order, and returns which event it ends (`ends`), and any hold for flapping. */
export const createFlappingTracker = () => {
  const alerts = new Map<string, Alert>();
  /** The name of the newest alert of any sender, by the alert's dedupeKey. */
  const latest = new Map<string, string>();
  /** Closes the alert that the event resolves. Returns the id of the alert's last event; undefined without an open alert. */
  const closeEndedAlert = ({ content, receivedAt }: PastEvent): string | undefined => {
    const { resolves, resolvesAny, sender, changedAt = receivedAt } = content;
    const own = resolves === undefined ? undefined : toClaimName(content, resolves);
    const name = resolves !== undefined && resolvesAny === true ? latest.get(resolves) : own;
    const alert = name === undefined ? undefined : alerts.get(name);
    if (name === undefined || alert === undefined || alert.episode.closed !== undefined) return undefined;
    const isOwn = resolvesAny === true || alert.owner === identifySender(sender);
    if (!isOwn || changedAt < alert.episode.opened) return undefined;
    alerts.set(name, { ...alert, episode: { ...alert.episode, closed: changedAt } });
    return alert.eventId;
  };
  /** Records that the event opens its alert. Returns the hold if the alert flaps; undefined if it does not flap or has no key. */
  const recordOpening = ({ eventId, content, receivedAt }: PastEvent): Flapping | undefined => {
    const { dedupeKey, sender, changedAt = receivedAt } = content;
    if (dedupeKey === undefined) return undefined;
    const name = toClaimName(content, dedupeKey);
    latest.set(dedupeKey, name);
    const last = alerts.get(name);
    const before = last === undefined ? [] : [...last.before, last.episode].slice(-EPISODES_KEPT);
    alerts.set(name, { eventId, owner: identifySender(sender), episode: { opened: changedAt }, before });
    return detectFlapping(before, changedAt);
  };
  return (event: PastEvent): { ends: string | undefined; flapping: Flapping | undefined } => ({
    ends: closeEndedAlert(event),
    flapping: recordOpening(event),
  });
};
