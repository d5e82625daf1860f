import type { FirstEvent } from "../../app/grouped.ts";
import type { PageContext } from "../../app/page.tsx";
import type { Answers } from "../../app/types.ts";
import { GroupButton, isGroupOpen } from "../../parts/group.tsx";
import { GroupMembers } from "../../parts/group-members.tsx";
import { texts } from "../../page-texts/events.ts";
import type { EventProgress } from "./progress.ts";

type InGroupProps = Pick<PageContext, "api"> &
  Pick<EventProgress, "inGroups"> & {
    event: Answers["Event"];
    /** The event of the same group that notified people instead of this event. */
    first: FirstEvent | undefined;
  };

export const InGroup = ({ event, first, inGroups, api }: InGroupProps) => (
  <>
    {event.groupedInto !== null && (
      <p>
        {texts.event.groupedInto} <a href={`/events/${event.groupedInto}`}>{first?.title ?? texts.group.itsGroup}</a>
      </p>
    )}
    {event.grouped > 0 && (
      <p>
        <GroupButton first={event} count={event.grouped} /> {texts.event.grouped(event.grouped)}
      </p>
    )}
    {event.grouped > 0 && isGroupOpen(event.id) && <GroupMembers first={event} api={api} />}
    {event.belowThreshold !== null && (
      <p>{texts.event.belowThreshold(event.belowThreshold.count, event.belowThreshold.of)}</p>
    )}
    {inGroups.map(({ id, name, group: { values } }) => (
      <p key={id} class="soft">
        {texts.group.which(values.map(({ field, value }) => `${field} = ${value ?? texts.trace.missing}`))}{" "}
        <a href={`/rules/${id}`}>{name}</a>.
      </p>
    ))}
  </>
);
