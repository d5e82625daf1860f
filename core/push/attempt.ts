import { AsyncLocalStorage } from "node:async_hooks";
import type { Agent, ClientRequest } from "node:http";
import { TLSSocket } from "node:tls";
import type { PushOutcome } from "../domain/delivery/push/outcome.ts";
import { LATE, withTimeLimit, type After } from "./time-limit.ts";

/**
 * A connection that was idle for longer is not used again. The other end may have closed it, especially while Lambda
 * had frozen the instance, and a push written to it would have an unknown outcome.
 */
const IDLE_CONNECTION_MS = 4000;

/** One send in progress. It knows whether any byte of the request may have reached the push service. */
export type Attempt = {
  watch: (request: ClientRequest) => void;
  /** False only if no byte of the request left this machine. */
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
        // A new connection carries no data before its TLS handshake ends; a kept-alive one carries the request at once.
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

/** Sends with a deadline. A send that has not ended by then is aborted, and may have arrived. */
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

/** Connections are kept alive, and closed after being idle for a while. */
export const connectionOptions = (maxConnections: number) => ({
  keepAlive: true,
  maxSockets: maxConnections,
  timeout: IDLE_CONNECTION_MS,
});

/**
 * The connections to a push service: HTTP/1.1, kept alive, one request at a time on each. So a device without an
 * answer delays no other. On a shared HTTP/2 session it would delay others, as soon as the session itself fails or gets GOAWAY.
 * Only an agent's `addRequest` sees the request that firebase-admin makes but does not expose. Node requires that
 * method of every agent, though its types do not list it.
 */
export const createTransport = <Kind extends Agent>(agent: Kind, now: () => number): Transport<Kind> => {
  const current = new AsyncLocalStorage<Attempt>();
  let lastUsedMs = now();

  // The agent's own timeout closes idle connections, but does not run while Lambda has frozen the instance.
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
