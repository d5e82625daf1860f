import { useState } from "preact/hooks";
import { texts } from "../texts.ts";
import { Field } from "./form.tsx";

type PickerProps = {
  label: string;
  /** The field's name in the API's faults. */
  name: string;
  options: readonly (readonly [value: string, text: string])[];
  onPick: (value: string) => void;
  submit?: string;
  /** The button's name for screen readers, if its text is too short. */
  submitLabel?: string;
};

/** Adds an item with a button, because a select alone would add an item at every arrow key. */
export const Picker = ({ label, name, options, onPick, submit = texts.add, submitLabel }: PickerProps) => {
  const [chosen, setChosen] = useState("");
  const value = options.some(([option]) => option === chosen) ? chosen : (options[0]?.[0] ?? "");
  return (
    <Field label={label} name={name}>
      {(control) => (
        <div class="picker">
          <select {...control} value={value} onChange={({ currentTarget }) => setChosen(currentTarget.value)}>
            {options.map(([option, text]) => (
              <option key={option} value={option} selected={option === value}>
                {text}
              </option>
            ))}
          </select>
          <button type="button" aria-label={submitLabel} disabled={options.length === 0} onClick={() => onPick(value)}>
            {submit}
          </button>
        </div>
      )}
    </Field>
  );
};
