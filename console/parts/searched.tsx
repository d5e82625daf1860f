import type { ComponentChildren } from "preact";
import { here, NEW, SEARCH, setQuery } from "../app/router.ts";
import { fitsWords } from "../app/search.ts";
import { texts } from "../page-texts.ts";
import { TextField } from "./form.tsx";
import { Open } from "./needs.tsx";
import { Empty } from "./states.tsx";

type SearchedProps<Item> = {
  items: readonly Item[];
  /** Which columns it has at a desk: a class of the style. */
  table: string;
  /** What an item is found by. */
  textsOf: (item: Item) => readonly (string | null | undefined)[];
  /** What to do where there is no item yet, and what to press for it. */
  empty?: string;
  next?: ComponentChildren;
  /** The row of an item. */
  children: (item: Item) => ComponentChildren;
};

/** What is typed into the page's search field: it is in the address. */
export const typedSearch = (): string => here.value.searchParams.get(SEARCH) ?? "";

export const SearchField = () => (
  <TextField
    label={texts.search.label}
    name={SEARCH}
    type="search"
    value={typedSearch()}
    onValue={(typed) => setQuery({ [SEARCH]: typed })}
  />
);

/** A list that is no longer than this is seen at a glance. */
const SHORT = 10;

/** A list that is here as a whole, and a field that finds in it. What is typed is in the address. */
export const Searched = <Item,>({ items, table, textsOf, empty, next, children }: SearchedProps<Item>) => {
  if (items.length === 0) return <Empty next={next}>{empty}</Empty>;
  const typed = typedSearch();
  const found = items.filter((item) => fitsWords(typed, textsOf(item)));
  return (
    <>
      {(items.length > SHORT || typed !== "") && (
        <search class="filters">
          <SearchField />
          <p class="soft number" role="status">
            {texts.search.found(found.length, items.length)}
          </p>
        </search>
      )}
      {found.length === 0 ? (
        <Empty>{texts.search.none(typed)}</Empty>
      ) : (
        <ul class={`rows table ${table}`}>{found.map(children)}</ul>
      )}
    </>
  );
};

/** What stands beside the heading of a list: it opens a new thing there. `query`: how the address says so. */
export const opensNew =
  (text: string, query: Record<string, string | undefined> = { edit: NEW }) =>
  () => (
    <Open look="main" onClick={() => setQuery(query)}>
      {text}
    </Open>
  );
