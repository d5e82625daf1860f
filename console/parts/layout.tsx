import { type ComponentChildren, Fragment } from "preact";
import { keysShown, paletteShown } from "../app/keys.ts";
import { isCurrentPlace, own, places, sections } from "../app/navigation.ts";
import { refreshAll } from "../app/resource.ts";
import { here, matched } from "../app/router.ts";
import { session } from "../app/session.ts";
import { now } from "../app/clock.ts";
import type { StatusText } from "../app/page.tsx";
import { isLocal } from "../app/setting.ts";
import { isSettled } from "../app/settled.ts";
import { status, undoable, type Undoable } from "../app/status.ts";
import { switchTheme } from "../app/theme.ts";
import { switchWorkspace, workspace, workspaceId, workspaces } from "../app/workspace.ts";
import { texts } from "../texts.ts";
import { Action } from "./action.tsx";
import { BottomBar } from "./bottom-bar.tsx";
import { ConnectionBar } from "./connection-bar.tsx";
import { LazyPart } from "./later.tsx";
import { PlaceIcon, PageLink, PlaceLink } from "./links.tsx";
import { Menu } from "./menu.tsx";
import { narrow } from "./narrow.ts";
import { SilenceBanner } from "./quiet.tsx";
import { SignInAgain } from "./sign-in-again.tsx";
import { SignOut } from "./sign-out.tsx";
import { OpenCountPolling } from "./waiting-polls.tsx";

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

/** Macs use ⌘K instead of Ctrl+K. */
const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

const Navigation = () => (
  <nav class="side" aria-label={texts.main}>
    <button
      type="button"
      class="go-to"
      aria-keyshortcuts="Control+K Meta+K"
      onClick={() => (paletteShown.value = true)}
    >
      <span>{texts.palette.open}</span>
      <kbd aria-hidden="true">{isMac ? "⌘K" : texts.palette.keys}</kbd>
    </button>
    {sections.map((some, index) => (
      <Fragment key={some[0]?.key}>
        {index > 0 && <hr />}
        {some.map((place) => (
          <PlaceLink key={place.key} place={place} />
        ))}
      </Fragment>
    ))}
  </nav>
);

/** Links to the pages that share an entry of the navigation. */
const PageTabs = () => {
  const { pathname } = here.value;
  const place = places.find((one) => isCurrentPlace(one, pathname));
  if (place?.tabs === undefined) return null;
  return (
    <nav class="tabs" aria-label={place.link[1]}>
      {place.tabs.map((link) => (
        <PageLink key={link[0]} link={link} />
      ))}
    </nav>
  );
};

const AccountMenu = ({ userId, name }: { userId: string; name: string }) => (
  <Menu
    look="account"
    summary={
      <>
        <PlaceIcon pagePath="/people" />
        <span class="person">{name === "" ? texts.account : name}</span>
      </>
    }
  >
    <div class="account-menu">
      <p class="soft">{name}</p>
      {own.map((link) => (
        <PageLink key={link[0]} link={link} />
      ))}
      <hr />
      <a href="/docs">{texts.apiPages}</a>
      {isLocal && <a href="/workbench">{texts.workbench}</a>}
      <hr />
      <ThemeButton />
      <SignOut userId={userId} />
    </div>
  </Menu>
);

const ThemeButton = () => (
  <button type="button" onClick={switchTheme}>
    {texts.theme}
  </button>
);

const UndoBar = ({ message, undo }: Undoable) => {
  const dismissUndo = (): void => {
    undoable.value = undefined;
  };
  const undoAction = async (): Promise<StatusText> => {
    await undo();
    dismissUndo();
    refreshAll();
    return texts.undone;
  };
  return (
    <p>
      <span>{message}</span>
      <Action keyHint="z" action={undoAction}>
        {texts.undo}
      </Action>
      <button type="button" aria-label={texts.close} onClick={dismissUndo}>
        ✕
      </button>
    </p>
  );
};

export const Layout = ({ children }: { children: ComponentChildren }) => {
  const { value: person } = session;
  const { value: openId } = workspaceId;
  const isIn = person.state === "in";
  const { shadow } = workspace.value ?? {};
  const isShadowed = shadow !== undefined && now.value < Date.parse(shadow.until);
  // Until the session is known, the page looks as if the reader were signed in, so that the layout does not move later.
  const isNavigable = person.state !== "out" && matched.value.name !== "login";
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
        {isIn && <AccountMenu userId={person.userId} name={person.name} />}
        {person.state === "out" && <ThemeButton />}
      </header>
      <ConnectionBar />
      <SignInAgain />
      <div class="frame">
        {isNavigable && !narrow.value && <Navigation />}
        <main id="content" tabIndex={-1}>
          {isIn && isSettled.value && <OpenCountPolling />}
          {isIn && <SilenceBanner />}
          {isShadowed && openId !== undefined && (
            <LazyPart key={openId} load={() => import("./shadow-banner.tsx")} textsName="frame">
              {({ ShadowBanner }) => <ShadowBanner workspaceId={openId} until={shadow.until} />}
            </LazyPart>
          )}
          {isNavigable && <PageTabs />}
          {children}
        </main>
      </div>
      {isOnPhone && <BottomBar />}
      <div class="status" role="status">
        {status.value !== "" && <p>{status.value}</p>}
        {undoable.value !== undefined && <UndoBar key={undoable.value.message} {...undoable.value} />}
      </div>
      {keysShown.value && (
        <LazyPart load={() => import("./keys-help.tsx")} textsName="frame" onFailure={() => (keysShown.value = false)}>
          {({ KeysHelp }) => <KeysHelp />}
        </LazyPart>
      )}
      {paletteShown.value && isNavigable && openId !== undefined && (
        <LazyPart load={() => import("./palette.tsx")} onFailure={() => (paletteShown.value = false)}>
          {({ Palette }) => <Palette workspaceId={openId} />}
        </LazyPart>
      )}
    </>
  );
};
