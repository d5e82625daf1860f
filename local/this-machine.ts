import type { IncomingHttpHeaders } from "node:http";
import type { Server } from "node:net";

const NAMES = ["127.0.0.1", "localhost", "[::1]"];

/** Returns the name in a `host:port`, in lower case. The port may be missing. */
const readHostName = (authority: string): string => authority.toLowerCase().replace(/:\d+$/, "");

/** Returns whether a host name is one of this machine's names, one of `hosts`, or a subdomain of one of `hosts`. */
const isKnownHost = (name: string, hosts: readonly string[]): boolean =>
  NAMES.includes(name) || hosts.some((host) => name === host || name.endsWith(`.${host}`));

/** Returns the host name in an origin; the whole text if it is not a URL. */
const readOriginHost = (origin: string): string => {
  const url = URL.parse(origin);
  return url === null ? origin : url.hostname;
};

/** Returns whether the request's `Host`, and the page's `Origin` if a browser sends it, name this machine or one of `hosts`. */
const isOfThisMachine = (
  { host, origin, ":authority": authority }: IncomingHttpHeaders & { ":authority"?: string | undefined },
  hosts: readonly string[],
): boolean =>
  isKnownHost(readHostName(authority ?? host ?? ""), hosts) &&
  (origin === undefined || isKnownHost(readOriginHost(origin), hosts));

type RequestAndResponse = [
  request: { headers: Parameters<typeof isOfThisMachine>[0] },
  response: { writeHead(status: number, headers: Record<string, string>): unknown; end(body: string): unknown },
];

/** Refuses requests from other machines, or from pages of other sites, before the server's own handlers are called. */
export const refuseForeignRequests = (server: Pick<Server, "emit">, hosts: readonly string[]): void => {
  const pass = server.emit.bind(server);
  const emitUnlessForeign = (name: string, ...[request, response]: RequestAndResponse): boolean => {
    if (isOfThisMachine(request.headers, hosts)) return pass(name, request, response);
    response.writeHead(403, { "content-type": "application/json" });
    response.end(JSON.stringify({ message: "This service answers only requests from its own machine." }));
    return true;
  };
  // `emit` is overridden, because servers get their handlers only after they listen.
  Object.defineProperty(server, "emit", {
    value: (name: string, ...given: RequestAndResponse) =>
      name === "request" ? emitUnlessForeign(name, ...given) : pass(name, ...given),
  });
};
