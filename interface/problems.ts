import type { RefusalKind } from "../core/domain/basics/refusal.ts";

/** Failures of the service itself, as opposed to refusals. */
type OwnKind = "internal_error";
export type ProblemCode = RefusalKind | OwnKind;

type Meaning = { status: number; title: string; when: string };

/** The one place that knows which status a refusal has. A kind without an entry does not compile. */
export const problems: Readonly<Record<ProblemCode, Meaning>> = {
  malformed_json: {
    status: 400,
    title: "Malformed body",
    when: "The body is empty, is not UTF-8, is not JSON (the detail says where), or is JSON but not an object.",
  },
  unauthenticated: {
    status: 401,
    title: "Not authenticated",
    when: "The API key or the session token is missing, is of the other kind, or is not good (any more).",
  },
  not_a_member: {
    status: 403,
    title: "Not a member",
    when: "The caller is no member of the workspace in the path, or there is no such workspace.",
  },
  key_scope: {
    status: 403,
    title: "Key of another scope",
    when: "The API key is valid, but was made for the messages of one tool, or for other event keys. The detail says which.",
  },
  role_required: {
    status: 403,
    title: "Role required",
    when: "The caller's role in the workspace does not include this. `required` is the least role that does, `role` the caller's.",
  },
  people_only: {
    status: 403,
    title: "For people only",
    when: "The caller is a machine, and this is about what a person has: devices, shifts and notifications of one's own, being on an event.",
  },
  not_the_recipient: {
    status: 403,
    title: "Not the recipient",
    when: "Only the person who was told reports that a notification was delivered or opened. Every member may acknowledge it.",
  },
  quota_exceeded: {
    status: 403,
    title: "Monthly quota exceeded",
    when: "The workspace has used up the events that its plan has for this UTC month. `limit`, `used` and `resetAt` say more.",
  },
  workspace_limit: {
    status: 403,
    title: "Workspaces made",
    when: "One person makes at most 10 workspaces, unless an operator allows more.",
  },
  not_found: {
    status: 404,
    title: "Not found",
    when: "The workspace has nothing under this id. What belongs to another workspace is not found either.",
  },
  unknown_path: {
    status: 404,
    title: "Unknown path",
    when: "There is no such path: two slashes in a row, no /v1 in front, a typing error. The detail says what was probably meant.",
  },
  method_not_allowed: {
    status: 405,
    title: "Method not allowed",
    when: "The path exists, but not with this method. `Allow` and the detail say which there are.",
  },
  last_member: {
    status: 409,
    title: "Last member",
    when: "The last member of a workspace cannot be removed.",
  },
  last_owner: {
    status: 409,
    title: "Last owner",
    when: "The last owner of a workspace cannot be removed or given a lesser role. Make somebody else an owner first.",
  },
  already_member: {
    status: 409,
    title: "Already a member",
    when: "A member of the workspace has this address; `userId` says who. Change their role instead.",
  },
  limit_reached: {
    status: 409,
    title: "Limit reached",
    when: "There are as many as there may be; delete one first. The detail names the limit.",
  },
  policy_in_use: {
    status: 409,
    title: "Policy in use",
    when: "Rules escalate by this policy; `rules` has the first 100 with id and name. Give them another one first, or delete it with `?force=true`.",
  },
  used_by_policies: {
    status: 409,
    title: "Used by policies",
    when: "Steps of escalation policies name this group or member. `policies` has them, `rules` the rules that escalate by them: the first 100 of each with id and name. Change the steps first, or repeat the request with `?force=true`.",
  },
  event_over: {
    status: 409,
    title: "Event over",
    when: "The event is resolved or expired, which is final.",
  },
  nothing_to_do: {
    status: 409,
    title: "Nothing to do",
    when: "Nobody has to acknowledge the event, its rules have not been matched yet, it is deleted too soon to be snoozed, or, to escalate, none of them has a policy with a step.",
  },
  request_in_progress: {
    status: 409,
    title: "Request in progress",
    when: "The first request with this Idempotency-Key has not been answered yet. Repeat it later.",
  },
  changed_meanwhile: {
    status: 412,
    title: "Changed meanwhile",
    when: "`If-Match` names another version than the present one (`version`): somebody changed it since it was read. Nothing was written. Read it again, and make the change on what it is now.",
  },
  body_too_large: { status: 413, title: "Body too large", when: "The body has more than 256 KiB." },
  unsupported_media_type: {
    status: 415,
    title: "Unsupported media type",
    when: "The Content-Type is not application/json (for an event, or a type of CloudEvents), or the body is compressed (Content-Encoding).",
  },
  invalid_input: {
    status: 422,
    title: "Invalid input",
    when: "A field is missing or wrong. `errors` lists every fault with its field.",
  },
  idempotency_key_reused: {
    status: 422,
    title: "Idempotency key reused",
    when: "The Idempotency-Key was used for another body within the last 24 hours.",
  },
  rate_limited: {
    status: 429,
    title: "Too many requests",
    when: "The workspace sends faster than its plan allows. `Retry-After` says when to go on.",
  },
  internal_error: {
    status: 500,
    title: "Internal error",
    when: "The service failed. The request may or may not have taken effect; repeat it.",
  },
  busy: {
    status: 503,
    title: "Busy",
    when: "The service cannot take the request at this moment. Nothing was done; repeat it after `Retry-After` seconds.",
  },
};

const isCode = (code: string): code is ProblemCode => Object.hasOwn(problems, code);

/** In the order in which they are told of. */
export const problemCodes: readonly ProblemCode[] = Object.keys(problems).filter(isCode);
