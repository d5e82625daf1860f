import type * as v from "valibot";
import type { Fault } from "../core/domain/basics/refusal.ts";
import type { Role } from "../core/domain/people/role.ts";
import { type Access, tableActions } from "./access.ts";
import type { ProblemCode } from "./problems.ts";
import type { AnswerName } from "./shapes.ts";

/**
 * A contract describes the operations of a resource. For each Lambda function (`reads`, `writes` and others), a contract exports
 * a record of operations by name. A contract does not call code, so a bundle contains only the operations of its own function.
 */

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * How a caller authenticates. `api-key`: the function checks X-Api-Key. `session`: the API's JWT authorizer requires a session
 * token. `secret-path`: the function checks a secret in the path. `receipt`: the function checks a proof in the body.
 * `signature`: the function checks a signature of the body in the headers.
 */
export type Auth = "api-key" | "session" | "secret-path" | "receipt" | "signature";

export type QueryParameter = { name: string; description: string; schema: object; required?: boolean };

/** The name of an answer's schema; in brackets, an array with items of the schema. */
export type Shape = AnswerName | readonly [AnswerName];

export type Answers = Readonly<
  Record<
    number,
    {
      /** The answer's schema; absent if the answer is empty or not JSON. */
      shape?: Shape;
      textType?: string;
      /** The description of the status, instead of the usual description. */
      description?: string;
    }
  >
>;

export type RouteKey = {
  method: Method;
  /** The path in API Gateway's notation, with `{name}` for parameters. */
  path: string;
  /** Default: `session`. */
  auth?: Auth;
};

export type Operation = RouteKey & {
  /** The lowest role that may call the operation; absent if no membership is needed. */
  role?: Role;
  /** The name of the path parameter that contains a person's id. Members of any role may call the operation with their own id. */
  ofOneself?: string;
  /** Refuses machines, because the operation is about personal data. */
  forPeople?: true;
  also?: readonly RouteKey[];
  /** More routes to the operation's function, which the API reference does not list. */
  besides?: readonly Omit<RouteKey, "auth">[];

  summary: string;
  description?: string | readonly string[];
  query?: readonly QueryParameter[];
  body?: v.GenericSchema;
  /** The schema of the body of a change to an item. Read-only fields that are sent back unchanged are ignored. */
  change?: v.GenericSchema & { readonly entries: object };
  look?: (json: object) => readonly Fault[];
  /** The schemas of bodies that are not JSON, by content type. */
  otherBodies?: readonly (readonly [contentType: string, schema: v.GenericSchema])[];
  /** Whether answers have an ETag, and changes and deletions accept If-Match. */
  versioned?: true;
  answers: Answers;
  /** The error codes, except the codes that follow from other fields: for authentication, body, path ids and query. */
  refuses?: readonly ProblemCode[];
  access: Access;
};

export type Operations = Readonly<Record<string, Operation>>;

export const [get, batch, query, put, update, remove] = tableActions;

export const gone = { 204: {} } as const;

/** The query parameter of paginated lists. The header `Link` (rel=next) has the URL of the next page. */
export const after: QueryParameter = {
  name: "after",
  description: "The entry after which the page begins, from a `Link` header.",
  schema: { type: "string" },
};

/** The query parameter of lists that grow as long as a workspace exists. */
export const cursor: QueryParameter = {
  name: "cursor",
  description:
    "The position at which the page begins, from the list's `Link` header (rel=next). The filters must be the same.",
  schema: { type: "string" },
};

export const order: QueryParameter = {
  name: "order",
  description: "`urgency`: the most urgent events first, then the newest. Only with `state=open`, not with `cursor`.",
  schema: { type: "string", enum: ["urgency"] },
};

export const nobodyLeft =
  "`X-Warning` names groups without members (`group_empty; groups=...`), or without anybody on call now " +
  "(`nobody_on_duty; groups=...`).";

/** Returns the schema of the body or of the change; undefined if the endpoint takes no body. */
export const findBodySchema = ({ body, change }: Pick<Operation, "body" | "change">): v.GenericSchema | undefined =>
  body ?? change;

const PARAMETER = /\{(\w+)\}/g;

export const listPathParameters = (path: string): string[] =>
  [...path.matchAll(PARAMETER)].map(([, name = ""]) => name);

/** A path parameter that matches an extra slash at the end, which some tools add and API Gateway does not ignore. */
export const REST = "rest";
