import type { ReadonlySignal } from "@preact/signals";
import { CheckField, bindFields, SelectField, TextField } from "../../parts/form.tsx";
import type { Answers } from "../../app/types.ts";
import { texts } from "../../page-texts.ts";
import {
  comparesTexts,
  type ConditionDraft,
  type Draft,
  emptyCondition,
  eventFields,
  operatorNames,
  operators,
} from "./draft.ts";

export type ConditionsProps = {
  conditions: readonly ConditionDraft[];
  match: Draft["conditionMatch"];
  onChange: (change: Pick<Draft, "conditions"> | Pick<Draft, "conditionMatch">) => void;
  /** Fields that were seen in events with the rule's event key. */
  eventType: ReadonlySignal<Answers["EventTypeWithFields"]["fields"]>;
};

const operatorOptions = operatorNames.map((name) => [name, texts.operators[name] ?? name] as const);
const priorityNames = ["LOW", "NORMAL", "HIGH", "URGENT"];
const matches = [
  ["all", texts.matching.all],
  ["any", texts.matching.any],
] as const;

type ConditionProps = {
  condition: ConditionDraft;
  index: number;
  paths: readonly string[];
  samples: readonly string[];
  onChange: (change: Partial<ConditionDraft>) => void;
  remove: () => void;
};

const Condition = ({ condition, index, paths, samples, onChange, remove }: ConditionProps) => {
  const { operator } = condition;
  const { field, check } = bindFields(condition, onChange);
  const operands = operators[operator];
  return (
    <div class="condition" role="group" aria-label={texts.matching.condition(index + 1)}>
      <TextField label={texts.matching.field} options={paths} {...field("field", `conditions.${index}.field`)} />
      <SelectField
        label={texts.matching.operator}
        options={operatorOptions}
        {...field("operator", `conditions.${index}.operator`)}
      />
      {operands !== "none" && (
        <TextField
          label={texts.matching.value}
          options={samples}
          hint={operands === "list" ? texts.matching.listHint : undefined}
          {...field("value", `conditions.${index}.value`)}
        />
      )}
      {operands === "two" && (
        <TextField label={texts.matching.high} {...field("high", `conditions.${index}.value.1`)} />
      )}
      <CheckField label={texts.matching.not} {...check("not")} />
      {comparesTexts(operator) && <CheckField label={texts.matching.ignoreCase} {...check("ignoreCase")} />}
      <button type="button" aria-label={`${texts.matching.removeCondition} ${index + 1}`} onClick={remove}>
        {texts.matching.removeCondition}
      </button>
    </div>
  );
};

export const Conditions = ({ conditions, match, onChange, eventType }: ConditionsProps) => {
  const fields = eventType.value;
  const paths = [...new Set([...eventFields, ...fields.map(({ path }) => path)])];
  const listSamples = (field: string): readonly string[] =>
    field === "priority" ? priorityNames : (fields.find(({ path }) => path === field)?.samples ?? []).map(String);
  const changeCondition = (id: number, changes: Partial<ConditionDraft>): void =>
    onChange({ conditions: conditions.map((one) => (one.id === id ? { ...one, ...changes } : one)) });
  const addCondition = (): void => {
    const id = Math.max(0, ...conditions.map((one) => one.id)) + 1;
    const field = fields[0]?.path ?? "title";
    onChange({ conditions: [...conditions, { ...emptyCondition, id, field }] });
  };
  return (
    <fieldset>
      <legend>{texts.matching.conditions}</legend>
      {conditions.length > 1 && (
        <SelectField
          label={texts.matching.match}
          name="conditionMatch"
          value={match}
          options={matches}
          onValue={(conditionMatch) => onChange({ conditionMatch })}
        />
      )}
      {conditions.map((condition, index) => (
        <Condition
          key={condition.id}
          condition={condition}
          index={index}
          paths={paths}
          samples={listSamples(condition.field)}
          onChange={(change) => changeCondition(condition.id, change)}
          remove={() => onChange({ conditions: conditions.filter(({ id }) => id !== condition.id) })}
        />
      ))}
      <button type="button" onClick={addCondition}>
        {texts.matching.addCondition}
      </button>
    </fieldset>
  );
};
