import type { PushOutcome } from "../domain/delivery/push/outcome.ts";
import { sendInTime } from "./attempt.ts";
import { MAX_CONNECTIONS, PUSH_DEADLINE_MS } from "./limits.ts";
import { createTransports, postOnce, type PostAnswer } from "./post.ts";
import { signRequestHeaders, type Credentials } from "./sign.ts";
import { afterRealTime, type SetTimer } from "./time-limit.ts";

export type SignedRequestOptions = {
  /** The base URL, without a trailing slash. */
  endpoint: string;
  region: string;
  credentials: Credentials;
  now: () => number;
  deadlineMs?: number;
  after?: SetTimer;
};

type Operation = {
  /** The AWS service's name in signatures. */
  service: string;
  method?: "POST" | "PUT";
  path: string;
  headers: Record<string, string>;
  outcomeOf: (answer: PostAnswer) => PushOutcome;
};

/** Returns a function that posts a body, signed by AWS Signature 4, and returns the outcome. */
export const createSignedSender = (
  { endpoint, region, credentials, now, deadlineMs = PUSH_DEADLINE_MS, after = afterRealTime }: SignedRequestOptions,
  { service, method = "POST", path, headers, outcomeOf }: Operation,
): ((body: object) => Promise<PushOutcome>) => {
  const transports = createTransports({ now, maxConnections: MAX_CONNECTIONS });
  const url = new URL(endpoint + path);
  return (input) =>
    sendInTime(after, deadlineMs, (attempt) => {
      const body = Buffer.from(JSON.stringify(input));
      const signed = signRequestHeaders({ method, url, body, headers }, credentials, { region, service, nowMs: now() });
      return postOnce({ method, url, headers: signed, body, attempt, transports }, outcomeOf);
    });
};
