import * as v from "valibot";
import type { TableDeps, TimedDeps } from "../../deps.ts";
import { sweepsKey } from "../keys.ts";
import { updateItem } from "../table.ts";
import { MINUTE_MS } from "../../domain/basics/units.ts";

/* The start of a sweep and the end of a gap (an outage) are stored in one write, so that no crash loses the gap. */

/** The shortest pause between sweeps that counts as a gap, in which heartbeats' calls may be lost. Sweeps begin every minute. */
const GAP_MS = 3 * MINUTE_MS;

/** The start of the last sweep (`at`), which counts as very old if the stored text cannot be parsed. */
const Rounds = v.object({
  at: v.fallback(v.number(), 0),
  /** When sweeps resumed after the last gap, in milliseconds. */
  back: v.fallback(v.optional(v.number()), undefined),
});

/** `back`: the end of the last gap; undefined if there was no gap. `isBack`: whether this sweep ended the gap. */
export type AfterGap = { back: number | undefined; isBack: boolean };

/** Stores the start of a sweep. Returns the end of the last gap between sweeps. Needs one write, or two writes to end a gap. */
export const storeSweepStart = async (deps: TimedDeps): Promise<AfterGap> => {
  const now = deps.now();
  const from = now - GAP_MS;
  const goesOn = await updateItem(deps, sweepsKey, Rounds, {
    update: "SET #at = :now",
    condition: "attribute_not_exists(#at) OR #at BETWEEN :from AND :now",
    names: { "#at": "at" },
    values: { ":now": now, ":from": from },
  });
  if (goesOn.kind === "done") return { back: goesOn.item.back, isBack: false };
  // An instance whose clock is slightly ahead has stored another sweep.
  if (goesOn.item !== undefined && goesOn.item.at > now) return { back: goesOn.item.back, isBack: false };
  const ends = await updateItem(deps, sweepsKey, Rounds, {
    update: "SET #at = :now, #back = :now",
    condition: "NOT #at >= :from",
    names: { "#at": "at", "#back": "back" },
    values: { ":now": now, ":from": from },
  });
  return { back: ends.item?.back, isBack: ends.kind === "done" };
};

/** Sets the time of the last sweep, so that moving the clock in a test is not reported as an outage. */
export const skipTimeTo = async (deps: TableDeps, now: number): Promise<void> => {
  await updateItem(deps, sweepsKey, Rounds, {
    update: "SET #at = :at",
    condition: "attribute_exists(#at) AND NOT #at >= :at",
    names: { "#at": "at" },
    values: { ":at": now },
  });
};
