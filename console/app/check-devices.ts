import { signal } from "@preact/signals";
import { renewRegistration } from "./browser-push.ts";
import type { PageContext } from "./page.tsx";
import { Failed } from "./failure.ts";
import { unreached, type UnreachedDevice } from "./unreached.ts";

/* Once per visit, renews the browser's registration, and shows devices that pushes might not reach. */

const visited = signal("");

type UserContext = Pick<PageContext, "api" | "workspaceId" | "me">;

/** Renews this browser's registration, and lists the reader's devices that pushes might not reach. */
const renewAndListUnreached = async (reader: UserContext): Promise<UnreachedDevice[]> => {
  const listOwnDevices = () => reader.api("devices/list-devices", {});
  const before = await listOwnDevices();
  const isNotified = await renewRegistration(reader, before);
  // The renewal may have made this browser's device reachable.
  const devices = before.some(({ silent, mustRenew }) => silent || mustRenew) ? await listOwnDevices() : before;
  return [
    ...(isNotified ? [] : [{ kind: "here" } satisfies UnreachedDevice]),
    ...devices
      .filter(({ silent, mustRenew }) => silent || mustRenew)
      .map(({ id, name, platform, mustRenew }): UnreachedDevice => ({
        kind: mustRenew ? "renew" : "silent",
        id,
        name,
        isWeb: platform === "web",
      })),
  ];
};

/** Shows a notice of devices that pushes might not reach. Returns false if the devices could not be read. */
export const showUnreachableDevices = async (reader: UserContext): Promise<boolean> => {
  try {
    unreached.value = await renewAndListUnreached(reader);
    return true;
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    return false;
  }
};

/** Checks the devices once per person and workspace. The next visit repeats a failed check. */
export const checkDevicesOnce = async (reader: UserContext): Promise<void> => {
  const name = `${reader.me} ${reader.workspaceId}`;
  if (visited.peek() === name) return;
  visited.value = name;
  unreached.value = [];
  if (!(await showUnreachableDevices(reader))) visited.value = "";
};
