import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sessionFilePath } from "./checks.ts";
import { readJsonFile } from "./files.ts";
import { Session, type SessionWorkspace } from "./session.ts";

const root = join(import.meta.dirname, "..");
const START_MS = 90_000;

export type Answer = { status: number; headers: Headers; body: unknown };

/** How the service is started. `node`: Node's own options. `quiet`: drops the service's output. */
type SpawnOptions = {
  dir: string;
  port?: number;
  env?: Record<string, string>;
  node?: readonly string[];
  quiet?: boolean;
};

/** Starts the service in its own process group, and waits for readiness. Returns functions to observe and kill the service. */
const spawnAndWait = async ({ dir, port = 0, env = {}, node = [], quiet = false }: SpawnOptions) => {
  const child = spawn(process.execPath, [...node, "-r", "./local/check-node.cjs", "local/start.ts"], {
    cwd: root,
    // The service has no demo, because users of a spawned service need only what they send.
    env: { LOCAL_DEMO_DAYS: "0", ...process.env, ...env, PORT: String(port), LOCAL_DIR: resolve(dir) },
    stdio: quiet ? ["ignore", "ignore", "inherit"] : ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  const exited = once(child, "exit");
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const endProcessGroup = async (signal: NodeJS.Signals): Promise<void> => {
    if (!hasEnded()) process.kill(-(child.pid ?? 0), signal);
    await exited;
  };
  const deadline = Date.now() + START_MS;
  while (!((quiet || output.includes("Ready after")) && existsSync(sessionFilePath(dir)))) {
    if (hasEnded() || Date.now() > deadline) {
      // If a slow process continued to run, the parent process could not end.
      await endProcessGroup("SIGKILL");
      throw new Error(`the local service did not start:\n${output}`);
    }
    await sleep(25);
  }
  return { output: (): string => output, kill: endProcessGroup, exitCode: (): number | null => child.exitCode };
};

type Call = { as?: string; body?: unknown; headers?: Record<string, string> };

/** Sends a request, and returns status, headers and the JSON of the answer. `as`: a session token or an API key. */
const sendRequest = async (url: string, method: string, { as, body, headers = {} }: Call): Promise<Answer> => {
  const credential = as?.startsWith("eak_") ? { "x-api-key": as } : { authorization: `Bearer ${as}` };
  const response = await fetch(url, {
    method,
    headers: {
      ...(as === undefined ? {} : credential),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === "" ? undefined : JSON.parse(text) };
};

/** Starts the local service in its own process. Returns the service's session, and functions to call and stop it. */
export const spawnService = async (options: SpawnOptions) => {
  const { output, kill, exitCode } = await spawnAndWait(options);
  const session = readJsonFile(sessionFilePath(options.dir), Session);
  if (session === undefined) throw new Error("session.json cannot be read");

  return {
    session,
    output,
    workspace: (name: string): SessionWorkspace => {
      const found = session.workspaces.find((workspace) => workspace.name === name);
      if (found === undefined) throw new Error(`there is no workspace ${name}`);
      return found;
    },
    /** Calls the API of the service. `as`: a session token or an API key. */
    call: (method: string, path: string, call: Call = {}): Promise<Answer> =>
      sendRequest(`${session.baseUrl}${path}`, method, call),
    control: async (method: string, path: string, body?: unknown): Promise<unknown> => {
      const url = path === "/inbox" ? session.fcm.inboxUrl : new URL(path, session.meters.controlUrl);
      const response = await fetch(url, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
      return response.json();
    },
    kill,
    stop: () => kill("SIGTERM"),
    exitCode,
  };
};
export type SpawnedService = Awaited<ReturnType<typeof spawnService>>;
