import { language } from "../app/language.ts";

/** The cache that lets the console open without a network: the shell, and the files it has loaded. */
const KEPT = "shell";
const SHELL = "/inbox";
/** Files of earlier builds beyond this number are removed, the oldest first. */
const FILES_MAX = 120;

/**
 * Whether a file that the shell names is kept from the beginning: the shell names the texts of all languages, and a
 * page's own are kept with the page's script when it is opened.
 */
const isKept = (path: string): boolean => {
  const [, of, part] = /^\/assets\/([a-z]{2})-(.+)-\w+\.js$/.exec(path) ?? [];
  return of === undefined || (of === language && (part === "first" || part === "pages"));
};

export const keepShell = async (): Promise<void> => {
  const cache = await caches.open(KEPT);
  const shell = await fetch(SHELL, { cache: "reload" });
  if (!shell.ok) throw new Error(`the shell was answered ${shell.status}`);
  const text = await shell.clone().text();
  await cache.put(SHELL, shell);
  // The page's scripts were loaded before a worker could have cached them.
  await cache.addAll(new Set(text.match(/\/assets\/[\w-]+\.js/g)?.filter(isKept)));
};

/** Whether nobody is at home: too many ask at once, or the service has failed. It has nothing to do with the address. */
const isAway = ({ status }: Response): boolean => status === 429 || status >= 500;

/** A page: from the network, or from the cache if there is no network, or if the network has only a refusal. */
const page = async (request: Request): Promise<Response> => {
  try {
    const answer = await fetch(request);
    if (isAway(answer)) return (await caches.match(SHELL)) ?? answer;
    if (answer.ok) {
      const cache = await caches.open(KEPT);
      await cache.put(SHELL, answer.clone());
    }
    return answer;
  } catch {
    return (await caches.match(SHELL)) ?? Response.error();
  }
};

/** A file whose address changes with its contents, so a cached copy is never out of date. */
const asset = async (request: Request): Promise<Response> => {
  const kept = await caches.match(request);
  if (kept !== undefined) return kept;
  const answer = await fetch(request);
  if (answer.ok) {
    const cache = await caches.open(KEPT);
    await cache.put(request, answer.clone());
    const files = (await cache.keys()).filter(({ url }) => url.includes("/assets/"));
    for (const old of files.slice(0, Math.max(0, files.length - FILES_MAX))) await cache.delete(old);
  }
  return answer;
};

/** Undefined: the shell does not handle this request, and the browser does. The API's answers are never cached. */
export const answerFromShell = (request: Request): Promise<Response> | undefined => {
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return undefined;
  if (pathname.startsWith("/assets/")) return asset(request);
  const isOther = pathname === "/docs" || pathname === "/workbench" || pathname.startsWith("/v1/");
  return request.mode === "navigate" && !isOther ? page(request) : undefined;
};
