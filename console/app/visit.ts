import { signal } from "@preact/signals";
import { renewHere } from "./browser-push.ts";
import type { PageContext } from "./page.tsx";
import { Failed } from "./failure.ts";
import { unreached, type Unreached } from "./unreached.ts";

/*
 * What happens once when somebody comes: the registration of this browser is renewed, and devices that nothing was heard of
 * are asked about, before a push to them is lost.
 */

const visited = signal("");

/** Looks once for each person and workspace. */
export const visit = async (place: Pick<PageContext, "api" | "workspaceId" | "me">): Promise<void> => {
  const name = `${place.me} ${place.workspaceId}`;
  if (visited.peek() === name) return;
  visited.value = name;
  unreached.value = [];
  try {
    const devices = await place.api("devices/list-devices", {});
    const isTold = await renewHere(place, devices);
    const silent = devices.filter((device) => device.silent);
    unreached.value = [
      ...(isTold ? [] : [{ kind: "here" } satisfies Unreached]),
      ...silent.map((device): Unreached => ({ kind: "silent", name: device.name, isWeb: device.platform === "web" })),
    ];
  } catch (error) {
    // Whatever is in the way is said by the page itself; the next visit looks again.
    if (!(error instanceof Failed)) throw error;
    visited.value = "";
  }
};
