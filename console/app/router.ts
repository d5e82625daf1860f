import { computed, signal } from "@preact/signals";
import { moved, pages, type PageName } from "./paths.ts";

/** Parses a URL, and replaces a former path by the present path. */
const followRedirects = (address: string, base?: string): URL => {
  const url = new URL(address, base);
  url.pathname = moved[url.pathname] ?? url.pathname;
  return url;
};

/** The current URL, which contains the state of the page. */
export const here = signal(followRedirects(location.href));

export type RouteMatch = { name: PageName; params: Record<string, string> } | { name: undefined };

const splitPath = (path: string): string[] => path.split("/").slice(1);

/** Returns the page of a path (`name`: undefined if there is none), and the path's decoded variable parts. */
export const matchPath = (path: string): RouteMatch => {
  const asked = splitPath(path);
  for (const page of pages) {
    const segments = splitPath(page.path);
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

const left = new Map<string, number>();
let back: number | undefined;

/** Restores the scroll position after the reader went back. Call `restoreScroll` when the content is loaded. */
export const restoreScroll = (): void => {
  if (back !== undefined) window.scrollTo(0, back);
  back = undefined;
};

/** Opens a URL of the console. `replace`: replaces the history entry. */
export const navigate = (to: string, { replace = false }: { replace?: boolean } = {}): void => {
  const url = followRedirects(to, location.href);
  // The workspace stays the same, unless the new URL names a workspace.
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

export const SEARCH = "search";
export const GROUP = "group";
const VIEW_ONLY: readonly string[] = [SEARCH, GROUP];

/** Returns the query without the parameters that do not affect the page's data. */
export const formatQueryForLoad = ({ searchParams }: URL): string =>
  [...searchParams]
    .filter(([name]) => !VIEW_ONLY.includes(name))
    .map((pair) => pair.join("="))
    .join("&");

export const NEW = "new";

type Query = Record<string, string | undefined>;

/** Returns the current URL with changed parameters. An empty value removes its parameter. */
export const createUrlWithQuery = (values: Query): string => {
  const url = new URL(here.value);
  for (const [name, value] of Object.entries(values))
    if (value === undefined || value === "") url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  return url.href;
};

/** Changes the URL's parameters without a new history entry. */
export const setQuery = (values: Query): void => navigate(createUrlWithQuery(values), { replace: true });

/** Returns whether the link opens a page of the console in this window; false for downloads and anchors of this page. */
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

/** Opens links to pages of the console without a reload, unless the reader opens a new tab. */
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
