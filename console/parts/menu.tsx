import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { here } from "../app/router.ts";

type MenuProps = { look?: string; summary: ComponentChildren; label?: string; children: ComponentChildren };

/** Shows a button that opens a menu. The menu closes with Escape, or when the focus leaves the menu. */
export const Menu = ({ look, summary, label, children }: MenuProps) => {
  const [open, setOpen] = useState(false);
  const menu = useRef<HTMLDivElement>(null);
  const { href } = here.value;
  useEffect(() => setOpen(false), [href]);
  return (
    <div
      ref={menu}
      class={look}
      onKeyDown={({ key }) => {
        if (key !== "Escape" || !open) return;
        setOpen(false);
        menu.current?.querySelector("button")?.focus();
      }}
      onFocusOut={({ relatedTarget }) => {
        if (relatedTarget instanceof Node && menu.current?.contains(relatedTarget) === false) setOpen(false);
      }}
    >
      <button type="button" aria-label={label} aria-expanded={open} onClick={() => setOpen(!open)}>
        {summary}
      </button>
      {open && children}
    </div>
  );
};
