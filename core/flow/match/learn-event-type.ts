import type { TableDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import type { EventContent } from "../../domain/event/event.ts";
import { isDecidedByRules } from "../../domain/event/notice.ts";
import { extendDataShape } from "../../domain/rules/event-type.ts";
import { toIso } from "../../domain/basics/time.ts";
import { putAndEvictOldest } from "../../domain/basics/put-newest.ts";
import { readEventType, storeEventType, type KnownEventType } from "../../store/events/event-types.ts";

const REMEMBERED_TYPES = 5_000;
const TRIES = 5;

/** Returns a function that stores an event's fields if they are new, and returns whether the event is the first of its type. */
export const createEventTypeLearner = (deps: TableDeps) => {
  const known = new Map<string, KnownEventType>();

  const rememberEventType = (key: string, type: KnownEventType | undefined): void => {
    if (type === undefined) known.delete(key);
    else putAndEvictOldest(known, key, type, REMEMBERED_TYPES);
  };

  return async (event: { workspaceId: WorkspaceId; receivedAt: number; content: EventContent }): Promise<boolean> => {
    const { workspaceId: ws, receivedAt, content } = event;
    // The service's own notices are not registered, because rules cannot match them.
    if (!isDecidedByRules(content)) return false;
    const isFirstOfType = (type: KnownEventType | undefined) => type?.firstSeenAt === toIso(receivedAt);
    const key = `${ws} ${content.eventKey}`;
    // A stale read is enough, because the conditional write detects that the stored type is newer.
    let seen = known.get(key) ?? (await readEventType(deps, ws, content.eventKey, { consistent: false }));
    for (let round = 0; round < TRIES; round += 1) {
      const shape = extendDataShape(seen?.shape, content);
      if (shape === undefined) {
        rememberEventType(key, seen);
        return isFirstOfType(seen);
      }
      const type = { eventKey: content.eventKey, firstSeenAt: seen?.firstSeenAt ?? toIso(receivedAt) };
      const stored = await storeEventType(deps, ws, type, shape, seen);
      if (stored.kind === "stored") {
        rememberEventType(key, stored.type);
        return isFirstOfType(stored.type);
      }
      seen = stored.type;
    }
    // If too many concurrent changes prevent the write, the next event with this key stores the fields.
    rememberEventType(key, undefined);
    return false;
  };
};
export type EventTypeLearner = ReturnType<typeof createEventTypeLearner>;
