import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import type { Writable } from "node:stream";

export type Request = IncomingMessage | Http2ServerRequest;
export type Response = ServerResponse | Http2ServerResponse;

/** Sends an answer in JSON. If `body` is a text, it is already JSON. */
export const sendReply = (response: Response, status: number, body: object | string, retryAfter?: string): void => {
  // `writeHead` cannot be called, because its types in HTTP/1 and HTTP/2 have no common signature.
  response.statusCode = status;
  response.setHeader("content-type", "application/json; charset=UTF-8");
  if (retryAfter !== undefined) response.setHeader("retry-after", retryAfter);
  response.end(typeof body === "string" ? body : JSON.stringify(body));
};

/** Sends the beginning of a successful answer, then breaks the connection. */
export const sendTruncatedReply = (request: Request, response: Response): void => {
  response.statusCode = 200;
  response.setHeader("content-type", "application/json; charset=UTF-8");
  response.setHeader("content-length", "100");
  const stream: Writable = response;
  stream.write('{"name":', () => breakConnection(request, false));
};

/** Breaks a request's connection, under HTTP/2 with its other streams. `withGoaway`: first sends GOAWAY. */
export const breakConnection = (request: Request, withGoaway: boolean): void => {
  if (!("stream" in request)) {
    request.socket.destroy();
    return;
  }
  const { session } = request.stream;
  if (withGoaway) session?.goaway(0);
  session?.destroy();
};
