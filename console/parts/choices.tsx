import { CheckField } from "./form.tsx";

type ChoicesProps<Id extends string> = {
  options: readonly { id: Id; name: string }[];
  chosen: readonly Id[];
  onChosen: (ids: Id[]) => void;
};

/** Shows a checkbox per option. `chosen`: in the order in which the reader chose the options. */
export const Choices = <Id extends string>({ options, chosen, onChosen }: ChoicesProps<Id>) =>
  options.map(({ id, name }) => (
    <CheckField
      key={id}
      label={name}
      checked={chosen.includes(id)}
      onChecked={(checked) => onChosen(checked ? [...chosen, id] : chosen.filter((one) => one !== id))}
    />
  ));
