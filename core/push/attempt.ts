import { AsyncLocalStorage } from "node:async_hooks";
import type { ClientRequest } from "node:http";
import { Agent } from "node:https";
import { IDLE_CONNECTION_MS } from "./limits.ts";

/** One send on its way. It knows what firebase-admin does not tell: whether anything can have reached FCM. */
export type Attempt = {
  watch: (request: ClientRequest) => void;
  /** False only if no byte of the request left this machine. */
  mayHaveArrived: () => boolean;
  isAborted: () => boolean;
  /** Ends the request and frees its connection. What is not sent yet is not sent any more. */
  abort: () => void;
};

export const createAttempt = (): Attempt => {
  let request: ClientRequest | undefined;
  let isAborted = false;
  let mayHaveArrived = false;
  return {
    watch: (made) => {
      request = made;
      if (isAborted) made.destroy();
      made.once("socket", (socket) => {
        // A new connection carries nothing before its TLS handshake is done; a reused one carries the request at once.
        if (socket.connecting) {
          socket.once("secureConnect", () => {
            mayHaveArrived = true;
          });
        } else {
          mayHaveArrived = true;
        }
      });
    },
    mayHaveArrived: () => mayHaveArrived,
    isAborted: () => isAborted,
    abort: () => {
      isAborted = true;
      request?.destroy();
    },
  };
};

export type Transport = {
  agent: Agent;
  /** Runs a call whose request, made through the agent at whatever later time, belongs to the attempt. */
  run: <T>(attempt: Attempt, call: () => T) => T;
};

/**
 * The connections to FCM: HTTP/1.1, kept alive, one request at a time on each. So a device that FCM does not answer for
 * delays no other, which on a shared HTTP/2 session it does as soon as the session itself fails or is told to go away.
 *
 * An agent's `addRequest` is the one place that sees the request which firebase-admin makes but does not hand out. Node
 * requires that method of every agent, though its types do not list it.
 */
export const createTransport = (options: { maxConnections: number; now: () => number }): Transport => {
  const agent = new Agent({ keepAlive: true, maxSockets: options.maxConnections, timeout: IDLE_CONNECTION_MS });
  const current = new AsyncLocalStorage<Attempt>();
  let lastUsedMs = options.now();

  // The agent's own timeout closes idle connections, but it does not run while Lambda has the instance frozen.
  const closeIdle = (): void => {
    if (options.now() - lastUsedMs <= IDLE_CONNECTION_MS) return;
    for (const sockets of Object.values(agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
  };

  const addRequest: unknown = Reflect.get(agent, "addRequest");
  if (typeof addRequest !== "function") throw new Error("Node's https agents no longer have addRequest");
  Reflect.set(agent, "addRequest", (request: ClientRequest, ...rest: unknown[]): void => {
    current.getStore()?.watch(request);
    closeIdle();
    lastUsedMs = options.now();
    Reflect.apply(addRequest, agent, [request, ...rest]);
  });

  return { agent, run: (attempt, call) => current.run(attempt, call) };
};
