import type { Message } from "./message.ts";
import { MINUTE_MS } from "../../core/domain/basics/units.ts";

/*
 * Shares a queue's consumers among message groups, like AWS's fair queues:
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-fair-queues-detailed.html
 */

/** A group is noisy if it has more than `NOISY_SHARE` of the messages in flight, and at least `NOISY_IN_FLIGHT_MIN`. */
const NOISY_SHARE = 0.1;
const NOISY_IN_FLIGHT_MIN = 30;
/** A group is also noisy if it took more than `NOISY_SHARE` of the consumers' recent time. AWS does not define "recent". */
const RECENT_HALF_LIFE_MS = MINUTE_MS;

/** The number of received messages after which a group drops the messages' entries. */
const TAKEN_KEPT = 1000;

type QueuedMessage = { at: number; message: Message };

type MessageGroup = {
  /** Visible messages, in the order in which they became visible. Messages before the index `from` were received. */
  ready: (QueuedMessage & { turn: number })[];
  from: number;
  inFlight: Set<Message>;
  /** The time, in ms, that consumers spent on the group's messages, with less weight for older time. */
  took: number;
};

/** Returns the name of a message's group. A message without a group is a group of its own. */
const toGroupName = ({ id, group }: Message): string => group ?? `of ${id}`;

const getFirstReady = ({ ready, from }: MessageGroup): MessageGroup["ready"][number] | undefined => ready[from];

/** Creates a fair order of visible messages. `isShown`: whether an entry's message is queued and visible at the entry's time. */
export const createFairOrder = (now: () => number, isShown: (entry: QueuedMessage) => boolean) => {
  const groups = new Map<string, MessageGroup>();
  let countedAt = now();
  let turns = 0;

  /** Halves each group's consumer time (`took`) for every minute since the last call, and removes groups without messages. */
  const updateGroups = (): void => {
    const passed = Math.max(0, now() - countedAt);
    countedAt = now();
    const factor = 0.5 ** (passed / RECENT_HALF_LIFE_MS);
    for (const [name, group] of groups) {
      group.took *= factor;
      for (const message of group.inFlight) if (message.visibleAt <= now()) group.inFlight.delete(message);
      for (let head = getFirstReady(group); head !== undefined && !isShown(head); head = getFirstReady(group))
        group.from += 1;
      if (group.from === group.ready.length && group.inFlight.size === 0) groups.delete(name);
    }
  };

  /** Returns the groups with too many messages in flight, or with too much of the consumers' recent time. */
  const listNoisyGroups = (): Set<MessageGroup> => {
    const all = [...groups.values()];
    const flying = all.reduce((sum, { inFlight }) => sum + inFlight.size, 0);
    const taken = all.reduce((sum, { took }) => sum + took, 0);
    return new Set(
      all.filter(
        ({ inFlight, took }) =>
          (inFlight.size >= NOISY_IN_FLIGHT_MIN && inFlight.size > NOISY_SHARE * flying) || took > NOISY_SHARE * taken,
      ),
    );
  };

  const getOrCreateGroup = (message: Message): MessageGroup => {
    const name = toGroupName(message);
    const group = groups.get(name) ?? { ready: [], from: 0, inFlight: new Set(), took: 0 };
    groups.set(name, group);
    return group;
  };

  return {
    /** Adds a visible message. Call `add` in the order in which messages become visible. */
    add: (entry: QueuedMessage): void => {
      getOrCreateGroup(entry.message).ready.push({ ...entry, turn: (turns += 1) });
    },
    firstAt: (): number | undefined => {
      updateGroups();
      const heads = [...groups.values()].flatMap((group) => getFirstReady(group)?.at ?? []);
      return heads.length === 0 ? undefined : Math.min(...heads);
    },
    /** Takes the oldest message of groups that are not noisy, or else of the noisy group with the fewest messages in flight. */
    take: (): Message | undefined => {
      updateGroups();
      const noisy = listNoisyGroups();
      let best: MessageGroup | undefined;
      const isServedBefore = (group: MessageGroup, other: MessageGroup): boolean => {
        if (noisy.has(group) !== noisy.has(other)) return noisy.has(other);
        if (noisy.has(group) && group.inFlight.size !== other.inFlight.size)
          return group.inFlight.size < other.inFlight.size;
        return (getFirstReady(group)?.turn ?? 0) < (getFirstReady(other)?.turn ?? 0);
      };
      for (const group of groups.values())
        if (getFirstReady(group) !== undefined && (best === undefined || isServedBefore(group, best))) best = group;
      const head = best === undefined ? undefined : getFirstReady(best);
      if (best === undefined || head === undefined) return undefined;
      best.from += 1;
      // Entries are dropped rarely, so that a long backlog is not copied for each message.
      if (best.from > TAKEN_KEPT) {
        best.ready = best.ready.slice(best.from);
        best.from = 0;
      }
      return head.message;
    },
    began: (message: Message): void => {
      getOrCreateGroup(message).inFlight.add(message);
    },
    ended: (message: Message): void => {
      const group = getOrCreateGroup(message);
      if (group.inFlight.delete(message)) group.took += now() - message.receivedAt;
    },
  };
};
