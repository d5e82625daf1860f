import type { IdPrefix } from "../../core/domain/basics/ids.ts";
import { invalid, notFound } from "../../core/domain/basics/refusal.ts";
import { noContent, type GatewayAnswer } from "./endpoint.ts";
import { nounOf, type Named } from "./path.ts";

/** The value that a path names, or 404. */
export const found = <Value>(value: Value | undefined, prefix: Named): Value => {
  if (value === undefined) throw notFound(nounOf(prefix));
  return value;
};

/** 204 if it was deleted, 404 if it did not exist. */
export const deleted = (
  wasThere: boolean,
  prefix: IdPrefix,
  headers?: Readonly<Record<string, string>>,
): GatewayAnswer => {
  if (!wasThere) throw notFound(nounOf(prefix));
  return noContent(headers);
};

/** The value that a body names by id, or 422 at its field. */
export const referred = <Value>(value: Value | undefined, prefix: IdPrefix, field: string): Value => {
  if (value === undefined)
    throw invalid([
      {
        field,
        code: "unknown_reference",
        message: `${field} must be the id of a ${nounOf(prefix)} of this workspace.`,
      },
    ]);
  return value;
};
