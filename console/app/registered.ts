import { isNumber, isText, listOf, readJson, shaped } from "./shape.ts";

/*
 * The devices of this browser, and when each was last registered: one for each person and workspace. Signing out
 * needs them at once, so they are separate from subscribing.
 */

export type Registered = { workspaceId: string; userId: string; deviceId: string; at: number }[];
const isRegistered = listOf(shaped({ workspaceId: isText, userId: isText, deviceId: isText, at: isNumber }));
const KEPT = "device";

export const readRegistered = (): Registered => readJson(localStorage.getItem(KEPT), isRegistered) ?? [];

export const writeRegistered = (next: Registered): void => localStorage.setItem(KEPT, JSON.stringify(next));

/** The devices that this browser is for one person. */
export const registeredFor = (userId: string): Registered => readRegistered().filter((one) => one.userId === userId);
