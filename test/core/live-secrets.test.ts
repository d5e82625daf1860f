import { createServer, type Socket } from "node:net";
import type { AddressInfo } from "node:net";
import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { secretReader, secretsClientOptions } from "../../core/live-secrets.ts";
import { SECRET_WAIT_MS } from "../../core/push/limits.ts";

const ANSWER = JSON.stringify({ SecretString: "text", CreatedDate: 1_700_000_000.5 });

let connections = 0;
let isMute = (_connection: number): boolean => false;
const sockets = new Set<Socket>();
/** Keeps every connection open, and answers nothing on some of them. */
const server = createServer((socket) => {
  connections += 1;
  const mute = isMute(connections);
  sockets.add(socket.on("error", () => undefined));
  socket.on("data", () => {
    if (!mute) socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${ANSWER.length}\r\n\r\n${ANSWER}`);
  });
});
beforeAll(() => new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve)));
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  server.close();
});
beforeEach(() => {
  connections = 0;
});

const aReader = () =>
  secretReader(
    new SecretsManagerClient({
      ...secretsClientOptions,
      endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      region: "local",
      credentials: { accessKeyId: "test", secretAccessKey: "test" },
    }),
    "arn",
  );

it("a secret is read over its own connection, because a pooled connection may die while the instance is frozen", async () => {
  isMute = () => false;
  const read = aReader();

  const secret = await read();
  await read("AWSPREVIOUS");

  expect(secret).toEqual({ text: "text", madeAt: 1_700_000_000_500 });
  expect(connections).toBe(2);
});

it(
  "a request for a secret that gets no answer is repeated once, and aborted within its time limit",
  { timeout: 20_000 },
  async () => {
    isMute = (connection) => connection === 1;
    const second = await aReader()();
    isMute = () => true;

    const started = performance.now();
    await expect(aReader()()).rejects.toThrow();

    expect(second?.text).toBe("text");
    expect(connections).toBe(4);
    expect(performance.now() - started).toBeLessThan(SECRET_WAIT_MS + 500);
  },
);
