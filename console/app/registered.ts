import { isNumber, isText, listShape, readJson, objectShape } from "./shape.ts";

/*
 * The registrations of this browser as a device, one for each person and workspace. This file is separate from subscribing,
 * because signing out needs the registrations at once.
 */

export type Registered = { workspaceId: string; userId: string; deviceId: string; at: number }[];
const isRegistered = listShape(objectShape({ workspaceId: isText, userId: isText, deviceId: isText, at: isNumber }));
const KEPT = "device";

export const readRegistered = (): Registered => readJson(localStorage.getItem(KEPT), isRegistered) ?? [];

export const writeRegistered = (next: Registered): void => localStorage.setItem(KEPT, JSON.stringify(next));

/** Returns this browser's registrations for one person. */
export const listRegisteredDevices = (userId: string): Registered =>
  readRegistered().filter((one) => one.userId === userId);
