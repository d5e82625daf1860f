import { useState } from "preact/hooks";
import { dropDraft, readDraft, writeDraft } from "../app/drafts.ts";
import type { PageContext } from "../app/page.tsx";
import { here, navigate } from "../app/router.ts";
import type { Answers } from "../app/types.ts";
import { texts } from "../texts.ts";
import { Ago } from "./ago.tsx";

type UsedDraft<Draft> = {
  draft: Draft;
  change: (changes: Partial<Draft>) => void;
  /** The version of the item on which the draft is based, even if newer data is loaded. */
  version: number | undefined;
  /** `version`: the version of the item that was written. */
  saved: (version?: number) => void;
  leave: (to: string) => void;
  notice: { isRestored: boolean; isChanged: boolean; startOver: () => void };
};

/** Parameters of the URL that determine which item a form edits, or how a new item begins. */
const BEGUN = ["event", "like", "edit"] as const;

/** Returns the draft of a form. Unsaved input is stored in the tab, and restored when the form is opened again. */
export const useDraft = <Draft extends object>(
  { me, workspaceId }: Pick<PageContext, "me" | "workspaceId">,
  createInitial: () => Draft,
  itemVersion: number | undefined,
): UsedDraft<Draft> => {
  const [place] = useState(() => {
    const { pathname, searchParams } = here.peek();
    return { me, workspaceId, path: [pathname, ...BEGUN.map((name) => searchParams.get(name))].join(" ") };
  });
  const [{ draft, version, isRestored, isChanged }, set] = useState(() => {
    const begun = createInitial();
    const kept = readDraft(place, begun);
    const isKept = kept !== undefined;
    return { ...(kept ?? { draft: begun, version: itemVersion }), isRestored: isKept, isChanged: isKept };
  });
  const markSaved = (savedVersion = version): void => {
    dropDraft(place);
    set((before) => ({ ...before, version: savedVersion, isRestored: false, isChanged: false }));
  };
  return {
    draft,
    version,
    change: (changes) =>
      set((before) => {
        const next = { ...before, draft: { ...before.draft, ...changes }, isChanged: true };
        writeDraft(place, { draft: next.draft, version: next.version });
        return next;
      }),
    saved: markSaved,
    leave: (to) => {
      markSaved();
      navigate(to);
    },
    notice: {
      isRestored,
      isChanged,
      startOver: () => {
        dropDraft(place);
        set({ draft: createInitial(), version: itemVersion, isRestored: false, isChanged: false });
      },
    },
  };
};

type LastChange = Pick<Answers["RoutingRule"], "updatedAt" | "updatedBy">;
type DraftNoticeProps = UsedDraft<object>["notice"] & { item: LastChange | undefined };

/** Shows who last changed the item, and offers to discard restored input. */
export const DraftNotice = ({ isRestored, startOver, item }: DraftNoticeProps) => (
  <>
    {item !== undefined && (
      <p class="soft small">
        {texts.changedBy(item.updatedBy?.name)} <Ago at={item.updatedAt} />
      </p>
    )}
    {isRestored && (
      <p class="note" role="status">
        {texts.draft.isBack}{" "}
        <button type="button" onClick={startOver}>
          {texts.draft.startOver}
        </button>
      </p>
    )}
  </>
);
