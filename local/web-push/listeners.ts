import type { ServerResponse } from "node:http";

/** Creates the list of open pages, which get the pushes of their endpoint as server-sent events. */
export const createListeners = () => {
  const byEndpoint = new Map<string, Set<ServerResponse>>();
  return {
    add: (endpoint: string, response: ServerResponse): void => {
      response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
      response.write(": open\n\n");
      const open = byEndpoint.get(endpoint) ?? new Set();
      byEndpoint.set(endpoint, open.add(response));
      response.on("close", () => open.delete(response));
    },
    /** Sends a push to the open pages of its endpoint. `message`: null if only the page has the keys. */
    tell: (endpoint: string, message: unknown, body: Buffer): void => {
      const told =
        message === null ? `event: encrypted\ndata: ${body.toString("base64url")}` : `data: ${JSON.stringify(message)}`;
      for (const response of byEndpoint.get(endpoint) ?? []) response.write(`${told}\n\n`);
    },
    close: (): void => {
      for (const open of byEndpoint.values()) for (const response of open) response.destroy();
    },
  };
};
