import { Agent, request } from "node:https";
import { fcmPreload, startFcm } from "../../../local/fcm/server.ts";
import type { FcmOptions, InboxEntry } from "../../../local/fcm/server.ts";

/** Starts the stand-in, and redirects this very process from googleapis.com to it. */
export const startRedirected = async (options: FcmOptions = {}) => {
  const fcm = await startFcm(options);
  Object.assign(process.env, fcm.preloadEnv);
  await import(fcmPreload);
  return fcm;
};

export type Answer = { status: number; headers: Record<string, unknown>; body: Record<string, unknown> };

/** One POST on a connection of its own. `signal`: ends it. */
export const post = (
  path: string,
  body: string,
  headers: Record<string, string> = {},
  host = "fcm.googleapis.com",
  signal?: AbortSignal,
) =>
  new Promise<Answer>((resolve, reject) => {
    const outgoing = request({ host, path, method: "POST", headers, agent: new Agent(), signal }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>,
        }),
      );
      response.on("error", reject);
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });

export const sendTo = (token: string, fields: Record<string, unknown> = {}, signal?: AbortSignal) =>
  post(
    "/v1/projects/demo/messages:send",
    JSON.stringify({ message: { token, ...fields } }),
    { authorization: "Bearer local-fcm-1" },
    "fcm.googleapis.com",
    signal,
  );

export const readInbox = async (inboxUrl: string): Promise<InboxEntry[]> => {
  const response = await fetch(inboxUrl);
  return ((await response.json()) as { messages: InboxEntry[] }).messages;
};
