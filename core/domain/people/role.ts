/** Each role includes the roles before it. Roles never decide who is notified. */
export const roles = ["viewer", "responder", "manager", "owner"] as const;
export type Role = (typeof roles)[number];

/** The role of members without an explicit role. */
export const DEFAULT_ROLE = "manager" satisfies Role;

/** Returns whether `role` is the role `needed` or a higher role. */
export const includesRole = (role: Role, needed: Role): boolean => roles.indexOf(role) >= roles.indexOf(needed);
