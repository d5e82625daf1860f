import { myZone } from "../../app/dates.ts";
import { CheckField, fieldsFor, TextField } from "../../parts/form.tsx";
import { WeekHoursFields } from "../../parts/week-hours.tsx";
import type { WeekHours } from "../../parts/week.ts";
import { texts } from "../../page-texts/rules.ts";
import type { Draft } from "./draft.ts";

type WhenProps = { draft: Draft; change: (some: Partial<Draft>) => void };

const workingHours: WeekHours = { days: ["mon", "tue", "wed", "thu", "fri"], from: "09:00", to: "17:00" };
const zones = Intl.supportedValuesOf("timeZone");

/** The faults that the form shows beside its fields. */
export const whenFields = ({ activeHours }: Pick<Draft, "activeHours">): string[] => [
  "timeZone",
  ...activeHours.flatMap((_, index) => [`activeHours.${index}.from`, `activeHours.${index}.to`]),
];

/** When a rule applies: only in certain hours, or only where no other rule does. */
export const When = ({ draft, change }: WhenProps) => {
  const { activeHours, timeZone } = draft;
  const { field, check } = fieldsFor(draft, change);
  const set = (index: number, hours: WeekHours): void =>
    change({ activeHours: activeHours.map((one, other) => (other === index ? hours : one)) });
  return (
    <>
      <CheckField label={texts.rule.fallback} hint={texts.rule.fallbackHint} {...check("fallback")} />
      {activeHours.map((hours, index) => (
        <div key={index} class="condition-block" role="group" aria-label={texts.week.hoursOf(index + 1)}>
          <WeekHoursFields hours={hours} prefix={`activeHours.${index}`} onHours={(next) => set(index, next)} />
          <button
            type="button"
            onClick={() => change({ activeHours: activeHours.filter((_, other) => other !== index) })}
          >
            {texts.week.removeHours}
          </button>
        </div>
      ))}
      <p class="buttons">
        <button
          type="button"
          onClick={() =>
            change({
              activeHours: [...activeHours, workingHours],
              ...(timeZone === "" ? { timeZone: myZone() } : {}),
            })
          }
        >
          {texts.week.addHours}
        </button>
      </p>
      {activeHours.length > 0 && <TextField label={texts.week.zone} options={zones} {...field("timeZone")} />}
    </>
  );
};
