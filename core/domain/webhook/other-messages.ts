import type { WorkspaceId } from "../basics/ids.ts";
import { toIso } from "../basics/time.ts";
import type { OnCallChange } from "../on-call/changes.ts";
import type { AuditView } from "../workspace/audit.ts";

/*
 * Messages of webhooks that are not about an event: who is on call, and changes of the configuration. Their
 * sequence numbers count the group's changes, or the entries of the audit trail.
 */

/** The most people named in one message. Few people are on call together, but overrides could make it hundreds. */
const PEOPLE_NAMED = 10;

type Named = { id: string; name: string };

const toPeople = (ids: readonly string[], nameOf: (userId: string) => string): Named[] =>
  ids.slice(0, PEOPLE_NAMED).map((id) => ({ id, name: nameOf(id) }));

export const onCallMessageId = (groupId: string, sequence: number): string => `msg_${groupId}_${sequence}`;

/** `nameOf`: returns a member's name; empty for a person who has left. */
export const buildOnCallMessage = (
  group: { workspaceId: WorkspaceId; groupId: string; name: string },
  { sequence, at, onCall, before }: OnCallChange,
  nameOf: (userId: string) => string,
): string =>
  JSON.stringify({
    type: "oncall.changed",
    timestamp: toIso(at),
    data: {
      sequence,
      workspaceId: group.workspaceId,
      groupId: group.groupId,
      groupName: group.name,
      onCall: toPeople(onCall, nameOf),
      onCallCount: onCall.length,
      before: toPeople(before, nameOf),
      beforeCount: before.length,
    },
  });

export const auditMessageId = (entryId: string): string => `msg_${entryId}`;

/** Returns the message about an audit entry. `sequence`: the entry's number. It names the changed fields, without their values. */
export const buildAuditMessage = (
  workspaceId: WorkspaceId,
  sequence: number,
  { id, at, actor, via, action, target, before, after, requestId }: AuditView,
): string =>
  JSON.stringify({
    type: "audit.recorded",
    timestamp: at,
    data: {
      sequence,
      workspaceId,
      auditId: id,
      actor,
      via,
      action,
      target,
      fields: [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].sort(),
      requestId,
    },
  });
