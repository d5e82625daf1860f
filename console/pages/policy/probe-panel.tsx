import type { Api } from "../../app/api.ts";
import type { Answers } from "../../app/types.ts";
import { ProbeMark } from "../../parts/probe-mark.tsx";
import { useResource } from "../../parts/use-resource.ts";
import { texts as all } from "../../page-texts/escalation.ts";

const texts = all.policy.probes;

const LOOK_SECONDS = 30;

/** Shows for each step whether somebody has confirmed a probe's push. */
export const ProbePanel = ({ policy, api }: { policy: Answers["EscalationPolicy"]; api: Api }) => {
  const state = useResource(() => api("routing-rules/list-probes", {}), LOOK_SECONDS, policy.id);
  if (state?.kind !== "ready") return null;
  const shown = state.data.find(({ id }) => id === policy.id);
  // Probes leave out steps without targets, so the numbers of the other steps are computed here.
  const numbers = policy.steps.flatMap(({ targets }, index) => (targets.length === 0 ? [] : [index + 1]));
  return (
    <section class="panel" aria-labelledby="probe">
      <h2 id="probe">{texts.heading}</h2>
      <p class="soft">{shown === undefined ? texts.none : texts.lead}</p>
      {shown !== undefined && (
        <>
          <p>
            <ProbeMark status={shown.status} />
          </p>
          <ul class="steps">
            {shown.steps.map(({ status, people, confirmed }, index) => (
              <li key={index}>
                {texts.step(numbers[index] ?? 0, confirmed, people)} <ProbeMark status={status} />
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
};
