import { computed, signal } from "@preact/signals";
import { createApi } from "./api.ts";
import { here, setQuery } from "./router.ts";
import { createResource, type Resource } from "./resource.ts";
import type { Answers } from "./types.ts";

const LAST = "workspace";

/** The reader's workspaces; undefined if nobody is signed in. */
export const workspaces = signal<Resource<Answers["ListedWorkspace"][]> | undefined>(undefined);

export const startLoadingWorkspaces = (): void => {
  workspaces.peek()?.close();
  workspaces.value = createResource((signal) => createApi("", signal)("workspaces/list-workspaces", {}));
};
export const stopLoadingWorkspaces = (): void => {
  workspaces.peek()?.close();
  workspaces.value = undefined;
};

/** The workspace in the URL, or else the last used workspace, or else the first. */
export const workspace = computed((): Answers["ListedWorkspace"] | undefined => {
  const state = workspaces.value?.state.value;
  if (state?.kind !== "ready") return undefined;
  const findWorkspace = (id: string | null) => state.data.find((one) => one.id === id);
  return (
    findWorkspace(here.value.searchParams.get("workspace")) ??
    findWorkspace(localStorage.getItem(LAST)) ??
    state.data[0]
  );
});

/** The id of the open workspace. Before the list of workspaces is loaded, the id is a guess, so that the page can load. */
export const workspaceId = computed((): string | undefined => {
  if (workspaces.value?.state.value.kind === "ready") return workspace.value?.id;
  return here.value.searchParams.get("workspace") ?? localStorage.getItem(LAST) ?? undefined;
});

const formatNameStorageKey = (id: string | null): string => `workspaceName ${id}`;
/** Returns the stored name of the workspace in the URL, or else of the last workspace; null if no name is stored. */
export const readWorkspaceName = (pageUrl: string): string | null => {
  const asked = new URL(pageUrl, location.href).searchParams.get("workspace");
  return localStorage.getItem(formatNameStorageKey(asked ?? localStorage.getItem(LAST)));
};

/** Stores the workspace's name. Stores the workspace as the last used if the former last used no longer exists. */
export const storeWorkspace = ({ id, name }: Answers["ListedWorkspace"]): void => {
  localStorage.setItem(formatNameStorageKey(id), name);
  const last = localStorage.getItem(LAST);
  const state = workspaces.peek()?.state.peek();
  if (state?.kind === "ready" && !state.data.some((one) => one.id === last)) localStorage.setItem(LAST, id);
};

/** True if the URL's workspace is not in the reader's list, for example because the workspace was deleted. */
export const isElsewhere = computed((): boolean => {
  const asked = here.value.searchParams.get("workspace");
  return asked !== null && workspace.value !== undefined && workspace.value.id !== asked;
});

/** Opens a workspace, and stores its id so that the next visit opens it. */
export const switchWorkspace = (id: string): void => {
  localStorage.setItem(LAST, id);
  setQuery({ workspace: id });
};
