import { randomUUID } from "node:crypto";
import { readText } from "../body.ts";
import { createServer } from "node:http";
import { createSecureServer } from "node:http2";
import { fileURLToPath } from "node:url";
import * as v from "valibot";
import { errorBody, faultAnswer, isCounted, Mode, readSendRequest, tokenAnswer } from "./answers.ts";
import type { Answer, ReceivedMessage } from "./answers.ts";
import { makeCertificate } from "./certificate.ts";
import { breakConnection, listen, parseJson, reply, replyInPart } from "./http.ts";
import type { Request, Response } from "./http.ts";
import { createInbox } from "./inbox.ts";
import type { InboxEntry } from "./inbox.ts";

export type { InboxEntry } from "./inbox.ts";

export type FcmOptions = {
  /** Port of the inbox and the controls on 127.0.0.1; a free one by default. FCM's own port is always a free one. */
  port?: number;
  /** Called for each message as it is taken into the inbox. */
  onMessage?: (entry: InboxEntry) => void;
  mode?: v.InferInput<typeof Mode>;
};

export type Fcm = {
  inboxUrl: string;
  /** The certificate to trust, in PEM. */
  ca: string;
  /** Environment for a process or a worker that is started with the preload. */
  preloadEnv: Record<string, string>;
  setMode: (mode: v.InferInput<typeof Mode>) => void;
  /** Send requests since the start or the last reset, by the name of the function that made them. */
  counts: () => { total: number; byFunction: Record<string, number> };
  resetCounts: () => void;
  close: () => Promise<void>;
};

/** What to give to Node's `--import` so that a process takes the stand-in for googleapis.com. */
export const fcmPreload = fileURLToPath(new URL("preload.ts", import.meta.url));

/** What every access token of the stand-in begins with. */
export const ACCESS_TOKEN_PREFIX = "local-fcm-";
const ACCESS_TOKEN_SECONDS = 3599;
const JWT_GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer";

const header = (request: Request, name: string): string => {
  const value = request.headers[name];
  return typeof value === "string" ? value : "";
};

/** The faults in force. Taking one uses it up where it has a number of times. */
const createFaults = (initial: v.InferInput<typeof Mode>) => {
  let faults = v.parse(Mode, initial);
  return {
    set: (mode: v.InferInput<typeof Mode>) => {
      faults = v.parse(Mode, mode);
    },
    get: () => faults,
    take: (endpoint: "send" | "oauth", token: string): Answer | undefined => {
      const fault = faults[endpoint].find(
        ({ times, tokenPrefix }) => times !== 0 && token.startsWith(tokenPrefix ?? ""),
      );
      if (fault?.times !== undefined) fault.times -= 1;
      return fault === undefined ? undefined : faultAnswer(fault);
    },
  };
};

const answerOauth = (request: Request, response: Response, body: string, fault: Answer | undefined): void => {
  if (fault !== undefined) {
    answerOauthFault(request, response, fault);
    return;
  }
  const form = new URLSearchParams(body);
  if (form.get("grant_type") !== JWT_GRANT || form.get("assertion")?.split(".").length !== 3) {
    reply(response, 400, JSON.stringify({ error: "invalid_grant", error_description: "Invalid JWT" }));
    return;
  }
  const granted = {
    access_token: ACCESS_TOKEN_PREFIX + randomUUID(),
    expires_in: ACCESS_TOKEN_SECONDS,
    token_type: "Bearer",
  };
  reply(response, 200, JSON.stringify(granted));
};

const answerOauthFault = (request: Request, response: Response, fault: Answer): void => {
  if (fault.kind === "stall") return;
  if (fault.kind !== "refuse") {
    breakConnection(request, fault.kind === "goaway");
    return;
  }
  const { status, code = "server_error", retryAfter } = fault;
  reply(
    response,
    status,
    JSON.stringify({ error: code, error_description: "asked for" }),
    retryAfter === undefined ? {} : { "retry-after": retryAfter },
  );
};

/**
 * Starts FCM and Google's token endpoint over TLS, with HTTP/2 and HTTP/1.1, and beside it over plain HTTP on 127.0.0.1:
 * `GET /inbox` (what was taken, oldest first), `DELETE /inbox`, and `GET`, `PUT`, `DELETE /mode` (the faults in force).
 */
export const startFcm = async (options: FcmOptions = {}): Promise<Fcm> => {
  const { key, cert } = makeCertificate(["*.googleapis.com", "localhost"]);
  const inbox = createInbox();
  const faults = createFaults(options.mode ?? {});
  const requestsByToken = new Map<string, number>();
  const requestsByFunction = new Map<string, number>();
  const timers = new Set<NodeJS.Timeout>();

  const take = (message: ReceivedMessage): string => {
    const id = randomUUID();
    const entry = { id, receivedAt: new Date().toISOString(), token: message.token, message };
    inbox.add(entry);
    options.onMessage?.(entry);
    return id;
  };

  const countRequest = (token: string): number => {
    const before = requestsByToken.get(token) ?? 0;
    if (isCounted(token)) requestsByToken.set(token, before + 1);
    return before;
  };

  const answerSend = (
    request: Request,
    response: Response,
    project: string,
    message: ReceivedMessage,
    answer: Answer,
  ): void => {
    switch (answer.kind) {
      case "accept": {
        const accept = () =>
          reply(response, 200, JSON.stringify({ name: `projects/${project}/messages/${take(message)}` }));
        if (answer.afterMs === 0) {
          accept();
          return;
        }
        const timer = setTimeout(() => {
          timers.delete(timer);
          accept();
        }, answer.afterMs);
        timers.add(timer);
        return;
      }
      case "takeAndReset":
        take(message);
        breakConnection(request, false);
        return;
      case "truncate":
        take(message);
        replyInPart(request, response);
        return;
      case "refuse":
        reply(
          response,
          answer.status,
          JSON.stringify(errorBody(answer.status, answer.code, "The stand-in was asked to refuse this.")),
          answer.retryAfter === undefined ? {} : { "retry-after": answer.retryAfter },
        );
        return;
      case "reset":
      case "goaway":
        breakConnection(request, answer.kind === "goaway");
        return;
      case "stall":
        return;
    }
  };

  const onSend = (request: Request, response: Response, project: string, body: string): void => {
    const name = header(request, "x-local-function") || "unknown";
    requestsByFunction.set(name, (requestsByFunction.get(name) ?? 0) + 1);

    const read = readSendRequest(parseJson(body));
    const token = "message" in read ? read.message.token : "";
    const fault = faults.take("send", token);
    if (fault === undefined && !header(request, "authorization").startsWith(`Bearer ${ACCESS_TOKEN_PREFIX}`)) {
      reply(
        response,
        401,
        JSON.stringify(errorBody(401, undefined, "Request had invalid authentication credentials.")),
      );
      return;
    }
    if ("refused" in read) {
      reply(response, 400, JSON.stringify(errorBody(400, "INVALID_ARGUMENT", read.refused)));
      return;
    }
    answerSend(request, response, project, read.message, fault ?? tokenAnswer(token, countRequest(token)));
  };

  const onGoogleRequest = async (request: Request, response: Response): Promise<void> => {
    const body = await readText(request);
    const project = /^\/v1\/projects\/([^/]+)\/messages:send$/.exec(request.url ?? "")?.[1];
    if (request.method === "POST" && project !== undefined) {
      onSend(request, response, project, body);
      return;
    }
    if (request.method === "POST" && request.url === "/token") {
      answerOauth(request, response, body, faults.take("oauth", ""));
      return;
    }
    reply(response, 404, JSON.stringify(errorBody(404, undefined, "Not found.")));
  };

  const onControlRequest = async (request: Request, response: Response): Promise<void> => {
    const body = await readText(request);
    switch (`${request.method ?? ""} ${request.url ?? ""}`) {
      case "GET /inbox":
        reply(response, 200, inbox.toJson());
        return;
      case "DELETE /inbox":
        inbox.clear();
        reply(response, 200, inbox.toJson());
        return;
      case "GET /mode":
        reply(response, 200, JSON.stringify(faults.get()));
        return;
      case "PUT /mode": {
        const mode = v.safeParse(Mode, parseJson(body));
        if (mode.success) faults.set(mode.output);
        const answer = mode.success ? faults.get() : { error: v.summarize(mode.issues) };
        reply(response, mode.success ? 200 : 400, JSON.stringify(answer));
        return;
      }
      case "DELETE /mode":
        faults.set({});
        reply(response, 200, JSON.stringify(faults.get()));
        return;
      default:
        reply(response, 404, JSON.stringify({ error: "GET, DELETE /inbox; GET, PUT, DELETE /mode" }));
    }
  };

  // A client that goes away in mid-request is everyday business here.
  const handled =
    (handler: (request: Request, response: Response) => Promise<void>) =>
    (request: Request, response: Response): void => {
      handler(request, response).catch(() => response.destroy());
    };

  const google = createSecureServer({ key, cert, allowHTTP1: true }, handled(onGoogleRequest));
  google.on("sessionError", () => {});
  const control = createServer(handled(onControlRequest));
  const controlListener = await listen(control, options.port ?? 0);
  const googleListener = await listen(google, 0);

  return {
    inboxUrl: `http://127.0.0.1:${controlListener.port}/inbox`,
    ca: cert,
    preloadEnv: { LOCAL_FCM_PORT: String(googleListener.port), LOCAL_FCM_CA: cert },
    setMode: faults.set,
    counts: () => ({
      total: requestsByFunction.values().reduce((sum, count) => sum + count, 0),
      byFunction: Object.fromEntries(requestsByFunction),
    }),
    resetCounts: () => {
      requestsByFunction.clear();
    },
    close: async () => {
      for (const timer of timers) clearTimeout(timer);
      await Promise.all([controlListener.close(), googleListener.close()]);
    },
  };
};
