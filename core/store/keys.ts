import { parsePackId } from "../domain/basics/ids.ts";
import { MARKER_SHARDS } from "../domain/basics/limits.ts";

/**
 * Number of partitions that share the heartbeat checks: a heartbeat makes one or two writes in each of its intervals.
 */
const HEARTBEAT_SHARDS = 4;

/*
 * Every key of the table, with the question it answers. Cost in read (R) and write (W) units for items of up to 1 KB;
 * "ec" is an eventually consistent read.
 *
 * Question                                  | Access                                                 | Cost
 * ------------------------------------------|--------------------------------------------------------|----------------
 * May this event come in?                   | Update CONTROL of the workspace, conditional           | 1 W
 * Whose key is this? (first time, ping)     | Get CONTROL                                            | 1 R
 * Is this a duplicate?                      | Get CLAIM ec, then Put if new                          | 0.5 R, 1 W
 * What is unfinished and due?               | Query PENDING#n / STEPS#n up to now                    | 1 R a shard
 * An event by its id                        | Get EVENTS by the sequence number in the id            | 1 R
 * Page n of the events                      | Get CONTROL and top of LOST, Query a range of EVENTS   | 2 R + 0.125 R a KB
 * The same if numbers are lost              | Get 1 to 3 more items of LOST, along one path          | 1 R each
 * Which workspaces exist? (operator)        | Query AUDIT#n, ec, then BatchGet META, ec              | 0.125 R a KB, 0.5 R each
 * How far has the sequence been audited?    | Get AUDITED                                            | 1 R
 * Open events                               | Query OPEN backwards, ec                               | 0.125 R a KB
 * Newest notifications                      | Query NOTIFICATIONS backwards, ec                      | 0.125 R a KB
 * Notifications of a rule for more than 16  | BatchGet its packs but the first, ec                   | 0.5 R a pack
 * One notification, its acknowledgement     | Get / Update the pack in the notification's id         | 1 R / 1 W
 * A part of a plan of several parts         | Get PLAN#                                              | 1 R per 4 KB
 * The state of an event's escalations       | Query ESCALATIONS of the event's rules                 | 1 R
 * People told by an event's steps           | Query FIRINGS of the event                             | 1 R per 4 KB
 * Notifications of an event                 | BatchGet the packs that its plan names                 | 0.25 R a KB
 * Rules and silences (when changed)         | Query RULES                                            | 1 R per 4 KB
 * People of a workspace (when changed)      | Query PEOPLE                                           | 1 R per 4 KB
 * Is this user a member?                    | Get MEMBER# in PEOPLE                                  | 1 R
 * Which workspaces is this user in?         | Query USER#, then BatchGet META and MEMBER#            | 0.5 R each
 * Devices of the recipients                 | BatchGet DEVICES, one item a user, ec                  | 0.5 R a user
 * Statistics of some weeks                  | Query STATISTICS, ec                                   | 0.125 R a KB
 * How far have statistics been counted?     | Get PROGRESS of STATISTICS                             | 1 R
 * Whose calendar does this secret open?     | Get CALENDAR# and CALENDARS                            | 2 R
 * Which members can be reached?             | Query DEVICES, ec                                      | 0.125 R a KB
 * Which heartbeats are due for a check?     | Query HEARTBEATS#n up to now                           | 1 R a shard
 * A call of a heartbeat                     | Update it by the workspace and id in its address       | 1 W
 * Who owns this push token?                 | Get / Put TOKEN#                                       | 1 R / 1 W
 */

export type Key = { pk: string; sk: string };

const seqText = (seq: number): string => String(seq).padStart(12, "0");
const dueText = (due: number): string => String(due).padStart(13, "0");

const shardText = (shard: number): string => String(shard).padStart(2, "0");

/** One of `count` shards, always the same for a text (FNV-1a). */
const shardOf = (text: string, count = MARKER_SHARDS): string => {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0;
  return shardText(hash % count);
};

export const shards: readonly string[] = Array.from({ length: MARKER_SHARDS }, (_, index) => shardText(index));
export const heartbeatShards: readonly string[] = shards.slice(0, HEARTBEAT_SHARDS);

/** The workspace in the partition key of an item that belongs to one. */
export const workspaceOfKey = ({ pk }: Pick<Key, "pk">): string => pk.split("#")[1] ?? "";
/** The number in the sort key of an event. */
export const seqOfEventKey = ({ sk }: Pick<Key, "sk">): number => Number(sk);
/** The workspace in the sort key of a membership. */
export const workspaceOfMembershipKey = ({ sk }: Pick<Key, "sk">): string => sk.slice("WS#".length);

export const controlKey = (ws: string): Key => ({ pk: `WS#${ws}`, sk: "CONTROL" });
export const workspaceKey = (ws: string): Key => ({ pk: `WS#${ws}`, sk: "META" });
export const memberSetKey = (ws: string): Key => ({ pk: `WS#${ws}`, sk: "MEMBERS" });
export const countsKey = (ws: string): Key => ({ pk: `WS#${ws}`, sk: "COUNTS" });

export const apiKeysPk = (ws: string): string => `WS#${ws}#KEYS`;
export const apiKeyKey = (ws: string, id: string): Key => ({ pk: apiKeysPk(ws), sk: id });

export const rulesPk = (ws: string): string => `WS#${ws}#RULES`;
/** Silences share the rules' partition, so that one query reads everything that matches an event. */
export const rulePrefix = "rule_";
export const silencePrefix = "sil_";
export const silenceKey = (ws: string, id: string): Key => ({ pk: rulesPk(ws), sk: id });
export const ruleKey = (ws: string, id: string): Key => ({ pk: rulesPk(ws), sk: id });
export const ruleVersionKey = (ws: string, id: string, version: number): Key => ({
  pk: `WS#${ws}#RULEVERSIONS`,
  sk: `${id}#${String(version).padStart(6, "0")}`,
});

export const peoplePk = (ws: string): string => `WS#${ws}#PEOPLE`;
export const memberPrefix = "MEMBER#";
export const groupPrefix = "GROUP#";
export const anyGroupMemberPrefix = "IN#";
export const groupMemberPrefix = (group: string): string => `IN#${group}#`;
export const onCallPrefix = "ONCALL#";
export const anyOverridePrefix = "OVERRIDE#";
export const overridePrefix = (group: string): string => `OVERRIDE#${group}#`;
export const policyPrefix = "POLICY#";
export const memberKey = (ws: string, user: string): Key => ({ pk: peoplePk(ws), sk: memberPrefix + user });
export const groupKey = (ws: string, group: string): Key => ({ pk: peoplePk(ws), sk: groupPrefix + group });
export const groupMemberKey = (ws: string, group: string, user: string): Key => ({
  pk: peoplePk(ws),
  sk: groupMemberPrefix(group) + user,
});
export const onCallKey = (ws: string, group: string): Key => ({ pk: peoplePk(ws), sk: onCallPrefix + group });
export const overrideKey = (ws: string, group: string, id: string): Key => ({
  pk: peoplePk(ws),
  sk: overridePrefix(group) + id,
});
export const policyKey = (ws: string, id: string): Key => ({ pk: peoplePk(ws), sk: policyPrefix + id });

export const calendarKey = (ws: string, owner: string): Key => ({ pk: `WS#${ws}#CALENDARS`, sk: owner });
export const calendarSecretKey = (hash: string): Key => ({ pk: `CALENDAR#${hash}`, sk: "OWNER" });

export const userPk = (user: string): string => `USER#${user}`;
export const membershipKey = (user: string, ws: string): Key => ({ pk: userPk(user), sk: `WS#${ws}` });

export const devicesPk = (ws: string): string => `WS#${ws}#DEVICES`;
export const devicesKey = (ws: string, user: string): Key => ({ pk: devicesPk(ws), sk: user });
export const tokenOwnerKey = (tokenHash: string): Key => ({ pk: `TOKEN#${tokenHash}`, sk: "OWNER" });

export const eventsPk = (ws: string): string => `WS#${ws}#EVENTS`;
export const eventKey = (ws: string, seq: number): Key => ({ pk: eventsPk(ws), sk: seqText(seq) });

/** A node of the tree of lost numbers. Leaves are at level 0. */
export const lostKey = (ws: string, level: number, node: number): Key => ({
  pk: `WS#${ws}#LOST`,
  sk: `${level}#${seqText(node)}`,
});
export const auditedKey = (ws: string): Key => ({ pk: `WS#${ws}#LOST`, sk: "AUDITED" });

export const notificationsPk = (ws: string): string => `WS#${ws}#NOTIFICATIONS`;
/**
 * The first pack of a rule shares a partition with those of other events, in order of time. Each other pack has its
 * own, so that an event for thousands of people is not written to one partition. The first one tells their number.
 */
export const packKey = (ws: string, packId: string): Key => {
  const isFirst = (parsePackId(packId)?.pack ?? 0) === 0;
  return { pk: isFirst ? notificationsPk(ws) : `${notificationsPk(ws)}#${packId}`, sk: packId };
};

/** A part of a plan, by the plan's id, in the partition of its event's plans. */
export const planPartKey = (ws: string, seq: number, plan: string, part: number): Key => ({
  pk: `WS#${ws}#PLAN#${seqText(seq)}`,
  sk: `${plan}#${String(part).padStart(5, "0")}`,
});

/** Sorts in the order of the rules, however many there are. */
const ruleText = (rule: number): string =>
  rule < 100 ? String(rule).padStart(2, "0") : `~${String(rule).padStart(6, "0")}`;
export const escalationsPk = (ws: string): string => `WS#${ws}#ESCALATIONS`;
export const escalationKey = (ws: string, seq: number, rule: number): Key => ({
  pk: escalationsPk(ws),
  sk: `${seqText(seq)}#${ruleText(rule)}`,
});
export const firingsPk = (ws: string): string => `WS#${ws}#FIRINGS`;
export const firingsPrefix = (seq: number): string => `${seqText(seq)}#`;
export const firingKey = (ws: string, seq: number, rule: number, cursor: number): Key => ({
  pk: firingsPk(ws),
  sk: `${firingsPrefix(seq)}${ruleText(rule)}#${String(cursor).padStart(3, "0")}`,
});
const RULE_AND_CURSOR = /#~?(\d+)#(\d+)$/;
/** The rule and the step in the sort key of a firing. */
export const placeOfFiringKey = ({ sk }: Pick<Key, "sk">): { rule: number; cursor: number } => {
  const [, rule, cursor] = RULE_AND_CURSOR.exec(sk) ?? [];
  return { rule: Number(rule), cursor: Number(cursor) };
};

export const pendingPk = (shard: string): string => `PENDING#${shard}`;
export const stepsPk = (shard: string): string => `STEPS#${shard}`;
export const heartbeatChecksPk = (shard: string): string => `HEARTBEATS#${shard}`;
export const auditPk = (shard: string): string => `AUDIT#${shard}`;
/** The greatest sort key that is due by `due`: every marker sorts by its due time. */
export const dueUpTo = (due: number): string => `${dueText(due)}~`;
/** The least sort key after this one: every character in a key is greater than a space. */
export const nextAfter = (sk: string): string => `${sk} `;

export const eventMarkerKey = (due: number, ws: string, eventId: string, part?: number): Key => {
  const work = part === undefined ? eventId : `${eventId}#${part}`;
  return { pk: pendingPk(shardOf(work)), sk: `${dueText(due)}#${ws}#${work}` };
};
export const stepMarkerKey = (due: number, ws: string, eventId: string, rule: number, cursor: number): Key => ({
  pk: stepsPk(shardOf(eventId)),
  sk: `${dueText(due)}#${ws}#${eventId}#${rule}#${cursor}`,
});
export const auditKey = (due: number, ws: string): Key => ({ pk: auditPk(shardOf(ws)), sk: `${dueText(due)}#${ws}` });

export const heartbeatCheckKey = (due: number, ws: string, id: string): Key => ({
  pk: heartbeatChecksPk(shardOf(id, HEARTBEAT_SHARDS)),
  sk: `${dueText(due)}#${ws}#${id}`,
});

export const heartbeatsPk = (ws: string): string => `WS#${ws}#HEARTBEATS`;
export const heartbeatKey = (ws: string, id: string): Key => ({ pk: heartbeatsPk(ws), sk: id });

export const statisticsPk = (ws: string): string => `WS#${ws}#STATISTICS`;
/** One subject's numbers of a week. The kind comes first, so that a range of weeks of one kind is one range of keys. */
export const statisticsKey = (ws: string, kind: string, week: string, id = ""): Key => ({
  pk: statisticsPk(ws),
  sk: `${kind}#${week}#${id}`,
});
export const statisticsProgressKey = (ws: string): Key => ({ pk: statisticsPk(ws), sk: "PROGRESS" });
/** Events that a person has resolved and that the statistics have not counted as resolved yet. */
export const resolvedPrefix = "RESOLVED#";
export const resolvedKey = (ws: string, seq: number): Key => ({
  pk: statisticsPk(ws),
  sk: `${resolvedPrefix}${seqText(seq)}`,
});

export const openEventsPk = (ws: string): string => `WS#${ws}#OPEN`;
export const openEventKey = (ws: string, seq: number): Key => ({ pk: openEventsPk(ws), sk: seqText(seq) });

export const dedupeKey = (ws: string, hash: string): Key => ({ pk: `WS#${ws}#DEDUPE#${hash}`, sk: "CLAIM" });
export const idempotencyKey = (ws: string, hash: string): Key => ({ pk: `WS#${ws}#IDEM#${hash}`, sk: "CLAIM" });

export const eventTypesPk = (ws: string): string => `WS#${ws}#TYPES`;
export const eventTypeKey = (ws: string, key: string): Key => ({ pk: eventTypesPk(ws), sk: key });
export const sitesPk = (ws: string): string => `WS#${ws}#SITES`;
export const siteKey = (ws: string, hash: string): Key => ({ pk: sitesPk(ws), sk: hash });
export const siteEventsPk = (ws: string, hash: string): string => `WS#${ws}#SITE#${hash}`;
export const siteEventKey = (ws: string, hash: string, n: number): Key => ({
  pk: siteEventsPk(ws, hash),
  sk: seqText(n),
});
