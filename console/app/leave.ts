import { forgetReceipts } from "../receipts/store.ts";
import { createApi } from "./api.ts";
import { listRegisteredDevices, type Registered } from "./registered.ts";

/* Removes a person's data from a machine, because a browser must not show a person's alerts to its next user. */

/** The longest time that signing out waits, with or without a network. */
const PATIENCE_MS = 4_000;

/** Removes the devices at the service. Without a network, the push service reports later that the subscription is gone. */
const removeDevices = (devices: Registered): Promise<unknown> =>
  Promise.all(
    devices.map(({ workspaceId, deviceId }) => createApi(workspaceId)("devices/delete-device", { path: { deviceId } })),
  );

/** Removes the subscription, closes shown notifications, and ends the worker. Works without a network. */
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

/** Tells a running worker that nobody is signed in, then ends the worker, then deletes its storage. */
const stopNotifications = async (): Promise<void> => {
  for (const step of [forgetReceipts, unregisterWorkers, deleteCaches]) await step().catch(() => undefined);
};

/**
 * Ends notifications here for the person, and removes what the worker stores. A failure stops neither the other steps nor the
 * sign-out. Needs the session, so the caller deletes the session afterwards.
 */
export const removeWorkerData = async (userId: string): Promise<void> => {
  const gone = Promise.allSettled([removeDevices(listRegisteredDevices(userId)), stopNotifications()]);
  await Promise.race([gone, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]);
};
