import type { AuditDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { refuseRole } from "../../domain/basics/refusal.ts";
import { DEFAULT_ROLE, type Role } from "../../domain/people/role.ts";
import { hasRole, readMember } from "../../store/people/read-members.ts";

/** Throws Refusal `role_required` unless the author of a change currently has the role. The operator has every role. */
export const requireRole = async (deps: AuditDeps, ws: WorkspaceId, required: Role, action: string): Promise<void> => {
  const { userId } = deps.table.author;
  if (userId === null) return;
  const member = await readMember(deps, ws, userId);
  if (member !== undefined && (await hasRole(deps, ws, member, required))) return;
  throw refuseRole(action, required, member?.role ?? DEFAULT_ROLE);
};
