import type { Deps } from "../deps.ts";
import { candidatesOf, type Reach } from "../domain/reach.ts";
import type { Target } from "../domain/people.ts";
import { readDevices } from "../store/devices.ts";

/** Devices are looked for in steps, because the first one that is found is enough. */
const USERS_AT_ONCE = 25;

/** Finds of each target one person with a device; gives the question whether some people are known to have one. */
export const findDevices = async (
  deps: Pick<Deps, "table">,
  ws: string,
  targets: readonly Target[],
  reach: Reach,
  now: number,
): Promise<(userIds: readonly string[]) => boolean> => {
  const found = new Set<string>();
  const asked = new Set<string>();
  const hasDevice = (userId: string) => found.has(userId);
  for (const target of targets) {
    const candidates = candidatesOf(target, reach, now);
    const unknown = candidates.filter((userId) => !asked.has(userId));
    for (let index = 0; index < unknown.length && !candidates.some(hasDevice); index += USERS_AT_ONCE) {
      const users = unknown.slice(index, index + USERS_AT_ONCE);
      for (const userId of users) asked.add(userId);
      for (const userId of (await readDevices(deps, ws, users)).keys()) found.add(userId);
    }
  }
  return (userIds) => userIds.some(hasDevice);
};
