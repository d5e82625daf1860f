import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { afterAll } from "vitest";

const closers: (() => void)[] = [];
afterAll(() => closers.forEach((close) => close()));

/** Starts a server, which runs until the file's tests are over. */
export const serve = async (listener: RequestListener) => {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
};

export const answerWith = (status: number, headers: Record<string, string> = {}, body = "{}") =>
  serve((request, response) => {
    request.resume().on("end", () => response.writeHead(status, headers).end(body));
  });

/** Starts a server that keeps the JSON bodies of its requests, in order, and answers each with an empty object. */
export const collectBodies = async () => {
  const bodies: unknown[] = [];
  const { endpoint } = await serve((request, response) => {
    void json(request).then((body) => {
      bodies.push(body);
      response.end("{}");
    });
  });
  return { endpoint, bodies };
};
