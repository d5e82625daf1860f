import { texts } from "../page-texts.ts";
import { CheckField, TextField } from "./form.tsx";
import { calendarDays, dayName, weekDays, type WeekHours } from "./week.ts";

type WeekHoursFieldsProps = {
  hours: WeekHours;
  onHours: (hours: WeekHours) => void;
  /** The prefix of the field names in the API's faults. */
  prefix: string;
};

export const WeekHoursFields = ({ hours, onHours, prefix }: WeekHoursFieldsProps) => (
  <>
    <fieldset class="days-of-week">
      <legend>{texts.week.days}</legend>
      {calendarDays.map((day) => (
        <CheckField
          key={day}
          label={dayName(day)}
          checked={hours.days.includes(day)}
          onChecked={(checked) =>
            onHours({
              ...hours,
              days: weekDays.filter((one) => (one === day ? checked : hours.days.includes(one))),
            })
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
