import { signal } from "@preact/signals";
import { renewRegistration } from "./browser-push.ts";
import type { PageContext } from "./page.tsx";
import { Failed } from "./failure.ts";
import { unreached, type Unreached } from "./unreached.ts";

/* Once per visit, renews the browser's registration, and shows devices that pushes might not reach. */

const visited = signal("");

type Place = Pick<PageContext, "api" | "workspaceId" | "me">;

/** Renews this browser's registration, and lists the reader's devices that pushes might not reach. */
const renewAndListUnreached = async (place: Place): Promise<Unreached[]> => {
  const listOwnDevices = () => place.api("devices/list-devices", {});
  const before = await listOwnDevices();
  const isNotified = await renewRegistration(place, before);
  // The renewal may have made this browser's device reachable.
  const devices = before.some(({ silent, mustRenew }) => silent || mustRenew) ? await listOwnDevices() : before;
  return [
    ...(isNotified ? [] : [{ kind: "here" } satisfies Unreached]),
    ...devices
      .filter(({ silent, mustRenew }) => silent || mustRenew)
      .map(({ id, name, platform, mustRenew }): Unreached => ({
        kind: mustRenew ? "renew" : "silent",
        id,
        name,
        isWeb: platform === "web",
      })),
  ];
};

/** Shows a notice of devices that pushes might not reach. Returns false if the devices could not be read. */
export const showUnreachableDevices = async (place: Place): Promise<boolean> => {
  try {
    unreached.value = await renewAndListUnreached(place);
    return true;
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    return false;
  }
};

/** Checks the devices once per person and workspace. After a failure, the next visit tries again. */
export const checkDevicesOnce = async (place: Place): Promise<void> => {
  const name = `${place.me} ${place.workspaceId}`;
  if (visited.peek() === name) return;
  visited.value = name;
  unreached.value = [];
  if (!(await showUnreachableDevices(place))) visited.value = "";
};
