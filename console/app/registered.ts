import { isNumber, isText, listShape, readJson, objectShape } from "./shape.ts";

/* This browser has one registration per person and workspace. The code for signing out imports only this file. */

export type RegisteredDevices = { workspaceId: string; userId: string; deviceId: string; at: number }[];
const isRegistered = listShape(objectShape({ workspaceId: isText, userId: isText, deviceId: isText, at: isNumber }));
const KEPT = "device";

export const readRegistrations = (): RegisteredDevices => readJson(localStorage.getItem(KEPT), isRegistered) ?? [];

export const writeRegistrations = (registrations: RegisteredDevices): void =>
  localStorage.setItem(KEPT, JSON.stringify(registrations));

export const listRegisteredDevices = (userId: string): RegisteredDevices =>
  readRegistrations().filter((one) => one.userId === userId);
