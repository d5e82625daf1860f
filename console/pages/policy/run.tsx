import { texts } from "../../page-texts/escalation.ts";
import { type Names, whoOf } from "./names.ts";
import type { StepDraft } from "./draft.ts";

const SHOWN_MAX = 30;

/** Whom a policy tells and when, counted from the event, as long as nobody acknowledges. */
export const Run = ({ steps, repeat, names }: { steps: readonly StepDraft[]; repeat: number; names: Names }) => {
  let minutes = 0;
  const told = Array.from({ length: Math.max(0, repeat) + 1 }, () => steps)
    .flat()
    .slice(0, SHOWN_MAX)
    .flatMap(({ delayMinutes, targets }, index) => {
      // A step without targets is skipped at once.
      if (targets.length === 0) return [];
      minutes += Number(delayMinutes);
      return [{ key: index, minutes, who: targets.map((target) => whoOf(target, names)) }];
    });
  return (
    <section class="panel" aria-label={texts.policy.run} aria-live="polite">
      <h2>{texts.policy.run}</h2>
      <ol class="story">
        {told.map(({ key, minutes: after, who }) => (
          <li key={key}>
            <span class="number">{texts.policy.after(after)}</span>
            <span>{who.join(", ")}</span>
          </li>
        ))}
      </ol>
      <p class="soft">{texts.policy.ends}</p>
    </section>
  );
};
