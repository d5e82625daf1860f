import type * as v from "valibot";
import { invalidInput, type Fault } from "../../core/domain/basics/refusal.ts";
import { isDeepEqual } from "../../core/domain/basics/equality.ts";
import { Authored } from "../../core/domain/basics/authored.ts";
import type { IfMatch } from "../../core/domain/basics/version.ts";
import { readJson, readValue } from "./body.ts";
import type { GatewayAnswer } from "./answer.ts";
import type { HttpRequest } from "./request.ts";

/* Prevents lost updates: an item's version is its `ETag`, and a change with `If-Match` fails if the item has another version. */

type VersionedItem = { version: number };

const formatEtag = ({ version }: VersionedItem): string => `"${version}"`;

export const addEtag = (answer: GatewayAnswer, item: VersionedItem): GatewayAnswer => ({
  ...answer,
  headers: { ...answer.headers, ETag: formatEtag(item) },
});

/** Accepts weak tags, which proxies create when they compress answers. */
const TAG = /^(?:W\/)?"(?<tag>[^"]*)"$/;

/** Returns the versions in `If-Match`; undefined if the header is absent or `*`. */
export const parseExpectedVersions = ({ headers }: Pick<HttpRequest, "headers">): IfMatch => {
  const written = headers.get("if-match")?.trim();
  if (written === undefined || written === "*") return undefined;
  const tags = written.split(",").map((part) => TAG.exec(part.trim())?.groups?.["tag"]);
  if (tags.includes(undefined))
    throw invalidInput([
      {
        field: "If-Match",
        code: "invalid",
        message: 'If-Match must be the ETag of an answer, with its double quotes, such as "3", or *.',
      },
    ]);
  // A text that is not a whole number without leading zeros becomes NaN, which equals no version.
  return tags.map((tag = "") => (/^(?:0|[1-9]\d{0,15})$/.test(tag) ? Number(tag) : NaN));
};

/** Fields that every change updates. A request with an older version in If-Match may contain the fields' old values. */
const MOVED: readonly string[] = ["version", "updatedAt"];

export type VisibleFields = Partial<VersionedItem> & object;
/** `derived`: fields that are computed for each answer, so that their values may have changed. */
export type HowRead = { derived?: readonly string[] };

/**
 * Reads a change of an item, of which clients see the fields `shown`. Ignores read-only fields that clients send back unchanged.
 * `check`: returns the faults of the changed fields.
 */
export const readChange = <Output>(
  request: HttpRequest,
  schema: v.GenericSchema<unknown, Output> & { readonly entries: object },
  shown: VisibleFields,
  { derived = [], check = () => [] }: HowRead & { check?: ((changed: object) => readonly Fault[]) | undefined } = {},
): Output => {
  const expected = parseExpectedVersions(request);
  const isOld = expected !== undefined && !expected.includes(shown.version ?? 0);
  const current = new Map<string, unknown>(Object.entries(shown));
  const isReadOnlyField = (field: string, value: unknown): boolean =>
    derived.includes(field) ||
    Object.hasOwn(Authored.entries, field) ||
    (isOld && MOVED.includes(field)) ||
    (current.has(field) && isDeepEqual(current.get(field), value));
  const change = Object.entries(readJson(request)).filter(
    ([field, value]) => Object.hasOwn(schema.entries, field) || !isReadOnlyField(field, value),
  );
  const faults = check(Object.fromEntries(change.filter(([field, value]) => !isDeepEqual(current.get(field), value))));
  if (faults.length > 0) throw invalidInput(faults);
  return readValue(schema, Object.fromEntries(change));
};
