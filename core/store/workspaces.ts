import * as v from "valibot";
import type { Deps } from "../deps.ts";
import type { Member } from "../domain/people/member.ts";
import { defaultUsagePlan, type UsagePlan } from "../domain/people/usage-plan.ts";
import { toIso } from "../domain/basics/time.ts";
import { Workspace, type WorkspacePatch } from "../domain/people/workspace.ts";
import { AUDIT_INTERVAL_SECONDS } from "../domain/basics/limits.ts";
import { createControl } from "./control.ts";
import { memberKey, workspaceKey } from "./keys.ts";
import { listMemberships, saveMember } from "./members.ts";
import { listAuditedWorkspaces, scheduleAudit } from "./sequence.ts";
import { batchGetItems, getItem, putItemIf, updateItem } from "./table.ts";
import { oldestFirst } from "./versioned.ts";

const Key = v.object({ pk: v.string() });

/**
 * Creates a workspace with its first member. The membership is written last, so a user who sees the workspace can use
 * all of it. `id`: for a workspace with a known id; idempotent then.
 */
export const createWorkspace = async (
  deps: Pick<Deps, "table" | "now" | "newId">,
  input: { id?: string; name: string; creator: Pick<Member, "userId" | "name" | "email">; plan?: UsagePlan },
): Promise<Workspace> => {
  const workspace: Workspace = {
    id: input.id ?? deps.newId("ws"),
    name: input.name,
    createdAt: toIso(deps.now()),
  };
  await createControl(deps, workspace.id, input.plan ?? defaultUsagePlan);
  const put = await putItemIf(deps, workspaceKey(workspace.id), workspace, Workspace);
  if (put.kind === "done")
    await scheduleAudit(deps, { ws: workspace.id, due: deps.now() + AUDIT_INTERVAL_SECONDS * 1000 });
  await saveMember(deps, workspace.id, input.creator);
  return put.item ?? workspace;
};

export const readWorkspace = (
  deps: Pick<Deps, "table">,
  ws: string,
  options?: { consistent?: boolean },
): Promise<Workspace | undefined> => getItem(deps, workspaceKey(ws), Workspace, options);

/** Changes the given fields; undefined if there is no such workspace. */
export const updateWorkspace = async (
  deps: Pick<Deps, "table">,
  ws: string,
  patch: WorkspacePatch,
): Promise<Workspace | undefined> => {
  const changes = Object.entries(patch);
  if (changes.length === 0) return readWorkspace(deps, ws);
  const result = await updateItem(deps, workspaceKey(ws), Workspace, {
    update: `SET ${changes.map(([field]) => `#${field} = :${field}`).join(", ")}`,
    condition: "attribute_exists(pk)",
    names: Object.fromEntries(changes.map(([field]) => [`#${field}`, field])),
    values: Object.fromEntries(changes.map(([field, value]) => [`:${field}`, value])),
  });
  return result.kind === "done" ? result.item : undefined;
};

/** All workspaces, the oldest first, for an operator. */
export const listWorkspaces = async (deps: Pick<Deps, "table">): Promise<Workspace[]> => {
  const ids = await listAuditedWorkspaces(deps);
  const workspaces = await batchGetItems(deps, ids.map(workspaceKey), Workspace, { consistent: false });
  return workspaces.sort(oldestFirst);
};

/** The workspaces that the user is a member of, the oldest first. */
export const listWorkspacesOf = async (deps: Pick<Deps, "table">, userId: string): Promise<Workspace[]> => {
  const ids = await listMemberships(deps, userId);
  const memberships = await batchGetItems(
    deps,
    ids.map((ws) => memberKey(ws, userId)),
    Key,
  );
  const confirmed = new Set(memberships.map(({ pk }) => pk));
  const workspaces = await batchGetItems(
    deps,
    ids.filter((ws) => confirmed.has(memberKey(ws, userId).pk)).map(workspaceKey),
    Workspace,
  );
  return workspaces.sort(oldestFirst);
};
