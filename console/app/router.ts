import { computed, signal } from "@preact/signals";
import { moved, pages, type PageName } from "./paths.ts";

/** Returns the URL for an address, with a former path replaced by the current one. */
const followRedirects = (address: string, base?: string): URL => {
  const url = new URL(address, base);
  url.pathname = moved[url.pathname] ?? url.pathname;
  return url;
};

/** The reader's location, from which every page is built, so that each state of a page has a URL. */
export const here = signal(followRedirects(location.href));

export type Match = { name: PageName; params: Record<string, string> } | { name: undefined };

const pathSegments = (path: string): string[] => path.split("/").slice(1);

/** Returns the page for a path; variable parts are decoded. */
export const matchPath = (path: string): Match => {
  const asked = pathSegments(path);
  for (const page of pages) {
    const segments = pathSegments(page.path);
    const fits =
      segments.length === asked.length &&
      segments.every((segment, index) => segment.startsWith(":") || segment === asked[index]);
    if (!fits) continue;
    const params = segments.flatMap((segment, index) =>
      segment.startsWith(":") ? [[segment.slice(1), decodeURIComponent(asked[index] ?? "")] as const] : [],
    );
    return { name: page.name, params: Object.fromEntries(params) };
  }
  return { name: undefined };
};

export const matched = computed(() => matchPath(here.value.pathname));

/** The scroll positions of the pages that the reader left, and the position to restore after the reader went back. */
const left = new Map<string, number>();
let back: number | undefined;

/** Restores the scroll position of a page to which the reader went back, once its content is loaded. */
export const restoreScroll = (): void => {
  if (back !== undefined) window.scrollTo(0, back);
  back = undefined;
};

/** Opens another page of the console. `replace`: whether to replace the entry in the history. */
export const navigate = (to: string, { replace = false }: { replace?: boolean } = {}): void => {
  const url = followRedirects(to, location.href);
  // The workspace in the URL stays the same, unless the new URL names another one.
  const workspace = here.value.searchParams.get("workspace");
  if (workspace !== null && !url.searchParams.has("workspace")) url.searchParams.set("workspace", workspace);
  left.set(here.value.href, window.scrollY);
  back = undefined;
  if (replace) history.replaceState(null, "", url);
  else history.pushState(null, "", url);
  const samePage = url.pathname === here.value.pathname;
  here.value = url;
  if (!samePage) window.scrollTo(0, 0);
};

/** The names of query parameters for the search text and the open groups. */
export const SEARCH = "search";
export const GROUP = "group";
const VIEW_ONLY: readonly string[] = [SEARCH, GROUP];

/** Returns the part of a URL's query that affects what a page loads. */
export const queryForLoad = ({ searchParams }: URL): string =>
  [...searchParams]
    .filter(([name]) => !VIEW_ONLY.includes(name))
    .map((pair) => pair.join("="))
    .join("&");

/** The id of a new item in the URL. */
export const NEW = "new";

type Query = Record<string, string | undefined>;

/** Returns the current URL with these values in the query; an empty value removes its parameter. */
export const urlWithQuery = (values: Query): string => {
  const url = new URL(here.value);
  for (const [name, value] of Object.entries(values))
    if (value === undefined || value === "") url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  return url.href;
};

/** Sets values in the URL's query, without a new entry in the history. */
export const setQuery = (values: Query): void => navigate(urlWithQuery(values), { replace: true });

const isLinkOfConsole = (link: HTMLAnchorElement): boolean => {
  const url = new URL(link.href);
  return (
    url.origin === location.origin &&
    link.target === "" &&
    !link.hasAttribute("download") &&
    matchPath(followRedirects(url.href).pathname).name !== undefined &&
    !(url.pathname === here.value.pathname && url.hash !== "")
  );
};

/** Starts the router: links within the console change the page without a reload, unless the reader asks for a new tab. */
export const startRouter = (): void => {
  if (here.peek().href !== location.href) history.replaceState(null, "", here.peek());
  addEventListener("popstate", () => {
    here.value = followRedirects(location.href);
    back = left.get(here.value.href);
  });
  document.addEventListener("click", (event) => {
    const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!plain || event.defaultPrevented || link === null || link.href === "" || !isLinkOfConsole(link)) return;
    event.preventDefault();
    navigate(link.href);
  });
};
