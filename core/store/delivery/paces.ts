import * as v from "valibot";
import { AGAIN, retryChange } from "../../domain/basics/attempt.ts";
import type { TableDeps } from "../../deps.ts";
import type { SendTurns } from "../../domain/delivery/pace.ts";
import type { ContactChannel } from "../../domain/device/device.ts";
import { paceKey } from "../keys.ts";
import { getItem, updateItem } from "../table.ts";

/** Until when a channel's times of sending are reserved: for URGENT messages, and for all other messages; in microseconds. */
const PaceItem = v.object({ urgent: v.optional(v.number(), 0), bulk: v.optional(v.number(), 0) });

/**
 * Reserves `count` turns (times of sending, `step` apart) at the end of a sequence, at `from` or later; both in microseconds.
 * URGENT messages have their own sequence, and all other turns come after its end. Costs one write if the guessed end is right.
 */
export const reserveTurns = async (
  deps: TableDeps,
  channel: ContactChannel,
  { urgent, count, from, step }: { urgent: boolean; count: number; from: number; step: number },
): Promise<SendTurns> => {
  let seen = { urgent: 0, bulk: 0 };
  const line = urgent ? "urgent" : "bulk";
  const end = await retryChange({ item: `the booked send times of ${channel}` }, async () => {
    const least = Math.max(from, urgent ? 0 : seen.urgent);
    const stands = seen[line] >= least;
    const written = await updateItem(deps, paceKey(channel), PaceItem, {
      update: stands ? "SET #line = #line + :turns" : "SET #line = :end",
      condition: stands
        ? `#line >= :least${urgent ? "" : " AND (attribute_not_exists(urgent) OR urgent <= #line)"}`
        : `(attribute_not_exists(#line) OR #line < :least)${urgent ? "" : " AND (attribute_not_exists(urgent) OR urgent <= :least)"}`,
      names: { "#line": line },
      values: stands ? { ":turns": count * step, ":least": least } : { ":end": least + count * step, ":least": least },
    });
    if (written.kind === "done") return written.item[line];
    seen = written.item ?? seen;
    return AGAIN;
  });
  return { first: end - count * step, step };
};

/** Returns until when (ms) the channel's times of sending are reserved for URGENT messages, from a read that may be stale. */
export const readEndOfUrgentTurns = async (deps: TableDeps, channel: ContactChannel): Promise<number> =>
  ((await getItem(deps, paceKey(channel), PaceItem, { consistent: false }))?.urgent ?? 0) / 1000;
