import * as v from "valibot";
import { toIso } from "../time.ts";
import { readInstant, YEAR_MAX, YEAR_MIN } from "./clock-text.ts";

/** Returns a schema that converts timestamps to UTC: `2026-03-02T09:00:00+01:00` becomes `2026-03-02T08:00:00.000Z`. */
export const timestampSchema = (field: string) => {
  const message =
    `${field} must be an ISO 8601 timestamp with Z or an offset, such as 2026-03-02T08:00:00Z, ` +
    `in the years ${YEAR_MIN} to ${YEAR_MAX}.`;
  return v.pipe(
    v.string(message),
    v.check((text) => readInstant(text) !== undefined, message),
    v.transform((text) => toIso(readInstant(text) ?? 0)),
  );
};
