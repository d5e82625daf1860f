import type { Deps } from "../../deps.ts";
import { nextLook } from "../../domain/escalation/hand-over.ts";
import { dutyOf } from "../../domain/people/duty.ts";
import { loadSchedules } from "../../store/config.ts";
import { putMarker } from "../../store/markers.ts";

/**
 * Sees to it that an event which a person acknowledges is told to the next ones when that person's shift ends. `told`: the
 * groups for which the person was told; if the person is on call for some of them, it is their shifts that count. Does
 * nothing for somebody who is not on call.
 */
export const takeInHand = async (
  deps: Pick<Deps, "table" | "now">,
  ws: string,
  eventId: string,
  { id: userId, name }: { id: string; name: string },
  told: readonly (string | undefined)[],
): Promise<void> => {
  const at = deps.now();
  const { groupIds, until } = dutyOf(await loadSchedules(deps, ws), userId, at);
  if (groupIds.length === 0) return;
  const asked = groupIds.filter((groupId) => told.includes(groupId));
  const hand = { userId, name, at, groupIds: asked.length > 0 ? asked : groupIds };
  await putMarker(deps, { ws, eventId, due: nextLook(at, until, hand), hand, since: at, tries: 0 });
};
