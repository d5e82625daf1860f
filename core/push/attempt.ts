import { AsyncLocalStorage } from "node:async_hooks";
import type { Agent, ClientRequest } from "node:http";
import { TLSSocket } from "node:tls";
import type { PushOutcome } from "../domain/delivery/push/outcome.ts";
import { LATE, withTimeLimit, type After } from "./time-limit.ts";

/**
 * A connection that was idle for longer than this is not used again. The other end may have closed it, especially while Lambda
 * had frozen the instance, and a push on that connection would have an unknown outcome.
 */
const IDLE_CONNECTION_MS = 4000;

/** One send in progress, which records whether any byte of the request may have reached the push service. */
export type Attempt = {
  watch: (request: ClientRequest) => void;
  /** Returns false only if no byte of the request has left this machine. */
  mayHaveArrived: () => boolean;
  /** Records that the request was refused, so that nothing sent so far was accepted. */
  refused: () => void;
  /** Ends the request and frees its connection. Unsent data is not sent. */
  abort: () => void;
};

const createAttempt = (): Attempt => {
  let request: ClientRequest | undefined;
  let isAborted = false;
  let mayHaveArrived = false;
  return {
    watch: (made) => {
      request = made;
      if (isAborted) made.destroy();
      made.once("socket", (socket) => {
        // A new connection sends no data before its TLS handshake ends; a kept-alive connection sends the request at once.
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

/** Sends with a deadline. Aborts a send that takes longer; its outcome is unknown if data may have arrived. */
export const sendInTime = async (
  after: After,
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
  /** Runs a call. Any request that the call makes through the agent, even later, belongs to this attempt. */
  run: <T>(attempt: Attempt, call: () => T) => T;
};

/** Returns the options of connections that are kept alive, and closed after a time without use. */
export const connectionOptions = (maxConnections: number) => ({
  keepAlive: true,
  maxSockets: maxConnections,
  timeout: IDLE_CONNECTION_MS,
});

/**
 * Creates the connections to a push service: HTTP/1.1, kept alive, one request at a time on each. Thus, a request without an
 * answer delays no other, as it would on a shared HTTP/2 session that fails or gets GOAWAY. `addRequest` is overridden because
 * firebase-admin does not expose its requests. Node requires this method of every agent, although its types do not list it.
 */
export const createTransport = <Kind extends Agent>(agent: Kind, now: () => number): Transport<Kind> => {
  const current = new AsyncLocalStorage<Attempt>();
  let lastUsedMs = now();

  // The agent's own timeout also closes idle connections, but does not run while Lambda has frozen the instance.
  const closeIdle = (): void => {
    if (now() - lastUsedMs <= IDLE_CONNECTION_MS) return;
    for (const sockets of Object.values(agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
  };

  const addRequest: unknown = Reflect.get(agent, "addRequest");
  if (typeof addRequest !== "function") throw new Error("Node's agents no longer have addRequest");
  Reflect.set(agent, "addRequest", (request: ClientRequest, ...rest: unknown[]): void => {
    current.getStore()?.watch(request);
    closeIdle();
    lastUsedMs = now();
    Reflect.apply(addRequest, agent, [request, ...rest]);
  });

  return { agent, run: (attempt, call) => current.run(attempt, call) };
};
