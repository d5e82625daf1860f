import type { ComponentChildren } from "preact";
import { keysShown, paletteShown } from "../app/keys.ts";
import { sections } from "../app/navigation.ts";
import { matched } from "../app/router.ts";
import { session } from "../app/session.ts";
import { isLocal } from "../app/setting.ts";
import { isSettled } from "../app/settled.ts";
import { status } from "../app/status.ts";
import { turnTheme } from "../app/theme.ts";
import { switchWorkspace, workspace, workspaceId, workspaces } from "../app/workspace.ts";
import { texts } from "../texts.ts";
import { BottomBar } from "./bottom-bar.tsx";
import { ConnectionBar } from "./connection-bar.tsx";
import { Later } from "./later.tsx";
import { Icon, PageLink } from "./links.tsx";
import { Menu } from "./menu.tsx";
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

/** Which key it is that goes anywhere. */
const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** The pages, at a desk. */
const Navigation = () => (
  <nav class="side" aria-label={texts.main}>
    <button
      type="button"
      class="go-to"
      aria-keyshortcuts="Control+K Meta+K"
      onClick={() => (paletteShown.value = true)}
    >
      <span>{texts.palette.open}</span>
      <kbd aria-hidden="true">{isMac ? "⌘K" : "Ctrl K"}</kbd>
    </button>
    {sections.map(({ name, links }) => (
      <div key={name} role="group" aria-label={name}>
        <p class="section" aria-hidden="true">
          {name}
        </p>
        {links.map(([href, text]) => (
          <PageLink key={href} href={href}>
            {text}
          </PageLink>
        ))}
      </div>
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

/** The parts of every page: who is signed in, the navigation, the theme, and the status line. */
export const Layout = ({ children }: { children: ComponentChildren }) => {
  const { value: person } = session;
  const { value: openId } = workspaceId;
  const isIn = person.state === "in";
  // As long as it is not known whether somebody is signed in, the page looks as if: nothing moves when it is.
  const isNavigable = person.state !== "out" && matched.value.name !== "login";
  const isOnPhone = isNavigable && narrow.value;
  // The theme is there from the beginning, so it stands last: what comes before it does not move it.
  const own = (
    <>
      {isIn && <SignOut userId={person.userId} />}
      <button type="button" onClick={turnTheme}>
        {texts.theme}
      </button>
    </>
  );
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
        {isOnPhone && isIn ? (
          <Menu look="account" label={texts.account} summary={<Icon of="/people" />}>
            <div class="account-menu">
              <p class="soft">{person.name}</p>
              {own}
            </div>
          </Menu>
        ) : (
          <>
            {isIn && <span class="person">{person.name}</span>}
            {own}
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
      {isOnPhone && <BottomBar />}
      <p class="status" role="status">
        {status.value}
      </p>
      {keysShown.value && (
        <Later load={() => import("./keys-help.tsx")} ownTexts="frame" failed={() => (keysShown.value = false)}>
          {({ KeysHelp }) => <KeysHelp />}
        </Later>
      )}
      {paletteShown.value && isNavigable && openId !== undefined && (
        <Later load={() => import("./palette.tsx")} failed={() => (paletteShown.value = false)}>
          {({ Palette }) => <Palette workspaceId={openId} />}
        </Later>
      )}
    </>
  );
};
