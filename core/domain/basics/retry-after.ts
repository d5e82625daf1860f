import { parseHttpDate } from "./time.ts";

/** Returns the pause in milliseconds; undefined if the header contains neither seconds nor a date. */
export const parseRetryAfter = (header: unknown, nowMs: number): number | undefined => {
  if (typeof header !== "string") return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const atMs = parseHttpDate(header);
  return atMs === undefined ? undefined : Math.max(0, atMs - nowMs);
};
