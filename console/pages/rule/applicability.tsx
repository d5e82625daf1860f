import { readReaderTimeZone } from "../../app/dates.ts";
import { CheckField, bindFields, TextField } from "../../parts/form.tsx";
import { WeekHoursList, ZoneField } from "../../parts/week-hours.tsx";
import { officeHours } from "../../parts/week.ts";
import { texts } from "../../page-texts/rules.ts";
import type { Draft } from "./draft.ts";

type WhenProps = { draft: Draft; change: (changes: Partial<Draft>) => void };

/** Lists the names of the fields that decide when a rule applies, for the property `fields` of `Form`. */
export const listApplicabilityFields = ({ activeHours }: Pick<Draft, "activeHours">): string[] => [
  "timeZone",
  "chain",
  "position",
  ...activeHours.flatMap((_, index) => [`activeHours.${index}.from`, `activeHours.${index}.to`]),
];

export const ApplicabilityFields = ({ draft, change }: WhenProps) => {
  const { activeHours, timeZone } = draft;
  const { field, check } = bindFields(draft, change);
  return (
    <>
      <CheckField label={texts.rule.fallback} hint={texts.rule.fallbackHint} {...check("fallback")} />
      <TextField label={texts.rule.chain} hint={texts.rule.chainHint} {...field("chain")} />
      {draft.chain !== "" && <TextField label={texts.rule.position} type="number" {...field("position")} />}
      <WeekHoursList list={activeHours} name="activeHours" onList={(list) => change({ activeHours: list })} />
      <p class="buttons">
        <button
          type="button"
          onClick={() =>
            change({
              activeHours: [...activeHours, officeHours],
              ...(timeZone === "" ? { timeZone: readReaderTimeZone() } : {}),
            })
          }
        >
          {texts.week.addHours}
        </button>
      </p>
      {activeHours.length > 0 && <ZoneField {...field("timeZone")} />}
    </>
  );
};
