import { now } from "../../app/clock.ts";
import { setQuery } from "../../app/router.ts";
import type { Answers } from "../../app/types.ts";
import { texts } from "../../page-texts/events.ts";
import { DAY_MS, HOUR_MS } from "../../../core/domain/basics/units.ts";
import { listOfferedPatterns } from "./kinds.ts";

type ChipProps = { text: string; name: "state" | "priority" | "from" | "eventKey"; value: string; isOn: boolean };

const Chip = ({ text, name, value, isOn }: ChipProps) => (
  <button
    type="button"
    class="chip"
    aria-pressed={isOn}
    onClick={() => setQuery({ [name]: isOn ? undefined : value, page: undefined })}
  >
    {text}
  </button>
);

type ChipsProps = { types: readonly Pick<Answers["EventType"], "eventKey">[]; query: URLSearchParams };

export const FilterChips = ({ types, query }: ChipsProps) => {
  const readParameter = (name: string): string => query.get(name) ?? "";
  // The time is rounded to an hour, so that the query stays the same for an hour.
  const yesterday = Math.floor((now.value - DAY_MS) / HOUR_MS) * HOUR_MS;
  return (
    <p class="chips" role="group" aria-label={texts.events.often}>
      <Chip text={texts.states.open} name="state" value="open" isOn={readParameter("state") === "open"} />
      <Chip text={texts.priority.URGENT} name="priority" value="URGENT" isOn={readParameter("priority") === "URGENT"} />
      <Chip
        text={texts.events.lastDay}
        name="from"
        value={new Date(yesterday).toISOString()}
        isOn={Math.abs(Date.parse(readParameter("from")) - yesterday) <= HOUR_MS}
      />
      {listOfferedPatterns(types, readParameter("eventKey")).map((kind) => (
        <Chip key={kind} text={kind} name="eventKey" value={kind} isOn={readParameter("eventKey") === kind} />
      ))}
    </p>
  );
};
