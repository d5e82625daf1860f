import { dayAndTime } from "../app/clock.ts";
import { definePage, type ViewProps } from "../app/page.tsx";
import type { Answers } from "../app/types.ts";
import { Open } from "../parts/needs.tsx";
import { Searched } from "../parts/searched.tsx";
import { Empty } from "../parts/states.tsx";
import { dayName } from "../parts/week.ts";
import { texts } from "../page-texts/silences.ts";

type Silence = Answers["Silence"];

const NewSilence = () => (
  <Open look="main" href="/silences/new">
    {texts.silence.newSilence}
  </Open>
);

/** When it holds, in words. */
const timesOf = ({ weekly, startsAt, endsAt }: Silence): string =>
  weekly === null
    ? texts.span(dayAndTime(startsAt), endsAt === null ? "" : dayAndTime(endsAt))
    : texts.silence.everyWeek(weekly.days.map(dayName), weekly.from, weekly.to, weekly.timeZone);

const SilencesView = ({ data }: ViewProps<Silence[]>) => {
  if (data.length === 0)
    return (
      <Empty>
        <p>{texts.silence.empty}</p>
        <p>
          <NewSilence />
        </p>
      </Empty>
    );
  return (
    <Searched items={data} textsOf={({ name, eventKey }) => [name, eventKey]}>
      {(found) => (
        <ul class="rows table table-silences">
          {found.map((silence) => (
            <li key={silence.id}>
              <strong>{silence.name}</strong>
              <code>{silence.eventKey}</code>
              <span>{timesOf(silence)}</span>
              <span class={silence.active ? "priority-high" : "soft"}>
                {silence.active
                  ? texts.silence.active(silence.until === null ? undefined : dayAndTime(silence.until))
                  : texts.silence.idle(silence.until === null ? undefined : dayAndTime(silence.until))}
              </span>
              <a class="button" href={`/silences/${silence.id}`} aria-label={texts.editOf(silence.name)} data-row>
                {texts.edit}
              </a>
            </li>
          ))}
        </ul>
      )}
    </Searched>
  );
};

export const page = definePage<Silence[]>({
  heading: texts.pages.silences,
  load: ({ api }) => api("silences/list-silences", {}),
  everySeconds: 30,
  Actions: ({ data }) => (data.length === 0 ? null : <NewSilence />),
  needs: "manager",
  View: SilencesView,
});
