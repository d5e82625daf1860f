import type { ServerResponse } from "node:http";

/** Sends an answer that must not be cached. If `body` is a text, it is already JSON. */
export const replyJson = (
  response: ServerResponse,
  status: number,
  body: object | string,
  headers: Record<string, string> = {},
): void => {
  response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store", ...headers });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
};

/** Answers 404, and names the known requests. `knownRequests`: an object whose keys are methods and paths. */
export const replyUnknown = (response: ServerResponse, knownRequests: object): void =>
  replyJson(response, 404, { error: `unknown request; use ${Object.keys(knownRequests).join(", ")}` });
