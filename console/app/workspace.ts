import { computed, signal } from "@preact/signals";
import { createApi } from "./api.ts";
import { here, setQuery } from "./router.ts";
import { createResource, type Resource } from "./resource.ts";
import type { Answers } from "./types.ts";

const LAST = "workspace";

/** The workspaces of whoever is signed in; undefined while nobody is. */
export const workspaces = signal<Resource<Answers["Workspace"][]> | undefined>(undefined);

export const openWorkspaces = (): void => {
  workspaces.peek()?.close();
  workspaces.value = createResource(() => createApi("")("workspaces/list-workspaces", {}));
};
export const closeWorkspaces = (): void => {
  workspaces.peek()?.close();
  workspaces.value = undefined;
};

/** The one that the address names, or the one that was used last, or the first. */
export const workspace = computed((): Answers["Workspace"] | undefined => {
  const state = workspaces.value?.state.value;
  if (state?.kind !== "ready") return undefined;
  const find = (id: string | null) => state.data.find((one) => one.id === id);
  return find(here.value.searchParams.get("workspace")) ?? find(localStorage.getItem(LAST)) ?? state.data[0];
});

/** The id of it; before the list is there, the one that the list will hardly deny, so that its page is asked for at once. */
export const workspaceId = computed((): string | undefined => {
  if (workspaces.value?.state.value.kind === "ready") return workspace.value?.id;
  return here.value.searchParams.get("workspace") ?? localStorage.getItem(LAST) ?? undefined;
});

/** Keeps where the next visit begins, for whoever never switched: it need not wait for the list then. */
export const keepWorkspace = (id: string): void => {
  const last = localStorage.getItem(LAST);
  const state = workspaces.peek()?.state.peek();
  if (state?.kind === "ready" && !state.data.some((one) => one.id === last)) localStorage.setItem(LAST, id);
};

/** Whether the address names a workspace that is none of the reader's: one that is gone, or that he was taken out of. */
export const isElsewhere = computed((): boolean => {
  const asked = here.value.searchParams.get("workspace");
  return asked !== null && workspace.value !== undefined && workspace.value.id !== asked;
});

/** Switches; the address says so from then on, and the next visit begins there. */
export const switchWorkspace = (id: string): void => {
  localStorage.setItem(LAST, id);
  setQuery({ workspace: id });
};
