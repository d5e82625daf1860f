import { createServer, request } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import { listenLocally, type Listener } from "../../local/listen.ts";

let listener: Listener;
let handled = 0;
beforeAll(async () => {
  const server = createServer();
  listener = await listenLocally(server, 0);
  // The handler is added later, because the local service's servers get their handlers after they listen.
  server.on("request", (_, response) => {
    handled += 1;
    response.end("taken");
  });
});
afterAll(async () => listener.close());

const readStatus = (headers: Record<string, string>, method = "GET") =>
  new Promise<number | undefined>((resolve, reject) => {
    const asked = request({ port: listener.port, host: "127.0.0.1", method, headers }, (answer) => {
      answer.resume();
      answer.on("end", () => resolve(answer.statusCode));
    });
    asked.on("error", reject);
    asked.end();
  });

it.each([
  ["for the server's own address", {}],
  ["for localhost", { host: "localhost:3000" }],
  ["for the IPv6 address of this machine", { host: "[::1]:3000" }],
  ["of a page at 127.0.0.1", { host: "127.0.0.1", origin: "http://127.0.0.1:3000" }],
  ["of a page at another port of localhost", { host: "127.0.0.1", origin: "http://localhost:5173" }],
])("the guard against DNS rebinding accepts a request %s", async (_, headers) => {
  expect(await readStatus(headers)).toBe(200);
});

it.each([
  ["for a foreign host", { host: "evil.example" }],
  ["for a foreign host whose name begins with 127.0.0.1", { host: "127.0.0.1.evil.example" }],
  ["for a foreign host whose name begins with localhost", { host: "localhost.evil.example:3000" }],
  ["for a link-local IP address", { host: "169.254.169.254" }],
  ["of a foreign page", { host: "127.0.0.1", origin: "https://evil.example" }],
  [
    "of a foreign page whose host begins with 127.0.0.1",
    { host: "127.0.0.1", origin: "http://127.0.0.1.evil.example" },
  ],
  ["of a page without an origin", { host: "127.0.0.1", origin: "null" }],
])("the guard against DNS rebinding refuses a request %s before any handler runs", async (_, headers) => {
  const before = handled;

  expect([await readStatus(headers), await readStatus(headers, "POST"), handled]).toEqual([403, 403, before]);
});
