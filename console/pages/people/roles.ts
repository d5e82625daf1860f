import type { MemberRole } from "../../parts/needs.tsx";
import { texts } from "../../texts.ts";

const names: Readonly<Record<MemberRole, string>> = texts.roles.names;
const isRole = (name: string): name is MemberRole => Object.hasOwn(names, name);

export const roleOptions = Object.keys(names)
  .filter(isRole)
  .map((role): [MemberRole, string] => [role, names[role]]);
/** The roles of machines. A machine cannot be an owner. */
export const machineRoleOptions = roleOptions.filter(([role]) => role !== "owner");
