import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { OpenPage } from "../app/page.tsx";
import { settle } from "../app/settled.ts";
import { texts } from "../texts.ts";
import { Skeleton, Trouble } from "./states.tsx";

/** A heading that takes the focus after a change of page, so that a screen reader begins there. */
export const Heading = ({ text }: { text: string }) => {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (performance.now() > FIRST_MS && document.querySelector("dialog[open]") === null) heading.current?.focus();
  }, []);
  useEffect(() => {
    document.title = `${text} · ${texts.product}`;
  }, [text]);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {text}
    </h1>
  );
};
/** The first page leaves the focus where the browser put it. */
const FIRST_MS = 3000;

type HostProps = {
  page: OpenPage;
  /** Whether the reader is known to be in the workspace. Until then, a refusal may be about that, and is not shown. */
  isMine: boolean;
};

/** A page in its current state: the heading at once, then the data, or why there is none. */
const PageHost = ({ page, isMine }: HostProps) => {
  const content = page.content();
  const failure = isMine ? page.failure() : undefined;
  const isSettled = content !== undefined || failure !== undefined;
  useEffect(() => {
    if (isSettled) settle();
  }, [isSettled]);
  return (
    <>
      <div class="page-head">
        <Heading text={page.heading()} />
        {content?.actions}
      </div>
      {failure !== undefined && <Trouble failure={failure} retry={page.refresh} stale={content !== undefined} />}
      {content === undefined && failure === undefined && <Skeleton />}
      {content?.view}
    </>
  );
};

/** Opens a page for as long as it is shown. */
export const Opened = ({ open, isMine }: { open: () => Promise<OpenPage>; isMine: boolean }) => {
  const [page, setPage] = useState<OpenPage>();
  // The page's requests are on their way before anything is painted.
  useLayoutEffect(() => {
    let opened: OpenPage | undefined;
    let gone = false;
    const start = async (): Promise<void> => {
      opened = await open();
      if (gone) opened.close();
      else setPage(opened);
    };
    void start();
    return () => {
      gone = true;
      opened?.close();
    };
  }, []);
  return page === undefined ? <Skeleton /> : <PageHost page={page} isMine={isMine} />;
};
