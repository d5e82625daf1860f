import { bindFields, TextField } from "../../parts/form.tsx";
import { texts } from "../../page-texts.ts";
import { Conditions, type ConditionsProps } from "./conditions.tsx";
import type { Draft } from "./draft.ts";

type MatchFields = Pick<Draft, "eventKey" | "conditions" | "conditionMatch">;
type MatchingProps = Pick<ConditionsProps, "eventType"> & {
  draft: MatchFields;
  change: (changes: Partial<MatchFields>) => void;
  eventKeys: readonly string[];
};

export const MatchingFields = ({ draft, change, eventKeys, eventType }: MatchingProps) => {
  const { field } = bindFields(draft, change);
  return (
    <>
      <TextField label={texts.eventKey} hint={texts.matching.eventKeyHint} options={eventKeys} {...field("eventKey")} />
      <Conditions conditions={draft.conditions} match={draft.conditionMatch} onChange={change} eventType={eventType} />
    </>
  );
};
