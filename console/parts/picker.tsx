import { useState } from "preact/hooks";
import { texts } from "../texts.ts";
import { Field } from "./form.tsx";

type PickerProps = {
  label: string;
  /** The field's name in faults. */
  name: string;
  options: readonly (readonly [value: string, text: string])[];
  onPick: (value: string) => void;
  /** What its button says. */
  submit?: string;
  /** Its name, where it says too little. */
  submitLabel?: string;
};

/** Adds items of a list one by one. It has a button, because a list alone would add at every key pressed on the way. */
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
