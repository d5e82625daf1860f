import type { ComponentChildren } from "preact";
import { here, SEARCH, setQuery } from "../app/router.ts";
import { fitsWords } from "../app/search.ts";
import { texts } from "../page-texts.ts";
import { TextField } from "./form.tsx";
import { Empty } from "./states.tsx";

type SearchedProps<Item> = {
  items: readonly Item[];
  /** What an item is found by. */
  textsOf: (item: Item) => readonly (string | null | undefined)[];
  children: (found: readonly Item[]) => ComponentChildren;
};

/** A list that is no longer than this is seen at a glance. */
const SHORT = 10;

/** A list that is here as a whole, and a field that finds in it. What is typed is in the address. */
export const Searched = <Item,>({ items, textsOf, children }: SearchedProps<Item>) => {
  const typed = here.value.searchParams.get(SEARCH) ?? "";
  const found = items.filter((item) => fitsWords(typed, textsOf(item)));
  return (
    <>
      {(items.length > SHORT || typed !== "") && (
        <search class="filters">
          <TextField
            label={texts.search.label}
            name={SEARCH}
            type="search"
            value={typed}
            onValue={(search) => setQuery({ [SEARCH]: search })}
          />
          <p class="soft number" role="status">
            {texts.search.found(found.length, items.length)}
          </p>
        </search>
      )}
      {found.length === 0 && items.length > 0 ? <Empty>{texts.search.none(typed)}</Empty> : children(found)}
    </>
  );
};
