import { isNumber, isText, listShape, readJson, objectShape } from "./shape.ts";

/* One registration per person and workspace. A separate file, because signing out needs the registrations at once. */

export type Registered = { workspaceId: string; userId: string; deviceId: string; at: number }[];
const isRegistered = listShape(objectShape({ workspaceId: isText, userId: isText, deviceId: isText, at: isNumber }));
const KEPT = "device";

export const readRegistered = (): Registered => readJson(localStorage.getItem(KEPT), isRegistered) ?? [];

export const writeRegistered = (next: Registered): void => localStorage.setItem(KEPT, JSON.stringify(next));

export const listRegisteredDevices = (userId: string): Registered =>
  readRegistered().filter((one) => one.userId === userId);
