import type { AuditDeps } from "../../deps.ts";
import { isId, type WorkspaceId, type DeviceId } from "../../domain/basics/ids.ts";
import { createDeviceRemovedNotice } from "../../domain/event/notices.ts";
import { deleteDevice, removeOwnDevice } from "../../store/people/devices.ts";
import { createOwnIngest, type IngestDeps } from "../ingest/ingest-event.ts";

/** Deletes a user's device. Notifies the user if somebody else deletes it. Returns false for an unknown device. */
export const removeDevice = async (
  deps: IngestDeps & AuditDeps,
  ws: WorkspaceId,
  userId: string,
  deviceId: DeviceId,
): Promise<boolean> => {
  if (!isId("usr", userId)) return false;
  if (userId === deps.table.author.userId) return deleteDevice(deps, ws, userId, deviceId);
  const device = await removeOwnDevice(deps, ws, userId, deviceId);
  if (device === undefined) return false;
  await createOwnIngest(deps)({ workspaceId: ws, ...createDeviceRemovedNotice(userId, device, deps.now()) });
  return true;
};
