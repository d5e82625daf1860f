import type { ComponentChildren, ComponentType } from "preact";
import { createApi, type Api } from "./api.ts";
import type { Failure } from "./failure.ts";
import { createResource } from "./resource.ts";
import { here } from "./router.ts";

/** What a page is made of, beside what the API answers: where the reader is. */
export type PageContext = {
  api: Api;
  workspaceId: string;
  /** The signed-in person's id. */
  me: string;
  /** The parts of the path that vary. */
  params: Record<string, string>;
  /** What the address asks for; read anew at every look. */
  query: () => URLSearchParams;
};
export type ViewProps<Data> = { data: Data; context: PageContext; refresh: () => Promise<void> };

type PageDefinition<Data> = {
  /** The page's heading, also before anything is loaded; with a place in the navigation, the text of its link. */
  heading: string;
  /** The heading once the data is there, for a page about one thing. */
  headingOf?: (data: Data) => string;
  load: (context: PageContext) => Promise<Data>;
  /** Seconds between two looks while the page is visible. Left out: it does not look again by itself. */
  everySeconds?: number;
  /** What stands beside the heading. */
  Actions?: ComponentType<ViewProps<Data>>;
  View: ComponentType<ViewProps<Data>>;
};

/** A page that is open. What kind of data it shows is its own business. */
export type OpenPage = {
  heading: () => string;
  /** Undefined: nothing was found yet; the failure says why, or it is still being looked for. */
  content: () => { actions: ComponentChildren; view: ComponentChildren } | undefined;
  failure: () => Failure | undefined;
  refresh: () => Promise<void>;
  close: () => void;
};
export type Page = { open: (place: Omit<PageContext, "api">) => OpenPage };

/** Makes a page of a way to load it and a view of what was loaded: the view fetches nothing by itself. */
export const definePage = <Data,>({
  heading,
  headingOf,
  load,
  everySeconds,
  Actions,
  View,
}: PageDefinition<Data>): Page => ({
  open: (place) => {
    const context: PageContext = { ...place, api: createApi(place.workspaceId) };
    const { state, refresh, close: closeResource } = createResource(() => load(context), everySeconds);
    // What the address asks for is part of the question.
    let asked = here.peek().search;
    const unsubscribe = here.subscribe(({ search }) => {
      if (search !== asked) void refresh();
      asked = search;
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
        return {
          actions: Actions === undefined ? undefined : <Actions {...props} />,
          view: <View {...props} />,
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
