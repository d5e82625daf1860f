import { now } from "../../app/clock.ts";
import type { Failure } from "../../app/failure.ts";
import type { Answers } from "../../app/types.ts";
import { Ago } from "../../parts/ago.tsx";
import { PriorityMark } from "../../parts/marks.tsx";
import { TraceList } from "../../parts/trace.tsx";
import { SelectField } from "../../parts/form.tsx";
import { Warnings } from "../../parts/warnings.tsx";
import { texts } from "../../page-texts/rules.ts";
import { explainFailure } from "../../texts.ts";
import { LOOK_BACK_DAYS, type LookBackDays, type Effect, type Past, type RuleEffect, type Tried } from "./effect.ts";
import { MatchStrip } from "./match-strip.tsx";

const describeFailure = (failure: Failure): string[] =>
  failure.kind === "refused" && failure.faults.length > 0
    ? failure.faults.map(({ message }) => message)
    : [explainFailure(failure)];

type History = Answers["History"];

type Example = History["rules"][number]["examples"][number];
type Person = { userId: string; name: string };

const NAMED_MAX = 10;

const nameOrId = ({ name, userId }: Person): string => (name === "" ? userId : name);
const joinRecipients = (names: readonly string[]): string =>
  names.length === 0 ? texts.effect.noOne : names.toSorted().join(", ");

const listNotifiedNames = ({ count, people }: Example["told"]): string[] => [
  ...people.map(nameOrId),
  ...(count > people.length ? [texts.effect.more(count - people.length)] : []),
];

type SilentReasons = Record<"silenced" | "flapping" | "grouped" | "belowThreshold", boolean>;

/** Returns why nobody would be notified; undefined if somebody would be. */
const explainNobodyNotified = (result: SilentReasons): string | undefined => {
  if (result.silenced) return texts.effect.silenced;
  if (result.flapping) return texts.effect.flapping;
  if (result.grouped) return texts.effect.grouped;
  return result.belowThreshold ? texts.effect.belowThreshold : undefined;
};

const FailureSentences = ({ failure }: { failure: Failure }) => (
  <>
    {describeFailure(failure).map((sentence) => (
      <p key={sentence}>{sentence}</p>
    ))}
  </>
);

/** Shows how many notifications grouping and threshold save, and how many events they delay. */
const SavedAndDelayed = ({ rule: { saved, delayed }, isAll }: { rule: History["rules"][number]; isAll: boolean }) => {
  const [all, untold] = [saved.grouped + saved.belowThreshold, delayed.events - delayed.told];
  return (
    <>
      {all > 0 && <p>{texts.effect.saved(all, saved.of)}</p>}
      {saved.grouped > 0 && <p>{texts.effect.delayedByGroup}</p>}
      {delayed.longestSeconds !== null && <p>{texts.effect.delayed(delayed.told, delayed.longestSeconds)}</p>}
      {isAll && untold > 0 && <p>{texts.effect.untold(untold)}</p>}
    </>
  );
};

/** `tried`: what the draft would do with the event now. `example`: what the draft would have done when the event arrived. */
type EventRow = { event: Pick<Tried["event"], "id" | "title" | "receivedAt">; tried?: Tried; example?: Example };

/** Merges the draft's results for an event, today and at the event's time, into one row. Lists the newest event first. */
const toEventRows = (tried: readonly Tried[], examples: readonly Example[]): EventRow[] => {
  const rows = new Map<string, EventRow>(tried.map((one) => [one.event.id, { event: one.event, tried: one }]));
  for (const example of examples)
    rows.set(example.event.id, { event: example.event, ...rows.get(example.event.id), example });
  return [...rows.values()].toSorted(
    (one, other) => Date.parse(other.event.receivedAt) - Date.parse(one.event.receivedAt),
  );
};

const RecipientCell = ({ tried, example }: EventRow) => {
  const now = tried?.rule.recipients.map(nameOrId);
  const then = example && listNotifiedNames(example.told);
  const why = example && explainNobodyNotified(example);
  if (example !== undefined && then !== undefined && now !== undefined) {
    const [was, is] = [why ?? joinRecipients(then), joinRecipients(now)];
    const { count, people } = example.told;
    // If not all names are known, only the counts are compared.
    const isSame = count > people.length ? count === now.length : was === is;
    if (!isSame) return <p>{texts.effect.thenAndNow(was, is)}</p>;
  }
  const names = then ?? now ?? [];
  return (
    <p>
      {why ??
        (names.length === 0
          ? texts.effect.nobody
          : texts.effect.told(names.length > NAMED_MAX ? texts.inbox.names(names) : names.join(", ")))}
    </p>
  );
};

const PastEvent = ({ row, hasGroups }: { row: EventRow; hasGroups: boolean }) => {
  const { event, tried } = row;
  const matches = tried?.rule.matches ?? true;
  return (
    <li class="tried">
      <p>
        <strong class={matches ? "status-acknowledged" : "soft"}>
          {matches ? texts.effect.matches : texts.effect.matchesNot}
        </strong>{" "}
        <a href={`/events/${event.id}`}>{event.title}</a> <Ago at={event.receivedAt} />{" "}
        {matches && tried !== undefined && <PriorityMark value={tried.rule.priority} />}
      </p>
      {matches && hasGroups && <RecipientCell {...row} />}
      {tried !== undefined && !matches && <TraceList trace={tried.rule} />}
    </li>
  );
};

const HistoryComparison = ({ past, days, hasGroups }: { past: Past; days: LookBackDays; hasGroups: boolean }) => {
  if (past === undefined) return <p class="soft">{texts.loading} …</p>;
  if (past.kind === "refused") return <FailureSentences failure={past.failure} />;
  const { moreTold, lessTold, events, next, rules, rings, notKnown } = past.history;
  const [rule] = rules;
  if (rule === undefined) return null;
  return (
    <>
      <p>{texts.effect.matched(rule.matched, events, next === null)}</p>
      {rule.hours.length > 0 && <MatchStrip hours={rule.hours} now={now.value} span={days} />}
      <SavedAndDelayed rule={rule} isAll={next === null} />
      {rule.saved.tooMany > 0 && <p>{texts.effect.tooMany(rule.saved.tooMany)}</p>}
      {hasGroups && rings.before !== rings.after && <p>{texts.effect.rings(rings.before, rings.after)}</p>}
      {hasGroups && rings.after > 0 && notKnown.length > 0 && <p class="soft">{texts.effect.notKnown}</p>}
      {hasGroups && moreTold + lessTold > 0 && <p>{texts.effect.difference(moreTold, lessTold)}</p>}
    </>
  );
};

type Members = Answers["ListedMember"][];
type ShownProps = { effect: RuleEffect; hasGroups: boolean; members: Members };

const EffectDetails = ({
  effect,
  shownEffect,
  hasGroups,
  members,
}: ShownProps & { shownEffect: Extract<Effect, { kind: "shown" }> }) => {
  const [past, days] = [effect.past.value, effect.days.value];
  const rows = toEventRows(shownEffect.tried, past?.kind === "found" ? (past.history.rules[0]?.examples ?? []) : []);
  return (
    <>
      {!hasGroups && <p class="note warn">{texts.effect.noGroup}</p>}
      <Warnings warnings={shownEffect.warnings} members={members} />
      <p>{texts.effect.fitting(shownEffect.fitting, shownEffect.recent)}</p>
      {shownEffect.recent > 0 && (
        <>
          <h3>{texts.effect.pastEvents}</h3>
          <SelectField
            label={texts.effect.lookBack}
            name="days"
            value={String(days)}
            options={LOOK_BACK_DAYS.map((one) => [String(one), texts.effect.past[one]] as const)}
            onValue={(value) => effect.lookBackOver(value === "28" ? 28 : 7)}
          />
          <HistoryComparison past={past} days={days} hasGroups={hasGroups} />
        </>
      )}
      {rows.length > 0 && (
        <ul aria-label={texts.effect.past[days]}>
          {rows.map((row) => (
            <PastEvent key={row.event.id} row={row} hasGroups={hasGroups} />
          ))}
        </ul>
      )}
    </>
  );
};

/** Returns a sentence that screen readers read while somebody types; undefined until there is a result. */
const summarizeEffect = (effect: Effect, past: Past): string | undefined => {
  if (effect.kind === "refused") return describeFailure(effect.failure)[0];
  if (effect.kind === "waiting" || past === undefined) return undefined;
  if (past.kind === "refused") return describeFailure(past.failure)[0];
  const [rule] = past.history.rules;
  return rule && texts.effect.matched(rule.matched, past.history.events, past.history.next === null);
};

export const EffectView = (props: ShownProps) => {
  const now = props.effect.state.value;
  return (
    <section class="panel" aria-label={texts.effect.heading}>
      <h2>{texts.effect.heading}</h2>
      <p class="unseen" role="status">
        {summarizeEffect(now, props.effect.past.value)}
      </p>
      {now.kind === "waiting" && <p class="soft">{texts.loading} …</p>}
      {now.kind === "refused" && <FailureSentences failure={now.failure} />}
      {now.kind === "shown" && <EffectDetails {...props} shownEffect={now} />}
    </section>
  );
};
