import type { RefusalKind } from "../core/domain/basics/refusal.ts";

type OwnKind = "internal_error";
export type ProblemCode = RefusalKind | OwnKind;

type Meaning = { status: number; title: string; when: string };

export const problems: Readonly<Record<ProblemCode, Meaning>> = {
  malformed_json: {
    status: 400,
    title: "Malformed body",
    when: "The body is empty, not UTF-8, not JSON (the detail says where), or not an object.",
  },
  unauthenticated: {
    status: 401,
    title: "Not authenticated",
    when: "The API key or session token is missing, of the wrong kind, or not valid.",
  },
  not_a_member: {
    status: 403,
    title: "Not a member",
    when: "The workspace does not exist, or the caller is not a member of it.",
  },
  key_scope: {
    status: 403,
    title: "API key not valid for this request",
    when: "The API key is valid, but only for one tool or for other event keys, which the detail names.",
  },
  role_required: {
    status: 403,
    title: "Role required",
    when: "The caller's `role` does not allow this; `required` is the lowest role that does.",
  },
  people_only: {
    status: 403,
    title: "For people only",
    when: "The caller is a machine. Machines have no devices, shifts or notifications, and respond to no events.",
  },
  not_the_recipient: {
    status: 403,
    title: "Not the recipient",
    when: "Only the recipient can report a notification as delivered or opened. Every member may acknowledge a notification.",
  },
  quota_exceeded: {
    status: 403,
    title: "Monthly quota exceeded",
    when: "The workspace has used up its events of this UTC month; see `limit`, `used` and `resetAt`.",
  },
  workspace_limit: {
    status: 403,
    title: "Too many workspaces",
    when: "One person creates at most 10 workspaces, unless an operator allows more.",
  },
  not_found: { status: 404, title: "Not found", when: "The id does not exist in this workspace." },
  unknown_path: {
    status: 404,
    title: "Unknown path",
    when: "The path does not exist, for example because of a typo or a missing /v1. The detail suggests a path.",
  },
  method_not_allowed: {
    status: 405,
    title: "Method not allowed",
    when: "The path exists, but not with this method; `Allow` and the detail list its methods.",
  },
  last_member: { status: 409, title: "Last member", when: "The last member of a workspace cannot be removed." },
  last_owner: {
    status: 409,
    title: "Last owner",
    when: "The last owner cannot be removed or get a lower role. Make somebody else an owner first.",
  },
  already_member: {
    status: 409,
    title: "Already a member",
    when: "The email address belongs to the member `userId`. Change the member's role instead.",
  },
  limit_reached: {
    status: 409,
    title: "Limit reached",
    when: "The limit that the detail names is reached. Delete an entry first.",
  },
  policy_in_use: {
    status: 409,
    title: "Policy in use",
    when: "Rules use this policy (`rules`: the first 100). Change these rules first, or use `?force=true`.",
  },
  used_by_policies: {
    status: 409,
    title: "Used by policies",
    when: "Escalation policies notify this group or member: `policies` lists them, and `rules` lists the rules that use them. Change these policies first, or use `?force=true`.",
  },
  cover_closed: {
    status: 409,
    title: "Cover closed",
    when: "The cover is taken, withdrawn or over, as `state` and `takenBy` say, or its shift was passed on to the person in the detail.",
  },
  cannot_cover: {
    status: 409,
    title: "Cannot cover",
    when: "The caller cannot take this cover, for example because they are on call at that time; `reason` says why.",
  },
  event_over: { status: 409, title: "Event over", when: "The event is resolved or expired, which is final." },
  nothing_to_do: {
    status: 409,
    title: "Nothing to do",
    when: "Nobody has to acknowledge the event, its rules are not matched yet, or no policy has a step that notifies somebody.",
  },
  request_in_progress: {
    status: 409,
    title: "Request in progress",
    when: "The first request with this Idempotency-Key is still being processed. Repeat it later.",
  },
  changed_meanwhile: {
    status: 412,
    title: "Changed meanwhile",
    when: "The resource was changed since you read it: `If-Match` is not its `version`. Read the resource again and repeat the change.",
  },
  body_too_large: { status: 413, title: "Body too large", when: "The body has more than 256 KiB." },
  unsupported_media_type: {
    status: 415,
    title: "Unsupported media type",
    when: "The body is compressed, or its Content-Type is not application/json. Events may also be CloudEvents.",
  },
  invalid_input: {
    status: 422,
    title: "Invalid input",
    when: "A field is missing or wrong; `errors` lists every mistake with its field.",
  },
  idempotency_key_reused: {
    status: 422,
    title: "Idempotency key reused",
    when: "The Idempotency-Key was used for another body within the last 24 hours.",
  },
  rate_limited: {
    status: 429,
    title: "Too many requests",
    when: "The workspace sends faster than its plan allows. Continue after `Retry-After` seconds.",
  },
  internal_error: {
    status: 500,
    title: "Internal error",
    when: "The service returned an error. The request may or may not have taken effect; repeat it.",
  },
  busy: {
    status: 503,
    title: "Busy",
    when: "The service is busy and did nothing. Repeat the request after `Retry-After` seconds.",
  },
};

const isCode = (code: string): code is ProblemCode => Object.hasOwn(problems, code);

export const problemCodes: readonly ProblemCode[] = Object.keys(problems).filter(isCode);
