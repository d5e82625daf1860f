import * as v from "valibot";
import type { TableDeps, TimedDeps } from "../../deps.ts";
import { sweepsKey } from "../keys.ts";
import { updateItem } from "../table.ts";
import { MINUTE_MS } from "../../domain/basics/units.ts";

/*
 * When the last sweep began. A gap between two sweeps is an outage of the service, or the time that a restored table
 * lacks. A gap and its end are stored by one write, so that no crash loses it, and two sweeps that begin at the same
 * moment find the same.
 */

/** Sweeps begin every minute; without one for longer than this, calls of heartbeats may have been lost. */
const GAP_MS = 3 * MINUTE_MS;

/** An unreadable item counts as one from long ago. */
const Rounds = v.object({
  at: v.fallback(v.number(), 0),
  /** When the last gap ended. */
  back: v.fallback(v.optional(v.number()), undefined),
});

/** When the last gap between sweeps ended (undefined: there was none), and whether it ended with this sweep. */
export type AfterGap = { back: number | undefined; isBack: boolean };

/** Stores that a sweep begins. One write; two in the first sweep after a gap. */
export const setSweep = async (deps: TimedDeps): Promise<AfterGap> => {
  const now = deps.now();
  const from = now - GAP_MS;
  const goesOn = await updateItem(deps, sweepsKey, Rounds, {
    update: "SET #at = :now",
    condition: "attribute_not_exists(#at) OR #at BETWEEN :from AND :now",
    names: { "#at": "at" },
    values: { ":now": now, ":from": from },
  });
  if (goesOn.kind === "done") return { back: goesOn.item.back, isBack: false };
  // Another sweep was stored since, by a clock that is a little ahead.
  if (goesOn.item !== undefined && goesOn.item.at > now) return { back: goesOn.item.back, isBack: false };
  const ends = await updateItem(deps, sweepsKey, Rounds, {
    update: "SET #at = :now, #back = :now",
    condition: "NOT #at >= :from",
    names: { "#at": "at", "#back": "back" },
    values: { ":now": now, ":from": from },
  });
  return { back: ends.item?.back, isBack: ends.kind === "done" };
};

/** Lets time pass without a gap, up to a moment: a clock that is moved for a test is not an outage. */
export const passOver = async (deps: TableDeps, at: number): Promise<void> => {
  await updateItem(deps, sweepsKey, Rounds, {
    update: "SET #at = :at",
    condition: "attribute_exists(#at) AND NOT #at >= :at",
    names: { "#at": "at" },
    values: { ":at": at },
  });
};
