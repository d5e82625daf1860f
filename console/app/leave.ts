import { forgetReceipts } from "../receipts/store.ts";
import { createApi } from "./api.ts";
import { listRegisteredDevices, type RegisteredDevices } from "./registered.ts";

/* Signing out removes a person's data, because a browser must not show alerts to its next user. */

/** The maximum time that signing out waits for the removal of the person's data. */
const PATIENCE_MS = 4_000;

/** Deletes devices. If a deletion fails, the push service later reports that the subscription is gone. */
const removeDevices = (devices: RegisteredDevices): Promise<unknown> =>
  Promise.all(
    devices.map(({ workspaceId, deviceId }) => createApi(workspaceId)("devices/delete-device", { path: { deviceId } })),
  );

/** Closes the notifications of all service workers, ends their push subscriptions, and unregisters the workers. */
const unregisterWorkers = async (): Promise<void> => {
  for (const registration of (await navigator.serviceWorker?.getRegistrations()) ?? []) {
    for (const shown of await registration.getNotifications()) shown.close();
    // Some browsers support workers but not push.
    await (await registration.pushManager?.getSubscription())?.unsubscribe();
    await registration.unregister();
  }
};

const deleteCaches = async (): Promise<void> => {
  for (const name of await caches.keys()) await caches.delete(name);
};

const stopNotifications = async (): Promise<void> => {
  for (const step of [forgetReceipts, unregisterWorkers, deleteCaches]) await step().catch(() => undefined);
};

/**
 * Ends notifications in this browser, and removes the worker's data. A failure does not stop the other steps or the sign-out.
 * Must finish before the session is deleted, because removing devices needs the session.
 */
export const removeWorkerData = async (userId: string): Promise<void> => {
  const gone = Promise.allSettled([removeDevices(listRegisteredDevices(userId)), stopNotifications()]);
  await Promise.race([gone, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]);
};
