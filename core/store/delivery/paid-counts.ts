import * as v from "valibot";
import type { Deps, TableDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import type { PaidChannel } from "../../domain/device/device.ts";
import { formatUtcMonth } from "../../domain/workspace/usage-plan.ts";
import { toIso } from "../../domain/basics/time.ts";
import { paidCountKey } from "../keys.ts";
import { updateItem } from "../table.ts";

/** Each count is stored by its id until it is settled, so that a repeated write is neither counted nor refunded twice. */
const CountItem = v.looseObject({ sent: v.optional(v.number(), 0) });

/** `month`: in UTC. */
export type CountedPaid = { id: string; channel: PaidChannel; month: string; count: number };

/** Counts paid messages that a channel is about to send this month: the requested number, or as many as `monthlyLimit` allows. */
export const countPaidMessages = async (
  deps: Pick<Deps, "table" | "now" | "newId">,
  ws: WorkspaceId,
  channel: PaidChannel,
  monthlyLimit: number,
  requested: number,
): Promise<CountedPaid> => {
  const month = formatUtcMonth(toIso(deps.now()));
  const id = deps.newId("lease");
  let count = Math.min(requested, monthlyLimit);
  while (count > 0) {
    const counted = await updateItem(deps, paidCountKey(ws, channel, month), CountItem, {
      update: "SET sent = if_not_exists(sent, :none) + :count, #id = :count",
      condition: "(attribute_not_exists(sent) OR sent <= :room) AND attribute_not_exists(#id)",
      names: { "#id": id },
      values: { ":none": 0, ":count": count, ":room": monthlyLimit - count },
    });
    if (counted.kind === "done" || counted.item?.[id] === count) break;
    // If the write is refused, the code retries with fewer messages.
    count = Math.min(count - 1, monthlyLimit - (counted.item?.sent ?? monthlyLimit));
  }
  return { id, channel, month, count: Math.max(0, count) };
};

/** Settles a count of paid messages. Refunds the `unsent` messages, which were certainly not sent. */
export const finishPaidCount = async (
  deps: TableDeps,
  ws: WorkspaceId,
  { id, channel, month }: CountedPaid,
  unsent: number,
): Promise<void> => {
  await updateItem(deps, paidCountKey(ws, channel, month), CountItem, {
    update: "SET sent = sent - :unsent REMOVE #id",
    condition: "attribute_exists(#id)",
    names: { "#id": id },
    values: { ":unsent": unsent },
  });
};
