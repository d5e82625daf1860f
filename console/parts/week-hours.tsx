import { texts } from "../page-texts.ts";
import { CheckField, TextField, type TypedField } from "./form.tsx";
import { calendarDays, formatDayName, weekDays, type WeekHours } from "./week.ts";

type WeekHoursFieldsProps = {
  hours: WeekHours;
  onHours: (hours: WeekHours) => void;
  /** The prefix of fields in the API's faults. */
  prefix: string;
};

export const WeekHoursFields = ({ hours, onHours, prefix }: WeekHoursFieldsProps) => (
  <>
    <fieldset class="days-of-week">
      <legend>{texts.week.days}</legend>
      {calendarDays.map((day) => (
        <CheckField
          key={day}
          label={formatDayName(day)}
          checked={hours.days.includes(day)}
          onChecked={(checked) =>
            onHours({ ...hours, days: weekDays.filter((one) => (one === day ? checked : hours.days.includes(one))) })
          }
        />
      ))}
    </fieldset>
    <div class="pair">
      <TextField
        label={texts.week.from}
        name={`${prefix}.from`}
        type="time"
        value={hours.from}
        onValue={(from) => onHours({ ...hours, from })}
      />
      <TextField
        label={texts.week.to}
        name={`${prefix}.to`}
        type="time"
        value={hours.to}
        onValue={(to) => onHours({ ...hours, to })}
      />
    </div>
  </>
);

type WeekHoursListProps = {
  list: readonly WeekHours[];
  onList: (list: WeekHours[]) => void;
  /** The list's name in the API's faults. */
  name: string;
};

export const WeekHoursList = ({ list, onList, name }: WeekHoursListProps) =>
  list.map((hours, index) => (
    <div key={index} class="condition-block" role="group" aria-label={texts.week.hoursOf(index + 1)}>
      <WeekHoursFields
        hours={hours}
        prefix={`${name}.${index}`}
        onHours={(next) => onList(list.map((one, other) => (other === index ? next : one)))}
      />
      <button type="button" onClick={() => onList(list.filter((_, other) => other !== index))}>
        {texts.week.removeHours}
      </button>
    </div>
  ));

const zones = Intl.supportedValuesOf("timeZone");

export const ZoneField = (field: TypedField) => <TextField label={texts.week.zone} options={zones} {...field} />;
