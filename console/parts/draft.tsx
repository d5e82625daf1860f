import { useState } from "preact/hooks";
import { dropDraft, readDraft, writeDraft } from "../app/drafts.ts";
import type { PageContext } from "../app/page.tsx";
import { here, navigate } from "../app/router.ts";
import type { Answers } from "../app/types.ts";
import { texts } from "../texts.ts";
import { Ago } from "./ago.tsx";

type UsedDraft<Draft> = {
  draft: Draft;
  change: (some: Partial<Draft>) => void;
  /** The version that the draft was begun on: what is read again meanwhile is not what the reader saw. */
  version: number | undefined;
  /** Says that there is nothing unsaved any more; `version` is that of what was written. */
  saved: (version?: number) => void;
  /** Gives up what is unsaved, and goes to another page. */
  leave: (to: string) => void;
  /** Stands above the form: whether what was left here is back, and the way to begin anew. */
  notice: { isBack: boolean; isChanged: boolean; startOver: () => void };
};

/** In the address: what a form is about, or begins with. */
const BEGUN = ["event", "like", "edit"] as const;

/** The content of a form as it is typed. What is not saved is kept in the tab, and is back when the form is opened again. */
export const useDraft = <Draft extends object>(
  { me, workspaceId }: Pick<PageContext, "me" | "workspaceId">,
  initial: () => Draft,
  seen: number | undefined,
): UsedDraft<Draft> => {
  const [place] = useState(() => {
    const { pathname, searchParams } = here.peek();
    return { me, workspaceId, path: [pathname, ...BEGUN.map((name) => searchParams.get(name))].join(" ") };
  });
  const [{ draft, version, isBack, isChanged }, set] = useState(() => {
    const begun = initial();
    const kept = readDraft(place, begun);
    const isKept = kept !== undefined;
    return { ...(kept ?? { draft: begun, version: seen }), isBack: isKept, isChanged: isKept };
  });
  const saved = (written = version): void => {
    dropDraft(place);
    set((before) => ({ ...before, version: written, isBack: false, isChanged: false }));
  };
  return {
    draft,
    version,
    change: (some) =>
      set((before) => {
        const next = { ...before, draft: { ...before.draft, ...some }, isChanged: true };
        writeDraft(place, { draft: next.draft, version: next.version });
        return next;
      }),
    saved,
    leave: (to) => {
      saved();
      navigate(to);
    },
    notice: {
      isBack,
      isChanged,
      startOver: () => {
        dropDraft(place);
        set({ draft: initial(), version: seen, isBack: false, isChanged: false });
      },
    },
  };
};

type Authored = Pick<Answers["RoutingRule"], "updatedAt" | "updatedBy">;

/** What an editor says first: who has changed last what is there, and that what was typed is back. */
export const DraftNotice = ({ isBack, startOver, of }: UsedDraft<object>["notice"] & { of: Authored | undefined }) => (
  <>
    {of !== undefined && (
      <p class="soft small">
        {texts.changedBy(of.updatedBy?.name)} <Ago at={of.updatedAt} />
      </p>
    )}
    {isBack && (
      <p class="note" role="status">
        {texts.draft.isBack}{" "}
        <button type="button" onClick={startOver}>
          {texts.draft.startOver}
        </button>
      </p>
    )}
  </>
);
