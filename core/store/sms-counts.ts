import * as v from "valibot";
import type { Deps } from "../deps.ts";
import { monthOf } from "../domain/workspace/usage-plan.ts";
import { toIso } from "../domain/basics/time.ts";
import { smsCountKey } from "./keys.ts";
import { updateItem } from "./table.ts";

/** Each count is noted by its id until it is settled, so that a repeated write counts once and takes back once. */
const CountItem = v.looseObject({ sent: v.optional(v.number(), 0) });

/** Text messages that were counted: the id of the count, and the month (UTC) that they are counted in. */
export type CountedSms = { id: string; month: string; count: number };

/** Counts text messages that are about to be sent this month: so many, or as many as are left of `monthly`. */
export const countSms = async (
  deps: Pick<Deps, "table" | "now" | "newId">,
  ws: string,
  monthly: number,
  wanted: number,
): Promise<CountedSms> => {
  const month = monthOf(toIso(deps.now()));
  const id = deps.newId("lease");
  let count = Math.min(wanted, monthly);
  while (count > 0) {
    const counted = await updateItem(deps, smsCountKey(ws, month), CountItem, {
      update: "SET sent = if_not_exists(sent, :none) + :count, #id = :count",
      condition: "(attribute_not_exists(sent) OR sent <= :room) AND attribute_not_exists(#id)",
      names: { "#id": id },
      values: { ":none": 0, ":count": count, ":room": monthly - count },
    });
    if (counted.kind === "done" || counted.item?.[id] === count) break;
    // Less than was wanted, and less each time.
    count = Math.min(count - 1, monthly - (counted.item?.sent ?? monthly));
  }
  return { id, month, count: Math.max(0, count) };
};

/** Ends a count, and takes back how many of its messages were certainly not sent. */
export const settleSms = async (
  deps: Pick<Deps, "table">,
  ws: string,
  { id, month }: CountedSms,
  unsent: number,
): Promise<void> => {
  await updateItem(deps, smsCountKey(ws, month), CountItem, {
    update: "SET sent = sent - :unsent REMOVE #id",
    condition: "attribute_exists(#id)",
    names: { "#id": id },
    values: { ":unsent": unsent },
  });
};
