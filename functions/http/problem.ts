import { Refusal, type Rate, type RefusalExtras } from "../../core/domain/basics/refusal.ts";
import { problems, type ProblemCode } from "../../interface/problems.ts";

export type HttpReply = { status: number; body?: object; headers?: Readonly<Record<string, string>> };

const THROTTLED: ReadonlySet<string> = new Set([
  "ProvisionedThroughputExceededException",
  "RequestLimitExceeded",
  "ThrottlingException",
]);

/** Returns the refusal behind an error; undefined for a failure of the service. */
const toRefusal = (error: unknown): Refusal | undefined => {
  if (error instanceof Refusal) return error;
  return error instanceof Error && THROTTLED.has(error.name)
    ? new Refusal("busy", "The service is busy. Repeat the request.", { retryAfterSeconds: 1 })
    : undefined;
};

/** Returns the headers `RateLimit` and `RateLimit-Policy` of the IETF draft. */
export const createRateHeaders = ({ burst, remaining, resetSeconds, windowSeconds }: Rate): Record<string, string> => ({
  RateLimit: `"workspace";r=${remaining};t=${resetSeconds}`,
  "RateLimit-Policy": `"workspace";q=${burst};w=${windowSeconds}`,
});

const createRefusalHeaders = ({
  challenge,
  allow,
  retryAfterSeconds,
  rate,
}: RefusalExtras): Record<string, string> => ({
  ...(allow === undefined ? {} : { Allow: allow }),
  ...(challenge === undefined ? {} : { "WWW-Authenticate": challenge }),
  ...(retryAfterSeconds === undefined ? {} : { "Retry-After": String(retryAfterSeconds) }),
  ...(rate === undefined ? {} : createRateHeaders(rate)),
});

/** Converts a handler's error to an answer by RFC 9457. `failed`: whether the service is at fault. */
export const toProblem = (error: unknown, requestId: string): { reply: HttpReply; failed: boolean } => {
  const refusal = toRefusal(error);
  const code: ProblemCode = refusal?.kind ?? "internal_error";
  const detail = refusal?.message ?? "The service returned an error. You may repeat the request.";
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
  const headers = { ...createRefusalHeaders(refusal?.extras ?? {}), "Content-Type": "application/problem+json" };
  return { reply: { status, body, headers }, failed: refusal === undefined };
};
