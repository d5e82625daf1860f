import * as v from "valibot";
import type { Deps } from "../deps.ts";
import { formatEventId, parseEventId } from "../domain/basics/ids.ts";
import { Priority } from "../domain/basics/priority.ts";
import { PACK_RECIPIENTS_MAX, type DeliveryPlan } from "../domain/delivery/delivery-plan.ts";
import type { StoredEvent } from "../domain/event/stored-event.ts";
import { openEventKey, openEventsPk } from "./keys.ts";
import { deleteItem, deleteItemIf, putItem, putItemIf, queryItems } from "./table.ts";

/*
 * The events that wait for an acknowledgement have a partition of their own, with what a list shows of them, so that
 * reading the open events does not read the others. A row is written before the event's notifications and removed after
 * the event has ended.
 */

const OpenItem = v.object({
  sk: v.string(),
  nonce: v.string(),
  eventKey: v.string(),
  title: v.string(),
  priority: Priority,
  at: v.number(),
  count: v.number(),
  dedupeKey: v.optional(v.string()),
  /** Whom the rules that need an acknowledgement tell, by the rule's place in the plan; when; whether one escalates. */
  told: v.optional(
    v.object({
      at: v.number(),
      escalates: v.boolean(),
      rules: v.array(v.tuple([v.number(), v.array(v.string())])),
    }),
  ),
});

/** An open event, with the fields that a list shows. */
export type OpenEvent = Pick<StoredEvent, "eventId" | "seq" | "receivedAt" | "notifications"> & {
  content: Pick<StoredEvent["content"], "eventKey" | "title" | "priority" | "dedupeKey">;
  /** Undefined if a row cannot carry that many people. */
  told?: Told | undefined;
};
type Told = v.InferOutput<typeof OpenItem>["told"] & {};

/** The most people that a row names: as many as a pack, so that the row stays below a kilobyte. */
const ROW_PEOPLE_MAX = PACK_RECIPIENTS_MAX;

/** The people whom a plan tells, as a row keeps them; undefined if a row cannot carry that many. */
export const toldBy = ({ at, rules }: Pick<DeliveryPlan, "at" | "rules">): Told | undefined => {
  const asking = [...rules.entries()].filter(([, { requiresAck }]) => requiresAck);
  const people = asking.reduce((sum, [, { recipients }]) => sum + recipients.length, 0);
  if (people > ROW_PEOPLE_MAX) return undefined;
  return {
    at,
    escalates: asking.some(([, { escalation }]) => escalation !== undefined),
    rules: asking
      .filter(([, { recipients }]) => recipients.length > 0)
      .map(([rule, { recipients }]) => [rule, recipients.map(({ userId }) => userId)]),
  };
};

const toOpenEvent = (item: v.InferOutput<typeof OpenItem>): OpenEvent => {
  const seq = Number(item.sk);
  const { eventKey, title, priority, dedupeKey, told } = item;
  return {
    eventId: formatEventId({ seq, nonce: item.nonce }),
    seq,
    receivedAt: item.at,
    notifications: item.count,
    content: { eventKey, title, priority, dedupeKey },
    told,
  };
};

const nonceOf = (eventId: string): string => parseEventId(eventId)?.nonce ?? "";

const toItem = ({ eventId, receivedAt, notifications, content, told }: OpenEvent) => {
  const { eventKey, title, priority, dedupeKey } = content;
  return { nonce: nonceOf(eventId), eventKey, title, priority, at: receivedAt, count: notifications, dedupeKey, told };
};

export const putOpenEvent = (deps: Pick<Deps, "table">, ws: string, event: OpenEvent): Promise<void> =>
  putItem(deps, openEventKey(ws, event.seq), toItem(event));

/**
 * Lists an event whose number may belong to another event after a restore of the table. The other event's row stays as
 * it is. Says whether the row is this event's.
 */
export const tryOpenEvent = async (deps: Pick<Deps, "table">, ws: string, event: OpenEvent): Promise<boolean> => {
  const item = toItem(event);
  const { kind } = await putItemIf(deps, openEventKey(ws, event.seq), item, OpenItem, {
    condition: "attribute_not_exists(pk) OR nonce = :nonce",
    values: { ":nonce": item.nonce },
  });
  return kind === "done";
};

/** Removes the row that `tryOpenEvent` has written. */
export const dropOpenEvent = async (
  deps: Pick<Deps, "table">,
  ws: string,
  { eventId, seq }: Pick<OpenEvent, "eventId" | "seq">,
): Promise<void> => {
  await deleteItemIf(deps, openEventKey(ws, seq), OpenItem, {
    condition: "nonce = :nonce",
    values: { ":nonce": nonceOf(eventId) },
  });
};

/** Removing a row that is gone changes nothing. */
export const removeOpenEvent = (deps: Pick<Deps, "table">, ws: string, seq: number): Promise<void> =>
  deleteItem(deps, openEventKey(ws, seq));

/** The open events of a workspace, the newest first: all of them, or those with numbers from `from` to `to`. */
export const listOpenEvents = async (
  deps: Pick<Deps, "table">,
  ws: string,
  { from, to, limit }: { from?: number; to?: number | undefined; limit?: number } = {},
): Promise<OpenEvent[]> => {
  const range = {
    ...(from === undefined ? {} : { from: openEventKey(ws, from).sk }),
    ...(to === undefined ? {} : { to: openEventKey(ws, to).sk }),
  };
  const items = await queryItems(deps, { pk: openEventsPk(ws), ...range }, OpenItem, {
    consistent: from !== undefined,
    descending: true,
    ...(limit === undefined ? {} : { limit }),
  });
  return items.map(toOpenEvent);
};
