import * as v from "valibot";
import type { TableDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import type { Escalation } from "../../domain/escalation/escalation.ts";
import type { Firing } from "../../domain/delivery/delivery-plan.ts";
import type { AcceptedEvent } from "../../domain/event/event.ts";
import { Addition } from "../../domain/delivery/added.ts";
import { Recipient } from "../../domain/people/recipient.ts";
import { deflatedSchema, deflate } from "../codec.ts";
import { escalationKey, escalationsPk, firingKey, firingsPk, firingsPrefix, parseFiringKey } from "../keys.ts";
import { getItem, putItemIf, queryItems, updateItem } from "../table.ts";
import type { Seconds } from "../../domain/basics/seconds.ts";

const EscalationItem = v.object({
  state: v.picklist(["armed", "acknowledged"]),
  /** The next step and its time, which are both absent after the last step. */
  cursor: v.optional(v.number()),
  due: v.optional(v.number()),
  /** The last fired step, and the number of recipients of all steps so far. */
  last: v.optional(v.number(), 0),
  told: v.optional(v.number(), 0),
  /** The time until which a temporary acknowledgement stops the escalation, in milliseconds. */
  until: v.optional(v.number()),
  /** Set when a temporary acknowledgement ends: how many repeats of the policy are added, and when the repeats end. */
  added: v.optional(v.number()),
  ends: v.optional(v.number()),
});

const toEscalation = (item: v.InferOutput<typeof EscalationItem>): Escalation => ({
  acknowledged: item.state === "acknowledged",
  next: item.cursor === undefined || item.due === undefined ? undefined : { cursor: item.cursor, due: item.due },
  fired: item.last,
  told: item.told,
  until: item.until,
  added: item.added,
  ends: item.ends,
});

type EscalationRef = { ws: WorkspaceId; seq: number; rule: number };
/** `keptUntil`: the time from which the event's items may be deleted. */
type NewEscalationRef = EscalationRef & Pick<AcceptedEvent, "keptUntil">;
type NextStep = { cursor: number; due: number };

/** Starts an escalation, unless it already exists or `preventEscalation` prevented its start. */
export const startEscalation = async (
  deps: TableDeps,
  { ws, seq, rule, keptUntil: ttl }: NewEscalationRef,
  next: NextStep,
): Promise<void> => {
  const item = { state: "armed", cursor: next.cursor, due: next.due, last: 0, told: 0, ttl };
  await putItemIf(deps, escalationKey(ws, seq, rule), item, EscalationItem);
};

/** Reads the escalation of an event by a rule: strongly consistent, so that no confirmed acknowledgement is missed. */
export const readEscalation = async (
  deps: TableDeps,
  { ws, seq, rule }: EscalationRef,
): Promise<Escalation | undefined> => {
  const item = await getItem(deps, escalationKey(ws, seq, rule), EscalationItem);
  return item === undefined ? undefined : toEscalation(item);
};

const RULE = /#~?(\d+)$/;

/** Reads an event's escalations, by the number of the rule. `rules`: the first and the last rule's number. */
export const listEscalations = async (
  deps: TableDeps,
  { ws, seq }: Omit<EscalationRef, "rule">,
  rules: { from: number; to: number },
): Promise<Map<number, Escalation>> => {
  const range = {
    pk: escalationsPk(ws),
    from: escalationKey(ws, seq, rules.from).sk,
    to: escalationKey(ws, seq, rules.to).sk,
  };
  const items = await queryItems(deps, range, v.object({ sk: v.string(), ...EscalationItem.entries }));
  return new Map(items.map((item) => [Number(RULE.exec(item.sk)?.[1]), toEscalation(item)]));
};

const FiringItem = v.object({
  sk: v.string(),
  at: v.number(),
  recipients: deflatedSchema(v.array(Recipient)),
  /** Set if a member added the recipients to the event, so that the recipients belong to no rule. */
  addition: v.optional(Addition),
});
const toFiring = ({ at, recipients, addition }: v.InferOutput<typeof FiringItem>): Firing => ({
  at,
  recipients,
  ...(addition === undefined ? {} : { addition }),
});

/** Stores and returns a step's recipients, or returns recipients that were stored at `notBefore` (in milliseconds) or later. */
export const decideFiring = async (
  deps: TableDeps,
  { ws, seq, rule, keptUntil: ttl }: NewEscalationRef,
  cursor: number,
  firing: Firing,
  notBefore = 0,
): Promise<Firing> => {
  const item = { ...firing, recipients: deflate(firing.recipients), ttl };
  const put = await putItemIf(deps, firingKey(ws, seq, rule, cursor), item, FiringItem, {
    condition: "attribute_not_exists(pk) OR #at < :notBefore",
    names: { "#at": "at" },
    values: { ":notBefore": notBefore },
  });
  return put.item === undefined ? firing : toFiring(put.item);
};

/** Reads the stored recipients of a step. */
export const readFiring = async (
  deps: TableDeps,
  { ws, seq, rule }: EscalationRef,
  cursor: number,
): Promise<Firing | undefined> => {
  const item = await getItem(deps, firingKey(ws, seq, rule, cursor), FiringItem);
  return item === undefined ? undefined : toFiring(item);
};

/** Lists an event's escalation steps and additions with stored recipients, by rule and step; the last step may not have fired. */
export const listFirings = async (
  deps: TableDeps,
  { ws, seq }: Omit<EscalationRef, "rule">,
  options?: { consistent?: boolean },
): Promise<(Firing & { rule: number; cursor: number })[]> => {
  const items = await queryItems(deps, { pk: firingsPk(ws), prefix: firingsPrefix(seq) }, FiringItem, options);
  return items.map((item) => ({ ...parseFiringKey(item), ...toFiring(item) }));
};

/**
 * Stores that a step with stored recipients has fired, and advances to the next step. Does nothing if somebody has acknowledged,
 * or if another step is next. `refused`: another invocation or an earlier attempt of the SDK has changed the escalation.
 */
export const fireStep = async (
  deps: TableDeps,
  { ws, seq, rule }: EscalationRef,
  cursor: number,
  notified: number,
  next: NextStep | undefined,
): Promise<{ kind: "done" | "refused"; escalation: Escalation | undefined }> => {
  const result = await updateItem(deps, escalationKey(ws, seq, rule), EscalationItem, {
    update:
      "SET #last = :cursor, told = if_not_exists(told, :nobody) + :told" +
      (next === undefined ? " REMOVE #next, due" : ", #next = :next, due = :due"),
    condition: "#state = :armed AND #next = :cursor",
    names: { "#last": "last", "#state": "state", "#next": "cursor" },
    values: {
      ":armed": "armed",
      ":cursor": cursor,
      ":told": notified,
      // An escalation that was prevented before its start has no count of recipients.
      ":nobody": 0,
      ...(next === undefined ? {} : { ":next": next.cursor, ":due": next.due }),
    },
  });
  return { kind: result.kind, escalation: result.item === undefined ? undefined : toEscalation(result.item) };
};

/** Builds the update that ends an escalation (with `until`, temporarily). `ttl`: set if the update may create the item. */
const buildEndingUpdate = (until: number | undefined, ttl?: Seconds) => {
  const sets = [
    "#state = :acknowledged",
    ...(until === undefined ? [] : ["#until = :until"]),
    ...(ttl === undefined ? [] : ["#ttl = :ttl"]),
  ];
  return {
    update: `SET ${sets.join(", ")}${until === undefined ? " REMOVE #until" : ""}`,
    names: { "#state": "state", "#until": "until", ...(ttl === undefined ? {} : { "#ttl": "ttl" }) },
    values: {
      ":acknowledged": "acknowledged",
      ...(until === undefined ? {} : { ":until": until }),
      ...(ttl === undefined ? {} : { ":ttl": ttl }),
    },
  };
};

/** Ends an escalation, or prevents its start. `until`: the end of a temporary acknowledgement. */
export const preventEscalation = async (
  deps: TableDeps,
  { ws, seq, rule, keptUntil }: NewEscalationRef,
  until?: number,
): Promise<void> => {
  await updateItem(deps, escalationKey(ws, seq, rule), EscalationItem, buildEndingUpdate(until, keptUntil));
};

/** Ends an escalation, if any: with `until` temporarily, else permanently. Returns false if already ended temporarily. */
export const endEscalation = async (
  deps: TableDeps,
  { ws, seq, rule }: EscalationRef,
  until?: number,
): Promise<boolean> => {
  const { kind, item } = await updateItem(deps, escalationKey(ws, seq, rule), EscalationItem, {
    ...buildEndingUpdate(until),
    condition: `attribute_exists(pk)${until === undefined ? " AND attribute_not_exists(#until)" : ""}`,
  });
  return kind === "done" || item === undefined;
};

/** Replaces an escalation's next step and number of `added` repeats. Returns false if the escalation differs from `before`. */
export const replaceNextStep = async (
  deps: TableDeps,
  { ws, seq, rule }: EscalationRef,
  before: Pick<Escalation, "acknowledged" | "next">,
  { next, added }: { next: NextStep; added: number },
): Promise<boolean> => {
  const { kind } = await updateItem(deps, escalationKey(ws, seq, rule), EscalationItem, {
    update: "SET #next = :next, due = :due, added = :added",
    condition: `#state = :state AND ${before.next === undefined ? "attribute_not_exists(#next)" : "#next = :before"}`,
    names: { "#state": "state", "#next": "cursor" },
    values: {
      ":state": before.acknowledged ? "acknowledged" : "armed",
      ":next": next.cursor,
      ":due": next.due,
      ":added": added,
      ...(before.next === undefined ? {} : { ":before": before.next.cursor }),
    },
  });
  return kind === "done";
};

/** Continues an escalation whose acknowledgement ends at `until` or earlier. `ends`: when no more steps fire. */
export const resumeEscalation = async (
  deps: TableDeps,
  { ws, seq, rule }: EscalationRef,
  { until, next, added, ends }: { until: number; next: NextStep; added: number; ends: number },
): Promise<Escalation | undefined> => {
  const { item } = await updateItem(deps, escalationKey(ws, seq, rule), EscalationItem, {
    update: "SET #state = :armed, #next = :next, due = :due, added = :added, #ends = :ends REMOVE #until",
    condition: "#state = :acknowledged AND #until <= :until",
    names: { "#state": "state", "#next": "cursor", "#ends": "ends", "#until": "until" },
    values: {
      ":armed": "armed",
      ":acknowledged": "acknowledged",
      ":until": until,
      ":next": next.cursor,
      ":due": next.due,
      ":added": added,
      ":ends": ends,
    },
  });
  return item === undefined ? undefined : toEscalation(item);
};
