/* The guide starts in a workspace without events, and ends for good with the first acknowledgement. */

const formatStorageKey = (workspaceId: string): string => `guide ${workspaceId}`;

/** Returns whether the guide has sent its event or has ended; undefined if the guide was not used in the workspace. */
export const readGuideState = (workspaceId: string): "sent" | "ended" | undefined => {
  const kept = localStorage.getItem(formatStorageKey(workspaceId));
  return kept === "sent" || kept === "ended" ? kept : undefined;
};
export const storeGuideEventSent = (workspaceId: string): void =>
  localStorage.setItem(formatStorageKey(workspaceId), "sent");
export const endGuide = (workspaceId: string): undefined => {
  localStorage.setItem(formatStorageKey(workspaceId), "ended");
};
