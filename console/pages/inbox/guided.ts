/*
 * What is kept of the guide: it begins in a workspace without an event, goes on after the first one was sent until that is
 * acknowledged, and does not come again where it was ended.
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
