import { formatClockTime, formatDayAndTime } from "../../app/clock.ts";
import type { Answers } from "../../app/types.ts";
import { ReachMark } from "../../parts/reach-mark.tsx";
import { Warnings } from "../../parts/warnings.tsx";
import { texts as all } from "../../page-texts/simulator.ts";

const { simulator: texts } = all;

type Simulation = Answers["Simulation"];
type NotifiedStep = { at: string; names: readonly string[]; others: number; how: string; why: string | undefined };

const SHOWN_MAX = 40;

const nameOrId = ({ name, userId }: { name: string; userId: string }): string => (name === "" ? userId : name);

/** Lists who is notified if nobody acknowledges, sorted by time. */
const listNotified = ({ at, rules, escalations }: Simulation): NotifiedStep[] => {
  const byRules = rules
    .filter(({ matches }) => matches)
    .map(({ name, recipients, recipientsNotListed }): NotifiedStep => ({
      at,
      names: recipients.map(nameOrId),
      others: recipientsNotListed,
      how: texts.byRule(name),
      why: undefined,
    }));
  const bySteps = escalations.flatMap(({ policy, steps }) =>
    steps.map((one): NotifiedStep => ({
      at: one.at,
      names: one.recipients.map(nameOrId),
      others: 0,
      how: texts.byStep(policy.name, one),
      why: texts.because[one.because],
    })),
  );
  return [...byRules, ...bySteps.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))];
};

const joinNotified = ({ names, others }: NotifiedStep): string =>
  names.length === 0 ? texts.nobody : [...names, ...(others === 0 ? [] : [texts.others(others)])].join(", ");

export const Result = ({ simulation }: { simulation: Simulation }) => {
  const timeline = listNotified(simulation);
  return (
    <section class="panel" aria-labelledby="result">
      <h2 id="result">{texts.result}</h2>
      <p role="status">
        {texts.when(formatDayAndTime(simulation.at))} <strong>{texts.outcomes[simulation.outcome]}</strong>
      </p>
      {simulation.silence !== null && (
        <p class="note warn">{texts.silence(simulation.silence.name, simulation.silence.recipients)}</p>
      )}
      {timeline.length > 0 && (
        <>
          <h3>{texts.story}</h3>
          <ol class="story">
            {timeline.slice(0, SHOWN_MAX).map((notified, index) => (
              <li key={index} class={notified.names.length === 0 ? "bad" : undefined}>
                <time dateTime={notified.at}>{formatClockTime(Date.parse(notified.at))}</time>
                <strong>{joinNotified(notified)}</strong>
                <span class="soft">
                  {notified.how}
                  {notified.why !== undefined && `, ${notified.why}`}
                </span>
              </li>
            ))}
          </ol>
          {timeline.length > SHOWN_MAX && <p class="soft">{texts.moreSteps(timeline.length - SHOWN_MAX)}</p>}
        </>
      )}
      {simulation.people.length > 0 && (
        <>
          <h3>{texts.people}</h3>
          <ul class="rows">
            {simulation.people.map((person) => (
              <li key={person.userId}>
                <strong>{nameOrId(person)}</strong>
                <span class="number">{formatClockTime(Date.parse(person.firstToldAt))}</span>
                <ReachMark reachable={person.reachable} silent={false} />
              </li>
            ))}
          </ul>
        </>
      )}
      <Warnings warnings={simulation.warnings} members={simulation.people} />
    </section>
  );
};
