import { onTestFinished, vi } from "vitest";
import type { Failed } from "../../../console/app/failure.ts";

/* Simulates a browser without a page, with only what the console's own logic uses. */

export type Signal<Value> = { value: Value };
type Handler = (event: never) => void;
export type Listeners = Map<string, Set<Handler>>;

const createEventTarget = () => {
  const listeners: Listeners = new Map();
  return {
    listeners,
    addEventListener: (type: string, handler: Handler) => {
      listeners.set(type, (listeners.get(type) ?? new Set<Handler>()).add(handler));
    },
    removeEventListener: (type: string, handler: Handler) => void listeners.get(type)?.delete(handler),
    tell: (type: string, event: object = {}) => {
      for (const handler of listeners.get(type) ?? []) handler(event as never);
    },
  };
};

export const setting = {
  origin: "https://a.example",
  signIn: "https://in.example",
  clientId: "c",
  userPool: "https://pool.example/",
};

const createStorage = (kept: Map<string, string>) => ({
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => void kept.set(key, value),
  removeItem: (key: string) => void kept.delete(key),
  clear: () => kept.clear(),
});

type Given = Partial<typeof setting> & { at?: string; provider?: string };

/**
 * Creates a simulated page that lasts until its test ends: its URL and history, its storage, its timers, and what a test adds.
 * `own`: settings that replace the defaults.
 */
export const aBrowser = ({ at = "https://a.example/", ...own }: Given = {}) => {
  vi.resetModules();
  onTestFinished(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
  const page = {
    kept: new Map<string, string>(),
    session: new Map<string, string>(),
    /** The navigations of the page: `push`, `replace` or `assign`, and the URL. */
    history: [] as string[],
    scrolls: [] as true[],
    timers: [] as { ms: number; run: () => void; every: boolean }[],
    window: createEventTarget(),
    document: createEventTarget(),
    /** The results of document queries, by selector. */
    found: new Map<string, unknown>(),
  };
  const location = new URL(at);
  const recordNavigation = (how: string) => (_: null, _title: string, url: URL) => {
    page.history.push(`${how} ${url.href.slice(url.origin.length)}`);
    location.href = url.href;
  };
  const content = JSON.stringify({ ...setting, ...own });
  const document = {
    ...page.document,
    visibilityState: "visible",
    activeElement: null as unknown,
    documentElement: { dataset: {} as Record<string, string> },
    querySelector: (selector: string) =>
      page.found.get(selector) ?? (selector.startsWith("meta") ? { getAttribute: () => content } : null),
    querySelectorAll: (selector: string) => page.found.get(selector) ?? [],
  };
  const createTimer = (every: boolean) => (run: () => void, ms: number) => {
    const made = { ms, run, every };
    page.timers.push(made);
    return made;
  };
  const removeTimer = (made: unknown): void => {
    page.timers.splice(0, Infinity, ...page.timers.filter((one) => one !== made));
  };
  const window = {
    ...page.window,
    setTimeout: createTimer(false),
    setInterval: createTimer(true),
    clearTimeout: removeTimer,
    clearInterval: removeTimer,
    scrollTo: () => void page.scrolls.push(true),
  };
  vi.stubGlobal("window", window);
  vi.stubGlobal("document", document);
  vi.stubGlobal("addEventListener", page.window.addEventListener);
  vi.stubGlobal("localStorage", createStorage(page.kept));
  vi.stubGlobal("sessionStorage", createStorage(page.session));
  vi.stubGlobal("history", { pushState: recordNavigation("push"), replaceState: recordNavigation("replace") });
  vi.stubGlobal(
    "location",
    Object.assign(location, { assign: (to: string) => void page.history.push(`assign ${to}`) }),
  );
  vi.stubGlobal("navigator", { languages: ["en-GB"], locks: { request: (_: string, run: () => unknown) => run() } });
  return { ...page, location, document, windowGlobal: window };
};

export const load = async <Part>(name: string): Promise<Part> =>
  (await import(`../../../console/app/${name}.ts`)) as Part;

export const createJwt = (claims: object) => `h.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.s`;
export const tokenOf = (sub: string, nonce = 0) => createJwt({ sub, nonce });
export const createTokenAnswer = (fields: object = {}) =>
  Response.json({ access_token: tokenOf("ann"), expires_in: 3600, refresh_token: "next", ...fields });

export type Call = { method: string; address: string; headers: Headers; body: string };

/** Simulates the user pool and the API behind a page: records their requests, and returns the answers that a test sets. */
export const aService = () => {
  const service = {
    pool: [] as { address: string; form: Record<string, string> }[],
    calls: [] as Call[],
    answers: {
      pool: (): Response | Promise<Response> => createTokenAnswer(),
      api: ((): Response => Response.json([])) as (call: Call) => Response,
    },
  };
  vi.stubGlobal(
    "fetch",
    async (address: string, init: { method: string; headers?: Record<string, string>; body?: unknown }) => {
      if (address.startsWith(setting.signIn)) {
        const form = Object.fromEntries(init.body as URLSearchParams) as Record<string, string>;
        service.pool.push({ address: address.slice(setting.signIn.length), form });
        return service.answers.pool();
      }
      const headers = new Headers(init.headers);
      const call = { method: init.method, address, headers, body: init.body as string };
      service.calls.push(call);
      return service.answers.api(call);
    },
  );
  return service;
};

export const failureOf = (work: Promise<unknown>) => work.catch((error: unknown) => (error as Failed).failure);
