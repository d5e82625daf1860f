import type * as v from "valibot";
import { invalid, type Fault } from "../../core/domain/basics/refusal.ts";
import { isSame } from "../../core/domain/basics/same.ts";
import { Authored } from "../../core/domain/basics/authored.ts";
import type { Expected } from "../../core/domain/basics/version.ts";
import { readJson, readValue } from "./body.ts";
import type { GatewayAnswer } from "./answer.ts";
import type { HttpRequest } from "./request.ts";

/*
 * Two people edit the same item: each answer that shows it carries its version as `ETag`, and a change or a deletion
 * with `If-Match` is made only if it still has that version.
 */

type Versioned = { version: number };

const tagOf = ({ version }: Versioned): string => `"${version}"`;

/** An answer that shows a thing, with its `ETag`. */
export const tagged = (answer: GatewayAnswer, shown: Versioned): GatewayAnswer => ({
  ...answer,
  headers: { ...answer.headers, ETag: tagOf(shown) },
});

/** A tag; a proxy that compresses answers makes them weak. */
const TAG = /^(?:W\/)?"(?<tag>[^"]*)"$/;

/** The versions that `If-Match` names; undefined where there is none, or it takes any. */
export const expectedVersions = ({ headers }: Pick<HttpRequest, "headers">): Expected => {
  const written = headers.get("if-match")?.trim();
  if (written === undefined || written === "*") return undefined;
  const tags = written.split(",").map((part) => TAG.exec(part.trim())?.groups?.["tag"]);
  if (tags.includes(undefined))
    throw invalid([
      {
        field: "If-Match",
        code: "invalid",
        message: 'If-Match must be an ETag as an answer gave it, with its double quotes, such as "3"; or *.',
      },
    ]);
  // A version is written in one way. Anything else matches no tag.
  return tags.map((tag = "") => (/^(?:0|[1-9]\d{0,15})$/.test(tag) ? Number(tag) : NaN));
};

/** Fields that another change updates. Sent back with an old version, they are not a fault. */
const MOVED: readonly string[] = ["version", "updatedAt"];

/** The changed item as an answer shows it. */
export type Shown = Partial<Versioned> & object;
/** `derived`: the fields that the service works out for each answer. */
export type HowRead = { derived?: readonly string[] };

/**
 * A change as parsed by its schema. Read-only fields that are sent back as they were read are no part of it, so that
 * what was read can be sent back. `shown`: the thing as an answer shows it; `derived`: fields that the service works out
 * for each answer, which may have become others meanwhile, as the names of authors may; `look`: faults of what is really changed, for which the
 * schema is not even asked.
 */
export const readChange = <Output>(
  request: HttpRequest,
  schema: v.GenericSchema<unknown, Output> & { readonly entries: object },
  shown: Shown,
  { derived = [], look = () => [] }: HowRead & { look?: ((changed: object) => readonly Fault[]) | undefined } = {},
): Output => {
  const expected = expectedVersions(request);
  const isOld = expected !== undefined && !expected.includes(shown.version ?? 0);
  const current = new Map<string, unknown>(Object.entries(shown));
  const isSentBack = (field: string, value: unknown): boolean =>
    derived.includes(field) ||
    Object.hasOwn(Authored.entries, field) ||
    (isOld && MOVED.includes(field)) ||
    (current.has(field) && isSame(current.get(field), value));
  const change = Object.entries(readJson(request)).filter(
    ([field, value]) => Object.hasOwn(schema.entries, field) || !isSentBack(field, value),
  );
  const faults = look(Object.fromEntries(change.filter(([field, value]) => !isSame(current.get(field), value))));
  if (faults.length > 0) throw invalid(faults);
  return readValue(schema, Object.fromEntries(change));
};
