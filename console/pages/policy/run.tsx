import { texts } from "../../page-texts/escalation.ts";
import { type Names, listStepTimes } from "./names.ts";
import type { StepDraft } from "./draft.ts";

const SHOWN_MAX = 30;
type PolicyTimesProps = { steps: readonly StepDraft[]; repeat: number; names: Names };

/** Lists whom the policy notifies, and after how many minutes, if nobody acknowledges. */
export const PolicyTimes = ({ steps, repeat, names }: PolicyTimesProps) => {
  const rounds = Array.from({ length: Math.max(0, repeat) + 1 }, () => steps).flat();
  return (
    <section class="panel" aria-label={texts.policy.run} aria-live="polite">
      <h2>{texts.policy.run}</h2>
      <ol class="story">
        {listStepTimes(rounds.slice(0, SHOWN_MAX), names).map(({ minutes, who }, index) => (
          <li key={index}>
            <span class="number">{texts.policy.after(minutes)}</span>
            <span dir="auto">{who.join(", ")}</span>
          </li>
        ))}
      </ol>
      <p class="soft">{texts.policy.ends}</p>
    </section>
  );
};
