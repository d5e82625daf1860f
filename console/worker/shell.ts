import { language } from "../app/language.ts";

const KEPT = "shell";
const SHELL = "/inbox";
/** The maximum number of cached files. The oldest files are removed first. */
const FILES_MAX = 120;

/** Returns whether a file is cached with the shell. The texts of single pages are cached when the page is opened. */
const isCachedFromStart = (path: string): boolean => {
  const [, of, part] = /^\/assets\/([a-z]{2})-(.+)-\w+\.js$/.exec(path) ?? [];
  return of === undefined || (of === language && (part === "first" || part === "pages"));
};

export const cacheShell = async (): Promise<void> => {
  const cache = await caches.open(KEPT);
  const shell = await fetch(SHELL, { cache: "reload" });
  if (!shell.ok) throw new Error(`the shell was answered ${shell.status}`);
  const text = await shell.clone().text();
  await cache.put(SHELL, shell);
  // Caches the shell's scripts, which the page loaded before the worker could cache them.
  await cache.addAll(new Set(text.match(/\/assets\/[\w-]+\.js/g)?.filter(isCachedFromStart)));
};

/** Returns whether the service is overloaded (429) or failed (5xx). */
const isUnavailable = ({ status }: Response): boolean => status === 429 || status >= 500;

/** Returns a page, from the cache if the network or the service fails or is overloaded. */
const answerPage = async (request: Request): Promise<Response> => {
  try {
    const answer = await fetch(request);
    if (isUnavailable(answer)) return (await caches.match(SHELL)) ?? answer;
    if (answer.ok) {
      const cache = await caches.open(KEPT);
      await cache.put(SHELL, answer.clone());
    }
    return answer;
  } catch {
    return (await caches.match(SHELL)) ?? Response.error();
  }
};

/** Returns a file from the cache, or else from the network. URLs change with the content, so copies are never outdated. */
const answerAsset = async (request: Request): Promise<Response> => {
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

/** Answers requests for pages and assets; returns undefined for other requests. */
export const answerFromShell = (request: Request): Promise<Response> | undefined => {
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return undefined;
  if (pathname.startsWith("/assets/")) return answerAsset(request);
  const isOther = pathname === "/docs" || pathname === "/workbench" || pathname.startsWith("/v1/");
  return request.mode === "navigate" && !isOther ? answerPage(request) : undefined;
};
