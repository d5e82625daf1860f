import { useRef, useState } from "preact/hooks";

type SteadyList<Item> = { items: readonly Item[]; heldCount: number; show: () => void };

const hasScrolledOrFocusedRow = (): boolean =>
  window.scrollY > 0 || document.activeElement?.closest("[data-row]") !== null;

/**
 * Keeps a list still while somebody has scrolled or focused it: new items wait, and existing items are updated. `key`: identifies
 * the query, because another query results in another list.
 */
export const useSteadyList = <Item extends { id: string }>(items: readonly Item[], key: string): SteadyList<Item> => {
  const shown = useRef<{ key: string; ids: ReadonlySet<string> }>(undefined);
  const [, redraw] = useState(0);
  const known = shown.current?.key === key ? shown.current.ids : undefined;
  const fresh = known === undefined ? [] : items.filter(({ id }) => !known.has(id));
  const holds = known !== undefined && known.size > 0 && fresh.length > 0 && hasScrolledOrFocusedRow();
  if (!holds) shown.current = { key, ids: new Set(items.map(({ id }) => id)) };
  return {
    items: holds ? items.filter(({ id }) => known.has(id)) : items,
    heldCount: holds ? fresh.length : 0,
    show: () => {
      shown.current = undefined;
      window.scrollTo(0, 0);
      redraw((count) => count + 1);
    },
  };
};
