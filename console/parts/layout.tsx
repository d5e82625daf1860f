import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { keysShown } from "../app/keys.ts";
import { here, matched } from "../app/router.ts";
import { session, signOut } from "../app/session.ts";
import { isLocal } from "../app/setting.ts";
import { status } from "../app/status.ts";
import { turnTheme } from "../app/theme.ts";
import { switchWorkspace, workspace, workspaces } from "../app/workspace.ts";
import { texts } from "../texts.ts";
import { Dialog } from "./dialog.tsx";

/** The navigation: the page's address, its text, and the pages that belong to it. */
const links = [
  ["/inbox", texts.pages.inbox],
  ["/events", texts.pages.events],
  ["/rules", texts.pages.rules],
  ["/on-call", texts.pages.onCall],
  ["/escalation", texts.pages.escalation],
  ["/groups", texts.pages.groups],
  ["/people", texts.pages.people],
  ["/silences", texts.pages.silences],
  ["/statistics", texts.pages.statistics],
  ["/devices", texts.pages.devices],
  ["/keys", texts.pages.keys],
] as const;

const isCurrent = (href: string): boolean => {
  const { pathname } = here.value;
  return pathname === href || pathname.startsWith(`${href}/`) || (pathname === "/" && href === "/inbox");
};

const WorkspaceSwitch = () => {
  const state = workspaces.value?.state.value;
  const current = workspace.value;
  if (state?.kind !== "ready" || current === undefined) return null;
  return (
    <select
      aria-label={texts.workspace}
      value={current.id}
      onChange={({ currentTarget }) => switchWorkspace(currentTarget.value)}
    >
      {state.data.map(({ id, name }) => (
        <option key={id} value={id} selected={id === current.id}>
          {name}
        </option>
      ))}
    </select>
  );
};

const KeysHelp = () => (
  <Dialog
    heading={texts.keysHelp.heading}
    close={() => {
      keysShown.value = false;
    }}
  >
    <dl class="pairs">
      {texts.keysHelp.rows.map(([key, meaning]) => (
        <div key={key}>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
  </Dialog>
);

/** The pages. On a phone they are a line that scrolls so that the open page is visible. */
const Navigation = () => {
  const line = useRef<HTMLElement>(null);
  const { pathname } = here.value;
  useEffect(() => {
    const current = line.current?.querySelector("[aria-current]");
    current?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [pathname]);
  return (
    <nav class="side" aria-label={texts.main} ref={line}>
      {links.map(([href, text]) => (
        <a key={href} href={href} aria-current={isCurrent(href) ? "page" : undefined}>
          {text}
        </a>
      ))}
      <hr />
      <a href="/docs" class="rare">
        {texts.apiPages}
      </a>
      {isLocal && (
        <a href="/workbench" class="rare">
          {texts.workbench}
        </a>
      )}
    </nav>
  );
};

/** The parts of every page: who is signed in, the navigation, the theme, and the status line. */
export const Layout = ({ children }: { children: ComponentChildren }) => {
  const { value: person } = session;
  const isIn = person.state === "in";
  return (
    <>
      <a class="skip" href="#content">
        {texts.skip}
      </a>
      <header class="top">
        <a class="brand" href="/inbox">
          {texts.product}
        </a>
        {isIn && <WorkspaceSwitch />}
        <span class="grow" />
        {isIn && <span class="person">{person.name}</span>}
        <button type="button" onClick={turnTheme}>
          {texts.theme}
        </button>
        {isIn && (
          <button type="button" onClick={() => void signOut()}>
            {texts.signOut}
          </button>
        )}
      </header>
      <div class="frame">
        {isIn && matched.value.name !== "login" && <Navigation />}
        <main id="content" tabIndex={-1}>
          {children}
        </main>
      </div>
      <p class="status" role="status">
        {status.value}
      </p>
      {keysShown.value && <KeysHelp />}
    </>
  );
};
