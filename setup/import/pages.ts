import * as v from "valibot";

export type Page = { kind: string; path: string; value: unknown; items: number };

const amount = v.fallback(v.nullish(v.number()), undefined);
const Paging = v.fallback(
  v.object({
    more: v.fallback(v.nullish(v.boolean()), undefined),
    offset: amount,
    limit: amount,
    total: amount,
    count: amount,
    totalCount: amount,
    next: v.fallback(v.nullish(v.string()), undefined),
    paging: v.fallback(v.nullish(v.object({ next: v.nullish(v.string()) })), undefined),
  }),
  {},
);

const isNonEmptyText = (text: string | null | undefined): boolean => typeof text === "string" && text !== "";

/** Returns the pages of exported lists after which the next page is missing, with the reason. */
export const listMissingPages = (pages: readonly Page[]): { path: string; why: string }[] => {
  const kinds = Map.groupBy(pages, ({ kind }) => kind);
  return [...kinds.values()].flatMap((some) => {
    const read = some.map((page) => ({ page, paging: v.parse(Paging, page.value) }));
    const have = some.reduce((sum, { items }) => sum + items, 0);
    const claimed = Math.max(0, ...read.map(({ paging }) => paging.total ?? paging.count ?? paging.totalCount ?? 0));
    const offsets = new Set(read.map(({ paging }) => paging.offset ?? 0));
    const hasNextPage = ({ paging }: (typeof read)[number]) =>
      paging.more === true || isNonEmptyText(paging.next) || isNonEmptyText(paging.paging?.next);
    const hasEnd = read.some((one) => !hasNextPage(one));
    return read.flatMap((one) => {
      const { page, paging } = one;
      if (!hasNextPage(one)) return [];
      const isFollowed =
        paging.offset === undefined || paging.offset === null
          ? hasEnd && have >= claimed
          : offsets.has(paging.offset + (paging.limit ?? page.items));
      const of = claimed > have ? ` ${claimed - have} of ${claimed} are missing.` : "";
      return isFollowed
        ? []
        : [{ path: page.path, why: `More pages follow this page, but the export does not contain them.${of}` }];
    });
  });
};
