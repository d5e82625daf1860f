/** What a member may do; each role may do what those before it may. Whom an event tells, a role never decides. */
export const roles = ["viewer", "responder", "manager", "owner"] as const;
export type Role = (typeof roles)[number];

/** Of whom nobody has said otherwise. */
export const DEFAULT_ROLE = "manager" satisfies Role;

/** Whether a role includes what `needed` may do. */
export const includesRole = (role: Role, needed: Role): boolean => roles.indexOf(role) >= roles.indexOf(needed);
