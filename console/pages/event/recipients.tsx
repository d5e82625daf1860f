import { setQuery } from "../../app/router.ts";
import type { Answers } from "../../app/types.ts";
import { StatusMark } from "../../parts/marks.tsx";
import { Picker } from "../../parts/picker.tsx";
import { TraceList } from "../../parts/trace.tsx";
import { texts } from "../../page-texts/events.ts";
import { nameOrId } from "./timeline-entries.ts";
import { isRelevantRule, listRecipients, type Recipient } from "./explained.ts";

type Explanation = Answers["EventExplanation"];
type ExplainedRule = Explanation["rules"][number];

const RuleName = ({ rule: { id, name } }: { rule: ExplainedRule }) =>
  id === "service" ? name : <a href={`/rules/${id}`}>{name}</a>;

const RulesOfOtherKeys = ({ rules }: { rules: readonly ExplainedRule[] }) =>
  rules.length === 0 ? null : (
    <details>
      <summary>{texts.event.otherKeys(rules.length)}</summary>
      <ul class="rows">
        {rules.map((rule) => (
          <li key={rule.id}>
            <RuleName rule={rule} />
          </li>
        ))}
      </ul>
    </details>
  );

const ExplanationList = ({ explanation }: { explanation: Explanation }) => (
  <div class="note" role="region" aria-label={texts.event.explained(explanation.user.name ?? explanation.user.id)}>
    {explanation.rules.length === 0 && <p>{explanation.summary}</p>}
    {explanation.rules.filter(isRelevantRule).map((rule) => (
      <div key={rule.id}>
        <p>
          <RuleName rule={rule} />: {texts.event.reasons[rule.reason]}
        </p>
        {rule.trace !== null && <TraceList trace={rule.trace} />}
      </div>
    ))}
    <RulesOfOtherKeys rules={explanation.rules.filter((rule) => !isRelevantRule(rule))} />
  </div>
);

type RowProps = { recipient: Recipient; explanation: Explanation | undefined };

const RecipientRow = ({ recipient: { id, name, status }, explanation }: RowProps) => {
  const isOpen = explanation?.user.id === id;
  return (
    <li>
      <strong dir="auto">{name}</strong>
      <StatusMark value={status} />
      <button
        type="button"
        aria-expanded={isOpen}
        aria-label={`${texts.event.why} ${name}`}
        onClick={() => setQuery({ why: isOpen ? undefined : id })}
      >
        {texts.event.why}
      </button>
      {isOpen && <ExplanationList explanation={explanation} />}
    </li>
  );
};

const SHOWN = 5;

type RecipientsProps = {
  event: Answers["Event"];
  members: readonly Answers["ListedMember"][];
  why: Explanation | undefined;
};

export const Recipients = ({ event, members, why }: RecipientsProps) => {
  const all = listRecipients(event);
  const isRecipient = (id: string): boolean => all.some((one) => one.id === id);
  const renderRow = (recipient: Recipient) => (
    <RecipientRow key={recipient.id} recipient={recipient} explanation={why} />
  );
  const folded = all.slice(SHOWN);
  const others = members.filter(({ userId }) => !isRecipient(userId));
  return (
    <>
      {all.length > 0 && <ul class="rows">{all.slice(0, SHOWN).map(renderRow)}</ul>}
      {folded.length > 0 && (
        <details class="more" open={folded.some(({ id }) => id === why?.user.id)}>
          <summary>{texts.event.others(folded.length)}</summary>
          <ul class="rows">{folded.map(renderRow)}</ul>
        </details>
      )}
      {others.length > 0 && (
        <Picker
          label={texts.event.ask}
          name="why"
          submit={texts.event.whyNot}
          options={others.map(({ userId, name }) => [userId, nameOrId({ id: userId, name })] as const)}
          onPick={(id) => setQuery({ why: id })}
        />
      )}
      {why !== undefined && !isRecipient(why.user.id) && <ExplanationList explanation={why} />}
    </>
  );
};
