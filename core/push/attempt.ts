import { AsyncLocalStorage } from "node:async_hooks";
import type { Agent, ClientRequest } from "node:http";
import { TLSSocket } from "node:tls";
import type { PushOutcome } from "../domain/delivery/push/outcome.ts";
import { LATE, withTimeLimit, type SetTimer } from "./time-limit.ts";

/** The idle time after which a connection is not used again: the other end may have closed it while Lambda froze the instance. */
const IDLE_CONNECTION_MS = 4000;

export type Attempt = {
  watch: (request: ClientRequest) => void;
  /** Returns whether a byte of the request may have been sent. */
  mayHaveArrived: () => boolean;
  /** Records that the push service refused the request: the push has certainly not arrived. */
  refused: () => void;
  /** Closes the connection, and drops data that was not sent. */
  abort: () => void;
};

/** Creates the state of one attempt to send a push: whether data may have been sent, and how to abort the request. */
const createAttempt = (): Attempt => {
  let request: ClientRequest | undefined;
  let isAborted = false;
  let mayHaveArrived = false;
  return {
    watch: (made) => {
      request = made;
      if (isAborted) made.destroy();
      made.once("socket", (socket) => {
        // A new connection sends no data before its TLS handshake ends.
        if (socket.connecting) {
          socket.once(socket instanceof TLSSocket ? "secureConnect" : "connect", () => {
            mayHaveArrived = true;
          });
        } else {
          mayHaveArrived = !socket.destroyed;
        }
      });
    },
    mayHaveArrived: () => mayHaveArrived,
    refused: () => {
      mayHaveArrived = false;
    },
    abort: () => {
      isAborted = true;
      request?.destroy();
    },
  };
};

/** Sends one push, and aborts it at its deadline: the outcome is then `unknown` if data may have arrived, or else `retry`. */
export const sendInTime = async (
  after: SetTimer,
  deadlineMs: number,
  deliver: (attempt: Attempt) => Promise<PushOutcome>,
): Promise<PushOutcome> => {
  const attempt = createAttempt();
  const outcome = await withTimeLimit(after, deadlineMs, deliver(attempt));
  if (outcome !== LATE) return outcome;
  attempt.abort();
  return { kind: attempt.mayHaveArrived() ? "unknown" : "retry", code: "DEADLINE" };
};

export type Transport<Kind extends Agent> = {
  agent: Kind;
  /** Runs a call. All requests that the call makes through `agent`, immediately or later, belong to the same attempt. */
  run: <T>(attempt: Attempt, call: () => T) => T;
};

export const buildConnectionOptions = (maxConnections: number) => ({
  keepAlive: true,
  maxSockets: maxConnections,
  timeout: IDLE_CONNECTION_MS,
});

/**
 * Returns a transport that keeps HTTP/1.1 connections to a push service alive, each for one request at a time: in a shared HTTP/2
 * session, a request without an answer would delay others. The agent's `addRequest` is replaced, because firebase-admin does not
 * expose its requests.
 */
export const createTransport = <Kind extends Agent>(agent: Kind, now: () => number): Transport<Kind> => {
  const current = new AsyncLocalStorage<Attempt>();
  let lastUsedMs = now();

  // The agent's own timeout is not enough, because it does not run while Lambda freezes the instance.
  const closeIdleConnections = (): void => {
    if (now() - lastUsedMs <= IDLE_CONNECTION_MS) return;
    for (const sockets of Object.values(agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
  };

  const addRequest: unknown = Reflect.get(agent, "addRequest");
  if (typeof addRequest !== "function") throw new Error("Node's agents no longer have addRequest");
  Reflect.set(agent, "addRequest", (request: ClientRequest, ...rest: unknown[]): void => {
    current.getStore()?.watch(request);
    closeIdleConnections();
    lastUsedMs = now();
    Reflect.apply(addRequest, agent, [request, ...rest]);
  });

  return { agent, run: (attempt, call) => current.run(attempt, call) };
};
