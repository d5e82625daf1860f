import { createServer } from "node:net";
import { beforeAll, expect, it, vi } from "vitest";
import { startFcmForThisProcess } from "../../local/fcm/support.ts";
import { aMessage, aPush } from "./support.ts";

let push: ReturnType<typeof aPush>;
let port: number;

beforeAll(async () => {
  const fcm = await startFcmForThisProcess();
  push = aPush({ deadlineMs: 300 });
  // The first send must fetch an access token, which may take longer than its deadline on a busy machine.
  await vi.waitUntil(async () => (await push.send(aMessage("phone-1"))).kind === "accepted", { timeout: 10_000 });
  await fcm.close();
  // The client notices after a moment that its idle connections have ended; a send before that would have an unknown
  // outcome.
  await new Promise((resolve) => setTimeout(resolve, 50));
  port = Number(fcm.preloadEnv["LOCAL_FCM_PORT"]);
});

it("an FCM send whose connection is refused is retried, because nothing was sent", async () => {
  expect(await push.send(aMessage("phone-1"))).toEqual({ kind: "retry", code: "ECONNREFUSED" });
});

it("an FCM send whose TLS handshake is never answered is retried", async () => {
  const mute = createServer((socket) => socket.on("error", () => {}));
  await new Promise<void>((resolve) => {
    mute.listen(port, "127.0.0.1", resolve);
  });

  expect(await push.send(aMessage("phone-1"))).toEqual({ kind: "retry", code: "DEADLINE" });
  mute.close();
});

it("an FCM send whose connection breaks in its TLS handshake is retried", async () => {
  const rude = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => {
    rude.listen(port, "127.0.0.1", resolve);
  });

  expect(await push.send(aMessage("phone-1"))).toEqual({ kind: "retry", code: "ECONNRESET" });
  rude.close();
});
