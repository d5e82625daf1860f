import { forgetReceipts } from "../receipts/store.ts";
import { createApi } from "./api.ts";
import { registeredFor, type Registered } from "./registered.ts";

/*
 * What a person leaves on a machine. A browser with somebody's alerts must not notify the next person who uses it.
 */

/** Nobody waits longer than this to be signed out, network or not. */
const PATIENCE_MS = 4_000;

/** Removes the devices at the service. Without a network, a push service that knows the subscription no longer says so. */
const removeDevices = (devices: Registered): Promise<unknown> =>
  Promise.all(
    devices.map(({ workspaceId, deviceId }) => createApi(workspaceId)("devices/delete-device", { path: { deviceId } })),
  );

/** Removes the subscription, closes shown notifications, and ends the worker. All of it works without a network. */
const endWorkers = async (): Promise<void> => {
  for (const registration of (await navigator.serviceWorker?.getRegistrations()) ?? []) {
    for (const shown of await registration.getNotifications()) shown.close();
    // Some browsers that have workers know no push.
    await (await registration.pushManager?.getSubscription())?.unsubscribe();
    await registration.unregister();
  }
};

const dropCaches = async (): Promise<void> => {
  for (const name of await caches.keys()) await caches.delete(name);
};

/** In this order: the mark by which a running worker knows that nobody is signed in; the worker; its storage. */
const endPaging = async (): Promise<void> => {
  for (const step of [forgetReceipts, endWorkers, dropCaches]) await step().catch(() => undefined);
};

/**
 * Ends notifications here for the person, and removes what the worker stores. A failure does not stop the rest, nor
 * the sign-out. Needs the session, which is deleted last.
 */
export const leaveNothing = async (userId: string): Promise<void> => {
  const gone = Promise.allSettled([removeDevices(registeredFor(userId)), endPaging()]);
  await Promise.race([gone, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]);
};
