/** Each role includes those before it. A role never decides who is notified. */
export const roles = ["viewer", "responder", "manager", "owner"] as const;
export type Role = (typeof roles)[number];

/** The role of a member without an explicit role. */
export const DEFAULT_ROLE = "manager" satisfies Role;

export const includesRole = (role: Role, needed: Role): boolean => roles.indexOf(role) >= roles.indexOf(needed);
