import type { EventView, WorkspaceModel, Play } from "./play.ts";
import type { Repeats } from "./repeats.ts";
import type { EventGroups } from "./event-groups.ts";

/** Counts alerts, acknowledgements, groups and silences that began again after their end. */
export const countRepeats = (
  play: Play,
  model: WorkspaceModel,
  { groups }: EventGroups,
  views: readonly EventView[],
): Repeats => {
  const alerts = [...Map.groupBy(model.events, ({ dedupeKey }) => dedupeKey)].filter(([key]) => key !== null);
  const findView = (eventId: string) => views.find(({ id }) => id === eventId);
  return {
    // Alerts that had to be acknowledged again after an earlier event of the alert was resolved.
    opened: alerts.filter(([, events]) =>
      events.some(({ id }, index) => {
        const ended = findView(id)?.resolvedAt ?? null;
        const again = events.slice(index + 1).flatMap((one) => findView(one.id) ?? []);
        return ended !== null && again.some(({ receivedAt, state }) => receivedAt > ended && state !== "none");
      }),
    ).length,
    acknowledged: [...model.lives.values()].filter(({ acks }) =>
      acks.some(({ until }, index) =>
        acks.slice(index + 1).some(({ from, state }) => until !== null && from >= until && state === "acknowledged"),
      ),
    ).length,
    grouped: groups.filter(({ members }) => new Set(members.flatMap(({ fate }) => fate.into ?? [])).size > 1).length,
    // Events that two silences held back, one after the other: a third plan follows when the second silence ends.
    silenced: views.filter(({ id, silence }) => play.seen.countPlans(model.fixture.ws, id) > (silence === null ? 2 : 1))
      .length,
  };
};
