import type { Deps } from "../../deps.ts";
import { addRepeat } from "../../domain/event/alert.ts";
import { EVENT_MARKER_DUE_MS } from "../../domain/basics/limits.ts";
import type { Priority } from "../../domain/basics/priority.ts";
import { isEventOver } from "../../domain/event/lifecycle.ts";
import { REPEATS, type Marker } from "../../domain/event/marker.ts";
import type { StoredEvent } from "../../domain/event/stored-event.ts";
import type { EventMessage } from "../../queue/messages.ts";
import { sendMessage } from "../../queue/send.ts";
import { setRepeats } from "../../store/events/progress.ts";
import { putMarker } from "../../store/events/markers.ts";

type RepeatDeps = Pick<Deps, "table" | "now" | "log"> & { queues: Pick<Deps["queues"], "events"> };

/** Stores a repeat, after its marker. `by`: the request's id. Returns "over" if the event has ended. */
export const repeatEvent = async (
  deps: RepeatDeps,
  event: StoredEvent,
  { priority, by }: { priority: Priority; by: string },
  timeoutMs: number,
): Promise<"repeated" | "over"> => {
  const { workspaceId: ws, eventId } = event;
  const at = deps.now();
  const { next, isDue } = addRepeat(event, { priority, at, by });
  const due = at + EVENT_MARKER_DUE_MS;
  const marker: Marker = { ws, eventId, due, part: REPEATS, since: at, tries: 0 };
  if (isDue) await putMarker(deps, marker);
  const stored = await setRepeats(deps, event, next);
  if (stored === undefined || isEventOver(stored.life)) return "over";
  if (stored.repeats?.by !== by) return repeatEvent(deps, stored, { priority, by }, timeoutMs);
  if (isDue) {
    try {
      await sendMessage(deps.queues.events, { kind: "unfinished", marker } satisfies EventMessage, { timeoutMs });
    } catch (error) {
      deps.log.error("event.not_enqueued", error, { workspaceId: ws, eventId });
    }
  }
  return "repeated";
};
