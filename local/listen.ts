import { once } from "node:events";
import type { Server, Socket } from "node:net";
import { refuseForeignRequests } from "./this-machine.ts";
import { MINUTE_MS } from "../core/domain/basics/units.ts";

export type Listener = { port: number; url: string; close: () => Promise<void> };

/** The server keeps idle connections open longer than clients do, because a server that closes first may lose a request. */
const KEEP_ALIVE_MS = MINUTE_MS;

/**
 * Listens on 127.0.0.1. Port 0 selects a free port. Rejects if the port is in use. `close` also ends open connections. Refuses
 * pages of other origins, and host names other than `hosts`.
 */
export const listenLocally = async (
  server: Server & { keepAliveTimeout?: number },
  port: number,
  hosts: readonly string[] = [],
): Promise<Listener> => {
  refuseForeignRequests(server, hosts);
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const taken = typeof address === "object" && address !== null ? address.port : port;
  return {
    port: taken,
    url: `http://127.0.0.1:${taken}`,
    close: async () => {
      if (!server.listening) return;
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
};
