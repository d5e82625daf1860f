import { Refusal, type Rate, type RefusalExtras, type RefusalKind } from "../../core/domain/basics/refusal.ts";

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
  quota_exceeded: {
    status: 403,
    title: "Monthly quota exceeded",
    when: "The workspace has used up the events that its plan has for this UTC month. `limit`, `used` and `resetAt` say more.",
  },
  not_found: {
    status: 404,
    title: "Not found",
    when: "The workspace has nothing under this id. What belongs to another workspace is not found either.",
  },
  unknown_path: {
    status: 404,
    title: "Unknown path",
    when: "There is no such path: a slash at the end, no /v1 in front, a typing error. The detail says what was probably meant.",
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
  limit_reached: {
    status: 409,
    title: "Limit reached",
    when: "There are as many as there may be; delete one first. The detail names the limit.",
  },
  request_in_progress: {
    status: 409,
    title: "Request in progress",
    when: "The first request with this Idempotency-Key has not been answered yet. Repeat it later.",
  },
  body_too_large: { status: 413, title: "Body too large", when: "The body has more than 256 KiB." },
  unsupported_media_type: {
    status: 415,
    title: "Unsupported media type",
    when: "The Content-Type is not application/json.",
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

export type Reply = { status: number; body?: object; headers?: Readonly<Record<string, string>> };

const THROTTLED: ReadonlySet<string> = new Set([
  "ProvisionedThroughputExceededException",
  "RequestLimitExceeded",
  "ThrottlingException",
]);

/** The refusal that an error stands for, or undefined if it is a failure of the service. */
const refusalOf = (error: unknown): Refusal | undefined => {
  if (error instanceof Refusal) return error;
  return error instanceof Error && THROTTLED.has(error.name)
    ? new Refusal("busy", "The service is busy. Repeat the request.", { retryAfterSeconds: 1 })
    : undefined;
};

/** `RateLimit` and `RateLimit-Policy` as in the IETF draft. */
export const rateHeaders = ({ burst, remaining, resetSeconds, windowSeconds }: Rate): Record<string, string> => ({
  RateLimit: `"workspace";r=${remaining};t=${resetSeconds}`,
  "RateLimit-Policy": `"workspace";q=${burst};w=${windowSeconds}`,
});

const headersOf = ({ challenge, allow, retryAfterSeconds, rate }: RefusalExtras): Record<string, string> => ({
  ...(allow === undefined ? {} : { Allow: allow }),
  ...(challenge === undefined ? {} : { "WWW-Authenticate": challenge }),
  ...(retryAfterSeconds === undefined ? {} : { "Retry-After": String(retryAfterSeconds) }),
  ...(rate === undefined ? {} : rateHeaders(rate)),
});

/** The answer to what a handler threw, as in RFC 9457. `failed`: the service is at fault. */
export const toProblem = (error: unknown, requestId: string): { reply: Reply; failed: boolean } => {
  const refusal = refusalOf(error);
  const code: ProblemCode = refusal?.kind ?? "internal_error";
  const detail = refusal?.message ?? "The service failed. The request may be repeated.";
  const { status, title } = problems[code];
  const body = {
    type: `urn:event-alerting:problem:${code}`,
    title,
    status,
    detail,
    code,
    message: detail,
    requestId,
    ...refusal?.extras.members,
    ...(refusal?.extras.faults === undefined ? {} : { errors: refusal.extras.faults }),
  };
  const headers = { ...headersOf(refusal?.extras ?? {}), "Content-Type": "application/problem+json" };
  return { reply: { status, body, headers }, failed: refusal === undefined };
};
