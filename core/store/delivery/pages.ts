import * as v from "valibot";
import { AGAIN, retryChange } from "../../domain/basics/attempt.ts";
import type { TableDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { Priority } from "../../domain/basics/priority.ts";
import { PAGE_LIMIT_SPAN_MS } from "../../domain/workspace/page-limit.ts";
import { decidePageSound, type CountedPage } from "../../domain/planning/page-limit.ts";
import { pagesKey } from "../keys.ts";
import { getItem, updateItem } from "../table.ts";
import { toSeconds } from "../../domain/basics/seconds.ts";

/* Conditional writes ensure that a person's item contains each page once, and no more pages than the limit. */

const PagesItem = v.object({
  rev: v.number(),
  rung: v.array(v.object({ by: v.string(), at: v.number(), priority: Priority })),
});
export type PagesItem = v.InferOutput<typeof PagesItem>;

/** The maximum number of attempts: concurrent pages of a person change the same item, and each page can make one attempt fail. */
const TRIES = 120;

/** Reads a person's counted pages. Pages older than ten minutes may be missing. */
export const readPages = async (deps: TableDeps, ws: WorkspaceId, userId: string): Promise<readonly CountedPage[]> =>
  (await getItem(deps, pagesKey(ws, userId), PagesItem))?.rung ?? [];

/** `limit`: the maximum number of pages in ten minutes. `uncounted`: the person's pages that are not in the item. */
export type PageCount = { one: CountedPage; limit: number; uncounted: readonly Omit<CountedPage, "by">[] };

const NONE: readonly CountedPage[] = [];

/** Returns the pages `before` with the new pages that count (`counted`), and whether each new page is loud (`allowed`). */
const addPages = (
  before: readonly CountedPage[],
  pages: readonly PageCount[],
): { counted: readonly CountedPage[]; allowed: boolean[] } => {
  let counted = before;
  const allowed = pages.map(({ one, limit, uncounted }) => {
    const verdict = decidePageSound(counted, uncounted, one, limit);
    if (verdict.kind === "counts") counted = verdict.rung;
    return verdict.kind !== "quiet";
  });
  return { counted, allowed };
};

/**
 * Counts a person's pages. `allowed`: whether the page limit allows each page. Idempotent for ten minutes: a counted page stays
 * allowed. `known`: an earlier read of the item, which is enough if the limit is exceeded, because pages are only added.
 */
export const countPages = async (
  deps: TableDeps,
  ws: WorkspaceId,
  userId: string,
  pages: readonly PageCount[],
  known?: PagesItem,
): Promise<{ allowed: boolean[]; item: PagesItem | undefined }> => {
  const key = pagesKey(ws, userId);
  // If the uncounted pages alone reach the limit, the person's item need not be read.
  const isAbove = addPages(NONE, pages).counted === NONE;
  let item = known ?? (isAbove ? undefined : await getItem(deps, key, PagesItem));
  return retryChange({ item: `the pages of ${userId}`, tries: TRIES }, async () => {
    const before = item?.rung ?? NONE;
    const { counted, allowed } = addPages(before, pages);
    if (counted === before) return { allowed, item };
    const seen = item?.rev;
    const latest = Math.max(...counted.map(({ at }) => at));
    const written = await updateItem(deps, key, PagesItem, {
      update: "SET rung = :rung, rev = :next, #ttl = :ttl",
      condition: seen === undefined ? "attribute_not_exists(pk)" : "rev = :seen",
      names: { "#ttl": "ttl" },
      values: {
        ":rung": counted,
        ":next": (seen ?? 0) + 1,
        ":ttl": toSeconds(latest + 2 * PAGE_LIMIT_SPAN_MS),
        ...(seen === undefined ? {} : { ":seen": seen }),
      },
    });
    ({ item } = written);
    return written.kind === "done" ? { allowed, item } : AGAIN;
  });
};
