import { isNumber, isText, listShape, readJson, objectShape } from "./shape.ts";

/*
 * The devices that this browser is, and when each was last registered: one for each person and workspace.
 * Separate from subscribing, because signing out needs them at once.
 */

export type Registered = { workspaceId: string; userId: string; deviceId: string; at: number }[];
const isRegistered = listShape(objectShape({ workspaceId: isText, userId: isText, deviceId: isText, at: isNumber }));
const KEPT = "device";

export const readRegistered = (): Registered => readJson(localStorage.getItem(KEPT), isRegistered) ?? [];

export const writeRegistered = (next: Registered): void => localStorage.setItem(KEPT, JSON.stringify(next));

/** Returns the devices that this browser is for one person. */
export const listRegisteredDevices = (userId: string): Registered =>
  readRegistered().filter((one) => one.userId === userId);
