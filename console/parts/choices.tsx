import { CheckField } from "./form.tsx";

type ChoicesProps = {
  options: readonly { id: string; name: string }[];
  chosen: readonly string[];
  onChosen: (ids: string[]) => void;
};

/** Things to choose some of, in the order in which they were chosen. */
export const Choices = ({ options, chosen, onChosen }: ChoicesProps) =>
  options.map(({ id, name }) => (
    <CheckField
      key={id}
      label={name}
      checked={chosen.includes(id)}
      onChecked={(checked) => onChosen(checked ? [...chosen, id] : chosen.filter((one) => one !== id))}
    />
  ));
