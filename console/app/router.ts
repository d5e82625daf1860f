import { computed, signal } from "@preact/signals";
import { moved, pages, type PageName } from "./paths.ts";

/** An address, or the one to which it leads on. */
const leadOn = (address: string, base?: string): URL => {
  const url = new URL(address, base);
  url.pathname = moved[url.pathname] ?? url.pathname;
  return url;
};

/** The reader's location. Every page is built from it, so that each state of a page has a URL. */
export const here = signal(leadOn(location.href));

export type Match = { name: PageName; params: Record<string, string> } | { name: undefined };

const segmentsOf = (path: string): string[] => path.split("/").slice(1);

/** The page of a path; a variable part is decoded. */
export const matchPath = (path: string): Match => {
  const asked = segmentsOf(path);
  for (const page of pages) {
    const segments = segmentsOf(page.path);
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

/** How far each page was scrolled when the reader left it, and how far to scroll the page to which the reader went back. */
const left = new Map<string, number>();
let back: number | undefined;

/** Scrolls a page to which the reader went back to where it was, once its content is there. */
export const scrollBack = (): void => {
  if (back !== undefined) window.scrollTo(0, back);
  back = undefined;
};

/** Goes to another page of the console. `replace`: without an entry in the history to go back to. */
export const navigate = (to: string, { replace = false }: { replace?: boolean } = {}): void => {
  const url = leadOn(to, location.href);
  // The workspace does not change, unless the URL names another.
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

/** In the URL: the typed search text, and the unfolded parts. */
export const SEARCH = "search";
export const GROUP = "group";
const VIEW_ONLY: readonly string[] = [SEARCH, GROUP];

/** The part of a URL's query that changes what a page loads. */
export const askedBy = ({ searchParams }: URL): string =>
  [...searchParams]
    .filter(([name]) => !VIEW_ONLY.includes(name))
    .map((pair) => pair.join("="))
    .join("&");

/** Used in the URL of a thing that does not exist yet. */
export const NEW = "new";

type Query = Record<string, string | undefined>;

/** The address with other values in its query; an empty value removes its name. */
export const withQuery = (values: Query): string => {
  const url = new URL(here.value);
  for (const [name, value] of Object.entries(values))
    if (value === undefined || value === "") url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  return url.href;
};

/** Sets values in the address's query. Filters add nothing to the history. */
export const setQuery = (values: Query): void => navigate(withQuery(values), { replace: true });

const isOurs = (link: HTMLAnchorElement): boolean => {
  const url = new URL(link.href);
  return (
    url.origin === location.origin &&
    link.target === "" &&
    !link.hasAttribute("download") &&
    matchPath(leadOn(url.href).pathname).name !== undefined &&
    !(url.pathname === here.value.pathname && url.hash !== "")
  );
};

/** Links within the console change the page without a reload; a reader who asks for a new tab gets one. */
export const startRouter = (): void => {
  if (here.peek().href !== location.href) history.replaceState(null, "", here.peek());
  addEventListener("popstate", () => {
    here.value = leadOn(location.href);
    back = left.get(here.value.href);
  });
  document.addEventListener("click", (event) => {
    const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!plain || event.defaultPrevented || link === null || link.href === "" || !isOurs(link)) return;
    event.preventDefault();
    navigate(link.href);
  });
};
