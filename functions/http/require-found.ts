import type { IdPrefix } from "../../core/domain/basics/ids.ts";
import type { Warning } from "../../core/domain/basics/warning.ts";
import type { Left } from "../../core/flow/admin/remove-people.ts";
import { refuseField, notFoundRefusal } from "../../core/domain/basics/refusal.ts";
import { replyNoContent } from "./endpoint.ts";
import type { GatewayAnswer } from "./answer.ts";
import { chooseNoun, type ResourceKind } from "./path.ts";

/** Returns the value that a path refers to, or throws 404 if the value does not exist. */
export const requireFound = <Value>(value: Value | undefined, kind: ResourceKind): Value => {
  if (value === undefined) throw notFoundRefusal(chooseNoun(kind));
  return value;
};

/** Answers 204 if the item was deleted, and throws 404 if the item did not exist. */
export const replyDeleted = (
  wasThere: boolean,
  kind: ResourceKind,
  headers?: Readonly<Record<string, string>>,
): GatewayAnswer => {
  if (!wasThere) throw notFoundRefusal(chooseNoun(kind));
  return replyNoContent(headers);
};

/** The maximum number of ids in a header, because headers must be short. */
const IDS_NAMED = 20;

/** Answers like `replyDeleted`, with a header X-Warning: groups without recipients, and the person's valid keys and feeds. */
export const replyRemoved = (
  { outcome, warnings, left }: { outcome: boolean; warnings: readonly Warning[]; left?: Left },
  kind: IdPrefix,
): GatewayAnswer => {
  const byCode = Map.groupBy(warnings, ({ code }) => code);
  const formatWarning = (code: string, field: string, ids: readonly (string | undefined)[]): string =>
    `${code}; ${field}=${ids.slice(0, IDS_NAMED).join(",")}`;
  const named = [...byCode].map(([code, some]) =>
    formatWarning(
      code,
      "groups",
      some.map(({ id }) => id),
    ),
  );
  const { keys = [], feeds = [] } = left ?? {};
  if (keys.length > 0) named.push(formatWarning("keys_left", "keys", keys));
  if (feeds.length > 0) named.push(formatWarning("feeds_left", "groups", feeds));
  return replyDeleted(outcome, kind, named.length === 0 ? {} : { "X-Warning": named.join(", ") });
};

/** Returns the value that a field of the body refers to, or throws 422 if the value does not exist. */
export const requireReferenced = <Value>(value: Value | undefined, kind: IdPrefix, field: string): Value => {
  if (value === undefined)
    throw refuseField(
      field,
      "unknown_reference",
      `${field} must be the id of a ${chooseNoun(kind)} of this workspace.`,
    );
  return value;
};
