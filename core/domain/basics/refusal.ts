import type * as v from "valibot";

/** `interface/errors.ts` describes each code. */
export type FaultCode =
  | "required"
  | "unknown_field"
  | "wrong_type"
  | "unknown_value"
  | "too_long"
  | "too_short"
  | "too_many"
  | "too_small"
  | "too_large"
  | "out_of_range"
  | "unknown_reference"
  | "in_use"
  | "not_allowed"
  | "not_configured"
  | "way_not_configured"
  | "wrong_name"
  | "not_on_call"
  | "country_not_allowed"
  | "premium_number"
  | "not_deliverable"
  | "budget_used_up"
  | "codes_used_up"
  | "code_expired"
  | "tries_used_up"
  | "wrong_code"
  | "not_verified"
  | "pattern_too_dear"
  | "idempotency_key_reused"
  | "invalid";

export type Fault = { field: string; code: FaultCode; message: string };

/** Says that a field of an event was stored with a change, or was not stored. */
export type EventWarning = { field: string; code: string; message: string };

/** A rate limit. `resetSeconds`: time until all `burst` requests are available. `windowSeconds`: maximum of `resetSeconds`. */
export type Rate = { burst: number; remaining: number; resetSeconds: number; windowSeconds: number };

export type RefusalKind =
  | "malformed_json"
  | "unauthenticated"
  | "not_a_member"
  | "role_required"
  | "people_only"
  | "not_the_recipient"
  | "key_scope"
  | "quota_exceeded"
  | "not_found"
  | "unknown_path"
  | "method_not_allowed"
  | "last_member"
  | "last_owner"
  | "already_member"
  | "limit_reached"
  | "workspace_limit"
  | "policy_in_use"
  | "used_by_policies"
  | "cover_closed"
  | "cannot_cover"
  | "event_over"
  | "nothing_to_do"
  | "changed_meanwhile"
  | "request_in_progress"
  | "body_too_large"
  | "unsupported_media_type"
  | "invalid_input"
  | "idempotency_key_reused"
  | "rate_limited"
  | "busy";

export type RefusalExtras = {
  faults?: readonly Fault[];
  /** Additional fields of the problem document, such as `limit`, `used` and `resetAt`. */
  members?: Readonly<Record<string, string | number | readonly object[]>>;
  /** The scheme of the WWW-Authenticate header. */
  challenge?: "ApiKey" | "Bearer" | "Receipt";
  /** The Allow header: the methods of the path, separated by commas. */
  allow?: string;
  retryAfterSeconds?: number;
  rate?: Rate;
};

/** The only kind of error whose message callers see. Any other error becomes the status 500. */
export class Refusal extends Error {
  readonly kind: RefusalKind;
  readonly extras: RefusalExtras;

  constructor(kind: RefusalKind, message: string, extras: RefusalExtras = {}) {
    super(message);
    this.name = "Refusal";
    this.kind = kind;
    this.extras = extras;
  }
}

/** Returns the refusal of a request for something that does not exist. `noun`: the kind of thing. */
export const notFoundRefusal = (noun: string, hint = ""): Refusal =>
  new Refusal("not_found", `This ${noun} does not exist.${hint}`);

/** Returns the refusal of an action that needs the role `required`, because the caller has `role`. */
export const refuseRole = (action: string, required: string, role: string): Refusal =>
  new Refusal(
    "role_required",
    `${action} requires the role ${required}; yours is ${role}. An owner of the workspace can change your role.`,
    { members: { required, role } },
  );

export const refuseLastOwner = (): Refusal =>
  new Refusal("last_owner", "This is the only owner of the workspace. Make somebody else an owner first.");

/** Returns the refusal of an input, with its faults. */
export const invalidInput = (faults: readonly Fault[]): Refusal =>
  new Refusal("invalid_input", faults.map((fault) => fault.message).join(" ") || "The input is not valid.", { faults });

export const refuseField = (field: string, code: FaultCode, message: string): Refusal =>
  invalidInput([{ field, code, message }]);

type Key = string | number;

/** Returns valibot's form of a path from the input to the faulty value. */
export const toIssuePath = (input: unknown, first: Key, ...rest: Key[]): [v.IssuePathItem, ...v.IssuePathItem[]] => {
  const toItem = (key: Key): v.IssuePathItem => ({ type: "unknown", origin: "value", input, key, value: undefined });
  return [toItem(first), ...rest.map(toItem)];
};
