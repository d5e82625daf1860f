import { useEffect, useErrorBoundary, useLayoutEffect, useRef, useState } from "preact/hooks";
import { type Failure, createRefusal } from "../app/failure.ts";
import type { OpenPage } from "../app/page.tsx";
import { createResource, isOutage, type Resource } from "../app/resource.ts";
import { restoreScroll } from "../app/router.ts";
import { isEnded } from "../app/session.ts";
import { markSettled } from "../app/settled.ts";
import { waiting } from "../app/waiting.ts";
import { texts } from "../texts.ts";
import { Skeleton, LoadFailure } from "./states.tsx";

/** A heading that gets the focus after a change of page, so that screen readers start at the heading. */
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
/** The time after loading in which a heading does not take the focus from the element that the browser has focused. */
const FIRST_MS = 3000;

type HostProps = {
  page: OpenPage;
  /**
   * Whether the reader is known to be in the workspace. Until then, a refusal is not shown, because it may only mean that the
   * reader is not in the workspace.
   */
  isMine: boolean;
};

/** Returns whether a bar at the top of the page already shows the failure. */
const isShownInBar = (failure: Failure): boolean =>
  isOutage(failure) || (failure.kind === "signed-out" && isEnded.value);

/** A page in its current state: the heading at once, then the data or the failure. */
const PageHost = ({ page, isMine }: HostProps) => {
  // An error while rendering, such as one caused by an unexpected answer, must not leave the page blank.
  const [broken] = useErrorBoundary();
  const content = broken === undefined ? page.content() : undefined;
  const failure = broken !== undefined ? createRefusal(500).failure : isMine ? page.failure() : undefined;
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
      {failure !== undefined && (content === undefined || !isShownInBar(failure)) && (
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

/** Keeps a page open while it is shown. `heading`: the page's title until it is loaded. */
export const Opened = ({
  open,
  heading,
  isMine,
}: {
  open: () => Promise<OpenPage>;
  heading: string;
  isMine: boolean;
}) => {
  const [opening, setOpening] = useState<Resource<OpenPage>>();
  // The layout effect starts the page's requests before anything is painted.
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
  if (state?.kind === "ready") return <PageHost page={state.data} isMine={isMine} />;
  if (state?.kind !== "failed" || opening === undefined) return <Skeleton />;
  return (
    <>
      <Heading text={heading} />
      <LoadFailure failure={state.failure} retry={opening.refresh} stale={false} />
    </>
  );
};
