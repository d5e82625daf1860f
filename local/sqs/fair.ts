import type { Message } from "./message.ts";
import { MINUTE_MS } from "../../core/domain/basics/units.ts";

/*
 * How SQS shares out the consumers of a standard queue among message groups ("fair queues"), by what AWS documents:
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-fair-queues-detailed.html
 */

/** A group is noisy with more than this share of the messages in flight, if it has at least this many of them. */
const NOISY_SHARE = 0.1;
const NOISY_IN_FLIGHT_MIN = 30;
/** Or with more than this share of the time that consumers recently took. AWS does not say what is recent. */
const RECENT_HALF_LIFE_MS = MINUTE_MS;

/** Entries of taken messages that a group keeps before it lets go of them. */
const TAKEN_KEPT = 1000;

type Entry = { at: number; message: Message };

type Group = {
  /** Visible messages, the longest waiting first, each with its turn; `from` is the first that is left. */
  ready: (Entry & { turn: number })[];
  from: number;
  inFlight: Set<Message>;
  /** Milliseconds that consumers took for its messages, the older the less. */
  took: number;
};

/** A message without a group is one of its own. */
const nameOf = ({ id, group }: Message): string => group ?? `of ${id}`;

const headOf = ({ ready, from }: Group): Group["ready"][number] | undefined => ready[from];

/** Visible messages by group. `isShown`: whether an entry still says when its message is visible. */
export const createFairShares = (now: () => number, isShown: (entry: Entry) => boolean) => {
  const groups = new Map<string, Group>();
  let countedAt = now();
  let turns = 0;

  /** Lets what consumers took fade, and forgets groups that have nothing left: they are quiet again. */
  const age = (): void => {
    const passed = Math.max(0, now() - countedAt);
    countedAt = now();
    const factor = 0.5 ** (passed / RECENT_HALF_LIFE_MS);
    for (const [name, group] of groups) {
      group.took *= factor;
      for (const message of group.inFlight) if (message.visibleAt <= now()) group.inFlight.delete(message);
      for (let head = headOf(group); head !== undefined && !isShown(head); head = headOf(group)) group.from += 1;
      if (group.from === group.ready.length && group.inFlight.size === 0) groups.delete(name);
    }
  };

  const noisyOnes = (): Set<Group> => {
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

  const groupOf = (message: Message): Group => {
    const name = nameOf(message);
    const group = groups.get(name) ?? { ready: [], from: 0, inFlight: new Set(), took: 0 };
    groups.set(name, group);
    return group;
  };

  return {
    /** Called in the order in which messages become visible. */
    add: (entry: Entry): void => {
      groupOf(entry.message).ready.push({ ...entry, turn: (turns += 1) });
    },
    /** When the message became visible that has waited longest. */
    firstAt: (): number | undefined => {
      age();
      const heads = [...groups.values()].flatMap((group) => headOf(group)?.at ?? []);
      return heads.length === 0 ? undefined : Math.min(...heads);
    },
    /** The next message to hand out: of the quiet groups the oldest, then of the noisy group with the least in flight. */
    take: (): Message | undefined => {
      age();
      const noisy = noisyOnes();
      let best: Group | undefined;
      const comesBefore = (one: Group, other: Group): boolean => {
        if (noisy.has(one) !== noisy.has(other)) return noisy.has(other);
        if (noisy.has(one) && one.inFlight.size !== other.inFlight.size) return one.inFlight.size < other.inFlight.size;
        return (headOf(one)?.turn ?? 0) < (headOf(other)?.turn ?? 0);
      };
      for (const group of groups.values())
        if (headOf(group) !== undefined && (best === undefined || comesBefore(group, best))) best = group;
      const head = best === undefined ? undefined : headOf(best);
      if (best === undefined || head === undefined) return undefined;
      best.from += 1;
      // What was taken is let go of now and then: a long backlog must not be copied for each message.
      if (best.from > TAKEN_KEPT) {
        best.ready = best.ready.slice(best.from);
        best.from = 0;
      }
      return head.message;
    },
    began: (message: Message): void => {
      groupOf(message).inFlight.add(message);
    },
    ended: (message: Message): void => {
      const group = groupOf(message);
      if (group.inFlight.delete(message)) group.took += now() - message.receivedAt;
    },
  };
};
