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

type Place = Pick<PageContext, "api" | "workspaceId" | "me">;

/** Renews this browser where that is due, and gives what a push might not reach after that. */
const look = async (place: Place): Promise<Unreached[]> => {
  const list = () => place.api("devices/list-devices", {});
  const before = await list();
  const isTold = await renewHere(place, before);
  // What was silent may just have been renewed.
  const devices = before.some(({ silent }) => silent) ? await list() : before;
  return [
    ...(isTold ? [] : [{ kind: "here" } satisfies Unreached]),
    ...devices
      .filter(({ silent }) => silent)
      .map(({ id, name, platform }): Unreached => ({ kind: "silent", id, name, isWeb: platform === "web" })),
  ];
};

/** Looks, and has it shown. False where something is in the way: the page itself says what. */
export const lookAtDevices = async (place: Place): Promise<boolean> => {
  try {
    unreached.value = await look(place);
    return true;
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    return false;
  }
};

/** Looks once for each person and workspace; where it cannot, the next visit looks again. */
export const visit = async (place: Place): Promise<void> => {
  const name = `${place.me} ${place.workspaceId}`;
  if (visited.peek() === name) return;
  visited.value = name;
  unreached.value = [];
  if (!(await lookAtDevices(place))) visited.value = "";
};
