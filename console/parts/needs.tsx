import { createContext, type ComponentChildren } from "preact";
import { useContext } from "preact/hooks";
import { explainMissingRole } from "../app/role.ts";
import type { Answers } from "../app/types.ts";

export type Role = Answers["Member"]["role"];

const Needed = createContext<Role | undefined>(undefined);

/** Returns the reason if the reader's role is too low. By default, checks the role that the surrounding part requires. */
export const useMissingRole = (role?: Role): string | undefined => {
  const around = useContext(Needed);
  return explainMissingRole(role ?? around);
};

/** Says which role the reader needs. `what`: the name of the action. */
export const Reason = ({ role, what }: { role: Role; what?: string }) => {
  const reason = explainMissingRole(role, what);
  return reason === undefined ? null : <p class="note">{reason}</p>;
};

/** Disables the actions inside if the reader does not have the role. Parts inside may require another role. */
export const Needs = ({ role, children }: { role: Role; children: ComponentChildren }) => (
  <Needed.Provider value={role}>{children}</Needed.Provider>
);

type OpenProps = {
  children: ComponentChildren;
  role?: Role;
  label?: string;
  look?: "main" | "plain";
} & ({ href: string } | { onClick: () => void; expanded?: boolean });

/** A button that opens a page or a form. Without the role, the button is disabled. */
export const Open = ({ children, role, label, look = "plain", ...to }: OpenProps) => {
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
