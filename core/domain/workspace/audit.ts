import * as v from "valibot";
import { isDeepEqual } from "../basics/equality.ts";
import { Somebody } from "../basics/authored.ts";
import { DAY_MS } from "../basics/units.ts";
import { DutyChanges } from "../on-call/duty-moves.ts";

/* Each audit entry is written in one transaction with its change, and contains people's ids without their names. */

/** How changes are made. Callers state their tool, by default `api`. The operator's commands write to the table directly. */
export const vias = ["console", "api", "setup_file", "operator"] as const;
export type Via = (typeof vias)[number];

/** Who makes a change. `userId`: null for the operator, who has no account. */
export type Author = { userId: string | null; via: Via; requestId: string };

/** Creates the author of the operator's writes, and of other writes without a session. */
export const createOperatorAuthor = (requestId: string): Author => ({ userId: null, via: "operator", requestId });

export const targetKinds = [
  "workspace",
  "member",
  "device",
  "invitation",
  "group",
  "group_member",
  "rule",
  "policy",
  "schedule",
  "override",
  "cover",
  "calendar",
  "silence",
  "heartbeat",
  "api_key",
  "webhook",
  "connection",
  "slack_account",
  "notification_rules",
] as const;
export type TargetKind = (typeof targetKinds)[number];

export const auditActions = ["created", "updated", "deleted", "tested", "replayed"] as const;
export type AuditAction = (typeof auditActions)[number];

const Fields = v.nullable(v.record(v.string(), v.unknown()));

/**
 * `target.id`: a person's id for `member`, `group_member` and `slack_account`; a group's for `schedule`; either for `calendar`.
 * `onCall`: the people on call before and after the change, if they differ.
 */
export const AuditContent = v.object({
  action: v.picklist(auditActions),
  target: v.object({ kind: v.picklist(targetKinds), id: v.string(), name: v.optional(v.string()) }),
  before: Fields,
  after: Fields,
  onCall: v.exactOptional(DutyChanges),
});
export type AuditContent = v.InferOutput<typeof AuditContent>;

/** `seq`: the entry's number, from 1. `at`: the time in milliseconds. `previous`: the time and digest of the previous entry. */
export type AuditEntry = AuditContent &
  Author & { id: string; seq: number; at: number; previous: { at: number; digest: string }; digest: string };

/** `actor`: null for the operator; without a name if the person has left. */
export const AuditView = v.object({
  id: v.string(),
  at: v.string(),
  actor: v.nullable(Somebody),
  via: v.picklist(vias),
  action: v.picklist(auditActions),
  target: v.object({ kind: v.picklist(targetKinds), id: v.string(), name: v.string() }),
  before: Fields,
  after: Fields,
  /** The people on call before and after the change; null if the change affects nobody on call. */
  onCall: v.nullable(
    v.object({
      changes: v.array(
        v.object({ start: v.string(), end: v.string(), before: v.array(Somebody), after: v.array(Somebody) }),
      ),
      more: v.number(),
    }),
  ),
  requestId: v.string(),
});
export type AuditView = v.InferOutput<typeof AuditView>;

export const AuditPage = v.object({ items: v.array(AuditView), nextCursor: v.nullable(v.string()) });
export type AuditPage = v.InferOutput<typeof AuditPage>;

/** `actor`: a person's id, or `operator`. `target`: a kind or an id; for overrides and covers, also the group's id. */
export type AuditFilter = {
  actor?: string | undefined;
  action?: AuditAction | undefined;
  target?: string | undefined;
  from?: number | undefined;
  to?: number | undefined;
};

/** Returns the id of the group whose override or cover was changed; undefined for entries about other things. */
export const findGroupOfAuditEntry = (entry: Pick<AuditEntry, "target" | "before" | "after">): string | undefined => {
  const isOfGroup = entry.target.kind === "override" || entry.target.kind === "cover";
  const group = isOfGroup ? (entry.after ?? entry.before)?.["group"] : undefined;
  return typeof group === "string" ? group : undefined;
};

/** Returns whether an entry has the filter's actor, action and target. The query already compares the times. */
export const matchesAuditFilter = (
  { userId, action, target: { kind, id }, before, after }: AuditEntry,
  { actor, action: wanted, target }: AuditFilter,
): boolean =>
  (actor === undefined || actor === (userId ?? "operator")) &&
  (wanted === undefined || wanted === action) &&
  (target === undefined || [kind, id, findGroupOfAuditEntry({ target: { kind, id }, before, after })].includes(target));

export const AUDIT_DAYS = 400;
export const AUDIT_MS = AUDIT_DAYS * DAY_MS;

/** Fields that audit entries leave out: every change sets them, they never change, or the entry's target contains them. */
const OWN_FIELDS: readonly string[] = [
  "id",
  "workspaceId",
  "groupId",
  "version",
  "createdAt",
  "createdBy",
  "updatedAt",
  "updatedBy",
];

/** Returns the item's fields that audit entries record. */
const omitInternalFields = (item: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(item).filter(([name, value]) => value !== undefined && !OWN_FIELDS.includes(name)));

/** Returns the entry's content. `before`, `after`: the item before and after the change, if it exists at that time. */
export const createAuditEntry = (
  target: AuditContent["target"],
  before: object | undefined,
  after: object | undefined,
): AuditContent => {
  if (before === undefined || after === undefined)
    return {
      action: before === undefined ? "created" : "deleted",
      target,
      before: before === undefined ? null : omitInternalFields(before),
      after: after === undefined ? null : omitInternalFields(after),
    };
  const [old, next] = [omitInternalFields(before), omitInternalFields(after)];
  const differing = [...new Set([...Object.keys(old), ...Object.keys(next)])].filter(
    (name) => !isDeepEqual(old[name], next[name]),
  );
  const pickChangedFields = (fields: Record<string, unknown>) =>
    Object.fromEntries(differing.map((name) => [name, fields[name] ?? null]));
  return { action: "updated", target, before: pickChangedFields(old), after: pickChangedFields(next) };
};
