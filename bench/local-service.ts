import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import type { SessionWorkspace } from "../local/session.ts";
import { spawnService } from "../local/spawn.ts";
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

/** Starts the local service for a measurement, in a temporary directory. Disposing of the result stops the service. */
export const startLocalService = async (...nodeOptions: readonly string[]) => {
  const dir = mkdtempSync(join(tmpdir(), "bench-service-"));
  const { session, stop } = await spawnService({ dir, node: nodeOptions, quiet: true });
  const [workspace] = session.workspaces;
  if (workspace === undefined) throw new Error("the local service has no workspace");

  /** Sends a request, and returns the answer's JSON; undefined for an empty answer. Throws for a status of 300 or more. */
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
    workspace,
    call,
    meters: async (): Promise<Meters> => v.parse(Meters, await (await fetch(session.meters.url)).json()),
    resetMeters: async (): Promise<void> => {
      await fetch(session.meters.url, { method: "DELETE" });
    },
    /** Returns the accepted pushes to one device or to all. Reading many pushes would disturb the measurement. */
    inbox: async (token?: string) => {
      const url = token === undefined ? session.fcm.inboxUrl : `${session.fcm.inboxUrl}?token=${token}`;
      return v.parse(InboxMessages, await (await fetch(url)).json()).messages;
    },
    [Symbol.asyncDispose]: async (): Promise<void> => {
      await stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
};
export type LocalService = Awaited<ReturnType<typeof startLocalService>>;
