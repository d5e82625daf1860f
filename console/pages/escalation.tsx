import { definePage, type ViewProps } from "../app/page.tsx";
import { OpenButton } from "../parts/needs.tsx";
import { ProbeMark } from "../parts/probe-mark.tsx";
import { SearchableList } from "../parts/searched.tsx";
import { texts } from "../page-texts/escalation.ts";
import { type Names, readNames, listStepTimes, describeTarget } from "./policy/names.ts";
import type { Answers } from "../app/types.ts";

type Data = { policies: Answers["EscalationPolicy"][]; names: Names; probes: Answers["Probe"][] };

const NewPolicy = () => (
  <OpenButton look="main" href="/escalation/new">
    {texts.policy.newPolicy}
  </OpenButton>
);

/** Shows whether somebody of the step has confirmed a probe's push. */
const StepMark = ({ step }: { step: Answers["Probe"]["steps"][number] | undefined }) =>
  step === undefined ? null : <ProbeMark status={step.status} />;

const EscalationView = ({ data: { policies, names, probes } }: ViewProps<Data>) => (
  <SearchableList
    items={policies}
    table="table-policies"
    textsOf={({ name, steps }) => [
      name,
      ...steps.flatMap(({ targets }) => targets.map((one) => describeTarget(one, names))),
    ]}
    empty={texts.policy.empty}
    next={<NewPolicy />}
  >
    {({ id, name, steps, repeat }) => (
      <li key={id}>
        <strong>{name}</strong>
        <ol class="steps">
          {listStepTimes(steps, names).map(({ minutes, who }, index) => (
            <li key={minutes}>
              {texts.policy.step(minutes, who)} <StepMark step={probes.find((one) => one.id === id)?.steps[index]} />
            </li>
          ))}
        </ol>
        <span class="soft">{texts.policy.repeats(repeat)}</span>
        <a class="button" href={`/escalation/${id}`} aria-label={texts.editOf(name)} data-row>
          {texts.edit}
        </a>
      </li>
    )}
  </SearchableList>
);

export const page = definePage<Data>({
  heading: texts.pages.escalation,
  load: async ({ api }) => {
    const [policies, names, probes] = await Promise.all([
      api("escalation-policies/list-escalation-policies", {}),
      readNames(api),
      api("routing-rules/list-probes", {}),
    ]);
    return { policies, names, probes };
  },
  everySeconds: 30,
  Actions: ({ data: { policies } }) => (policies.length === 0 ? null : <NewPolicy />),
  needs: "manager",
  View: EscalationView,
});
