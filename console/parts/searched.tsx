import type { ComponentChildren } from "preact";
import { here, NEW, SEARCH, setQuery } from "../app/router.ts";
import { matchesAllWords } from "../app/search.ts";
import { texts } from "../page-texts.ts";
import { TextField } from "./form.tsx";
import { OpenButton } from "./needs.tsx";
import { Empty } from "./states.tsx";

type SearchedProps<Item> = {
  items: readonly Item[];
  /** The CSS class of the columns on a wide screen. */
  table: string;
  textsOf: (item: Item) => readonly (string | null | undefined)[];
  empty?: string;
  next?: ComponentChildren;
  children: (item: Item) => ComponentChildren;
};

/** Returns the search text in the URL. */
export const readSearch = (): string => here.value.searchParams.get(SEARCH) ?? "";

export const SearchField = () => (
  <TextField
    label={texts.search.label}
    name={SEARCH}
    type="search"
    value={readSearch()}
    onValue={(typed) => setQuery({ [SEARCH]: typed })}
  />
);

/** The maximum length of a list without a search field. */
const SHORT = 10;

/** Shows a list with a search field. All items must be loaded. The search text is in the URL. */
export const SearchableList = <Item,>({ items, table, textsOf, empty, next, children }: SearchedProps<Item>) => {
  if (items.length === 0) return <Empty next={next}>{empty}</Empty>;
  const typed = readSearch();
  const found = items.filter((item) => matchesAllWords(typed, textsOf(item)));
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

/** Returns a component with a button that opens a form. `query`: parameters of the form's URL. */
export const createNewButton =
  (text: string, query: Record<string, string | undefined> = { edit: NEW }) =>
  () => (
    <OpenButton look="main" onClick={() => setQuery(query)}>
      {text}
    </OpenButton>
  );
