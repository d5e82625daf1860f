import { includesRole, type Role } from "../../core/domain/people/role.ts";
import { texts } from "../texts.ts";
import { workspace } from "./workspace.ts";

/** Explains which role the action needs. Returns undefined if the reader's role is enough or unknown. */
export const explainMissingRole = (
  neededRole: Role | undefined,
  action: string = texts.roles.this,
): string | undefined => {
  const role = workspace.value?.role;
  if (neededRole === undefined || role === undefined || includesRole(role, neededRole)) return undefined;
  return texts.roles.needed(action, texts.roles.names[neededRole], texts.roles.names[role]);
};
