import { createContext, type ComponentChildren } from "preact";
import { useContext } from "preact/hooks";
import { reasonAgainst } from "../app/role.ts";
import type { Answers } from "../app/types.ts";

export type Role = Answers["Member"]["role"];

const Needed = createContext<Role | undefined>(undefined);

/** Why the reader may not press what needs a role: the given one, or that of the part of the page around it. */
export const useReasonAgainst = (role?: Role): string | undefined => {
  const around = useContext(Needed);
  return reasonAgainst(role ?? around);
};

/** Tells a reader without the role why they cannot press something here. `what`: what it is for. */
export const Reason = ({ role, what }: { role: Role; what?: string }) => {
  const reason = reasonAgainst(role, what);
  return reason === undefined ? null : <p class="note">{reason}</p>;
};

/** What is in it needs a role, where it says nothing else. */
export const Needs = ({ role, children }: { role: Role; children: ComponentChildren }) => (
  <Needed.Provider value={role}>{children}</Needed.Provider>
);

type OpenProps = {
  children: ComponentChildren;
  role?: Role;
  label?: string;
  look?: "main" | "plain";
} & ({ href: string } | { onClick: () => void; expanded?: boolean });

/** A link or a button to where something is made or changed; a button that cannot be pressed for who may not. */
export const Open = ({ children, role, label, look = "plain", ...to }: OpenProps) => {
  const reason = useReasonAgainst(role);
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
