import type { ComponentChildren, ComponentType } from "preact";
import { createApi, type Api } from "./api.ts";
import type { Failure } from "./failure.ts";
import { Needs, Reason, type Role } from "../parts/needs.tsx";
import { createResource } from "./resource.ts";
import { askedBy, here } from "./router.ts";

/** What a page depends on besides the API's answers: where the reader is. */
export type PageContext = {
  api: Api;
  workspaceId: string;
  /** The signed-in person's id. */
  me: string;
  /** The parts of the path that vary. */
  params: Record<string, string>;
  /** The address's query, read anew at every load. */
  query: () => URLSearchParams;
};
export type ViewProps<Data> = { data: Data; context: PageContext; refresh: () => Promise<void> };

type PageDefinition<Data> = {
  /** The page's heading, shown before anything is loaded. A page in the navigation takes the text of its link. */
  heading: string;
  /** For a page about one thing: the heading once the data is there. */
  headingOf?: (data: Data) => string;
  load: (context: PageContext) => Promise<Data>;
  /** Seconds between two loads while the page is visible. Left out: it does not reload by itself. */
  everySeconds?: number;
  /** The role that changing anything here needs, where no part of it says otherwise. */
  needs?: Role;
  /** What stands next to the heading. */
  Actions?: ComponentType<ViewProps<Data>>;
  View: ComponentType<ViewProps<Data>>;
};

/** A page that is open. The type of its data is its own business. */
export type OpenPage = {
  heading: () => string;
  /** Undefined: nothing was found yet. Either it is still loading, or the failure says why. */
  content: () => { actions: ComponentChildren; view: ComponentChildren } | undefined;
  failure: () => Failure | undefined;
  refresh: () => Promise<void>;
  close: () => void;
};
export type Page = { open: (place: Omit<PageContext, "api">) => OpenPage };

/** Makes a page from a function that loads its data and a view of that data; the view fetches nothing itself. */
export const definePage = <Data,>({
  heading,
  headingOf,
  load,
  everySeconds,
  needs,
  Actions,
  View,
}: PageDefinition<Data>): Page => ({
  open: (place) => {
    const context: PageContext = { ...place, api: createApi(place.workspaceId) };
    const {
      state,
      refresh,
      close: closeResource,
    } = createResource((signal) => load({ ...context, api: createApi(place.workspaceId, signal) }), everySeconds);
    // A change of the address's query changes what to load.
    let asked = askedBy(here.peek());
    const unsubscribe = here.subscribe((url) => {
      const next = askedBy(url);
      if (next !== asked) void refresh();
      asked = next;
    });
    const close = (): void => {
      unsubscribe();
      closeResource();
    };
    return {
      heading: () => {
        const now = state.value;
        return now.kind === "ready" && headingOf !== undefined ? headingOf(now.data) : heading;
      },
      content: () => {
        const now = state.value;
        if (now.kind !== "ready") return undefined;
        const props = { data: now.data, context, refresh };
        const guarded = (part: ComponentChildren): ComponentChildren =>
          needs === undefined ? part : <Needs role={needs}>{part}</Needs>;
        return {
          actions: Actions === undefined ? undefined : guarded(<Actions {...props} />),
          view: (
            <>
              {needs !== undefined && <Reason role={needs} />}
              {guarded(<View {...props} />)}
            </>
          ),
        };
      },
      failure: () => {
        const now = state.value;
        if (now.kind === "failed") return now.failure;
        return now.kind === "ready" ? now.trouble : undefined;
      },
      refresh,
      close,
    };
  },
});
