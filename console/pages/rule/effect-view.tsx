import type { ReadonlySignal } from "@preact/signals";
import type { Failure } from "../../app/failure.ts";
import type { Answers } from "../../app/types.ts";
import { Ago } from "../../parts/ago.tsx";
import { PriorityMark } from "../../parts/marks.tsx";
import { TraceList } from "../../parts/trace.tsx";
import { Warnings } from "../../parts/warnings.tsx";
import { sentenceOf, texts } from "../../texts.ts";
import type { Effect, Tried } from "./effect.ts";

const sentencesOf = (failure: Failure): string[] =>
  failure.kind === "refused" && failure.faults.length > 0
    ? failure.faults.map(({ message }) => message)
    : [sentenceOf(failure)];

const TriedEvent = ({ tried: { event, rule }, hasGroups }: { tried: Tried; hasGroups: boolean }) => (
  <li class="tried">
    <p>
      <strong class={rule.matches ? "status-acknowledged" : "soft"}>
        {rule.matches ? texts.effect.matches : texts.effect.matchesNot}
      </strong>{" "}
      <a href={`/events/${event.id}`}>{event.title}</a> <Ago at={event.receivedAt} />
    </p>
    {rule.matches && hasGroups && (
      <p>
        <PriorityMark value={rule.priority} />{" "}
        {rule.recipients.length === 0
          ? texts.effect.nobody
          : texts.effect.told(rule.recipients.map(({ name, userId }) => (name === "" ? userId : name)))}
      </p>
    )}
    {!rule.matches && <TraceList trace={rule} />}
  </li>
);

type Members = Answers["ListedMember"][];
type ShownProps = { effect: Extract<Effect, { kind: "shown" }>; hasGroups: boolean; members: Members };

const Shown = ({ effect, hasGroups, members }: ShownProps) => (
  <>
    <p>{texts.effect.fitting(effect.fitting, effect.recent)}</p>
    {!hasGroups && <p class="note warn">{texts.effect.noGroup}</p>}
    <Warnings warnings={effect.warnings} members={members} />
    <ul>
      {effect.tried.map((tried) => (
        <TriedEvent key={tried.event.id} tried={tried} hasGroups={hasGroups} />
      ))}
    </ul>
  </>
);

/** What the rule would do, as it stands in the form. */
export const EffectView = ({
  effect,
  hasGroups,
  members,
}: Omit<ShownProps, "effect"> & { effect: ReadonlySignal<Effect> }) => {
  const now = effect.value;
  return (
    <section class="panel" aria-label={texts.effect.heading} aria-live="polite">
      <h2>{texts.effect.heading}</h2>
      {now.kind === "waiting" && <p class="soft">{texts.loading} …</p>}
      {now.kind === "refused" && sentencesOf(now.failure).map((sentence) => <p key={sentence}>{sentence}</p>)}
      {now.kind === "shown" && <Shown effect={now} hasGroups={hasGroups} members={members} />}
    </section>
  );
};
