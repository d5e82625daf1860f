/*
 * The stored state of the guide. It begins in a workspace without an event, continues from the first event until that
 * is acknowledged, and does not come back once it has ended.
 */

const at = (workspaceId: string): string => `guide ${workspaceId}`;

/** Undefined: nothing was done with the guide in this workspace. */
export const guideState = (workspaceId: string): "sent" | "ended" | undefined => {
  const kept = localStorage.getItem(at(workspaceId));
  return kept === "sent" || kept === "ended" ? kept : undefined;
};
export const eventIsSent = (workspaceId: string): void => localStorage.setItem(at(workspaceId), "sent");
export const endGuide = (workspaceId: string): undefined => {
  localStorage.setItem(at(workspaceId), "ended");
};
