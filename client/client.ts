import type { ClientOptions } from "./options.ts";

/* The runtime of the client package. Operations and types come from the OpenAPI document (`generate.ts`). */

/** `path` has `{name}` for parameters; `repeats`: whether a failed request is sent again (`by key`: with an idempotency key). */
export type Operation = { method: string; path: string; repeats: "always" | "by key" | "never" };

type CallInput = {
  body?: unknown;
  query?: Record<string, string | number | boolean | null | undefined>;
  headers?: Record<string, string>;
} & Record<string, unknown>;
type Problem = { code?: string; detail?: string; message?: string; errors?: unknown[]; requestId?: string };

export class ApiError extends Error {
  readonly status: number;
  /** The stable code of the problem, for programs. */
  readonly code: string;
  /** All faults of a refused request, each with its field. */
  readonly errors: unknown[];
  readonly requestId: string | undefined;

  constructor(status: number, problem: Problem) {
    super(problem.detail ?? problem.message ?? `The service answered ${status}.`);
    this.name = "ApiError";
    this.status = status;
    this.code = problem.code ?? "";
    this.errors = problem.errors ?? [];
    this.requestId = problem.requestId;
  }
}

const TRIES = 5;
const TIMEOUT_MS = 10_000;
const LONGEST_PAUSE_SECONDS = 60;

const fillPath = (path: string, call: CallInput): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = call[name];
    if (typeof value !== "string" || value === "") throw new TypeError(`${name} must be a string that is not empty`);
    return encodeURIComponent(value);
  });

const buildQuery = (query: CallInput["query"] = {}): string => {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null) search.set(name, String(value));
  return search.size === 0 ? "" : `?${search.toString()}`;
};

const parseBody = (text: string, contentType: string): unknown => {
  if (text === "") return undefined;
  return contentType.includes("json") ? JSON.parse(text) : text;
};

/** Returns the pause in seconds: what the answer asks for, or a pause that doubles with each attempt, plus a random part. */
const computeRetryDelay = (answer: Response | undefined, attempt: number): number => {
  const asked = Number(answer?.headers.get("retry-after") ?? Number.NaN);
  return Math.min(LONGEST_PAUSE_SECONDS, (Number.isFinite(asked) ? asked : 2 ** attempt) * (1 + Math.random() / 4));
};

/** Returns a function that creates a client, which has a function per operation, named in camel case. */
export const createClientFactory = (operations: Readonly<Record<string, Operation>>) => (options: ClientOptions) => {
  const { apiKey, token, tries = TRIES, timeoutMs = TIMEOUT_MS, fetch: send = fetch } = options;
  const baseUrl = options.baseUrl.replace(/\/+$/, "");

  const buildHeaders = async ({ repeats }: Operation, call: CallInput): Promise<Record<string, string>> => {
    const session = typeof token === "function" ? await token() : token;
    return {
      ...(call.body === undefined ? {} : { "content-type": "application/json" }),
      ...(apiKey === undefined ? {} : { "x-api-key": apiKey }),
      ...(session === undefined ? {} : { authorization: `Bearer ${session}` }),
      ...(repeats === "by key" ? { "idempotency-key": crypto.randomUUID() } : {}),
      ...call.headers,
    };
  };

  // Repeats the request if it fails temporarily. Returns the parsed body; throws ApiError if the service refuses the request.
  const sendRequest = async (operation: Operation, call: CallInput): Promise<unknown> => {
    const url = baseUrl + fillPath(operation.path, call) + buildQuery(call.query);
    const body = call.body === undefined ? {} : { body: JSON.stringify(call.body) };
    // The headers are created once, so that all attempts of a request have the same idempotency key.
    const headers = await buildHeaders(operation, call);
    const rounds = operation.repeats === "never" ? 1 : tries;
    for (let round = 1; ; round += 1) {
      let answer: Response | undefined;
      let trouble: unknown;
      try {
        answer = await send(url, {
          method: operation.method,
          headers,
          ...body,
          signal: AbortSignal.timeout(timeoutMs),
        });
        const value = parseBody(await answer.text(), answer.headers.get("content-type") ?? "");
        if (answer.ok) return value;
        trouble = new ApiError(answer.status, Object(value));
      } catch (error) {
        trouble = error;
      }
      const isPassing = answer === undefined || answer.ok || answer.status === 429 || answer.status >= 500;
      if (!isPassing || round >= rounds) throw trouble;
      const seconds = computeRetryDelay(answer, round);
      await new Promise((resolve) => {
        setTimeout(resolve, seconds * 1000);
      });
    }
  };

  return Object.fromEntries(
    Object.entries(operations).map(([name, operation]) => [name, (ask: CallInput = {}) => sendRequest(operation, ask)]),
  );
};
