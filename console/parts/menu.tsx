import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { here } from "../app/router.ts";

/** `label`: what it is called where its summary has no words. */
type MenuProps = { look?: string; label?: string; summary: ComponentChildren; children: ComponentChildren };

/** What unfolds at a press, until the reader goes elsewhere or presses Escape. */
export const Menu = ({ look, label, summary, children }: MenuProps) => {
  const menu = useRef<HTMLDetailsElement>(null);
  const { pathname } = here.value;
  const close = (): void => {
    if (menu.current !== null) menu.current.open = false;
  };
  useEffect(close, [pathname]);
  return (
    <details
      ref={menu}
      class={look}
      onKeyDown={({ key }) => {
        if (key !== "Escape" || menu.current?.open !== true) return;
        close();
        menu.current.querySelector("summary")?.focus();
      }}
      onFocusOut={({ relatedTarget }) => {
        if (relatedTarget instanceof Node && menu.current?.contains(relatedTarget) === false) close();
      }}
    >
      <summary aria-label={label}>{summary}</summary>
      {children}
    </details>
  );
};
