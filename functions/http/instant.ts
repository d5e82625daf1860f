import * as v from "valibot";
import { timestamp } from "../../core/domain/on-call/index.ts";
import { invalid } from "../../core/domain/refusal.ts";
import { fromIso } from "../../core/domain/time.ts";
import type { HttpRequest } from "./request.ts";

/** A point in time of the query, in milliseconds; undefined where none is asked for. */
export const readInstant = (request: HttpRequest, field: string): number | undefined => {
  const written = request.query.get(field);
  if (written === undefined) return undefined;
  // In a query a plus sign stands for a space.
  const result = v.safeParse(timestamp(field), written.replace(" ", "+"));
  if (result.success) return fromIso(result.output);
  throw invalid(result.issues.map(({ message }) => ({ field, code: "invalid", message })));
};
