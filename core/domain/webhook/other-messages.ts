import type { WorkspaceId } from "../basics/ids.ts";
import { toIso } from "../basics/time.ts";
import type { OnCallChange } from "../on-call/changes.ts";
import type { AuditView } from "../workspace/audit.ts";

/*
 * Messages of webhooks that are not about an event: who is on call, and changes of the configuration. Each has the
 * number of its source: the group's changes are counted, and so are the entries of the audit trail.
 */

/** The most people named in one message. More than one person on call is rare; overrides could make it hundreds. */
const PEOPLE_NAMED = 10;

type Named = { id: string; name: string };

const peopleOf = (ids: readonly string[], nameOf: (userId: string) => string): Named[] =>
  ids.slice(0, PEOPLE_NAMED).map((id) => ({ id, name: nameOf(id) }));

export const onCallMessageId = (groupId: string, sequence: number): string => `msg_${groupId}_${sequence}`;

/** `nameOf`: the name of a member; empty for a person who has left. */
export const onCallMessageOf = (
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
      onCall: peopleOf(onCall, nameOf),
      onCallCount: onCall.length,
      before: peopleOf(before, nameOf),
      beforeCount: before.length,
    },
  });

export const auditMessageId = (entryId: string): string => `msg_${entryId}`;

/** `sequence`: the entry's number in the audit trail. It names the fields that differ, without their values. */
export const auditMessageOf = (
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
