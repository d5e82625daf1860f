import { CheckField, TextField } from "../../parts/form.tsx";
import { texts } from "../../page-texts/rules.ts";
import { eventFields, type Draft } from "./draft.ts";

type RingingProps = { draft: Draft; change: (some: Partial<Draft>) => void };

/** The faults that the form shows beside its fields. */
export const ringingFields = ["groupBy", "groupMinutes", "atLeast.count", "atLeast.withinMinutes"];

/** Which of a rule's events ring: the first of a group, or only when so many have come. */
export const Ringing = ({ draft, change }: RingingProps) => (
  <>
    <CheckField
      label={texts.rule.ringsOnce}
      hint={texts.rule.ringsOnceHint}
      checked={draft.groups}
      onChecked={(groups) => change({ groups })}
    />
    {draft.groups && (
      <>
        <TextField
          label={texts.rule.groupBy}
          hint={texts.rule.groupByHint}
          name="groupBy"
          value={draft.groupBy}
          options={eventFields}
          onValue={(groupBy) => change({ groupBy })}
        />
        <TextField
          label={texts.rule.groupMinutes}
          name="groupMinutes"
          type="number"
          value={draft.groupMinutes}
          onValue={(groupMinutes) => change({ groupMinutes })}
        />
      </>
    )}
    <CheckField label={texts.rule.counts} checked={draft.counts} onChecked={(counts) => change({ counts })} />
    {draft.counts && (
      <>
        <TextField
          label={texts.rule.count}
          name="atLeast.count"
          type="number"
          value={draft.count}
          onValue={(next) => change({ count: next })}
        />
        <TextField
          label={texts.rule.withinMinutes}
          name="atLeast.withinMinutes"
          type="number"
          value={draft.withinMinutes}
          onValue={(withinMinutes) => change({ withinMinutes })}
        />
      </>
    )}
  </>
);
