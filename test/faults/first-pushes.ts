import { parsePackId } from "../../core/domain/basics/ids.ts";
import { listEventsBetween } from "../../core/store/events/events.ts";
import { listNewestPacks } from "../world/newest-packs.ts";
import type { Observations } from "./observe.ts";
import { listPushCalls, isUnknown } from "./push-invariants.ts";
import type { Play } from "./scenario.ts";

export type FirstPush = {
  at: number;
  /** The time since the event was stored, or since the recipient's notification rules allowed the push. */
  lateMs: number;
  /** The number of the call to the push service; faults in later calls cannot delay the push. */
  call: number;
  /** How often the device accepted the push again; `unexcused` counts only the repeats that no lost answer explains. */
  repeats: number;
  unexcused: number;
};

const EVERYTHING = 1_000_000;

/** Finds the first push to each recipient, except for events that a rule delays. */
export const findFirstPushes = async (play: Play, { storedAt }: Observations): Promise<FirstPush[]> => {
  const found: FirstPush[] = [];
  for (const fixture of play.fixtures) {
    const { ws } = fixture;
    const [events, packs] = await play.world.outside((deps) =>
      Promise.all([listEventsBetween(deps, ws, { from: 0, to: EVERYTHING }), listNewestPacks(deps, ws, EVERYTHING)]),
    );
    const byId = new Map(events.map((event) => [event.eventId, event]));
    for (const { packId, eventId, recipients } of packs) {
      const event = byId.get(eventId);
      const waits = event?.plan?.after !== undefined || event?.plan?.flapping !== undefined;
      if (event === undefined || waits || parsePackId(packId)?.cursor !== 0) continue;
      for (const { notificationId, rings } of recipients) {
        const calls = listPushCalls(play, fixture, notificationId);
        const [first] = calls
          .flatMap(({ acceptedAt, call }) => (acceptedAt === undefined ? [] : [{ acceptedAt, call }]))
          .toSorted((one, other) => one.acceptedAt - other.acceptedAt);
        if (first === undefined) continue;
        let [repeats, unexcused] = [0, 0];
        for (const same of Map.groupBy(calls, ({ token, pagesAgain }) => `${token} ${pagesAgain}`).values()) {
          const more = Math.max(0, same.filter(({ acceptedAt }) => acceptedAt !== undefined).length - 1);
          repeats += more;
          unexcused += Math.max(0, more - same.filter(isUnknown).length);
        }
        const { acceptedAt: at, call } = first;
        const from = Math.max(storedAt.get(`${ws} ${event.seq}`) ?? at, rings?.[0]?.at ?? 0);
        found.push({ at, lateMs: at - from, call, repeats, unexcused });
      }
    }
  }
  return found;
};
