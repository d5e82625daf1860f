import { useEffect, useErrorBoundary, useLayoutEffect, useRef, useState } from "preact/hooks";
import { type Failure, createRefusal } from "../app/failure.ts";
import type { OpenPage } from "../app/page.tsx";
import { createResource, isOutage, type Resource } from "../app/resource.ts";
import { restoreScroll } from "../app/router.ts";
import { isSessionEnded } from "../app/session.ts";
import { markSettled } from "../app/settled.ts";
import { waiting } from "../app/waiting.ts";
import { texts } from "../texts.ts";
import { Skeleton, LoadFailure } from "./states.tsx";

/** Shows the page's heading, which gets the focus when the page changes, so that screen readers start there. */
export const Heading = ({ text }: { text: string }) => {
  const heading = useRef<HTMLHeadingElement>(null);
  const { value: count } = waiting;
  useEffect(() => {
    if (performance.now() > FIRST_MS && document.querySelector("dialog[open]") === null)
      heading.current?.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    document.title = `${count === undefined || count === 0 ? "" : `(${count}) `}${text} · ${texts.product}`;
  }, [text, count]);
  return (
    <h1 ref={heading} tabIndex={-1} dir="auto">
      {text}
    </h1>
  );
};
/** How long after loading the page does not move the focus. */
const FIRST_MS = 3000;

type HostProps = {
  page: OpenPage;
  /** Whether the reader is known to be in the workspace; if not, a refusal is not shown. */
  isMember: boolean;
};

const isShownInConnectionBar = (failure: Failure): boolean =>
  isOutage(failure) || (failure.kind === "signed-out" && isSessionEnded.value);

/** Shows the heading at once, then the data or a failure. */
const PageHost = ({ page, isMember }: HostProps) => {
  // An error while rendering must not leave the page blank.
  const [broken] = useErrorBoundary();
  const content = broken === undefined ? page.content() : undefined;
  const failure = broken !== undefined ? createRefusal(500).failure : isMember ? page.failure() : undefined;
  const isSettled = content !== undefined || failure !== undefined;
  useEffect(() => {
    if (!isSettled) return;
    markSettled();
    restoreScroll();
  }, [isSettled]);
  return (
    <>
      <div class="page-head">
        <Heading text={page.heading()} />
        {content?.actions}
      </div>
      {failure !== undefined && (content === undefined || !isShownInConnectionBar(failure)) && (
        <LoadFailure
          failure={failure}
          retry={broken === undefined ? page.refresh : async () => location.reload()}
          stale={content !== undefined}
        />
      )}
      {content === undefined && failure === undefined && <Skeleton />}
      {content?.view}
    </>
  );
};

/** Shows a page as soon as it is loaded, and `heading` until then. */
export const LoadedPage = ({
  open,
  heading,
  isMember,
}: {
  open: () => Promise<OpenPage>;
  heading: string;
  isMember: boolean;
}) => {
  const [opening, setOpening] = useState<Resource<OpenPage>>();
  // The page's requests start before anything is painted.
  useLayoutEffect(() => {
    let opened: OpenPage | undefined;
    let gone = false;
    const made = createResource(async () => {
      opened ??= await open();
      if (gone) opened.close();
      return opened;
    });
    setOpening(made);
    return () => {
      gone = true;
      made.close();
      opened?.close();
    };
  }, []);
  const state = opening?.state.value;
  if (state?.kind === "ready") return <PageHost page={state.data} isMember={isMember} />;
  if (state?.kind !== "failed" || opening === undefined) return <Skeleton />;
  return (
    <>
      <Heading text={heading} />
      <LoadFailure failure={state.failure} retry={opening.refresh} stale={false} />
    </>
  );
};
