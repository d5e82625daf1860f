import type { ComponentChildren, ComponentType } from "preact";
import { createApi, type Api } from "./api.ts";
import type { Failure } from "./failure.ts";
import { RequireRole, MissingRole, type MemberRole } from "../parts/needs.tsx";
import { createResource } from "./resource.ts";
import { formatQueryForLoad, here } from "./router.ts";

export type PageContext = {
  api: Api;
  workspaceId: string;
  me: string;
  params: Record<string, string>;
  query: () => URLSearchParams;
};
/** What the status line says after an action. */
export type StatusText = string;
export type ViewProps<Data> = { data: Data; context: PageContext; refresh: () => Promise<void> };

type PageDefinition<Data> = {
  heading: string;
  /** Returns the heading when the data is loaded. */
  headingOf?: (data: Data) => string;
  load: (context: PageContext) => Promise<Data>;
  /** The time between two loads of the data; by default, the data is loaded once. */
  everySeconds?: number;
  /** The role for every change on the page, unless a part of the page needs another role. */
  needs?: MemberRole;
  Actions?: ComponentType<ViewProps<Data>>;
  View: ComponentType<ViewProps<Data>>;
};

export type OpenPage = {
  heading: () => string;
  /** Returns the rendered page; undefined while the data is loading, and after a failure. */
  content: () => { actions: ComponentChildren; view: ComponentChildren } | undefined;
  failure: () => Failure | undefined;
  refresh: () => Promise<void>;
  close: () => void;
};
export type OpenablePage = { open: (place: Omit<PageContext, "api">) => OpenPage };

/** Returns a page that can be opened. `load` reads the data, and `View` only renders the data. */
export const definePage = <Data,>({
  heading,
  headingOf,
  load,
  everySeconds,
  needs,
  Actions,
  View,
}: PageDefinition<Data>): OpenablePage => ({
  open: (place) => {
    const context: PageContext = { ...place, api: createApi(place.workspaceId) };
    const {
      state,
      refresh,
      close: closeResource,
    } = createResource((signal) => load({ ...context, api: createApi(place.workspaceId, signal) }), everySeconds);
    // Reloads the page when a part of the query that affects the load changes.
    let asked = formatQueryForLoad(here.peek());
    const unsubscribe = here.subscribe((url) => {
      const next = formatQueryForLoad(url);
      if (next !== asked) void refresh();
      asked = next;
    });
    const closePage = (): void => {
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
        const disableWithoutRole = (part: ComponentChildren): ComponentChildren =>
          needs === undefined ? part : <RequireRole role={needs}>{part}</RequireRole>;
        return {
          actions: Actions === undefined ? undefined : disableWithoutRole(<Actions {...props} />),
          view: (
            <>
              {needs !== undefined && <MissingRole role={needs} />}
              {disableWithoutRole(<View {...props} />)}
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
      close: closePage,
    };
  },
});
