import type { ComponentChildren } from "preact";
import { keysShown } from "../app/keys.ts";
import { leadsTo, links } from "../app/navigation.ts";
import { here, matched } from "../app/router.ts";
import { session } from "../app/session.ts";
import { isLocal } from "../app/setting.ts";
import { isSettled } from "../app/settled.ts";
import { status } from "../app/status.ts";
import { turnTheme } from "../app/theme.ts";
import { switchWorkspace, workspace, workspaces } from "../app/workspace.ts";
import { texts } from "../texts.ts";
import { BottomBar, WaitingCount } from "./bottom-bar.tsx";
import { ConnectionBar } from "./connection-bar.tsx";
import { Dialog } from "./dialog.tsx";
import { narrow } from "./narrow.ts";
import { Quiet } from "./quiet.tsx";
import { SignInAgain } from "./sign-in-again.tsx";
import { SignOut } from "./sign-out.tsx";
import { Waiting } from "./waiting.tsx";

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

/** The pages, at a desk. */
const Navigation = () => {
  const { pathname } = here.value;
  return (
    <nav class="side" aria-label={texts.main}>
      {links.map(([href, text]) => (
        <a key={href} href={href} aria-current={leadsTo(href, pathname) ? "page" : undefined}>
          {text}
          {href === "/inbox" && <WaitingCount />}
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
  const isNavigable = isIn && matched.value.name !== "login";
  const isOnPhone = isNavigable && narrow.value;
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
        {!isOnPhone && (
          <>
            {isIn && <span class="person">{person.name}</span>}
            <button type="button" onClick={turnTheme}>
              {texts.theme}
            </button>
            {isIn && <SignOut userId={person.userId} />}
          </>
        )}
      </header>
      <ConnectionBar />
      <SignInAgain />
      <div class="frame">
        {isNavigable && !narrow.value && <Navigation />}
        <main id="content" tabIndex={-1}>
          {isIn && isSettled.value && <Waiting />}
          {isIn && <Quiet />}
          {children}
        </main>
      </div>
      {isOnPhone && <BottomBar person={person} />}
      <p class="status" role="status">
        {status.value}
      </p>
      {keysShown.value && <KeysHelp />}
    </>
  );
};
