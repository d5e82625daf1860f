import * as v from "valibot";
import type { TableDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { DataShape, type EventType, type EventTypeView } from "../../domain/rules/event-type.ts";
import { TYPE_FIELDS_MAX } from "../../domain/basics/limits.ts";
import type { SeenPaths } from "../../domain/rules/doubtful-rules.ts";
import { deflatedSchema, deflate } from "../codec.ts";
import { eventTypeKey, eventTypesPk } from "../keys.ts";
import { getItem, putItemIf, queryItems } from "../table.ts";

const EventTypeItem = v.object({
  eventKey: v.string(),
  firstSeenAt: v.string(),
  shape: deflatedSchema(DataShape),
  /** The number of changes, by which concurrent changes are detected. */
  version: v.number(),
});

/** If a workspace has more event types, the service does not warn of event keys that were never received. */
const SEEN_TYPES_MAX = 200;

export type KnownEventType = v.InferOutput<typeof EventTypeItem>;

export const readEventType = (
  deps: TableDeps,
  ws: WorkspaceId,
  key: string,
  options?: { consistent?: boolean },
): Promise<KnownEventType | undefined> => getItem(deps, eventTypeKey(ws, key), EventTypeItem, options);

/** Stores the fields of an event type, unless they have changed since `seen` was read. Returns the current fields. */
export const storeEventType = async (
  deps: TableDeps,
  ws: WorkspaceId,
  type: EventType,
  shape: DataShape,
  seen: KnownEventType | undefined,
): Promise<{ kind: "stored"; type: KnownEventType } | { kind: "changed"; type: KnownEventType | undefined }> => {
  const version = (seen?.version ?? 0) + 1;
  const item = { eventKey: type.eventKey, firstSeenAt: type.firstSeenAt, shape: deflate(shape), version };
  const expression =
    seen === undefined
      ? {}
      : { condition: "#version = :version", names: { "#version": "version" }, values: { ":version": seen.version } };
  const put = await putItemIf(deps, eventTypeKey(ws, type.eventKey), item, EventTypeItem, expression);
  return put.kind === "done"
    ? { kind: "stored", type: { ...type, shape, version } }
    : { kind: "changed", type: put.item };
};

/** Lists the event types, sorted by key. */
export const listEventTypes = async (deps: TableDeps, ws: WorkspaceId): Promise<EventType[]> => {
  const types = await queryItems(deps, { pk: eventTypesPk(ws) }, EventTypeItem);
  return types.map(({ eventKey, firstSeenAt }) => ({ eventKey, firstSeenAt }));
};

/** Reads a workspace's received event keys and fields. Returns an empty map if the workspace has too many event types. */
export const readSeenPaths = async (deps: TableDeps, ws: WorkspaceId): Promise<SeenPaths> => {
  const types = await queryItems(deps, { pk: eventTypesPk(ws) }, EventTypeItem, {
    consistent: false,
    limit: SEEN_TYPES_MAX,
  });
  if (types.length >= SEEN_TYPES_MAX) return new Map();
  return new Map(
    types.map(({ eventKey, shape }) => {
      const paths = Object.keys(shape);
      return [eventKey, paths.length >= TYPE_FIELDS_MAX ? undefined : paths];
    }),
  );
};

export const toEventTypeView = ({ eventKey, firstSeenAt, shape }: KnownEventType): EventTypeView => {
  const seen = Object.entries(shape).map(([path, field]) => ({ path, ...field }));
  const isData = ({ path }: { path: string }): boolean => path.startsWith("data.");
  return { eventKey, firstSeenAt, fields: seen.filter(isData), texts: seen.filter((field) => !isData(field)) };
};
