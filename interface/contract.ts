import type * as v from "valibot";
import type { Fault } from "../core/domain/basics/refusal.ts";
import type { Role } from "../core/domain/people/role.ts";
import { type Access, tableActions } from "./access.ts";
import type { ProblemCode } from "./problems.ts";
import type { AnswerName } from "./shapes.ts";

/*
 * The description of an endpoint. A resource's contract exports its functions: `reads` and `writes`, and single ones by
 * name. Each is a record of operations by the names that the document gives them. * Contracts call nothing, so that a
 * bundle holds only the operations that its function answers.
 */

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * `api-key`: the function itself checks X-Api-Key. `session`: the API's JWT authorizer lets nobody else through.
 * `secret-path`: the path holds a secret that the function checks. `receipt`: the body holds a proof that it checks.
 * `signature`: the headers sign the body, which it checks.
 */
export type Auth = "api-key" | "session" | "secret-path" | "receipt" | "signature";

export type QueryParameter = { name: string; description: string; schema: object; required?: boolean };

/** A name in brackets is an array of that. */
export type Shape = AnswerName | readonly [AnswerName];

export type Answers = Readonly<
  Record<
    number,
    {
      /** Absent where the answer is empty, or no JSON. */
      shape?: Shape;
      /** The content type of an answer that is not JSON. */
      textType?: string;
      /** The status has one of its own. */
      description?: string;
    }
  >
>;

/** A key under which API Gateway knows an operation. */
export type RouteKey = {
  method: Method;
  /** In API Gateway's notation, with `{name}` for a parameter. */
  path: string;
  /** Default: `session`. */
  auth?: Auth;
};

export type Operation = RouteKey & {
  /** The least role of a member who may call it. Where it is absent, no membership is asked for. */
  role?: Role;
  /** The parameter of the path that holds a person's id: on themselves, members of any role may call it. */
  ofOneself?: string;
  /** Machines are refused: it is about personal data. */
  forPeople?: true;
  /** Other keys of the same operation. */
  also?: readonly RouteKey[];
  /** Further keys, which no reference names, and which need the same as the first key. */
  besides?: readonly Omit<RouteKey, "auth">[];

  summary: string;
  /** Several are one text. */
  description?: string | readonly string[];
  query?: readonly QueryParameter[];
  /** The schema of the body. */
  body?: v.GenericSchema;
  /** The schema of a body that changes stored data: fields that are sent back as they were read are not a change. */
  change?: v.GenericSchema & { readonly entries: object };
  /** Faults of a body for which its schema is not even asked. */
  look?: (json: object) => readonly Fault[];
  /** Bodies of other content types than JSON. */
  otherBodies?: readonly (readonly [contentType: string, schema: v.GenericSchema])[];
  /** Its item has a version: answers carry an ETag, and changing or deleting it accepts If-Match. */
  versioned?: true;
  answers: Answers;
  /** Refusals besides those that follow from authentication, a body, a path id or a query. */
  refuses?: readonly ProblemCode[];
  /** The permissions of its function. */
  access: Access;
};

/** The operations of a function by their names. */
export type Operations = Readonly<Record<string, Operation>>;

export const [get, batch, query, put, update, remove] = tableActions;

export const gone = { 204: {} } as const;

/** For lists that may be too long for one answer: the header `Link` (rel=next) leads to the rest. */
export const after: QueryParameter = {
  name: "after",
  description: "The entry after which the list continues, from a `Link` header.",
  schema: { type: "string" },
};

/** For lists that grow for as long as a workspace lives. */
export const cursor: QueryParameter = {
  name: "cursor",
  description: "Where the list continues, from its `Link` header (rel=next), with the same filters.",
  schema: { type: "string" },
};

/** How a list of events or notifications is sorted. */
export const order: QueryParameter = {
  name: "order",
  description:
    "`urgency`, with `state=open`: the most urgent event first, then the newest, without a next page by cursor.",
  schema: { type: "string", enum: ["urgency"] },
};

/** An empty answer has no place for warnings. */
export const nobodyLeft =
  "The header `X-Warning` names groups without members (`group_empty; groups=...`), or without anybody on call now " +
  "(`nobody_on_duty; groups=...`).";

/** The schema of an operation's body, in whichever way it is read. */
export const bodyOf = ({ body, change }: Pick<Operation, "body" | "change">): v.GenericSchema | undefined =>
  body ?? change;

const PARAMETER = /\{(\w+)\}/g;

/** The names of a path's parameters, in their order. */
export const parametersOf = (path: string): string[] => [...path.matchAll(PARAMETER)].map(([, name = ""]) => name);

/**
 * The name of the remaining path that programs post to: their clients send a slash at the end, which API Gateway treats
 * as another path.
 */
export const REST = "rest";
