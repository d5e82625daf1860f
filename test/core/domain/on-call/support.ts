import * as v from "valibot";
import { findDutyAt, OnCallSchedule, type OverridePeriod } from "../../../../core/domain/on-call/index.ts";
import { fromIso } from "../../../../core/domain/basics/time.ts";

export const [ann, bob, cyd, dan] = ["usr_ann", "usr_bob", "usr_cyd", "usr_dan"] as const;

/** A daily rotation of three people from Monday, 2 March 2026, 09:00 local time. */
export const aLayer = (changes: object = {}) => ({
  start: "2026-03-02T09:00",
  every: 1,
  unit: "day",
  participants: [ann, bob, cyd],
  ...changes,
});

export const aSchedule = (timeZone: string, ...layers: unknown[]): OnCallSchedule =>
  v.parse(OnCallSchedule, { timeZone, layers });

export const at = (iso: string): number => {
  const ms = fromIso(iso);
  if (ms === undefined) throw new Error(`${iso} is no timestamp`);
  return ms;
};

export const usersAt = (schedule: OnCallSchedule, iso: string, overrides: OverridePeriod[] = []): string[] =>
  findDutyAt({ schedule, overrides }, at(iso)).people.map(({ userId }) => userId);
