import type * as v from "valibot";
import type { Fault } from "../core/domain/basics/refusal.ts";
import type { Role } from "../core/domain/people/role.ts";
import { type Access, tableActions } from "./access.ts";
import type { ProblemCode } from "./problems.ts";
import type { AnswerName } from "./shapes.ts";

/*
 * The contract of a resource exports its functions: `reads`, `writes`, and some with their own names. Each is a record of
 * operations by their names in the document. Contracts call no functions, so that a bundle contains only the operations that its
 * function answers.
 */

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * The way in which a caller authenticates. `api-key`: the function checks X-Api-Key. `session`: the API's JWT authorizer requires
 * a session token. `secret-path`: the function checks a secret in the path. `receipt`: the function checks a proof in the body.
 * `signature`: the function checks the body's signature in the headers.
 */
export type Auth = "api-key" | "session" | "secret-path" | "receipt" | "signature";

export type QueryParameter = { name: string; description: string; schema: object; required?: boolean };

/** The schema of an answer; a name in brackets is an array of it. */
export type Shape = AnswerName | readonly [AnswerName];

export type Answers = Readonly<
  Record<
    number,
    {
      /** The shape of the answer; absent if the answer is empty or not JSON. */
      shape?: Shape;
      /** The content type of an answer that is not JSON. */
      textType?: string;
      /** Replaces the usual description of the status. */
      description?: string;
    }
  >
>;

/** A method and path under which API Gateway routes to an operation. */
export type RouteKey = {
  method: Method;
  /** The path in API Gateway's notation, with `{name}` for a parameter. */
  path: string;
  /** `session` by default. */
  auth?: Auth;
};

export type Operation = RouteKey & {
  /** The lowest role that a member needs. Absent if no membership is required. */
  role?: Role;
  /** The path parameter with a person's id. Members of any role may call the operation with their own id. */
  ofOneself?: string;
  /** Refuses machines, because the operation is about personal data. */
  forPeople?: true;
  /** Other routes of the same operation, which the reference lists. */
  also?: readonly RouteKey[];
  /** Further routes that the reference does not list, and that need the same permissions as the first. */
  besides?: readonly Omit<RouteKey, "auth">[];

  summary: string;
  /** The description for the document; a list of texts is joined. */
  description?: string | readonly string[];
  query?: readonly QueryParameter[];
  body?: v.GenericSchema;
  /** The schema of a body that changes stored data: fields that are sent back unchanged do not count as a change. */
  change?: v.GenericSchema & { readonly entries: object };
  /** Finds faults of a body before its schema is applied. */
  look?: (json: object) => readonly Fault[];
  /** Bodies with other content types than JSON. */
  otherBodies?: readonly (readonly [contentType: string, schema: v.GenericSchema])[];
  /** Whether the operation's item has a version: answers have an ETag, and changes and deletions accept If-Match. */
  versioned?: true;
  answers: Answers;
  /** Refusals besides those caused by authentication, a body, a path id or a query. */
  refuses?: readonly ProblemCode[];
  access: Access;
};

export type Operations = Readonly<Record<string, Operation>>;

export const [get, batch, query, put, update, remove] = tableActions;

export const gone = { 204: {} } as const;

/** The parameter of lists that may be too long for one answer. The header `Link` (rel=next) has the URL of the next page. */
export const after: QueryParameter = {
  name: "after",
  description: "The entry after which to continue, from a `Link` header.",
  schema: { type: "string" },
};

/** The parameter of lists that grow for as long as a workspace exists. */
export const cursor: QueryParameter = {
  name: "cursor",
  description: "Where to continue, from the list's `Link` header (rel=next), with the same filters.",
  schema: { type: "string" },
};

export const order: QueryParameter = {
  name: "order",
  description: "`urgency`: the most urgent events first, then the newest. Only with `state=open`, not with `cursor`.",
  schema: { type: "string", enum: ["urgency"] },
};

/** The description of warnings in a header, for answers without a body. */
export const nobodyLeft =
  "`X-Warning` names groups without members (`group_empty; groups=...`), or without anybody on call now " +
  "(`nobody_on_duty; groups=...`).";

export const bodySchema = ({ body, change }: Pick<Operation, "body" | "change">): v.GenericSchema | undefined =>
  body ?? change;

const PARAMETER = /\{(\w+)\}/g;

/** Returns the names of a path's parameters, in order. */
export const listParameters = (path: string): string[] => [...path.matchAll(PARAMETER)].map(([, name = ""]) => name);

/**
 * The name of the parameter for the rest of the path. Routes need it because clients of some tools add a slash, which makes
 * another path for API Gateway.
 */
export const REST = "rest";
