import * as v from "valibot";
import type { AuditDeps, TableDeps, TimedDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { toAddedBy, toRole, type Member } from "../../domain/people/member.ts";
import { Refusal } from "../../domain/basics/refusal.ts";
import { roles } from "../../domain/people/role.ts";
import { defaultUsagePlan, formatUtcMonth, type UsagePlan } from "../../domain/workspace/usage-plan.ts";
import { fromIso, toIso } from "../../domain/basics/time.ts";
import { DAY_MS } from "../../domain/basics/units.ts";
import type { Shadow } from "../../domain/workspace/shadow.ts";
import type { IfMatch } from "../../domain/basics/version.ts";
import { Workspace, type ListedWorkspace, omitPay, type WorkspacePatch } from "../../domain/workspace/workspace.ts";
import { AUDIT_INTERVAL_MS, REQUEST_MS, WORKSPACES_MADE_MAX } from "../../domain/basics/limits.ts";
import { toTtl } from "../claims.ts";
import { createControl, setPageLimit, setShadowEnd } from "../events/control.ts";
import { createdInMonthKey, createdInTotalKey, memberKey, workspaceKey, parseWorkspaceId } from "../keys.ts";
import { setUrgentFloor } from "./notification-rules.ts";
import { putDueCheck } from "../schedules/reachability-checks.ts";
import { listMemberships, listOwners } from "./read-members.ts";
import { saveMember } from "./members.ts";
import { listAuditedWorkspaces, scheduleAudit } from "../events/sequence.ts";
import { batchGetItems, getItem, updateItem } from "../table.ts";
import {
  createRecordedItem,
  deleteVersionedItem,
  compareByCreation,
  changeVersionedItem,
  type AuditOf,
} from "../configuration/versioned.ts";

const Membership = v.object({
  pk: v.string(),
  userId: v.string(),
  name: v.string(),
  addedBy: v.optional(v.string()),
  role: v.optional(v.picklist(roles)),
});

/** Describes a workspace for the audit trail, without rates of pay, because webhooks may deliver the trail. */
const describeWorkspaceForTrail = (ws: WorkspaceId): AuditOf<Workspace> => ({
  ws,
  kind: "workspace",
  id: ws,
  nameOf: ({ name }) => name,
  shown: omitPay,
});

const Made = v.object({ made: v.optional(v.set(v.string())), most: v.optional(v.number()) });

const createWorkspaceLimitRefusal = () =>
  new Refusal(
    "workspace_limit",
    `You have reached the limit of ${WORKSPACES_MADE_MAX} workspaces, in total or this month. An operator can raise the limit.`,
  );

/** Counts a person's new workspace, in total and in the month (UTC). Deletions lower only the total. Throws `workspace_limit`. */
export const countCreatedWorkspace = async (deps: TimedDeps, userId: string, ws: WorkspaceId): Promise<void> => {
  const { most = WORKSPACES_MADE_MAX } = (await getItem(deps, createdInTotalKey(userId), Made)) ?? {};
  const condition = "attribute_not_exists(made) OR contains(made, :id) OR size(made) < :most";
  const values = { ":ws": new Set([ws]), ":id": ws, ":most": most };
  const ofMonth = await updateItem(deps, createdInMonthKey(userId, formatUtcMonth(toIso(deps.now()))), Made, {
    update: "ADD made :ws SET #ttl = :ttl",
    condition,
    names: { "#ttl": "ttl" },
    values: { ...values, ":ttl": toTtl(deps.now() + 31 * DAY_MS) },
  });
  if (ofMonth.kind === "refused") throw createWorkspaceLimitRefusal();
  const counted = await updateItem(deps, createdInTotalKey(userId), Made, {
    update: "ADD made :ws",
    condition,
    values,
  });
  if (counted.kind === "refused") throw createWorkspaceLimitRefusal();
};

/** Sets the maximum number of workspaces that a person may have, and may create in a month (`max` for both). */
export const limitWorkspaces = async (deps: TableDeps, userId: string, max: number): Promise<void> => {
  await updateItem(deps, createdInTotalKey(userId), Made, { update: "SET most = :most", values: { ":most": max } });
};

/** Creates a workspace; the membership comes last, so that users see a complete workspace. `id`: makes the call idempotent. */
export const createWorkspace = async (
  deps: AuditDeps,
  input: { id?: WorkspaceId; name: string; creator: Pick<Member, "userId" | "name" | "email">; plan?: UsagePlan },
): Promise<Workspace> => {
  const workspace: Workspace = {
    id: input.id ?? deps.newId("ws"),
    name: input.name,
    version: 1,
    createdAt: toIso(deps.now()),
  };
  await createControl(deps, workspace.id, input.plan ?? defaultUsagePlan);
  const put = await createRecordedItem(deps, workspaceKey(workspace.id), workspace, {
    schema: Workspace,
    recorded: describeWorkspaceForTrail(workspace.id),
    stored: workspace,
  });
  if (put.kind === "done") await scheduleAudit(deps, { ws: workspace.id, due: deps.now() + AUDIT_INTERVAL_MS });
  await saveMember(deps, workspace.id, { ...input.creator, role: "owner" });
  return put.kind === "refused" ? put.item : workspace;
};

/** Changes and returns a workspace, if the workspace exists. Throws Refusal `changed_meanwhile` for an unexpected version. */
export const updateWorkspace = async (
  deps: AuditDeps,
  ws: WorkspaceId,
  patch: WorkspacePatch,
  expected?: IfMatch,
): Promise<Workspace | undefined> => {
  const applyWorkspacePatch = (workspace: Workspace): Workspace => ({ ...workspace, ...patch });
  const { loudPerTenMinutes: loud, urgentFloor: floor, proveShifts } = patch;
  // The workspace's next check is scheduled before the setting is stored, so that no workspace with this setting lacks a check.
  if (proveShifts !== undefined && proveShifts !== null) await putDueCheck(deps, { ws, due: deps.now() + REQUEST_MS });
  const changed = await changeVersionedItem(deps, workspaceKey(ws), Workspace, applyWorkspacePatch, {
    recorded: describeWorkspaceForTrail(ws),
    expected,
  });
  // Limit and floor are stored even if the item is unchanged, because an earlier request may have failed before these writes.
  if (changed !== undefined && loud !== undefined) await setPageLimit(deps, ws, loud);
  if (changed !== undefined && floor !== undefined) await setUrgentFloor(deps, ws, floor);
  return changed;
};

/** Begins a shadow, or moves its end. Returns undefined if the workspace does not exist. */
export const startShadow = async (deps: AuditDeps, ws: WorkspaceId, until: string): Promise<Shadow | undefined> => {
  const now = toIso(deps.now());
  const setShadow = (workspace: Workspace): Workspace => {
    const { shadow } = workspace;
    const since = shadow !== undefined && now < shadow.until ? shadow.since : now;
    return { ...workspace, shadow: { since, until } };
  };
  // The workspace's next check is scheduled before the shadow is stored, because the check reports the shadow's end to owners.
  await putDueCheck(deps, { ws, due: deps.now() + REQUEST_MS });
  const changed = await changeVersionedItem(deps, workspaceKey(ws), Workspace, setShadow, {
    recorded: describeWorkspaceForTrail(ws),
  });
  if (changed !== undefined) await setShadowEnd(deps, ws, fromIso(until) ?? 0);
  return changed?.shadow;
};

/** Ends a shadow: first for new events, then in the workspace's item. Returns false if the workspace does not exist. */
export const endShadow = async (deps: AuditDeps, ws: WorkspaceId): Promise<boolean> => {
  const at = deps.now();
  await setShadowEnd(deps, ws, at);
  const now = toIso(at);
  const removeShadow = (workspace: Workspace): Workspace => {
    const { shadow } = workspace;
    return shadow === undefined || shadow.until <= now
      ? workspace
      : { ...workspace, shadow: { ...shadow, until: now } };
  };
  return (
    (await changeVersionedItem(deps, workspaceKey(ws), Workspace, removeShadow, {
      recorded: describeWorkspaceForTrail(ws),
    })) !== undefined
  );
};

/** Deletes and returns a workspace's main item. `check` may refuse. Throws `changed_meanwhile` for an unexpected version. */
export const deleteWorkspaceItem = async (
  deps: AuditDeps,
  ws: WorkspaceId,
  { expected, check }: { expected?: IfMatch; check: (workspace: Workspace) => void },
): Promise<Workspace | undefined> => {
  const { known } = await deleteVersionedItem(deps, workspaceKey(ws), Workspace, {
    recorded: describeWorkspaceForTrail(ws),
    expected,
    checkBefore: async (workspace) => check(workspace),
  });
  return known;
};

/** Lists all workspaces for an operator, the oldest first. */
export const listWorkspaces = async (deps: TableDeps): Promise<Workspace[]> => {
  const ids = await listAuditedWorkspaces(deps);
  const workspaces = await batchGetItems(deps, ids.map(workspaceKey), Workspace, { consistent: false });
  return workspaces.sort(compareByCreation);
};

/** Lists the workspaces of a user, the oldest first, each with the person who added the user. */
export const listWorkspacesOf = async (deps: TableDeps, userId: string): Promise<ListedWorkspace[]> => {
  const ids = await listMemberships(deps, userId);
  const memberships = await batchGetItems(
    deps,
    ids.map((ws) => memberKey(ws, userId)),
    Membership,
  );
  const confirmed = new Map(memberships.map((membership) => [membership.pk, membership]));
  const owners = await listOwners(deps, ids);
  const adders = await batchGetItems(
    deps,
    memberships.flatMap(({ pk, addedBy }) =>
      addedBy === undefined ? [] : [memberKey(parseWorkspaceId({ pk }), addedBy)],
    ),
    Membership,
  );
  const names = new Map(adders.map(({ pk, name }) => [pk, name]));
  const workspaces = await batchGetItems(
    deps,
    ids.filter((ws) => confirmed.has(memberKey(ws, userId).pk)).map(workspaceKey),
    Workspace,
  );
  return workspaces.sort(compareByCreation).map((workspace) => {
    const { pk } = memberKey(workspace.id, userId);
    const membership: Pick<Member, "userId" | "addedBy" | "role"> = confirmed.get(pk) ?? { userId };
    return {
      ...omitPay(workspace),
      addedBy: toAddedBy(membership, () => names.get(pk)),
      role: toRole(membership, owners.get(workspace.id)),
    };
  });
};
