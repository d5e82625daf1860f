import { connect } from "node:http2";
import type { ClientHttp2Session } from "node:http2";
import { Agent, request } from "node:https";
import { fcmPreload, startFcm } from "../../../local/fcm/server.ts";
import type { FcmOptions, InboxEntry } from "../../../local/fcm/server.ts";

/** Redirects this process from googleapis.com to the stand-in. */
export const startFcmForThisProcess = async (options: FcmOptions = {}) => {
  const fcm = await startFcm(options);
  Object.assign(process.env, fcm.preloadEnv);
  await import(fcmPreload);
  return fcm;
};

export type Answer = { status: number; headers: Record<string, unknown>; body: Record<string, unknown> };

/** Posts over HTTP/1.1, as firebase-admin's `send` does. */
export const post = (path: string, body: string, headers: Record<string, string> = {}, host = "fcm.googleapis.com") =>
  new Promise<Answer>((resolve, reject) => {
    const outgoing = request({ host, path, method: "POST", headers, agent: new Agent() }, (response) => {
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

export const sendTo = (token: string, fields: Record<string, unknown> = {}) =>
  post("/v1/projects/demo/messages:send", JSON.stringify({ message: { token, ...fields } }), {
    authorization: "Bearer local-fcm-1",
  });

export const openSession = () => connect("https://fcm.googleapis.com");

/** Sends over HTTP/2, with the pseudo-header as firebase-admin writes it. */
export const sendOverHttp2 = (session: ClientHttp2Session, token: string) =>
  new Promise<{ status: number }>((resolve, reject) => {
    const stream = session.request({
      ":method": "POST",
      ":scheme": "https:",
      ":path": "/v1/projects/demo/messages:send",
      authorization: "Bearer local-fcm-1",
    });
    let status = 0;
    stream.on("response", (headers) => {
      status = headers[":status"] ?? 0;
    });
    stream.on("error", reject);
    stream.on("close", () => (status === 0 ? reject(new Error("closed")) : resolve({ status })));
    stream.resume();
    stream.end(JSON.stringify({ message: { token } }));
  });

export const readInbox = async (inboxUrl: string): Promise<InboxEntry[]> => {
  const response = await fetch(inboxUrl);
  return ((await response.json()) as { messages: InboxEntry[] }).messages;
};
