import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import * as v from "valibot";
import { Session, type SessionWorkspace } from "../local/session.ts";
import { freePort } from "./free-port.ts";
import { Usage } from "../local/aws/meters.ts";

export type BenchWorkspace = SessionWorkspace;

const Meters = v.object({ functions: v.record(v.string(), Usage), total: Usage });
type Meters = v.InferOutput<typeof Meters>;

const InboxMessages = v.object({
  messages: v.array(
    v.object({
      id: v.string(),
      receivedAt: v.union([v.string(), v.number()]),
      token: v.string(),
      message: v.unknown(),
    }),
  ),
});

const START_TIMEOUT_MS = 60_000;

/**
 * Starts the local service as `npm start` does, on its own directory and port, until disposed of. `options`: Node's.
 */
export const startLocalService = async (...options: readonly string[]) => {
  const directory = mkdtempSync(join(tmpdir(), "bench-service-"));
  const port = await freePort();
  const child = spawn(process.execPath, [...options, "local/start.ts"], {
    cwd: join(import.meta.dirname, ".."),
    env: { ...process.env, PORT: String(port), LOCAL_DIR: directory },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const file = join(directory, "session.json");
  for (let waited = 0; !existsSync(file); waited += 50) {
    if (child.exitCode !== null) throw new Error(`the local service ended with ${child.exitCode}`);
    if (waited > START_TIMEOUT_MS) throw new Error("the local service did not start within a minute");
    await sleep(50);
  }
  const session = v.parse(Session, JSON.parse(readFileSync(file, "utf8")));

  /** One call; throws if the answer's status is 300 or more. Undefined for an empty answer. */
  const call = async (
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: object,
  ): Promise<unknown> => {
    const response = await fetch(`${session.baseUrl}${path}`, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { "Content-Type": "application/json" }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  };

  return {
    session,
    call,
    meters: async (): Promise<Meters> => v.parse(Meters, await (await fetch(session.meters.url)).json()),
    resetMeters: async (): Promise<void> => {
      await fetch(session.meters.url, { method: "DELETE" });
    },
    inbox: async () => v.parse(InboxMessages, await (await fetch(session.fcm.inboxUrl)).json()).messages,
    [Symbol.asyncDispose]: async (): Promise<void> => {
      const ended = new Promise((resolve) => {
        child.once("exit", resolve);
      });
      child.kill("SIGTERM");
      await ended;
      rmSync(directory, { recursive: true, force: true });
    },
  };
};
export type LocalService = Awaited<ReturnType<typeof startLocalService>>;
