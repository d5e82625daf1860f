import { definePage, type ViewProps } from "../app/page.tsx";
import { Open } from "../parts/needs.tsx";
import { Searched } from "../parts/searched.tsx";
import { texts } from "../page-texts/escalation.ts";
import { type Names, readNames, whoOf } from "./policy/names.ts";
import type { Answers } from "../app/types.ts";

type Data = { policies: Answers["EscalationPolicy"][]; names: Names };

const NewPolicy = () => (
  <Open look="main" href="/escalation/new">
    {texts.policy.newPolicy}
  </Open>
);

type Step = Data["policies"][number]["steps"][number];

/** The steps with the minutes from the event on; one without targets is passed at once, as the service passes it. */
const runOf = (steps: readonly Step[]): { minutes: number; targets: Step["targets"] }[] => {
  let minutes = 0;
  return steps
    .filter(({ targets }) => targets.length > 0)
    .map(({ delayMinutes, targets }) => {
      minutes += delayMinutes;
      return { minutes, targets };
    });
};

const EscalationView = ({ data: { policies, names } }: ViewProps<Data>) => (
  <Searched
    items={policies}
    table="table-policies"
    textsOf={({ name, steps }) => [name, ...steps.flatMap(({ targets }) => targets.map((one) => whoOf(one, names)))]}
    empty={texts.policy.empty}
    next={<NewPolicy />}
  >
    {({ id, name, steps, repeat }) => (
      <li key={id}>
        <strong>{name}</strong>
        <ol class="steps">
          {runOf(steps).map(({ minutes, targets }) => (
            <li key={minutes}>
              {texts.policy.step(
                minutes,
                targets.map((target) => whoOf(target, names)),
              )}
            </li>
          ))}
        </ol>
        <span class="soft">{texts.policy.repeats(repeat)}</span>
        <a class="button" href={`/escalation/${id}`} aria-label={texts.editOf(name)} data-row>
          {texts.edit}
        </a>
      </li>
    )}
  </Searched>
);

export const page = definePage<Data>({
  heading: texts.pages.escalation,
  load: async ({ api }) => {
    const [policies, names] = await Promise.all([
      api("escalation-policies/list-escalation-policies", {}),
      readNames(api),
    ]);
    return { policies, names };
  },
  everySeconds: 30,
  Actions: ({ data: { policies } }) => (policies.length === 0 ? null : <NewPolicy />),
  needs: "manager",
  View: EscalationView,
});
