import type { Answers } from "../../app/types.ts";
import { SelectField, TextField } from "../../parts/form.tsx";
import { Picker } from "../../parts/picker.tsx";
import { WeekHoursFields } from "../../parts/week-hours.tsx";
import { texts } from "../../texts.ts";
import { type LayerDraft, officeHours } from "./draft.ts";

type RotationProps = {
  layer: LayerDraft;
  index: number;
  members: readonly Answers["ListedMember"][];
  onLayer: (change: Partial<LayerDraft>) => void;
  remove: () => void;
};

const units = [
  ["hour", texts.schedule.units.hour],
  ["day", texts.schedule.units.day],
  ["week", texts.schedule.units.week],
] as const;

const without = <Item,>(list: readonly Item[], place: number): Item[] => list.filter((_, index) => index !== place);
const raised = <Item,>(list: readonly Item[], place: number): Item[] => {
  const item = list.slice(place, place + 1);
  return [...list.slice(0, place - 1), ...item, ...list.slice(place - 1, place), ...list.slice(place + 1)];
};

const Participants = ({ layer: { participants }, members, onLayer }: RotationProps) => {
  const nameOf = (id: string): string => members.find(({ userId }) => userId === id)?.name ?? id;
  return (
    <>
      <h2 class="minor">{texts.schedule.turns}</h2>
      <ol class="rows turns">
        {participants.map((userId, place) => (
          <li key={`${userId} ${place}`}>
            <span>
              {place + 1}. {nameOf(userId)}
            </span>
            <button
              type="button"
              disabled={place === 0}
              aria-label={texts.schedule.up(nameOf(userId))}
              onClick={() => onLayer({ participants: raised(participants, place) })}
            >
              ↑
            </button>
            <button
              type="button"
              aria-label={`${texts.remove} ${nameOf(userId)}`}
              onClick={() => onLayer({ participants: without(participants, place) })}
            >
              {texts.remove}
            </button>
          </li>
        ))}
      </ol>
      <Picker
        label={texts.schedule.person}
        options={members.map(({ userId, name }) => [userId, name] as const)}
        onPick={(userId) => onLayer({ participants: [...participants, userId] })}
      />
    </>
  );
};

const Hours = ({ layer: { restrictions }, index, onLayer }: RotationProps) => (
  <>
    {restrictions.map((hours, place) => (
      <div key={place} class="condition-block" role="group" aria-label={texts.schedule.hoursOf(place + 1)}>
        <WeekHoursFields
          hours={hours}
          prefix={`layers.${index}.restrictions.${place}`}
          onHours={(next) =>
            onLayer({ restrictions: restrictions.map((one, other) => (other === place ? next : one)) })
          }
        />
        <button type="button" onClick={() => onLayer({ restrictions: without(restrictions, place) })}>
          {texts.schedule.removeHours}
        </button>
      </div>
    ))}
    <button type="button" onClick={() => onLayer({ restrictions: [...restrictions, officeHours] })}>
      {texts.schedule.addHours}
    </button>
  </>
);

/** One rotation of a schedule: who takes turns, how long a turn is, and in which hours it counts. */
export const Rotation = (props: RotationProps) => {
  const { layer, index, onLayer, remove } = props;
  return (
    <fieldset class="panel">
      <legend>{texts.schedule.rotation(index + 1)}</legend>
      <div class="triple">
        <TextField
          label={texts.schedule.start}
          name={`layers.${index}.start`}
          type="datetime-local"
          value={layer.start}
          onValue={(start) => onLayer({ start })}
        />
        <TextField
          label={texts.schedule.every}
          name={`layers.${index}.every`}
          type="number"
          value={layer.every}
          onValue={(every) => onLayer({ every })}
        />
        <SelectField
          label={texts.schedule.unit}
          name={`layers.${index}.unit`}
          value={layer.unit}
          options={units}
          onValue={(unit) => onLayer({ unit })}
        />
      </div>
      <Participants {...props} />
      <h2 class="minor">{texts.schedule.hours}</h2>
      <Hours {...props} />
      <p>
        <button type="button" class="danger" aria-label={texts.schedule.removeRotation(index + 1)} onClick={remove}>
          {texts.schedule.remove}
        </button>
      </p>
    </fieldset>
  );
};
