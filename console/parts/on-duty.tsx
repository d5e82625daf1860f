import { formatClockTime, now } from "../app/clock.ts";
import type { Answers } from "../app/types.ts";
import { texts } from "../texts.ts";

type Shift = Answers["Shift"];
const isCurrentShift = ({ start, end }: Shift): boolean =>
  Date.parse(start) <= now.value && (end === null || Date.parse(end) > now.value);

/** Shows the reader's current shifts. With `showsNext`, shows the next shift of a reader who is not on call. */
export const DutyShifts = ({ shifts, showsNext = false }: { shifts: readonly Shift[]; showsNext?: boolean }) => {
  const current = shifts.filter(isCurrentShift);
  const coming = shifts.find(({ start }) => Date.parse(start) > now.value);
  const describeEnd = ({ end }: Shift): string | undefined =>
    end === null ? undefined : formatClockTime(Date.parse(end));
  if (current.length > 0)
    return (
      <p class="duty">
        {texts.duty.youAre(current.map((shift) => texts.duty.youAreFor(shift.groupName, describeEnd(shift))))}
      </p>
    );
  if (!showsNext || coming === undefined) return null;
  return <p class="duty soft">{texts.duty.yourNext(coming.groupName, formatClockTime(Date.parse(coming.start)))}</p>;
};
