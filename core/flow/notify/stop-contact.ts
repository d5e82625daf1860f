import type { WorkspaceId, DeviceId } from "../../domain/basics/ids.ts";
import { createSmsStoppedNotice } from "../../domain/event/notices.ts";
import { listDevices, setContactStopped } from "../../store/people/devices.ts";
import { createOwnIngest, type IngestDeps } from "../ingest/ingest-event.ts";

/** Stops messages to a phone number whose owner replied STOP, and notifies the owner on other devices. Idempotent. */
export const stopContact = async (
  deps: IngestDeps,
  ws: WorkspaceId,
  userId: string,
  deviceId: DeviceId,
): Promise<void> => {
  await setContactStopped(deps, ws, userId, deviceId);
  const device = (await listDevices(deps, ws, userId)).find(({ id }) => id === deviceId);
  if (device?.stoppedAt === undefined) return;
  const { id, stoppedAt } = device;
  await createOwnIngest(deps)({ workspaceId: ws, ...createSmsStoppedNotice(userId, { id, stoppedAt }) });
};
