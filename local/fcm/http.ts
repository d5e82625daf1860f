import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import type { Server, Socket } from "node:net";
import type { Writable } from "node:stream";
import { guard } from "../this-machine.ts";

export type Request = IncomingMessage | Http2ServerRequest;
export type Response = ServerResponse | Http2ServerResponse;

/** Undefined where the text is not JSON. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

export const reply = (response: Response, status: number, body: object | string, retryAfter?: string): void => {
  // One signature for both protocols: the two versions of `writeHead` cannot be called through their union.
  response.statusCode = status;
  response.setHeader("content-type", "application/json; charset=UTF-8");
  if (retryAfter !== undefined) response.setHeader("retry-after", retryAfter);
  response.end(typeof body === "string" ? body : JSON.stringify(body));
};

/** Begins an answer and breaks the connection in the middle of it. */
export const replyInPart = (request: Request, response: Response): void => {
  response.statusCode = 200;
  response.setHeader("content-type", "application/json; charset=UTF-8");
  response.setHeader("content-length", "100");
  const stream: Writable = response;
  stream.write('{"name":', () => breakConnection(request, false));
};

/** Cuts the connection that carries a request; under HTTP/2 this ends all its other streams too. */
export const breakConnection = (request: Request, withGoaway: boolean): void => {
  if (!("stream" in request)) {
    request.socket.destroy();
    return;
  }
  const { session } = request.stream;
  if (withGoaway) session?.goaway(0);
  session?.destroy();
};

/** Listens on 127.0.0.1; port 0 takes a free one. `hosts`: names by which it is called besides this machine's. */
export const listen = async (
  server: Server,
  port: number,
  hosts: readonly string[] = [],
): Promise<{ port: number; close: () => Promise<void> }> => {
  guard(server, hosts);
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : port,
    close: async () => {
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
};
