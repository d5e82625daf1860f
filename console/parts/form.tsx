import { createContext, type ComponentChildren } from "preact";
import { useContext, useId, useState } from "preact/hooks";
import type { Fault } from "../app/failure.ts";
import type { ActionResult } from "../app/status.ts";
import { explainFailure, texts } from "../texts.ts";
import { useAction } from "./doing.ts";
import { useMissingRole, type MemberRole } from "./needs.tsx";

const Faults = createContext<readonly Fault[]>([]);

type FormProps = {
  /** The status line shows the result. */
  send: () => Promise<ActionResult>;
  submit: string;
  children: ComponentChildren;
  /** The names of fields that show their own faults. Faults of other fields are shown above the button. */
  fields: readonly string[];
  cancel?: () => void;
  unsaved?: boolean;
  /** The role that sending needs; by default, the page's role. */
  role?: MemberRole;
  /** `danger`: for an action that cannot be undone. */
  look?: "main" | "danger";
  ready?: boolean;
};

/** Converts a field's name in the API, such as `layers[0].start`, to its name in the form, `layers.0.start`. */
const toDottedField = (field: string): string => field.replaceAll(/\[(\d+)\]/g, ".$1");

/** Shows a form with a button that sends it. Shows each fault at its field, and keeps the input after a failure. */
export const Form = (props: FormProps) => {
  const { send, submit, children, fields, cancel, unsaved = false, role, look = "main", ready = true } = props;
  const reason = useMissingRole(role);
  const { busy, failure, run } = useAction(send);
  const refused = failure?.kind === "refused" ? failure.faults : [];
  const faults = refused.map((fault) => ({ ...fault, field: toDottedField(fault.field) }));
  const others = faults.filter(({ field }) => !fields.includes(field));
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (reason === undefined && ready) void run();
      }}
    >
      <Faults.Provider value={faults}>{children}</Faults.Provider>
      {failure !== undefined && (faults.length === 0 || others.length > 0) && (
        <div class="wrong" role="alert">
          {others.length === 0
            ? explainFailure(failure)
            : others.map(({ field, message }) => <p key={field}>{message}</p>)}
          {failure.kind === "refused" && failure.code === "changed_meanwhile" && (
            <a href={location.pathname} target="_blank" rel="noopener">
              {texts.seeNow}
            </a>
          )}
        </div>
      )}
      <p class="buttons">
        <button type="submit" class={look} aria-busy={busy} disabled={reason !== undefined || !ready} title={reason}>
          {submit}
        </button>
        {cancel !== undefined && (
          <button type="button" onClick={cancel}>
            {texts.cancel}
          </button>
        )}
        {unsaved && <span class="soft small">{texts.draft.unsaved}</span>}
      </p>
    </form>
  );
};

export type TypedField = { name: string; value: string; onValue: (value: string) => void };

/** Returns functions that create the properties of fields and checkboxes, whose input is passed to `change`. */
export const bindFields = <Values extends object>(values: Values, change: (changes: Partial<Values>) => void) => {
  const createSetter =
    <Key extends keyof Values>(key: Key) =>
    (value: Values[Key]): void => {
      const some: Partial<Values> = {};
      some[key] = value;
      change(some);
    };
  return {
    /** `name`: the field's name in the API's faults. */
    field: <Key extends keyof Values & string>(key: Key, name: string = key) => ({
      name,
      value: values[key],
      onValue: createSetter(key),
    }),
    check: <Key extends keyof Values>(key: Key) => ({ checked: values[key], onChecked: createSetter(key) }),
  };
};

/** Returns a form's input and the functions of `bindFields`, which change the input. */
export const useFields = <Values extends object>(initialValues: Values) => {
  const [values, setValues] = useState(initialValues);
  const changeValues = (changes: Partial<Values>): void => setValues((before) => ({ ...before, ...changes }));
  return { values, set: changeValues, ...bindFields(values, changeValues) };
};

/** Replaces the field's API name at the start of a fault's message by the field's label. */
const nameFieldInFault = ({ field, message }: Fault, label: string): string => {
  const name = field.split(".").at(-1) ?? field;
  const said = [field, name].find((one) => message.startsWith(`${one} `));
  return said === undefined ? message : `${label}: ${message.slice(said.length + 1)}`;
};

type ControlProps = { id: string; "aria-describedby": string | undefined; "aria-invalid": boolean };
type FieldProps = {
  label: string;
  /** The field's name in the API's faults. */
  name: string;
  hint?: string | undefined;
  children: (control: ControlProps) => ComponentChildren;
};

export const Field = ({ label, name, hint, children }: FieldProps) => {
  const id = useId();
  const fault = useContext(Faults).find(({ field }) => field === name);
  const described = [hint === undefined ? undefined : `${id}-hint`, fault === undefined ? undefined : `${id}-fault`]
    .filter((part) => part !== undefined)
    .join(" ");
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        "aria-describedby": described === "" ? undefined : described,
        "aria-invalid": fault !== undefined,
      })}
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {fault !== undefined && (
        <p class="wrong" id={`${id}-fault`} role="alert">
          {nameFieldInFault(fault, label)}
        </p>
      )}
    </div>
  );
};

type TextFieldProps = Omit<FieldProps, "children"> &
  TypedField & {
    type?: "text" | "search" | "number" | "datetime-local" | "time" | "email";
    autoFocus?: boolean;
    /** Suggested values, but any value can be typed. */
    options?: readonly string[];
  };

export const TextField = ({ value, onValue, type = "text", autoFocus = false, options, ...field }: TextFieldProps) => (
  <Field {...field}>
    {(control) => (
      <>
        <input
          {...control}
          type={type}
          value={value}
          list={options === undefined ? undefined : `${control.id}-options`}
          autocomplete="off"
          ref={(input) => {
            if (autoFocus && input !== null && input.dataset["focused"] === undefined) {
              input.dataset["focused"] = "";
              input.focus();
            }
          }}
          onInput={({ currentTarget }) => onValue(currentTarget.value)}
        />
        {options !== undefined && (
          <datalist id={`${control.id}-options`}>
            {options.map((option) => (
              <option key={option} value={option} />
            ))}
          </datalist>
        )}
      </>
    )}
  </Field>
);

type AreaFieldProps = Omit<FieldProps, "children"> & TypedField & { rows?: number };

export const AreaField = ({ value, onValue, rows = 8, ...field }: AreaFieldProps) => (
  <Field {...field}>
    {(control) => (
      <textarea
        {...control}
        rows={rows}
        spellcheck={false}
        value={value}
        onInput={({ currentTarget }) => onValue(currentTarget.value)}
      />
    )}
  </Field>
);

type SelectFieldProps<Value extends string> = Omit<FieldProps, "children"> & {
  value: Value;
  options: readonly (readonly [value: Value, text: string])[];
  onValue: (value: Value) => void;
};

export const SelectField = <Value extends string>({ value, options, onValue, ...field }: SelectFieldProps<Value>) => (
  <Field {...field}>
    {(control) => (
      <select
        {...control}
        value={value}
        onChange={({ currentTarget }) => {
          const [chosen] = options[currentTarget.selectedIndex] ?? [];
          if (chosen !== undefined) onValue(chosen);
        }}
      >
        {options.map(([option, text]) => (
          <option key={option} value={option} selected={option === value}>
            {text}
          </option>
        ))}
      </select>
    )}
  </Field>
);

type CheckFieldProps = {
  label: string;
  checked: boolean;
  onChecked: (checked: boolean) => void;
  hint?: string | undefined;
  role?: "switch";
  disabled?: boolean;
};

export const CheckField = ({ label, checked, onChecked, hint, role, disabled = false }: CheckFieldProps) => {
  const id = useId();
  return (
    <div class="check">
      <input
        id={id}
        type="checkbox"
        {...(role === undefined ? {} : { role })}
        checked={checked}
        disabled={disabled}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={({ currentTarget }) => onChecked(currentTarget.checked)}
      />
      <label for={id}>{label}</label>
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
};
