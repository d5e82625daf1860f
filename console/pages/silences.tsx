import { formatDayAndTime } from "../app/clock.ts";
import { definePage, type ViewProps } from "../app/page.tsx";
import type { Answers } from "../app/types.ts";
import { OpenButton } from "../parts/needs.tsx";
import { SearchableList } from "../parts/searched.tsx";
import { formatDayName } from "../parts/week.ts";
import { texts } from "../page-texts/silences.ts";

type Silence = Answers["Silence"];

const NewSilence = () => (
  <OpenButton look="main" href="/silences/new">
    {texts.silence.newSilence}
  </OpenButton>
);

const describeTimes = ({ weekly, startsAt, endsAt }: Pick<Silence, "weekly" | "startsAt" | "endsAt">): string =>
  weekly === null
    ? texts.span(formatDayAndTime(startsAt), endsAt === null ? "" : formatDayAndTime(endsAt))
    : texts.silence.everyWeek(weekly.days.map(formatDayName), weekly.from, weekly.to, weekly.timeZone);

const SilencesView = ({ data }: ViewProps<Silence[]>) => (
  <SearchableList
    items={data}
    table="table-silences"
    textsOf={({ name, eventKey }) => [name, eventKey]}
    empty={texts.silence.empty}
    next={<NewSilence />}
  >
    {({ id, name, eventKey, active, until, ...silence }) => {
      const state = active ? texts.silence.active : texts.silence.idle;
      return (
        <li key={id}>
          <strong>{name}</strong>
          <code>{eventKey}</code>
          <span>{describeTimes(silence)}</span>
          <span class={active ? "priority-high" : "soft"}>
            {state(until === null ? undefined : formatDayAndTime(until))}
          </span>
          <a class="button" href={`/silences/${id}`} aria-label={texts.editOf(name)} data-row>
            {texts.edit}
          </a>
        </li>
      );
    }}
  </SearchableList>
);

export const page = definePage<Silence[]>({
  heading: texts.pages.silences,
  load: ({ api }) => api("silences/list-silences", {}),
  everySeconds: 30,
  Actions: ({ data }) => (data.length === 0 ? null : <NewSilence />),
  needs: "manager",
  View: SilencesView,
});
