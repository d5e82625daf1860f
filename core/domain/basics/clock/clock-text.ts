import { toIso, toUtcMs } from "../time.ts";

/** The first valid year: earlier dates are treated as typing errors. */
export const YEAR_MIN = 1970;
export const YEAR_MAX = 2099;

const SHAPE = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d+))?)?(?:(Z)|([+-])(\d{2}):?(\d{2}))?$/;

/** A time in milliseconds. A local time was written without `Z` or an offset. */
export type ClockReading = { kind: "instant"; ms: number } | { kind: "local"; local: number };

/** Reads `2026-03-02T09:00`, optionally with seconds, a fraction (cut to milliseconds) and an offset. Refuses February 30. */
export const readClock = (text: string): ClockReading | undefined => {
  const parts = SHAPE.exec(text);
  if (parts === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  if (year < YEAR_MIN || year > YEAR_MAX || hour > 23 || minute > 59 || second > 59) return undefined;
  const local =
    toUtcMs(year, month, day, hour, minute) + second * 1_000 + Number((parts[7] ?? "0").slice(0, 3).padEnd(3, "0"));
  if (!toIso(local).startsWith(text.slice(0, 10))) return undefined;
  if (parts[8] === "Z") return { kind: "instant", ms: local };
  const sign = parts[9];
  if (sign === undefined) return { kind: "local", local };
  const [hours, minutes] = [Number(parts[10]), Number(parts[11])];
  if (hours > 14 || minutes > 59) return undefined;
  const offset = (hours * 60 + minutes) * 60_000;
  return { kind: "instant", ms: sign === "-" ? local + offset : local - offset };
};

/** Returns milliseconds; undefined if the text is not a time with `Z` or an offset. */
export const readInstant = (text: string): number | undefined => {
  const reading = readClock(text);
  return reading?.kind === "instant" ? reading.ms : undefined;
};
