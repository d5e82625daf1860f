import { parsePackId, type WorkspaceId, isId } from "../domain/basics/ids.ts";
import { MARKER_SHARDS, SPREAD_KEYS } from "../domain/basics/limits.ts";
import { MINUTE_MS } from "../domain/basics/units.ts";
import type { MemberOfGroup } from "../domain/people/group.ts";

const HEARTBEAT_SHARDS = 4;

/*
 * The keys of the table, and the reads and writes that use them. The costs are in read (R) and write (W) units for items of up to
 * 1 KB; "ec" means an eventually consistent read.
 *
 * Data                                      | Access                                                  | Cost
 * ------------------------------------------|---------------------------------------------------------|--------------------
 * Admission of an event                     | Update CONTROL of the workspace, conditional            | 1 W
 * Check of an API key (first use, ping)     | Get CONTROL                                             | 1 R
 * Event with the same dedupeKey             | Get CLAIM ec, then Put if new                           | 0.5 R, 1 W
 * End of an alert before its event          | Get CLAIM, if the sender states times of changes        | 1 R
 * Unfinished work that is due               | Query PENDING#n / STEPS#n up to now                     | 1 R a shard
 * An event by its id, with its progress     | Query EVENTS by the sequence number in the id           | 1 R per 4 KB
 * Page n of the events                      | Get CONTROL and top of LOST, Query a range of EVENTS    | 2 R + 0.125 R a KB
 * Retention edge                            | Get CONTROL, else Query LOST backwards from a day, ec   | 0.5 R
 * Some events by their numbers              | Query EVENTS for each number, ec                        | 0.5 R each
 * Additionally, if numbers are lost         | Get 1 to 3 more items of LOST, along one path           | 1 R each
 * All workspaces (operator)                 | Query AUDIT#n, ec, then BatchGet META, ec               | 0.125 R a KB, 0.5 R each
 * Progress of the audits of numbers         | Get AUDITED                                             | 1 R
 * Events that a silence holds               | Query HELD#silence backwards, at most 1,000             | 0.125 R a KB
 * Silences that have ended                  | Query ENDS#n up to now                                  | 1 R
 * Group of an event                         | Get GROUPED, then Update if it notifies                 | 1 R, 1 W
 * Page limit of a person                    | Get `RUNG#user`, then Update if it pages                | 1 R, 1 W
 * Counted events of a group or threshold    | Query its items of 64 numbers, Update one item          | 1 R per 4 KB, 1 W
 * Open events                               | Query OPEN backwards, ec                                | 0.125 R a KB
 * Open events with a dedupeKey              | Get OPENINDEX, ec, Query OPEN#key backwards             | 1.5 R up to 40
 * Newest notifications                      | Query NOTIFICATIONS backwards, ec                       | 0.125 R a KB
 * Packs of a rule for more than 16 people   | BatchGet its packs but the first, ec                    | 0.5 R a pack
 * One notification, its acknowledgement     | Get / Update the pack in the notification's id          | 1 R / 1 W
 * A part of a plan of several parts         | Get PLAN#                                               | 1 R per 4 KB
 * The state of an event's escalations       | Query ESCALATIONS of the event's rules                  | 1 R
 * People notified by an event's steps       | Query FIRINGS of the event                              | 1 R per 4 KB
 * Notes on an event                         | Query NOTES by the event's id                           | 1 R per 4 KB
 * Notifications of an event                 | BatchGet the packs that its plan names                  | 0.25 R a KB
 * Rules and silences (when changed)         | Query RULES                                             | 1 R per 4 KB
 * People of a workspace (when changed)      | Query PEOPLE                                            | 1 R per 4 KB
 * Schedules (when acknowledging)            | Query schedules and overrides of PEOPLE, ec             | 0.125 R a KB
 * Membership of a user                      | Get MEMBER# in PEOPLE                                   | 1 R
 * Workspaces that a user has created        | Get MADE of USER#, Update it and the month's item       | 1 R, 2 W
 * Workspaces of a user                      | Query USER#, then BatchGet META and MEMBER#             | 0.5 R each
 * Invitations to a workspace                | Query INVITATIONS                                       | 1 R per 4 KB
 * Invitations of an address                 | Query INVITED#, then Get each of INVITATIONS            | 1 R, 1 R each
 * Devices of the recipients                 | BatchGet DEVICES, one item a user, ec                   | 0.5 R a user
 * Statistics of some weeks                  | Query STATISTICS, ec                                    | 0.125 R a KB
 * Progress of counting statistics           | Get PROGRESS of STATISTICS                              | 1 R
 * Calendar feed of a secret                 | Get CALENDAR# and CALENDARS                             | 2 R
 * Members with devices                      | Query DEVICES, ec                                       | 0.125 R a KB
 * Heartbeats that are due for a check       | Query HEARTBEATS#n up to now                            | 1 R a shard
 * A call of a heartbeat                     | Update it by the workspace and id in its URL            | 1 W
 * Start of the last sweep                   | Update SWEEPER each sweep, conditional                  | 1 W
 * Budget of a text message                  | Update SMS of the month, conditional                    | 1 W
 * Turns on a channel with a limited rate    | Update LINES of PACE#, conditional; Get it, ec          | 1 to 2 W; 0.5 R
 * People who have verified a phone number   | Get PLACES of TOKEN#                                    | 1 R
 * Owner of a push token                     | Get / Put TOKEN#                                        | 1 R / 1 W
 * Timeline of an event                      | Get STORY of the event, Update it, conditional          | 1 R, 1 W
 * Waiting messages of a webhook             | Update its LINE, conditional, Query WAITS               | 1 W, 1 R per 4 KB
 * All messages of a webhook                 | Query WAITS and SENT backwards                          | 0.25 R a KB
 * Message of an event in a Slack channel    | Get POSTS of the connection, Put it                     | 1 R, 1 W
 * Member of a Slack account                 | Get SLACK by team and user                              | 1 R
 * Delivery queues that are due for a retry  | Query LINES#n up to now                                 | 1 R
 * Watched workspaces                        | Query WATCHES, then BatchGet the heads of TRAIL, ec     | 0.125 R a KB, 0.5 R each
 * People on call at the last check          | Query DUTY, Put each that has changed, conditional      | 1 R per 4 KB, 1 W
 * Reachability checks that are due          | Query PROOFS#n up to now                                | 1 R
 * Reachability checks of a workspace        | Query PROOFS of the workspace                           | 1 R per 4 KB
 * Last probes of a workspace                | Query PROBES of the workspace                           | 1 R per 4 KB
 * Plan of the next probes                   | Get NEXT#PROBES of the workspace                        | 0.5 R
 * Dead man's switch and its last round      | Get / Update SWITCH of the workspace                    | 1 R / 1 W
 * On-call reports of past months            | Query LOAD of the workspace, ec                         | 0.125 R a KB
 * Covers of a workspace                     | Query COVERS of the workspace                           | 1 R per 4 KB
 * Covers that are due for a notice          | Query COVERS#n up to now                                | 1 R
 * Workspaces that are being deleted         | Query DELETIONS                                         | 0.5 R
 * Audit trail                               | Query TRAIL backwards, ec                               | 0.125 R a KB
 * A change of the configuration             | Get TRAIL of the workspace, a transaction of 3 writes   | 1 R, 2 W a KB
 * Daily limits of verification codes        | Update counts: address, person, workspace, stage        | 4 W
 */

export type Key = { pk: string; sk: string };

/** Formats an event's number with 12 digits, so that keys sort by number. */
const formatSeq = (seq: number): string => String(seq).padStart(12, "0");
/** Formats a due time in whole milliseconds, so that the same time always gives the same key. */
const formatDueTime = (due: number): string => String(Math.floor(due)).padStart(13, "0");

const formatShard = (shard: number): string => String(shard).padStart(2, "0");

/** Chooses one of `count` shards by a hash (FNV-1a) of a text. */
const chooseShard = (text: string, count = MARKER_SHARDS): string => {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0;
  return formatShard(hash % count);
};

export const shards: readonly string[] = Array.from({ length: MARKER_SHARDS }, (_, index) => formatShard(index));
export const heartbeatShards: readonly string[] = shards.slice(0, HEARTBEAT_SHARDS);

/** Lists the partitions over which events' items are spread. The first partition also has items of events that are not spread. */
const listSharedPartitions = (pk: string): string[] =>
  Array.from({ length: SPREAD_KEYS }, (_, share) => (share === 0 ? pk : `${pk}#${share}`));
/** Returns the partition with this index (from 0) in the list of `listSharedPartitions`; `pk` for an unknown index. */
const chooseSharedPartition = (pk: string, index: number): string => listSharedPartitions(pk)[index] ?? pk;
/** The number of consecutive events in one partition, so that a page of the list needs one or two partitions. */
const SPREAD_ROW = 64;
/** Returns the index (from 0) of the partition in which the event with this number is. */
const computePartitionIndex = (seq: number): number => Math.floor(seq / SPREAD_ROW) % SPREAD_KEYS;

/** Returns the id of the workspace to which a partition key belongs. */
export const parseWorkspaceId = ({ pk }: Pick<Key, "pk">): WorkspaceId =>
  `ws_${pk.split("#")[1]?.slice("ws_".length) ?? ""}`;
/** Returns the number of the event with which a sort key begins. */
export const parseSeqOfKey = ({ sk }: Pick<Key, "sk">): number => Number.parseInt(sk, 10);
/** Returns the id of the workspace that the sort key of a membership names. */
export const parseWorkspaceOfMembership = ({ sk }: Pick<Key, "sk">): WorkspaceId => `ws_${sk.slice("WS#ws_".length)}`;

export const controlKey = (ws: WorkspaceId): Key => ({ pk: `WS#${ws}`, sk: "CONTROL" });
export const workspaceKey = (ws: WorkspaceId): Key => ({ pk: `WS#${ws}`, sk: "META" });
export const memberSetKey = (ws: WorkspaceId): Key => ({ pk: `WS#${ws}`, sk: "MEMBERS" });
export const countsKey = (ws: WorkspaceId): Key => ({ pk: `WS#${ws}`, sk: "COUNTS" });

export const apiKeysPk = (ws: WorkspaceId): string => `WS#${ws}#KEYS`;
export const apiKeyKey = (ws: WorkspaceId, id: string): Key => ({ pk: apiKeysPk(ws), sk: id });

export const rulesPk = (ws: WorkspaceId): string => `WS#${ws}#RULES`;
/** Rules and silences share a partition, so that one query reads both. */
export const rulePrefix = "rule_";
export const silencePrefix = "sil_";
export const silenceKey = (ws: WorkspaceId, id: string): Key => ({ pk: rulesPk(ws), sk: id });
export const ruleKey = (ws: WorkspaceId, id: string): Key => ({ pk: rulesPk(ws), sk: id });
export const ruleVersionKey = (ws: WorkspaceId, id: string, version: number): Key => ({
  pk: `WS#${ws}#RULEVERSIONS`,
  sk: `${id}#${String(version).padStart(6, "0")}`,
});

/** Webhooks are in the same partition as rules, because the matcher must know which webhooks receive changes of an event. */
export const webhookPrefix = "wh_";
export const webhookKey = (ws: WorkspaceId, id: string): Key => ({ pk: rulesPk(ws), sk: id });
/** Connections are in the partition of rules, because the matcher must know which connections receive an event's changes. */
export const connectionPrefix = "con_";
export const connectionKey = (ws: WorkspaceId, id: string): Key => ({ pk: rulesPk(ws), sk: id });
export const channelPostKey = (ws: WorkspaceId, connectionId: string, eventId: string): Key => ({
  pk: `WS#${ws}#LINES#${connectionId}#POSTS`,
  sk: eventId,
});
export const slackAccountsPk = (ws: WorkspaceId): string => `WS#${ws}#SLACK`;
export const slackAccountKey = (ws: WorkspaceId, team: string, user: string): Key => ({
  pk: slackAccountsPk(ws),
  sk: `${team}#${user}`,
});

/** Returns the partition of the states of delivery queues. A state's sort key is the id of the webhook or connection. */
export const queuesPk = (ws: WorkspaceId): string => `WS#${ws}#LINES`;
export const queueKey = (ws: WorkspaceId, id: string): Key => ({ pk: queuesPk(ws), sk: id });
export const messagesPk = (ws: WorkspaceId, queueId: string, kind: "WAITS" | "SENT"): string =>
  `WS#${ws}#LINES#${queueId}#${kind}`;
/** Returns whether a key is of a message in a delivery queue of this workspace. */
export const isMessageKey = (ws: WorkspaceId, { pk }: Pick<Key, "pk">): boolean => pk.startsWith(`${queuesPk(ws)}#`);
/** Returns the sort key of the message about a timeline entry. `seq`: the event's number. `entryNumber`: counts from 1. */
export const messageSk = (queuedAt: number, seq: number, entryNumber: number): string =>
  `${formatDueTime(queuedAt)}#${formatSeq(seq)}#${String(entryNumber).padStart(4, "0")}`;
/** Returns the range of messages that were queued from one time to another (milliseconds, inclusive). */
export const messageRange = (from: number, to: number): { from: string; to: string } => ({
  from: formatDueTime(Math.max(0, from)),
  to: `${formatDueTime(to)}#~`,
});
/** Returns the sort key of a message that belongs to no event. `sequence`: the message's number for its `subject`. */
export const otherMessageSk = (queuedAt: number, subject: string, sequence: number): string =>
  `${formatDueTime(queuedAt)}#${subject}#${formatSeq(sequence)}`;
export const timelineKey = (ws: WorkspaceId, eventId: string): Key => ({
  pk: `WS#${ws}#STORY#${eventId}`,
  sk: "STORY",
});

export const peoplePk = (ws: WorkspaceId): string => `WS#${ws}#PEOPLE`;
export const memberPrefix = "MEMBER#";
export const groupPrefix = "GROUP#";
export const anyGroupMemberPrefix = "IN#";
export const groupMemberPrefix = (group: string): string => `IN#${group}#`;
export const schedulePrefix = "ONCALL#";
export const anyOverridePrefix = "OVERRIDE#";
export const overridePrefix = (group: string): string => `OVERRIDE#${group}#`;
export const policyPrefix = "POLICY#";
export const memberKey = (ws: WorkspaceId, user: string): Key => ({ pk: peoplePk(ws), sk: memberPrefix + user });
export const groupKey = (ws: WorkspaceId, group: string): Key => ({ pk: peoplePk(ws), sk: groupPrefix + group });
export const groupMemberKey = (ws: WorkspaceId, { groupId, userId }: MemberOfGroup): Key => ({
  pk: peoplePk(ws),
  sk: groupMemberPrefix(groupId) + userId,
});
export const scheduleKey = (ws: WorkspaceId, group: string): Key => ({ pk: peoplePk(ws), sk: schedulePrefix + group });
export const overrideKey = (ws: WorkspaceId, group: string, id: string): Key => ({
  pk: peoplePk(ws),
  sk: overridePrefix(group) + id,
});
/** The prefix of the keys of people's notification rules, in the same partition as the workspace's `urgentFloor`. */
export const notificationRulesPrefix = "NOTIFY#";
export const notificationRulesKey = (ws: WorkspaceId, user: string): Key => ({
  pk: peoplePk(ws),
  sk: notificationRulesPrefix + user,
});
export const urgentFloorSk = "FLOOR";
export const urgentFloorKey = (ws: WorkspaceId): Key => ({ pk: peoplePk(ws), sk: urgentFloorSk });
export const policyKey = (ws: WorkspaceId, id: string): Key => ({ pk: peoplePk(ws), sk: policyPrefix + id });

/** Returns the partition that stores, for each group, who was on call when the service last looked for changes to report. */
export const onCallTimelinesPk = (ws: WorkspaceId): string => `WS#${ws}#DUTY`;
export const onCallTimelineKey = (ws: WorkspaceId, group: string): Key => ({ pk: onCallTimelinesPk(ws), sk: group });

export const calendarsPk = (ws: WorkspaceId): string => `WS#${ws}#CALENDARS`;
export const calendarKey = (ws: WorkspaceId, owner: string): Key => ({ pk: calendarsPk(ws), sk: owner });
export const calendarSecretKey = (hash: string): Key => ({ pk: `CALENDAR#${hash}`, sk: "OWNER" });

export const isCalendarSecretKey = ({ pk }: Pick<Key, "pk">): boolean => pk.startsWith("CALENDAR#");

export const userPk = (user: string): string => `USER#${user}`;
export const membershipPrefix = "WS#";
/** Returns the key of the item with the ids and the maximum number of the workspaces that a user created and did not delete. */
export const createdInTotalKey = (user: string): Key => ({ pk: userPk(user), sk: "MADE" });
/** Returns the key of the number of workspaces that a user created in a month (UTC), including deleted workspaces. */
export const createdInMonthKey = (user: string, month: string): Key => ({ pk: userPk(user), sk: `MADE#${month}` });
export const membershipKey = (user: string, ws: WorkspaceId): Key => ({ pk: userPk(user), sk: `WS#${ws}` });

export const invitationsPk = (ws: WorkspaceId): string => `WS#${ws}#INVITATIONS`;
export const invitationKey = (ws: WorkspaceId, id: string): Key => ({ pk: invitationsPk(ws), sk: id });
export const invitedPk = (addressHash: string): string => `INVITED#${addressHash}`;
export const invitedKey = (addressHash: string, ws: WorkspaceId): Key => ({
  pk: invitedPk(addressHash),
  sk: `WS#${ws}`,
});

export const devicesPk = (ws: WorkspaceId): string => `WS#${ws}#DEVICES`;
export const devicesKey = (ws: WorkspaceId, user: string): Key => ({ pk: devicesPk(ws), sk: user });
/** The messages that are counted per day: verification codes and invitation emails. */
type CountedMails = "CODES" | "INVITED";
/** Returns the key of a workspace's daily count of a kind of message. */
export const dailyCountKey = (ws: WorkspaceId, kind: string, day: string): Key => ({
  pk: `WS#${ws}#CODES`,
  sk: `${day}#workspace#${kind}`,
});
/** Returns the key of a person's daily count of messages in all workspaces, which deletions of workspaces do not reset. */
export const personCountKey = (user: string, counted: CountedMails, day: string): Key => ({
  pk: userPk(user),
  sk: `${counted}#${day}`,
});
/** Returns the key of the daily count of a kind of message in all workspaces. */
export const stageCountKey = (counted: CountedMails, day: string): Key => ({ pk: "STAGE", sk: `${counted}#${day}` });
/** Returns the partition of an address's owner, of the people who have verified the address, and of daily counts of messages. */
export const addressPk = (addressHash: string): string => `TOKEN#${addressHash}`;
export const addressCodeCountKey = (addressHash: string, day: string): Key => ({
  pk: addressPk(addressHash),
  sk: `CODES#${day}`,
});
export const addressInvitationCountKey = (addressHash: string, day: string): Key => ({
  pk: addressPk(addressHash),
  sk: `INVITED#${day}`,
});
/** Returns the key of the people who have verified a phone number. */
export const phoneOwnersKey = (phoneHash: string): Key => ({ pk: addressPk(phoneHash), sk: "PLACES" });
export const phoneAnswerCountKey = (phoneHash: string, day: string): Key => ({
  pk: addressPk(phoneHash),
  sk: `ANSWERS#${day}`,
});
/** Returns the key of the number of text messages or calls that a workspace has sent in a month (UTC). */
export const paidCountKey = (ws: WorkspaceId, channel: "sms" | "voice", month: string): Key => ({
  pk: `WS#${ws}#${channel.toUpperCase()}`,
  sk: month,
});
export const isAddressKey = ({ pk }: Pick<Key, "pk">): boolean => pk.startsWith("TOKEN#");
export const tokenOwnerKey = (tokenHash: string): Key => ({ pk: addressPk(tokenHash), sk: "OWNER" });

/** Returns the first partition of events, with all events that are not spread over partitions, and some that are. */
export const firstEventsPk = (ws: WorkspaceId): string => `WS#${ws}#EVENTS`;
/** Returns the partitions over which the events with numbers from `from` to `to` are spread. */
export const spreadEventsPks = (ws: WorkspaceId, from: number, to: number): string[] => {
  const rows = Math.floor(to / SPREAD_ROW) - Math.floor(from / SPREAD_ROW) + 1;
  const shares = Array.from({ length: Math.min(rows, SPREAD_KEYS) }, (_, row) =>
    computePartitionIndex(from + row * SPREAD_ROW),
  );
  return shares.map((share) => chooseSharedPartition(firstEventsPk(ws), share));
};
/** Returns the partitions of all events with numbers from `from` to `to`. */
export const eventsPks = (ws: WorkspaceId, from: number, to: number): string[] => [
  ...new Set([firstEventsPk(ws), ...spreadEventsPks(ws, from, to)]),
];
/** Returns an event's key. `spread`: whether the event is spread over partitions. */
export const eventItemKey = (ws: WorkspaceId, seq: number, spread: boolean): Key => ({
  pk: chooseSharedPartition(firstEventsPk(ws), spread ? computePartitionIndex(seq) : 0),
  sk: formatSeq(seq),
});
const PROGRESS = "#C";
/** Returns the key of an event's separate progress item, which sorts right after the event. */
export const progressKey = (ws: WorkspaceId, seq: number): Key => {
  const { pk, sk } = eventItemKey(ws, seq, true);
  return { pk, sk: sk + PROGRESS };
};
export const isEventKey = (ws: WorkspaceId, { pk }: Pick<Key, "pk">): boolean =>
  pk === firstEventsPk(ws) || pk.startsWith(`${firstEventsPk(ws)}#`);
/** Returns whether a sort key belongs to the progress item of an event that is spread over partitions. */
export const isProgressKey = ({ sk }: Pick<Key, "sk">): boolean => sk.endsWith(PROGRESS);
/** Returns the range of sort keys of the events with the numbers `from` to `to` (inclusive), with progress items. */
export const eventRange = (from: number, to: number): { from: string; to: string } => ({
  from: formatSeq(from),
  to: formatSeq(to) + PROGRESS,
});

/** Returns the partition of lost event numbers, the last number of each day, and the progress of the audits. */
export const lostNumbersPk = (ws: WorkspaceId): string => `WS#${ws}#LOST`;
/** Returns the key of a node in the tree of numbers whose events were never stored. */
export const lostKey = (ws: WorkspaceId, level: number, node: number): Key => ({
  pk: lostNumbersPk(ws),
  sk: `${level}#${formatSeq(node)}`,
});
/** Returns the key of the last event number that was assigned on a day (UTC), such as `2026-11-27`. */
export const dayKey = (ws: WorkspaceId, day: string): Key => ({ pk: lostNumbersPk(ws), sk: `${dayPrefix}${day}` });
export const dayPrefix = "DAY#";
export const parseDayOfKey = ({ sk }: Pick<Key, "sk">): string => sk.slice(dayPrefix.length);
export const auditProgressKey = (ws: WorkspaceId): Key => ({ pk: lostNumbersPk(ws), sk: "AUDITED" });

const notificationsPk = (ws: WorkspaceId): string => `WS#${ws}#NOTIFICATIONS`;
export const notificationsPks = (ws: WorkspaceId): string[] => listSharedPartitions(notificationsPk(ws));
/** Returns a pack's key. The first packs of all rules share partitions, sorted by time; each later pack has its own partition. */
export const packKey = (ws: WorkspaceId, packId: string): Key => {
  const { pack, seq, spread } = parsePackId(packId) ?? { pack: 0, seq: 0, spread: false };
  if (pack !== 0) return { pk: `${notificationsPk(ws)}#${packId}`, sk: packId };
  // Spreads consecutive events over the partitions, so that the newest packs are evenly distributed.
  return { pk: chooseSharedPartition(notificationsPk(ws), spread ? seq % SPREAD_KEYS : 0), sk: packId };
};

export const planPartKey = (ws: WorkspaceId, seq: number, planId: string, part: number): Key => ({
  pk: `WS#${ws}#PLAN#${formatSeq(seq)}`,
  sk: `${planId}#${String(part).padStart(5, "0")}`,
});

/** Formats a rule's index, so that keys sort in the order of the rules. */
const formatRuleIndex = (index: number): string =>
  index < 100 ? String(index).padStart(2, "0") : `~${String(index).padStart(6, "0")}`;
export const escalationsPk = (ws: WorkspaceId): string => `WS#${ws}#ESCALATIONS`;
export const escalationKey = (ws: WorkspaceId, seq: number, ruleIndex: number): Key => ({
  pk: escalationsPk(ws),
  sk: `${formatSeq(seq)}#${formatRuleIndex(ruleIndex)}`,
});
export const firingsPk = (ws: WorkspaceId): string => `WS#${ws}#FIRINGS`;
export const firingsPrefix = (seq: number): string => `${formatSeq(seq)}#`;
/** Returns the key of a fired escalation step, or of added people. `rule`: index in the plan; `cursor`: the step's number. */
export const firingKey = (ws: WorkspaceId, seq: number, rule: number, cursor: number): Key => ({
  pk: firingsPk(ws),
  sk: `${firingsPrefix(seq)}${formatRuleIndex(rule)}#${String(cursor).padStart(3, "0")}`,
});
const RULE_AND_CURSOR = /#~?(\d+)#(\d+)$/;
export const parseFiringKey = ({ sk }: Pick<Key, "sk">): { rule: number; cursor: number } => {
  const [, rule, cursor] = RULE_AND_CURSOR.exec(sk) ?? [];
  return { rule: Number(rule), cursor: Number(cursor) };
};

/** Returns the partition of notes. Sort keys contain event ids, because after a restore, two events can have the same number. */
export const notesPk = (ws: WorkspaceId): string => `WS#${ws}#NOTES`;
export const notesPrefix = (eventId: string): string => `${eventId}#`;
export const noteKey = (ws: WorkspaceId, eventId: string, index: number): Key => ({
  pk: notesPk(ws),
  sk: `${notesPrefix(eventId)}${String(index).padStart(3, "0")}`,
});

export const eventMarkersPk = (shard: string): string => `PENDING#${shard}`;
export const stepMarkersPk = (shard: string): string => `STEPS#${shard}`;
export const heartbeatChecksPk = (shard: string): string => `HEARTBEATS#${shard}`;
export const dueAuditsPk = (shard: string): string => `AUDIT#${shard}`;
/** Returns the upper limit of the sort keys of items that are due at a time or earlier. */
export const dueRangeEnd = (due: number): string => `${formatDueTime(due)}~`;
const DUE = /^\d{13}(?=#)/;
/** Returns the due time in a sort key, in milliseconds. Returns NaN if the key contains no time. */
export const parseDueTime = ({ sk }: Pick<Key, "sk">): number => Number(DUE.exec(sk)?.[0] ?? NaN);
export const moveKeyToDueTime = ({ pk, sk }: Key, due: number): Key => ({
  pk,
  sk: DUE.test(sk) ? sk.replace(DUE, formatDueTime(due)) : `${formatDueTime(due)}#${sk}`,
});
/** Returns a key that sorts right after `sk`, because every character in a key is greater than a space. */
export const keyDirectlyAfter = (sk: string): string => `${sk} `;

export const eventMarkerKey = (due: number, ws: WorkspaceId, eventId: string, planPart?: number): Key => {
  const work = planPart === undefined ? eventId : `${eventId}#${planPart}`;
  return { pk: eventMarkersPk(chooseShard(work)), sk: `${formatDueTime(due)}#${ws}#${work}` };
};
export const stepMarkerKey = (due: number, ws: WorkspaceId, eventId: string, rule: number, cursor: number): Key => ({
  pk: stepMarkersPk(chooseShard(eventId)),
  sk: `${formatDueTime(due)}#${ws}#${eventId}#${rule}#${cursor}`,
});
/** Returns the key of a temporary acknowledgement's marker. `work`: `ask` about an extension, or `end`. `until`: planned end. */
export const ackMarkerKey = (
  due: number,
  ws: WorkspaceId,
  eventId: string,
  { work, until }: { work: string; until: number },
): Key => ({
  pk: stepMarkersPk(chooseShard(eventId)),
  sk: `${formatDueTime(due)}#${ws}#${eventId}#${work}#${formatDueTime(until)}`,
});
/** Returns the key of the marker for the end of an acknowledger's shift, in the partition of step markers. */
export const handoffMarkerKey = (due: number, ws: WorkspaceId, eventId: string, userId: string): Key => ({
  pk: stepMarkersPk(chooseShard(eventId)),
  sk: `${formatDueTime(due)}#${ws}#${eventId}#hand#${userId}`,
});
/** Returns the key of the marker for later notification steps of a pack, in the partition of step markers. */
export const pageMarkerKey = (due: number, ws: WorkspaceId, eventId: string, packId: string): Key => ({
  pk: stepMarkersPk(chooseShard(eventId)),
  sk: `${formatDueTime(due)}#${ws}#${eventId}#ring#${packId}`,
});
export const dueAuditKey = (due: number, ws: WorkspaceId): Key => ({
  pk: dueAuditsPk(chooseShard(ws)),
  sk: `${formatDueTime(due)}#${ws}`,
});

const CHECK = /^\d{13}#(?<ws>[^#]+)#(?<id>[^#]+)$/;
export const parseHeartbeatCheckKey = ({ sk }: Pick<Key, "sk">): { ws: WorkspaceId; id: string } | undefined => {
  const { ws, id } = CHECK.exec(sk)?.groups ?? {};
  return ws === undefined || !isId("ws", ws) || id === undefined ? undefined : { ws, id };
};

/** One partition (shard) is enough for items that are rarely due: queues, ends of silences, checks and covers. */
export const oneShard: readonly string[] = shards.slice(0, 1);
export const dueQueuesPk = (shard: string): string => `LINES#${shard}`;
export const dueQueueKey = (due: number, ws: WorkspaceId, queueId: string): Key => ({
  pk: dueQueuesPk(chooseShard(queueId, oneShard.length)),
  sk: `${formatDueTime(due)}#${ws}#${queueId}`,
});

/** The partition of watched workspaces, which a sweep reads completely. */
export const watchesPk = "WATCHES";
export const watchKey = (ws: WorkspaceId): Key => ({ pk: watchesPk, sk: ws });

/** Returns the key of the item with the time until which all workspaces together have reserved sends on a channel. */
export const paceKey = (channel: string): Key => ({ pk: `PACE#${channel}`, sk: "LINES" });

export const sweepsKey: Key = { pk: "SWEEPER", sk: "ROUNDS" };

export const heartbeatCheckKey = (due: number, ws: WorkspaceId, id: string): Key => ({
  pk: heartbeatChecksPk(chooseShard(id, HEARTBEAT_SHARDS)),
  sk: `${formatDueTime(due)}#${ws}#${id}`,
});

export const heartbeatsPk = (ws: WorkspaceId): string => `WS#${ws}#HEARTBEATS`;
export const heartbeatKey = (ws: WorkspaceId, id: string): Key => ({ pk: heartbeatsPk(ws), sk: id });

export const statisticsPk = (ws: WorkspaceId): string => `WS#${ws}#STATISTICS`;
/** Returns the key of a subject's statistics of a week. The subject's kind comes first, so that weeks of one kind are a range. */
export const statisticsKey = (ws: WorkspaceId, kind: string, week: string, id = ""): Key => ({
  pk: statisticsPk(ws),
  sk: `${kind}#${week}#${id}`,
});
export const statisticsProgressKey = (ws: WorkspaceId): Key => ({ pk: statisticsPk(ws), sk: "PROGRESS" });
/** The prefix of marks of events that a person has resolved. A mark stays until the statistics have counted the resolution. */
export const countMarkPrefix = "RESOLVED#";
export const countMarkKey = (ws: WorkspaceId, resolvedSeq: number): Key => ({
  pk: statisticsPk(ws),
  sk: `${countMarkPrefix}${formatSeq(resolvedSeq)}`,
});

export const openEventsPk = (ws: WorkspaceId): string => `WS#${ws}#OPEN`;
export const openEventKey = (ws: WorkspaceId, seq: number): Key => ({ pk: openEventsPk(ws), sk: formatSeq(seq) });
export const dedupeIndexPk = (ws: WorkspaceId, hash: string): string => `${openEventsPk(ws)}#${hash}`;
export const dedupeIndexKey = (ws: WorkspaceId, hash: string, seq: number): Key => ({
  pk: dedupeIndexPk(ws, hash),
  sk: formatSeq(seq),
});
export const openIndexProgressKey = (ws: WorkspaceId): Key => ({ pk: `WS#${ws}`, sk: "OPENINDEX" });

/** Returns the partition of the events that a silence holds, in the order of their arrival. */
export const heldEventsPk = (ws: WorkspaceId, silence: string): string => `WS#${ws}#HELD#${silence}`;
/** Returns the lowest sort key of held events that arrived at a time (in milliseconds) or later. */
export const heldRangeStart = (receivedAt: number): string => formatDueTime(receivedAt);
export const heldEventKey = (ws: WorkspaceId, silence: string, receivedAt: number, seq: number): Key => ({
  pk: heldEventsPk(ws, silence),
  sk: `${formatDueTime(receivedAt)}#${formatSeq(seq)}`,
});
export const eventGroupKey = (ws: WorkspaceId, key: string): Key => ({ pk: `WS#${ws}#GROUPED#${key}`, sk: "GROUP" });
export const pagesKey = (ws: WorkspaceId, userId: string): Key => ({ pk: `WS#${ws}#RUNG#${userId}`, sk: "RUNG" });
/**
 * Returns the partition of a group's events that count towards the threshold or, with `suppressedBy`, were suppressed by the
 * event with that number. An item has 64 consecutive numbers of events that arrived in one minute.
 */
const countedEventsPk = (ws: WorkspaceId, group: string, suppressedBy: number | undefined): string =>
  `WS#${ws}#GROUPED#${group}#${suppressedBy === undefined ? "COUNT" : formatSeq(suppressedBy)}`;
export const countedEventsKey = (
  ws: WorkspaceId,
  group: string,
  suppressedBy: number | undefined,
  { receivedAt, seq }: { receivedAt: number; seq: number },
): Key => ({
  pk: countedEventsPk(ws, group, suppressedBy),
  sk: `${formatDueTime(receivedAt - (receivedAt % MINUTE_MS))}#${formatSeq(Math.floor(seq / SPREAD_ROW))}`,
});
/** Returns the range of counted events that arrived between two times (in milliseconds, rounded to minutes, inclusive). */
export const countedEventsRange = (
  ws: WorkspaceId,
  group: string,
  suppressedBy: number | undefined,
  { from, to }: { from: number; to: number },
): { pk: string; from: string; to: string } => ({
  pk: countedEventsPk(ws, group, suppressedBy),
  from: formatDueTime(Math.max(0, from - (from % MINUTE_MS))),
  to: `${formatDueTime(to)}#~`,
});

export const silenceEndsPk = (shard: string): string => `ENDS#${shard}`;
export const silenceEndKey = (due: number, ws: WorkspaceId, silence: string, reason: string): Key => ({
  pk: silenceEndsPk(chooseShard(silence, oneShard.length)),
  sk: `${formatDueTime(due)}#${ws}#${silence}#${reason}`,
});

export const dueChecksPk = (shard: string): string => `PROOFS#${shard}`;
export const dueCheckKey = (due: number, ws: WorkspaceId): Key => ({
  pk: dueChecksPk(chooseShard(ws, oneShard.length)),
  sk: `${formatDueTime(due)}#${ws}`,
});
export const reachabilityChecksPk = (ws: WorkspaceId): string => `WS#${ws}#PROOFS`;
export const reachabilityCheckKey = (
  ws: WorkspaceId,
  { start, groupId, userId }: { start: number; groupId: string; userId: string },
): Key => ({ pk: reachabilityChecksPk(ws), sk: `${formatDueTime(start)}#${groupId}#${userId}` });

export const switchKey = (ws: WorkspaceId): Key => ({ pk: `WS#${ws}`, sk: "SWITCH" });

/** Returns the partition of the last probe of each rule, and of the last silent push to each person. */
export const probesPk = (ws: WorkspaceId): string => `WS#${ws}#PROBES`;
export const probeKey = (ws: WorkspaceId, ruleOrUserId: string): Key => ({ pk: probesPk(ws), sk: ruleOrUserId });
export const probePlanKey = (ws: WorkspaceId): Key => ({ pk: `WS#${ws}#NEXT#PROBES`, sk: "PLAN" });

/** Returns the partition of stored reports of past months. A large report's first item contains the keys of its other parts. */
export const closedMonthsPk = (ws: WorkspaceId): string => `WS#${ws}#LOAD`;
export const closedMonthKey = (ws: WorkspaceId, month: string): Key => ({ pk: closedMonthsPk(ws), sk: month });
export const closedMonthPartKey = (ws: WorkspaceId, month: string, reportId: string, part: number): Key => ({
  pk: closedMonthsPk(ws),
  sk: `${month}#${reportId}#${formatShard(part)}`,
});

export const coversPk = (ws: WorkspaceId): string => `WS#${ws}#COVERS`;
export const coverKey = (ws: WorkspaceId, id: string): Key => ({ pk: coversPk(ws), sk: id });
export const dueCoversPk = (shard: string): string => `COVERS#${shard}`;
export const dueCoverKey = (due: number, ws: WorkspaceId, id: string): Key => ({
  pk: dueCoversPk(chooseShard(id, oneShard.length)),
  sk: `${formatDueTime(due)}#${ws}#${id}`,
});

/** The partition of workspaces that are being deleted. Few workspaces are being deleted, so a sweep reads the whole partition. */
export const deletionsPk = "DELETIONS";
export const deletionKey = (ws: WorkspaceId): Key => ({ pk: deletionsPk, sk: ws });
/** The partition of the records of deleted workspaces. Each record names the person who deleted the workspace. */
export const deletedPk = "DELETED";
export const deletedKey = (at: number, ws: WorkspaceId): Key => ({ pk: deletedPk, sk: `${formatDueTime(at)}#${ws}` });
export const parseWorkspaceOfDueKey = ({ sk }: Pick<Key, "sk">): string => sk.split("#")[1] ?? "";

/** Returns the partition with the entries of the audit trail, in order. */
export const trailPk = (ws: WorkspaceId): string => `WS#${ws}#TRAIL`;
export const trailKey = (ws: WorkspaceId, at: number, seq: number): Key => ({
  pk: trailPk(ws),
  sk: `${formatDueTime(at)}#${formatSeq(seq)}`,
});
/** Returns the range of audit entries from `from` to `to` (ms, inclusive). `below`: the first excluded number at `to`. */
export const trailRange = (from: number, to: number, below?: number): { from: string; to: string } => ({
  from: formatDueTime(Math.max(0, from)),
  to: below === undefined ? `${formatDueTime(to)}~` : `${formatDueTime(to)}#${formatSeq(below - 1)}`,
});
export const trailRangeAfter = (at: number, seq: number): { from: string; to: string } => ({
  from: `${formatDueTime(at)}#${formatSeq(seq + 1)}`,
  to: "~",
});
export const trailHeadKey = (ws: WorkspaceId): Key => ({ pk: `WS#${ws}`, sk: "TRAIL" });

export const dedupeClaimKey = (ws: WorkspaceId, hash: string): Key => ({ pk: `WS#${ws}#DEDUPE#${hash}`, sk: "CLAIM" });
export const idempotencyKey = (ws: WorkspaceId, hash: string): Key => ({ pk: `WS#${ws}#IDEM#${hash}`, sk: "CLAIM" });

export const eventTypesPk = (ws: WorkspaceId): string => `WS#${ws}#TYPES`;
export const eventTypeKey = (ws: WorkspaceId, key: string): Key => ({ pk: eventTypesPk(ws), sk: key });
const sitesPk = (ws: WorkspaceId): string => `WS#${ws}#SITES`;
/** Returns the partitions of sites: the first for events that are not spread over partitions, the others for spread events. */
export const sitesPks = (ws: WorkspaceId): string[] => [
  sitesPk(ws),
  ...Array.from({ length: SPREAD_KEYS }, (_, share) => `${sitesPk(ws)}#${formatShard(share)}`),
];
/** Returns the key of a site's item. `spread`: whether the item's events are spread over partitions. */
export const siteKey = (ws: WorkspaceId, hash: string, spread: boolean): Key => ({
  pk: spread ? `${sitesPk(ws)}#${chooseShard(hash, SPREAD_KEYS)}` : sitesPk(ws),
  sk: hash,
});
/** Returns the key of a chunk of a site's events. `spread`: whether the chunk's events are spread over partitions. */
export const siteChunkKey = (ws: WorkspaceId, hash: string, spread: boolean, chunk: number): Key => ({
  pk: `WS#${ws}#SITE#${hash}${spread ? "#S" : ""}`,
  sk: formatSeq(chunk),
});
