import type { WorkspaceId } from "../../domain/basics/ids.ts";
import type { Call } from "../../domain/delivery/attempts.ts";
import type { Pack } from "../../domain/delivery/pack.ts";
import { BUDGET_USED_UP, OPTED_OUT } from "../../domain/delivery/push/sms.ts";
import {
  createForeignDeviceNotice,
  createBudgetNotice,
  createDeviceMovedNotice,
  createUnreachableNotice,
} from "../../domain/event/notices.ts";
import { toIso } from "../../domain/basics/time.ts";
import { formatUtcMonth } from "../../domain/workspace/usage-plan.ts";
import { filterReachableDevices, type Device, type PaidChannel, type NewDevice } from "../../domain/device/device.ts";
import {
  setPushFailure,
  markForeign,
  clearForeignState,
  markForeignNotified,
} from "../../store/people/device-states.ts";
import { listDevices, removeUnknownDevice } from "../../store/people/devices.ts";
import { registerDevice, type RegisterDeps } from "../admin/register-device.ts";
import { createOwnIngest, type IngestDeps } from "../ingest/ingest-event.ts";
import { stopContact } from "./stop-contact.ts";

/** Stores that a device must register again, and notifies its user on other devices. The next refused push tries again. */
const notifyOfForeignDevice = async (
  deps: IngestDeps,
  ws: WorkspaceId,
  userId: string,
  device: Device,
  code: string,
): Promise<void> => {
  if (device.toldForeign === true) return;
  const named = { workspaceId: ws, deviceId: device.id, code };
  if (device.foreignSince === undefined) {
    await markForeign(deps, ws, userId, device, code);
    deps.log.warn("device.foreign", named);
  }
  try {
    await createOwnIngest(deps)({ workspaceId: ws, ...createForeignDeviceNotice(userId, device) });
    await markForeignNotified(deps, ws, userId, device.id);
  } catch (error) {
    deps.log.error("device.not_notified", error, named);
  }
};

/** Notifies the workspace's owners that a person's last device stopped working. Idempotent. */
const notifyOfLastDevice = async (
  deps: IngestDeps,
  ws: WorkspaceId,
  person: { userId: string; name: string },
  device: Device,
): Promise<void> => {
  const left = filterReachableDevices(await listDevices(deps, ws, person.userId));
  if (left.some(({ id, registeredAt }) => id !== device.id || registeredAt !== device.registeredAt)) return;
  const event = await createOwnIngest(deps)({ workspaceId: ws, ...createUnreachableNotice(person, device) });
  // The invocation that creates the notice may die. The device is kept, so that its next refused push checks again.
  if (event === undefined) throw new Error("another invocation is notifying the owners");
};

/** Removes a device that its push service no longer knows. Notifies the workspace's owners if the person has no other device. */
const removeDeadDevice = async (
  deps: IngestDeps,
  ws: WorkspaceId,
  person: { userId: string; name: string },
  device: Device,
): Promise<void> => {
  try {
    await notifyOfLastDevice(deps, ws, person, device);
    if ((await removeUnknownDevice(deps, ws, person.userId, device.id, device.registeredAt)) === "pruned")
      await notifyOfLastDevice(deps, ws, person, device);
  } catch (error) {
    deps.log.error("device.not_notified", error, { workspaceId: ws, deviceId: device.id });
  }
};

/** Notifies the owners, once a month, that the budget of a channel is used up. */
const notifyOfBudget = async (deps: IngestDeps, ws: WorkspaceId, channel: PaidChannel): Promise<void> => {
  try {
    const made = await createOwnIngest(deps)({
      workspaceId: ws,
      ...createBudgetNotice(channel, formatUtcMonth(toIso(deps.now()))),
    });
    if (made?.first === true) deps.log.warn("budget.used_up", { workspaceId: ws, way: channel });
  } catch (error) {
    deps.log.error("budget.not_notified", error, { workspaceId: ws, way: channel });
  }
};

/** Removes devices that their push service does not know, unless registered again. Stores failed pushes of other devices. */
export const updateDevices = async (deps: IngestDeps, pack: Pack, calls: readonly Call[]): Promise<void> => {
  const ws = pack.workspaceId;
  for (const paid of ["sms", "voice"] as const)
    if (calls.some(({ way, answer }) => way === paid && answer?.kind === "invalid" && answer.code === BUDGET_USED_UP))
      await notifyOfBudget(deps, ws, paid);
  for (const { position, device, answer } of calls) {
    const recipient = pack.recipients[position];
    if (recipient === undefined || answer === undefined || answer.kind === "retry") continue;
    const { userId } = recipient;
    if (answer.kind === "unregistered") await removeDeadDevice(deps, ws, recipient, device);
    else if (answer.kind === "invalid" && answer.code === OPTED_OUT) await stopContact(deps, ws, userId, device.id);
    else if (answer.kind === "foreign") await notifyOfForeignDevice(deps, ws, userId, device, answer.code);
    else if (answer.kind !== "accepted") await setPushFailure(deps, ws, userId, device.id, answer.code);
    else if (device.foreignSince !== undefined) await clearForeignState(deps, ws, userId, device.id);
  }
};

/** Registers a device. Notifies a person who loses the device, in the console and by other channels. */
export const registerAndNotify = (
  deps: RegisterDeps & IngestDeps,
  ws: WorkspaceId,
  userId: string,
  input: NewDevice,
): ReturnType<typeof registerDevice> =>
  registerDevice(deps, ws, userId, input, (membership, device) =>
    createOwnIngest(deps)({ workspaceId: membership.ws, ...createDeviceMovedNotice(membership.userId, device) }),
  );
