import { bindFields, TextField } from "../../parts/form.tsx";
import { Picker } from "../../parts/picker.tsx";
import { texts } from "../../page-texts/escalation.ts";
import type { StepDraft } from "./draft.ts";
import { toTargetKey, type Names, listTargets, describeTarget } from "./names.ts";

type StepProps = {
  step: StepDraft;
  index: number;
  names: Names;
  onStep: (change: Partial<StepDraft>) => void;
  remove: () => void;
};

export const Step = ({ step, index, names, onStep, remove }: StepProps) => {
  const { targets } = step;
  const { field } = bindFields(step, onStep);
  const chosen = new Set(targets.map(toTargetKey));
  const left = listTargets(names).filter((target) => !chosen.has(toTargetKey(target)));
  const addTarget = (key: string): void =>
    onStep({ targets: [...targets, ...left.filter((target) => toTargetKey(target) === key)] });
  return (
    <fieldset class="panel step-line">
      <legend>{texts.policy.stepNumber(index + 1)}</legend>
      <span aria-hidden="true">{texts.policy.lineAfter}</span>
      <TextField label={texts.policy.delay} type="number" {...field("delayMinutes", `steps.${index}.delayMinutes`)} />
      <span aria-hidden="true">{texts.policy.lineNotify}</span>
      <ul class="chips">
        {targets.map((target) => (
          <li key={toTargetKey(target)} class="target">
            <span>{describeTarget(target, names)}</span>
            <button
              type="button"
              aria-label={texts.removeOf(describeTarget(target, names))}
              onClick={() => onStep({ targets: targets.filter((one) => one !== target) })}
            >
              ×
            </button>
          </li>
        ))}
      </ul>
      <Picker
        label={texts.policy.tell}
        name={`steps.${index}.targets`}
        options={left.map((target) => [toTargetKey(target), describeTarget(target, names)] as const)}
        submit="+"
        submitLabel={texts.add}
        onPick={addTarget}
      />
      <button type="button" class="danger" aria-label={texts.policy.removeStepNumber(index + 1)} onClick={remove}>
        {texts.policy.removeStep}
      </button>
    </fieldset>
  );
};
