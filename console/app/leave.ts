import { forgetReceipts } from "../receipts/store.ts";
import { createApi } from "./api.ts";
import { listRegisteredDevices, type Registered } from "./registered.ts";

/* Signing out removes a person's data, because a browser must not show a person's alerts to its next user. */

/** The longest time that signing out waits. */
const PATIENCE_MS = 4_000;

/** Without a network, the push service reports later that the subscription is gone. */
const removeDevices = (devices: Registered): Promise<unknown> =>
  Promise.all(
    devices.map(({ workspaceId, deviceId }) => createApi(workspaceId)("devices/delete-device", { path: { deviceId } })),
  );

/** Works without a network. */
const unregisterWorkers = async (): Promise<void> => {
  for (const registration of (await navigator.serviceWorker?.getRegistrations()) ?? []) {
    for (const shown of await registration.getNotifications()) shown.close();
    // Some browsers have workers but no push.
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
 * Ends notifications here, and removes what the worker stores. A failure stops neither the other steps nor the sign-out.
 * Needs the session, so delete the session afterwards.
 */
export const removeWorkerData = async (userId: string): Promise<void> => {
  const gone = Promise.allSettled([removeDevices(listRegisteredDevices(userId)), stopNotifications()]);
  await Promise.race([gone, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]);
};
