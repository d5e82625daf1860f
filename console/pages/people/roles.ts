import type { Role } from "../../parts/needs.tsx";
import { texts } from "../../texts.ts";

const names: Readonly<Record<Role, string>> = texts.roles.names;
const isRole = (name: string): name is Role => Object.hasOwn(names, name);

export const roleOptions = Object.keys(names)
  .filter(isRole)
  .map((role): [Role, string] => [role, names[role]]);
/** The roles of machines. A machine cannot be an owner. */
export const machineRoleOptions = roleOptions.filter(([role]) => role !== "owner");
