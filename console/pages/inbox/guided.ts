/* The guide begins in a workspace without an event, ends with the first acknowledgement, and does not return. */

const storageKey = (workspaceId: string): string => `guide ${workspaceId}`;

/** Returns undefined if the guide was not used in this workspace. */
export const readGuideState = (workspaceId: string): "sent" | "ended" | undefined => {
  const kept = localStorage.getItem(storageKey(workspaceId));
  return kept === "sent" || kept === "ended" ? kept : undefined;
};
export const storeEventSent = (workspaceId: string): void => localStorage.setItem(storageKey(workspaceId), "sent");
export const endGuide = (workspaceId: string): undefined => {
  localStorage.setItem(storageKey(workspaceId), "ended");
};
