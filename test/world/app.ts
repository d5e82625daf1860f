import type { Deps, Log } from "../../core/deps.ts";
import type { PushMessage } from "../../core/domain/delivery/push/message.ts";
import type { Push } from "../../core/domain/delivery/push/outcome.ts";
import { createMatcher } from "../../functions/matcher.ts";
import { createSender } from "../../functions/sender.ts";
import type { HttpHandler } from "../../functions/http/endpoint.ts";
import { fallback, routes, type Method, type Route } from "../../lib/routes.ts";
import { testClock } from "./clock.ts";
import { startTable } from "./table.ts";
import { call, type Answer, type Call } from "./http.ts";
import { createTestQueues } from "./queues.ts";
import { vapidKeys } from "../support/web-push.ts";
import { SEND_SETTLE_SECONDS } from "../../core/flow/send-notification.ts";

export type Ask = Call & { method?: Method; apiKey?: string };

const matchPath = (template: string, path: string): Record<string, string> | undefined => {
  const parts = path.split("/");
  const names = template.split("/");
  if (parts.length !== names.length) return undefined;
  const found: Record<string, string> = {};
  for (const [index, name] of names.entries()) {
    const part = parts[index] ?? "";
    if (name.startsWith("{")) found[name.slice(1, -1)] = decodeURIComponent(part);
    else if (name !== part) return undefined;
  }
  return found;
};

/** As in API Gateway, literal parts win over parameters. */
const routeOf = (method: Method, path: string): { route: Route; params: Record<string, string> } | undefined => {
  const fits = routes
    .filter((route) => route.method === method)
    .map((route) => ({ route, params: matchPath(route.path, path) }))
    .sort((a, b) => Object.keys(a.params ?? {}).length - Object.keys(b.params ?? {}).length)
    .find(({ params }) => params !== undefined);
  return fits?.params === undefined ? undefined : { route: fits.route, params: fits.params };
};

/** The factory of an endpoint: the export of its file besides `handler`. */
const factoryOf = async (entry: string): Promise<(deps: object) => HttpHandler> => {
  const file = new URL(`../../functions/${entry}.ts`, import.meta.url).href;
  const module = (await import(/* @vite-ignore */ file)) as Record<string, unknown>;
  const [factory] = Object.entries(module).flatMap(([name, value]) => (name === "handler" ? [] : [value]));
  return factory as (deps: object) => HttpHandler;
};

/** The whole interface in this process: every route's handler on one table in memory, behind a minimal gateway. */
export const startApp = async ({
  log,
  push,
  pausesPass = false,
}: {
  log?: Log;
  push?: Push;
  /** Whether the pause before a retried write ends at once, with the clock moved on by it. */
  pausesPass?: boolean;
} = {}) => {
  const stand = await startTable();
  const { deps: clock, advance } = testClock();
  const { queues } = createTestQueues(clock.now);
  const pushed: PushMessage[] = [];
  const deps = {
    ...clock,
    ...(log === undefined ? {} : { log }),
    table: stand.table,
    // The sender's pause for slow devices never ends, so it waits for all calls.
    sleep: (ms: number) =>
      pausesPass && ms !== SEND_SETTLE_SECONDS * 1000 ? Promise.resolve(void advance(ms)) : new Promise<void>(() => {}),
    queues: { events: queues.events.queue, pushes: queues.pushes.queue, escalations: queues.escalations.queue },
    baseUrl: "https://alerts.example",
    getVapidKeys: async () => ({ current: vapidKeys, previous: undefined }),
    push: push ?? {
      send: async (message: PushMessage) => {
        pushed.push(message);
        return { kind: "accepted", messageId: "m" };
      },
    },
  } satisfies Deps & { getVapidKeys: unknown };
  const handlers = new Map<string, HttpHandler>();
  for (const { entry } of routes) handlers.set(entry, (await factoryOf(entry))(deps));
  const unknown = (await factoryOf(fallback.entry))(deps);
  const matcher = createMatcher(deps);
  const sender = createSender(deps);

  const used = new Map<string, Set<string>>();

  const ask = async <Body = unknown>(
    url: string,
    { method = "GET", apiKey, ...rest }: Ask = {},
  ): Promise<Answer<Body>> => {
    const [path = "", search] = url.split("?");
    const found = routeOf(method, path);
    if (found === undefined) return call<Body>(unknown, { ...rest, method, rawPath: path });
    const { route, params } = found;
    if (route.auth === "session" && rest.as === undefined)
      return { status: 401, headers: {}, body: { message: "Unauthorized" } as Body };
    const headers = { ...(apiKey === undefined ? {} : { "x-api-key": apiKey }), ...rest.headers };
    const query = search === undefined ? rest.query : Object.fromEntries(new URLSearchParams(search));
    stand.usedActions();
    const answer = await call<Body>(handlers.get(route.entry)!, {
      ...rest,
      method,
      headers,
      path: params,
      ...(query === undefined ? {} : { query }),
    });
    used.set(route.entry, new Set([...(used.get(route.entry) ?? []), ...stand.usedActions()]));
    return answer;
  };

  return {
    ask,
    deps,
    advance,
    stand,
    pushed,
    /** The table's actions that each endpoint has used. Exact only if one request is made at a time. */
    used,
    /** Takes the events that wait for the matcher off the queue, in Lambda's format. */
    queued: () => queues.events.drainBatch(),
    /** Lets the workers handle what is in the queues. */
    work: async () => {
      await matcher(queues.events.drainBatch());
      await sender(queues.pushes.drainBatch());
    },
    close: stand.close,
  };
};
export type App = Awaited<ReturnType<typeof startApp>>;
