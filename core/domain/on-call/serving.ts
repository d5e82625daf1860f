import { listLayerUsers, readLayerTimes, type Layer, type OnCallSchedule, toUserIds } from "./schedule.ts";
import { compileTurns } from "./turns.ts";
import { isWholeWeek } from "../basics/clock/weekly.ts";
import { getZone } from "../basics/clock/zone.ts";

/** Returns whether the layer always takes precedence over earlier layers after its start. */
const hidesEarlierLayers = ({ participants, until, restrictions = [] }: Layer): boolean =>
  until === undefined &&
  participants.length > 0 &&
  participants.every((turn) => toUserIds(turn).length > 0) &&
  (restrictions.length === 0 || isWholeWeek(restrictions));

/** Returns who will be on call after `fromMs` by the layers (`ever`), and who has turns but will not be on call (`never`). */
export const findEverOnCall = (
  { timeZone, layers }: OnCallSchedule,
  fromMs: number,
): { ever: ReadonlySet<string>; never: string[] } => {
  const zone = getZone(timeZone);
  const from = fromMs + zone.offsetAt(fromMs);
  const ever = new Set<string>();
  const named: string[] = [];
  let hiddenFrom = Infinity;
  for (const layer of layers.toReversed()) {
    const { startLocal, endLocal } = readLayerTimes(layer, zone);
    if (endLocal <= from) continue;
    named.unshift(...listLayerUsers(layer));
    const turns = compileTurns(layer, startLocal);
    for (const userId of turns.findPeopleServing(from, Math.min(endLocal, hiddenFrom))) ever.add(userId);
    if (hidesEarlierLayers(layer)) hiddenFrom = Math.min(hiddenFrom, startLocal);
  }
  return { ever, never: [...new Set(named)].filter((userId) => !ever.has(userId)) };
};
