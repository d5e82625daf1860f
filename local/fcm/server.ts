import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { createSecureServer } from "node:http2";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import * as v from "valibot";
import { parseJson, readText } from "../body.ts";
import { listenLocally } from "../listen.ts";
import { createAnswerChooser } from "../scripted.ts";
import { createFcmErrorBody, chooseAnswerForFault, Mode, readSendRequest } from "./answers.ts";
import type { FcmAnswer, ReceivedMessage } from "./answers.ts";
import { createCertificate } from "./certificate.ts";
import { breakConnection, sendReply, sendTruncatedReply } from "./http.ts";
import type { Request, Response } from "./http.ts";
import { createInbox } from "./inbox.ts";
import type { InboxEntry } from "./inbox.ts";

export type { InboxEntry } from "./inbox.ts";

export type FcmOptions = {
  /** The port of inbox and controls on 127.0.0.1; by default, a free port. */
  port?: number;
  onMessage?: (entry: InboxEntry) => void;
  mode?: v.InferInput<typeof Mode>;
};

/** The file for Node's `--import` that redirects a process to the stand-in. */
export const fcmPreload = fileURLToPath(new URL("preload.ts", import.meta.url));

export const ACCESS_TOKEN_PREFIX = "local-fcm-";
const ACCESS_TOKEN_SECONDS = 3599;
const JWT_GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer";

const readHeaderOrEmpty = (request: Request, name: string): string => {
  const value = request.headers[name];
  return typeof value === "string" ? value : "";
};

const createCountersByName = () => {
  const counts = new Map<string, number>();
  return {
    add: (name: string): void => {
      counts.set(name, (counts.get(name) ?? 0) + 1);
    },
    read: () => Object.fromEntries(counts),
    reset: () => counts.clear(),
  };
};

/** Creates the list of faults in force. Each use of a fault lowers its `times`, if set. */
const createFaults = (initial: v.InferInput<typeof Mode>) => {
  let faults = v.parse(Mode, initial);
  return {
    set: (mode: v.InferInput<typeof Mode>) => {
      faults = v.parse(Mode, mode);
    },
    get: () => faults,
    take: (endpoint: "send" | "oauth", token: string): FcmAnswer | undefined => {
      const fault = faults[endpoint].find(
        ({ times, tokenPrefix }) => times !== 0 && token.startsWith(tokenPrefix ?? ""),
      );
      if (fault?.times !== undefined) fault.times -= 1;
      return fault === undefined ? undefined : chooseAnswerForFault(fault);
    },
  };
};

type FaultStore = ReturnType<typeof createFaults>;

/** Answers a request for an access token. `fault`: the fault in force, if any. */
const answerOauth = (request: Request, response: Response, body: string, fault: FcmAnswer | undefined): void => {
  if (fault?.kind === "stall") return;
  if (fault?.kind === "refuse") {
    const { status, code: error = "server_error", retryAfter } = fault;
    sendReply(response, status, { error, error_description: "asked for" }, retryAfter);
    return;
  }
  if (fault !== undefined) {
    breakConnection(request, fault.kind === "goaway");
    return;
  }
  const form = new URLSearchParams(body);
  if (form.get("grant_type") !== JWT_GRANT || form.get("assertion")?.split(".").length !== 3) {
    sendReply(response, 400, { error: "invalid_grant", error_description: "Invalid JWT" });
    return;
  }
  const access_token = ACCESS_TOKEN_PREFIX + randomUUID();
  sendReply(response, 200, { access_token, expires_in: ACCESS_TOKEN_SECONDS, token_type: "Bearer" });
};

/** Sends `answer` to a request to send a push. `addToInbox`: returns the entry's name; `closing`: stops delays. */
const answerPushRequest = async (
  request: Request,
  response: Response,
  answer: FcmAnswer,
  addToInbox: () => string,
  closing: AbortSignal,
): Promise<void> => {
  switch (answer.kind) {
    case "accept":
      if (answer.afterMs > 0) await wait(answer.afterMs, undefined, { signal: closing });
      sendReply(response, 200, { name: addToInbox() });
      return;
    case "takeAndReset":
      addToInbox();
      breakConnection(request, false);
      return;
    case "truncate":
      addToInbox();
      sendTruncatedReply(request, response);
      return;
    case "refuse": {
      const { status, code, retryAfter } = answer;
      sendReply(
        response,
        status,
        createFcmErrorBody(status, code, "The stand-in was asked to refuse this push."),
        retryAfter,
      );
      return;
    }
    case "reset":
    case "goaway":
      breakConnection(request, answer.kind === "goaway");
      return;
    case "stall":
      return;
  }
};

type GoogleApi = {
  faults: FaultStore;
  requestsByFunction: ReturnType<typeof createCountersByName>;
  take: (message: ReceivedMessage) => string;
  closing: AbortSignal;
};

const createGoogleApiHandler = ({ faults, requestsByFunction, take, closing }: GoogleApi) => {
  const next = createAnswerChooser();

  const handleSend = async (request: Request, response: Response, project: string, body: string): Promise<void> => {
    requestsByFunction.add(readHeaderOrEmpty(request, "x-local-function") || "unknown");
    const read = readSendRequest(parseJson(body));
    const token = "message" in read ? read.message.token : "";
    const fault = faults.take("send", token);
    if (
      fault === undefined &&
      !readHeaderOrEmpty(request, "authorization").startsWith(`Bearer ${ACCESS_TOKEN_PREFIX}`)
    ) {
      sendReply(response, 401, createFcmErrorBody(401, undefined, "Request had invalid authentication credentials."));
      return;
    }
    if ("refused" in read) {
      sendReply(response, 400, createFcmErrorBody(400, "INVALID_ARGUMENT", read.refused));
      return;
    }
    const answer = fault ?? next(token);
    const addToInbox = () => `projects/${project}/messages/${take(read.message)}`;
    await answerPushRequest(request, response, answer, addToInbox, closing);
  };

  return async (request: Request, response: Response): Promise<void> => {
    const body = await readText(request);
    const project = /^\/v1\/projects\/([^/]+)\/messages:send$/.exec(request.url ?? "")?.[1];
    if (request.method === "POST" && project !== undefined) await handleSend(request, response, project, body);
    else if (request.method === "POST" && request.url === "/token")
      answerOauth(request, response, body, faults.take("oauth", ""));
    else sendReply(response, 404, createFcmErrorBody(404, undefined, "Not found."));
  };
};

const createControl =
  (inbox: ReturnType<typeof createInbox>, faults: FaultStore) =>
  async (request: Request, response: Response): Promise<void> => {
    const body = await readText(request);
    const { pathname, searchParams } = new URL(request.url ?? "", "http://127.0.0.1");
    switch (`${request.method ?? ""} ${pathname}`) {
      case "GET /inbox":
        sendReply(response, 200, inbox.toJson(searchParams.get("token")));
        return;
      case "DELETE /inbox":
        inbox.clear();
        sendReply(response, 200, inbox.toJson());
        return;
      case "GET /mode":
        sendReply(response, 200, faults.get());
        return;
      case "PUT /mode": {
        const mode = v.safeParse(Mode, parseJson(body));
        if (mode.success) faults.set(mode.output);
        sendReply(
          response,
          mode.success ? 200 : 400,
          mode.success ? faults.get() : { error: v.summarize(mode.issues) },
        );
        return;
      }
      case "DELETE /mode":
        faults.set({});
        sendReply(response, 200, faults.get());
        return;
      default:
        sendReply(response, 404, { error: "GET, DELETE /inbox; GET, PUT, DELETE /mode" });
    }
  };

// Returns a handler that closes the connection after an error, because clients may disconnect during a request.
const handleDisconnects =
  (handler: (request: Request, response: Response) => Promise<void>) =>
  (request: Request, response: Response): void => {
    handler(request, response).catch(() => response.destroy());
  };

/**
 * Serves FCM and Google's token endpoint over TLS, with HTTP/2 and HTTP/1.1. Over plain HTTP on 127.0.0.1, serves the active
 * faults (`GET`, `PUT` and `DELETE /mode`) and the inbox (`GET` and `DELETE /inbox`), oldest first; `?token=` selects a device.
 */
export const startFcm = async (options: FcmOptions = {}) => {
  const { key, cert } = createCertificate(["*.googleapis.com", "localhost"]);
  const inbox = createInbox();
  const faults = createFaults(options.mode ?? {});
  const requestsByFunction = createCountersByName();
  const closing = new AbortController();
  /** Adds a push to the inbox, and returns the entry's id. */
  const receiveMessage = (message: ReceivedMessage): string => {
    const id = randomUUID();
    const entry = { id, receivedAt: new Date().toISOString(), token: message.token, message };
    inbox.add(entry);
    options.onMessage?.(entry);
    return id;
  };

  const onGoogleRequest = handleDisconnects(
    createGoogleApiHandler({ faults, requestsByFunction, take: receiveMessage, closing: closing.signal }),
  );
  const google = createSecureServer({ key, cert, allowHTTP1: true }, onGoogleRequest);
  google.on("sessionError", () => {});
  const controlListener = await listenLocally(
    createServer(handleDisconnects(createControl(inbox, faults))),
    options.port ?? 0,
  );
  const googleListener = await listenLocally(google, 0, ["googleapis.com"]);

  return {
    inboxUrl: `${controlListener.url}/inbox`,
    ca: cert,
    preloadEnv: { LOCAL_FCM_PORT: String(googleListener.port), LOCAL_FCM_CA: cert },
    setMode: faults.set,
    counts: () => {
      const byFunction = requestsByFunction.read();
      return { total: Object.values(byFunction).reduce((sum, count) => sum + count, 0), byFunction };
    },
    resetCounts: requestsByFunction.reset,
    close: async () => {
      closing.abort();
      await Promise.all([controlListener.close(), googleListener.close()]);
    },
  };
};
export type Fcm = Awaited<ReturnType<typeof startFcm>>;
