import { createContext, type ComponentChildren } from "preact";
import { useContext } from "preact/hooks";
import { explainMissingRole } from "../app/role.ts";
import type { Answers } from "../app/types.ts";

export type MemberRole = Answers["Member"]["role"];

const RequiredRole = createContext<MemberRole | undefined>(undefined);

/** Returns the reason if the reader's role is too low. By default, checks the role that the surrounding part requires. */
export const useMissingRole = (role?: MemberRole): string | undefined => {
  const required = useContext(RequiredRole);
  return explainMissingRole(role ?? required);
};

/** Says which role the reader needs. `action`: the name of the action. */
export const MissingRole = ({ role, action }: { role: MemberRole; action?: string }) => {
  const reason = explainMissingRole(role, action);
  return reason === undefined ? null : <p class="note">{reason}</p>;
};

/** Disables the actions inside if the reader does not have the role. Parts inside may require another role. */
export const RequireRole = ({ role, children }: { role: MemberRole; children: ComponentChildren }) => (
  <RequiredRole.Provider value={role}>{children}</RequiredRole.Provider>
);

type OpenProps = {
  children: ComponentChildren;
  role?: MemberRole;
  label?: string;
  look?: "main" | "plain";
} & ({ href: string } | { onClick: () => void; expanded?: boolean });

/** Shows a button that opens a page or a form. The button is disabled if the reader does not have the role. */
export const OpenButton = ({ children, role, label, look = "plain", ...to }: OpenProps) => {
  const reason = useMissingRole(role);
  if ("href" in to && reason === undefined)
    return (
      <a class={look === "main" ? "button main" : "button"} href={to.href} aria-label={label}>
        {children}
      </a>
    );
  return (
    <button
      type="button"
      class={look}
      disabled={reason !== undefined}
      title={reason}
      aria-label={label}
      {...("href" in to ? {} : { onClick: to.onClick, "aria-expanded": to.expanded })}
    >
      {children}
    </button>
  );
};
