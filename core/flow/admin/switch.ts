import type { AuditDeps, TimedDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { refuseField } from "../../domain/basics/refusal.ts";
import { toSwitchView, type SwitchInput, type SwitchView } from "../../domain/heartbeat/switch.ts";
import * as switches from "../../store/schedules/switches.ts";
import { listDevices, readAllDevices } from "../../store/people/devices.ts";
import { requirePublicUrl } from "./webhooks.ts";

/** Stores a dead man's switch. Throws Refusal `invalid_input` for an internal URL, or a device without signed receipts. */
export const setSwitch = async (
  deps: AuditDeps<"webhookStandIn">,
  ws: WorkspaceId,
  { url, everyMinutes, deviceId }: SwitchInput,
): Promise<SwitchView> => {
  requirePublicUrl(deps, url);
  for (const [userId, devices] of await readAllDevices(deps, ws)) {
    const device = devices.find(({ id, receiptKey }) => id === deviceId && receiptKey !== undefined);
    if (device === undefined) continue;
    const stored = await switches.setSwitch(deps, ws, { url, everyMinutes, deviceId: device.id, userId });
    return toSwitchView(stored, devices, deps.now());
  }
  const message = "deviceId must be the id of a browser or an app of this workspace that sends signed receipts.";
  throw refuseField("deviceId", "unknown_reference", message);
};

export const readSwitch = async (deps: TimedDeps, ws: WorkspaceId): Promise<SwitchView | undefined> => {
  const stored = await switches.readSwitch(deps, ws);
  return stored && toSwitchView(stored, await listDevices(deps, ws, stored.userId), deps.now());
};
