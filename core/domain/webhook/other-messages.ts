import type { WorkspaceId } from "../basics/ids.ts";
import { toIso } from "../basics/time.ts";
import type { OnCallChange } from "../on-call/changes.ts";
import type { AuditView } from "../workspace/audit.ts";

/* The sequence number of a message is the number of the group's on-call change, or the number of the audit entry. */

/** The maximum number of people whom a message names, because overrides can put hundreds of people on call. */
const PEOPLE_NAMED = 10;

type NamedPerson = { id: string; name: string };

/** Returns the first ten people with their names. */
const toNamedPeople = (ids: readonly string[], nameOf: (userId: string) => string): NamedPerson[] =>
  ids.slice(0, PEOPLE_NAMED).map((id) => ({ id, name: nameOf(id) }));

export const formatOnCallMessageId = (groupId: string, sequence: number): string => `msg_${groupId}_${sequence}`;

/** Builds the message about a change of the people on call. `nameOf`: returns an empty name for people who have left. */
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
      onCall: toNamedPeople(onCall, nameOf),
      onCallCount: onCall.length,
      before: toNamedPeople(before, nameOf),
      beforeCount: before.length,
    },
  });

export const formatAuditMessageId = (entryId: string): string => `msg_${entryId}`;

/** Builds the message about an audit entry. Names changed fields without their values. `sequence`: the entry's number. */
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
