import { GROUP, here, setQuery } from "../app/router.ts";
import { formatNumber } from "../texts/numbers.ts";
import { texts } from "../texts.ts";

/** Returns whether the row of a group of events is expanded. `id`: the id of the group's first event. */
export const isGroupOpen = (id: string): boolean => here.value.searchParams.get(GROUP) === id;

/** Shows a button such as "+41", which shows and hides the group's events that notified nobody. */
export const GroupButton = ({
  first: { id, title },
  count,
}: {
  first: { id: string; title: string };
  count: number;
}) => {
  const isOpen = isGroupOpen(id);
  return (
    <button
      type="button"
      class="group-count"
      aria-expanded={isOpen}
      aria-label={texts.group.count(count, title)}
      title={texts.group.count(count, title)}
      onClick={() => setQuery({ [GROUP]: isOpen ? undefined : id })}
    >
      +{formatNumber(count)}
    </button>
  );
};
