import { CheckField, bindFields, TextField } from "../../parts/form.tsx";
import { texts } from "../../page-texts/rules.ts";
import { eventFields, type Draft } from "./draft.ts";

type GroupingProps = { draft: Draft; change: (changes: Partial<Draft>) => void };

/** The names of the fields of grouping and threshold, for the property `fields` of `Form`. */
export const groupingFields = ["groupBy", "groupMinutes", "atLeast.count", "atLeast.withinMinutes"];

/** Shows the fields of grouping and threshold, which decide which events notify people. */
export const GroupingFields = ({ draft, change }: GroupingProps) => {
  const { field, check } = bindFields(draft, change);
  return (
    <>
      <CheckField label={texts.rule.ringsOnce} hint={texts.rule.ringsOnceHint} {...check("groups")} />
      {draft.groups && (
        <>
          <TextField
            label={texts.rule.groupBy}
            hint={texts.rule.groupByHint}
            options={eventFields}
            {...field("groupBy")}
          />
          <TextField label={texts.rule.groupMinutes} type="number" {...field("groupMinutes")} />
        </>
      )}
      <CheckField label={texts.rule.counts} {...check("counts")} />
      {draft.counts && (
        <>
          <TextField label={texts.rule.count} type="number" {...field("count", "atLeast.count")} />
          <TextField
            label={texts.rule.withinMinutes}
            type="number"
            {...field("withinMinutes", "atLeast.withinMinutes")}
          />
        </>
      )}
    </>
  );
};
