import type { IncomingMessage, ServerResponse } from "node:http";

export const reply = (response: ServerResponse, status: number, body: object | string, retryAfter?: string): void => {
  response.writeHead(status, {
    "content-type": "application/json; charset=UTF-8",
    ...(retryAfter === undefined ? {} : { "retry-after": retryAfter }),
  });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
};

/** Begins an answer and breaks the connection in the middle of it. */
export const replyInPart = (request: IncomingMessage, response: ServerResponse): void => {
  response.writeHead(200, { "content-type": "application/json; charset=UTF-8", "content-length": "100" });
  response.write('{"name":', () => request.socket.destroy());
};
