import type { ServerResponse } from "node:http";

/** Answers with JSON that must not be cached. A body that is a text is JSON already. */
export const replyJson = (
  response: ServerResponse,
  status: number,
  body: object | string,
  headers: Record<string, string> = {},
): void => {
  response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store", ...headers });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
};
