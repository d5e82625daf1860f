import * as v from "valibot";
import type { Deps } from "../deps.ts";
import { Recipient } from "../domain/people/recipient.ts";
import { Packed, pack } from "./codec.ts";
import { escalationKey } from "./keys.ts";
import { getItem, putItemIf, updateItem } from "./table.ts";
import type { Escalation } from "../domain/escalation/escalation.ts";

const EscalationItem = v.object({
  state: v.picklist(["armed", "acknowledged"]),
  /** The next firing and when it is due; neither after the last. */
  cursor: v.optional(v.number()),
  due: v.optional(v.number()),
  /** What each firing decided: when it was and for whom. */
  fired: v.record(v.string(), v.object({ at: v.number(), recipients: Packed(v.array(Recipient)) })),
});

const toEscalation = (item: v.InferOutput<typeof EscalationItem>): Escalation => ({
  acknowledged: item.state === "acknowledged",
  next: item.cursor === undefined || item.due === undefined ? undefined : { cursor: item.cursor, due: item.due },
  fired: item.fired,
});

type Place = { ws: string; seq: number; rule: number };
type Next = { cursor: number; due: number };

/** Arms an escalation unless it is armed already. */
export const armEscalation = async (deps: Pick<Deps, "table">, { ws, seq, rule }: Place, next: Next): Promise<void> => {
  const item = { state: "armed", cursor: next.cursor, due: next.due, fired: {} };
  await putItemIf(deps, escalationKey(ws, seq, rule), item, EscalationItem);
};

/** Strongly consistent: an acknowledgement that was answered is seen. */
export const readEscalation = async (
  deps: Pick<Deps, "table">,
  { ws, seq, rule }: Place,
): Promise<Escalation | undefined> => {
  const item = await getItem(deps, escalationKey(ws, seq, rule), EscalationItem);
  return item === undefined ? undefined : toEscalation(item);
};

/**
 * Fires one step: decides its time and its people for good and moves on to the next, provided that nobody has
 * acknowledged and that this firing is the one that is due. Gives the escalation as it stands afterwards either way;
 * `refused` means that somebody else was first (or an earlier try of ours, which the SDK repeated).
 */
export const fireStep = async (
  deps: Pick<Deps, "table">,
  { ws, seq, rule }: Place,
  cursor: number,
  firing: { at: number; recipients: readonly Recipient[] },
  next: Next | undefined,
): Promise<{ kind: "done" | "refused"; escalation: Escalation | undefined }> => {
  const result = await updateItem(deps, escalationKey(ws, seq, rule), EscalationItem, {
    update: `SET fired.#cursor = :firing${next === undefined ? " REMOVE #next, due" : ", #next = :next, due = :due"}`,
    condition: "#state = :armed AND #next = :cursor",
    names: { "#cursor": String(cursor), "#state": "state", "#next": "cursor" },
    values: {
      ":firing": { at: firing.at, recipients: pack(firing.recipients) },
      ":armed": "armed",
      ":cursor": cursor,
      ...(next === undefined ? {} : { ":next": next.cursor, ":due": next.due }),
    },
  });
  return { kind: result.kind, escalation: result.item === undefined ? undefined : toEscalation(result.item) };
};

/** Ends an escalation by an acknowledgement. Where none was armed, or it has ended, nothing changes. */
export const endEscalation = async (deps: Pick<Deps, "table">, { ws, seq, rule }: Place): Promise<void> => {
  await updateItem(deps, escalationKey(ws, seq, rule), EscalationItem, {
    update: "SET #state = :acknowledged",
    condition: "attribute_exists(pk)",
    names: { "#state": "state" },
    values: { ":acknowledged": "acknowledged" },
  });
};
