import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSlack } from "../../../core/post/slack.ts";

const NOW = Date.UTC(2026, 10, 23, 12);
const asked: object[] = [];
let answer: (response: ServerResponse) => unknown;
const server = createServer((request, response) => {
  let body = "";
  request.on("data", (chunk: Buffer) => (body += chunk.toString()));
  request.on("end", () => {
    const { authorization } = request.headers;
    asked.push({ method: request.method, url: request.url, authorization, body: JSON.parse(body) });
    answer(response);
  });
});
let standIn = "";
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  standIn = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
const call = (deadlineMs = 5_000) =>
  createSlack({ now: () => NOW, standIn, deadlineMs })({ method: "chat.update", token: "xoxb", body: { text: "Ü" } });

describe("a call of Slack's Web API", () => {
  it("posts JSON with the app's token, and returns the status and the body", async () => {
    answer = (response) => response.writeHead(200).end('{"ok":true}');

    expect(await call()).toEqual({ kind: "answered", status: 200, body: '{"ok":true}' });
    expect(asked).toEqual([
      { method: "POST", url: "/api/chat.update", authorization: "Bearer xoxb", body: { text: "Ü" } },
    ]);
  });

  it.each([
    ["a number of seconds", "90", 90_000],
    ["a date", new Date(NOW + 5_000).toUTCString(), 5_000],
  ])("returns how long to wait if Retry-After is %s", async (_, header, retryAfterMs) => {
    answer = (response) => response.writeHead(429, { "retry-after": header }).end();

    expect(await call()).toEqual({ kind: "answered", status: 429, body: "", retryAfterMs });
  });

  it("reads no more than a quarter of a megabyte", async () => {
    answer = (response) => response.writeHead(200).end("x".repeat(1_000_000));

    const { body } = (await call()) as { body: string };

    expect([body.length > 0, body.length <= 256 * 1024]).toEqual([true, true]);
  });

  it.each<[string, typeof answer, string]>([
    ["no answer begins before the deadline", () => undefined, "DEADLINE"],
    ["no answer ends before the deadline", (response) => response.writeHead(200).write("{"), "DEADLINE"],
    ["the connection breaks", (response) => response.destroy(), "ECONNRESET"],
  ])("fails with a code if %s", async (_, behave, code) => {
    answer = behave;

    expect(await call(100)).toEqual({ kind: "failed", code });
  });
});
