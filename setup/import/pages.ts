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

/** Returns pages whose next page is missing, with the reason. */
export const listMissingPages = (pages: readonly Page[]): { path: string; why: string }[] => {
  const kinds = Map.groupBy(pages, ({ kind }) => kind);
  return [...kinds.values()].flatMap((some) => {
    const read = some.map((page) => ({ page, said: v.parse(Paging, page.value) }));
    const have = some.reduce((sum, { items }) => sum + items, 0);
    const claimed = Math.max(0, ...read.map(({ said }) => said.total ?? said.count ?? said.totalCount ?? 0));
    const offsets = new Set(read.map(({ said }) => said.offset ?? 0));
    const hasNextPage = ({ said }: (typeof read)[number]) =>
      said.more === true || isNonEmptyText(said.next) || isNonEmptyText(said.paging?.next);
    const hasEnd = read.some((one) => !hasNextPage(one));
    return read.flatMap((one) => {
      const { page, said } = one;
      if (!hasNextPage(one)) return [];
      const isFollowed =
        said.offset === undefined || said.offset === null
          ? hasEnd && have >= claimed
          : offsets.has(said.offset + (said.limit ?? page.items));
      const of = claimed > have ? ` ${claimed - have} of ${claimed} are missing.` : "";
      return isFollowed
        ? []
        : [{ path: page.path, why: `More pages follow this page, but the export does not contain them.${of}` }];
    });
  });
};
