import { Refusal } from "../../../core/domain/basics/refusal.ts";
import type { HttpRequest } from "../../../functions/http/request.ts";

type Sent = { method?: string; query?: Record<string, string>; headers?: Record<string, string>; body?: unknown };

export const aRequest = ({ method = "GET", query = {}, headers = {}, body }: Sent = {}): HttpRequest => ({
  requestId: "req-1",
  method,
  rawPath: "/v1/none",
  routeKey: "GET /v1/none",
  headers: new Map(Object.entries({ "content-type": "application/json", ...headers })),
  path: new Map(),
  query: new Map(Object.entries(query)),
  claims: new Map(),
  rawBody: body === undefined ? undefined : { text: JSON.stringify(body), isBase64: false },
});

/** Returns the result of `work`; if `work` throws a Refusal, its faults (`field code message`), or its kind and message. */
export const resultOrFaultsOf = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { faults } = error.extras;
    return faults?.map(({ field, code, message }) => `${field} ${code} ${message}`) ?? [error.kind, error.message];
  }
};
