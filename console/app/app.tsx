import { useEffect, useState } from "preact/hooks";
import { Layout } from "../parts/layout.tsx";
import { Heading, LoadedPage } from "../parts/host.tsx";
import { LazyPart } from "../parts/later.tsx";
import { Skeleton, LoadFailure } from "../parts/states.tsx";
import { Login } from "../pages/login.tsx";
import { EmailAcknowledge } from "../pages/press.tsx";
import { texts } from "../texts.ts";
import { createApi } from "./api.ts";
import { ignoreFailed } from "./failure.ts";
import { outage } from "./outage.ts";
import { findInitialHeading } from "./navigation.ts";
import { toTextsName } from "./load-texts.ts";
import type { OpenPage } from "./page.tsx";
import { modules } from "./pages.ts";
import { loadPart } from "./part.ts";
import { here, matched, navigate } from "./router.ts";
import type { Answers } from "./types.ts";
import { session } from "./session.ts";
import { unreached } from "./unreached.ts";
import { isElsewhere, workspaceId, workspaces } from "./workspace.ts";

const openPage = async (
  name: keyof typeof modules,
  place: { workspaceId: string; me: string; params: Record<string, string> },
): Promise<OpenPage> => {
  // The inbox is part of the main bundle.
  const isHere = name === "home" || name === "inbox";
  const { page } = await (isHere ? modules[name]() : loadPart(modules[name], toTextsName(here.peek().pathname)));
  return page.open({ ...place, query: () => here.value.searchParams });
};

const openWorkspaceCreation = async (userId: string): Promise<OpenPage> => {
  const { page } = await loadPart(() => import("../pages/first-workspace.tsx"), "frame");
  return page.open({ workspaceId: "", me: userId, params: {}, query: () => here.value.searchParams });
};

const NotFound = ({ heading, lead, to = "/inbox" }: { heading: string; lead: string; to?: string }) => (
  <>
    <Heading text={heading} />
    <p>{lead}</p>
    <p>
      <a href={to}>{texts.pages.inbox}</a>
    </p>
  </>
);

const RedirectToLogin = () => {
  useEffect(() => {
    const { pathname, search, hash } = here.peek();
    navigate(`/login?${new URLSearchParams({ to: `${pathname}${search}${hash}` }).toString()}`, { replace: true });
  }, []);
  return <Skeleton />;
};

/** Shows the reader's invitations, which are requested after the page has loaded. */
const ReaderInvitations = ({ userId }: { userId: string }) => {
  const [invitations, setInvitations] = useState<readonly Answers["OwnInvitation"][]>([]);
  useEffect(() => {
    // A failure is not shown, because invitations can wait for the next visit.
    createApi("")("invitations/list-my-invitations", {}).then(setInvitations, ignoreFailed);
  }, [userId]);
  return invitations.length === 0 ? null : (
    <LazyPart load={() => import("../parts/invitations.tsx")} textsName="frame">
      {({ Invitations }) => <Invitations invitations={invitations} />}
    </LazyPart>
  );
};

const CurrentPage = () => {
  const { value: match } = matched;
  const { value: person } = session;
  if (match.name === undefined) return <NotFound {...texts.notFound} />;
  if (match.name === "login" || match.name === "signedIn") return <Login finishing={match.name === "signedIn"} />;
  if (match.name === "press") return <EmailAcknowledge />;
  const heading = findInitialHeading(here.value.pathname);
  if (person.state === "starting")
    return (
      <>
        {outage.value !== undefined && <Heading text={heading} />}
        <Skeleton />
      </>
    );
  if (person.state === "out") return <RedirectToLogin />;
  const asked = <ReaderInvitations userId={person.userId} />;
  const list = workspaces.value?.state.value;
  if (list?.kind === "failed")
    return (
      <>
        <Heading text={heading} />
        <LoadFailure failure={list.failure} retry={async () => workspaces.value?.refresh()} stale={false} />
      </>
    );
  const isKnown = list?.kind === "ready";
  const id = workspaceId.value;
  if (id === undefined)
    return isKnown ? (
      <>
        {asked}
        <LoadedPage heading={texts.noWorkspace} isMember open={() => openWorkspaceCreation(person.userId)} />
      </>
    ) : (
      <Skeleton />
    );
  if (isElsewhere.value) return <NotFound {...texts.notYours} to={`/inbox?workspace=${id}`} />;
  const { name, params } = match;
  return (
    <>
      {asked}
      {unreached.value.length > 0 && (
        <LazyPart load={() => import("../parts/unreached.tsx")} textsName="frame">
          {({ UnreachedNotices: UnreachedNotes }) => (
            <UnreachedNotes reader={{ api: createApi(id), workspaceId: id, me: person.userId }} />
          )}
        </LazyPart>
      )}
      <LoadedPage
        key={`${person.userId} ${id} ${name} ${Object.values(params).join(" ")}`}
        heading={heading}
        isMember={isKnown}
        open={() => openPage(name, { workspaceId: id, me: person.userId, params })}
      />
    </>
  );
};

export const App = () => (
  <Layout>
    <CurrentPage />
  </Layout>
);
