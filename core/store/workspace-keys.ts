import type { WorkspaceId } from "../domain/basics/ids.ts";
import {
  apiKeysPk,
  dueAuditsPk,
  dailyCountKey,
  oneShard,
  coversPk,
  dueCoversPk,
  dueQueuesPk,
  escalationsPk,
  eventTypesPk,
  firingsPk,
  heartbeatChecksPk,
  heartbeatShards,
  heartbeatsPk,
  queuesPk,
  lostNumbersPk,
  messagesPk,
  notesPk,
  onCallTimelinesPk,
  openEventsPk,
  paidCountKey,
  eventMarkersPk,
  planPartKey,
  dueChecksPk,
  reachabilityChecksPk,
  closedMonthsPk,
  channelPostKey,
  probePlanKey,
  probesPk,
  ruleVersionKey,
  rulesPk,
  shards,
  silenceEndsPk,
  siteChunkKey,
  sitesPks,
  slackAccountsPk,
  statisticsPk,
  stepMarkersPk,
} from "./keys.ts";

/** The partitions in which the sweeper finds due items, shared by all workspaces. */
export const duePks: readonly string[] = [
  ...shards.flatMap((shard) => [eventMarkersPk(shard), stepMarkersPk(shard), dueAuditsPk(shard)]),
  ...heartbeatShards.map(heartbeatChecksPk),
  ...oneShard.map(dueQueuesPk),
  ...oneShard.map(silenceEndsPk),
  ...oneShard.map(dueChecksPk),
  ...oneShard.map(dueCoversPk),
];

/** Returns the partitions whose keys contain only the workspace's id, except those that another step of the deletion empties. */
export const listFixedPartitions = (ws: WorkspaceId): string[] => [
  apiKeysPk(ws),
  rulesPk(ws),
  ruleVersionKey(ws, "", 0).pk,
  slackAccountsPk(ws),
  queuesPk(ws),
  onCallTimelinesPk(ws),
  dailyCountKey(ws, "", "").pk,
  paidCountKey(ws, "sms", "").pk,
  paidCountKey(ws, "voice", "").pk,
  lostNumbersPk(ws),
  escalationsPk(ws),
  firingsPk(ws),
  notesPk(ws),
  heartbeatsPk(ws),
  statisticsPk(ws),
  openEventsPk(ws),
  reachabilityChecksPk(ws),
  probesPk(ws),
  probePlanKey(ws).pk,
  closedMonthsPk(ws),
  coversPk(ws),
  eventTypesPk(ws),
  ...sitesPks(ws),
];

/** Returns the partitions of a webhook's or a connection's delivery queue, except the partition with the queue's state. */
export const queuePks = (ws: WorkspaceId, id: string): string[] => [
  messagesPk(ws, id, "WAITS"),
  messagesPk(ws, id, "SENT"),
  channelPostKey(ws, id, "").pk,
];

export const planPartsPk = (ws: WorkspaceId, seq: number): string => planPartKey(ws, seq, "", 0).pk;

export const siteEventsPks = (ws: WorkspaceId, hash: string): string[] =>
  [false, true].map((spread) => siteChunkKey(ws, hash, spread, 0).pk);
