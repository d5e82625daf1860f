import type { Answers } from "../../app/types.ts";
import { bindFields, SelectField, TextField } from "../../parts/form.tsx";
import { Picker } from "../../parts/picker.tsx";
import { WeekHoursList } from "../../parts/week-hours.tsx";
import { officeHours } from "../../parts/week.ts";
import { texts } from "../../page-texts/on-call.ts";
import type { LayerDraft } from "./draft.ts";

type RotationTurns = LayerDraft["participants"];

type RotationProps = {
  layer: LayerDraft;
  index: number;
  members: readonly Answers["ListedMember"][];
  inGroup: readonly string[];
  onLayer: (change: Partial<LayerDraft>) => void;
  remove: () => void;
};

const units = [
  ["hour", texts.schedule.units.hour],
  ["day", texts.schedule.units.day],
  ["week", texts.schedule.units.week],
  ["month", texts.schedule.units.month],
] as const;
const counted = [
  ["calendar", texts.schedule.counted.calendar],
  ["duty", texts.schedule.counted.duty],
] as const;

const removeAt = <Item,>(list: readonly Item[], index: number): Item[] => list.toSpliced(index, 1);
const moveUp = <Item,>(list: readonly Item[], index: number): Item[] =>
  list.toSpliced(index - 1, 2, ...list.slice(index - 1, index + 1).reverse());

/** Merges the turn at `index` with the turn before. Somebody who is in both turns is listed once. */
const mergeWithTurnBefore = (turns: RotationTurns, index: number): RotationTurns =>
  turns.toSpliced(index - 1, 2, [...new Set(turns.slice(index - 1, index + 1).flat())]);
/** Replaces the turn at `splitIndex` by a turn for each of its people. */
const splitTurnByPerson = (turns: RotationTurns, splitIndex: number): RotationTurns =>
  turns.flatMap((people, index) => (index === splitIndex ? people.map((userId) => [userId]) : [people]));

type TurnProps = {
  participants: RotationTurns;
  index: number;
  namesOf: (people: readonly string[]) => string;
  onTurns: (turns: RotationTurns) => void;
};

const TurnItem = ({ participants, index, namesOf, onTurns }: TurnProps) => {
  const people = participants[index] ?? [];
  const names = namesOf(people);
  return (
    <li>
      <span>
        {index + 1}. {names}
      </span>
      <button
        type="button"
        disabled={index === 0}
        aria-label={texts.schedule.up(names)}
        onClick={() => onTurns(moveUp(participants, index))}
      >
        ↑
      </button>
      {people.length > 1 ? (
        <button
          type="button"
          aria-label={texts.schedule.apartOf(names)}
          onClick={() => onTurns(splitTurnByPerson(participants, index))}
        >
          {texts.schedule.apart}
        </button>
      ) : (
        <button
          type="button"
          disabled={index === 0}
          aria-label={texts.schedule.togetherOf(names, namesOf(participants[index - 1] ?? []))}
          onClick={() => onTurns(mergeWithTurnBefore(participants, index))}
        >
          {texts.schedule.together}
        </button>
      )}
      <button type="button" aria-label={texts.removeOf(names)} onClick={() => onTurns(removeAt(participants, index))}>
        {texts.remove}
      </button>
    </li>
  );
};

const Participants = ({ layer: { participants }, index, members, inGroup, onLayer }: RotationProps) => {
  const joinNames = (people: readonly string[]): string =>
    people.length === 0
      ? texts.schedule.nobody
      : people.map((id) => members.find(({ userId }) => userId === id)?.name ?? id).join(", ");
  const setTurns = (turns: RotationTurns): void => onLayer({ participants: turns });
  const others = inGroup.filter((userId) => !participants.some((people) => people.includes(userId)));
  return (
    <>
      <h2 class="minor">{texts.schedule.turns}</h2>
      <ol class="rows turns">
        {participants.map((people, index) => (
          <TurnItem
            key={`${people.join(" ")} ${index}`}
            participants={participants}
            index={index}
            namesOf={joinNames}
            onTurns={setTurns}
          />
        ))}
      </ol>
      <Picker
        label={texts.schedule.person}
        name={`layers.${index}.participants`}
        options={members.map(({ userId, name }) => [userId, name] as const)}
        onPick={(userId) => setTurns([...participants, [userId]])}
      />
      <p class="buttons">
        {others.length > 0 && (
          <button type="button" onClick={() => setTurns([...participants, ...others.map((userId) => [userId])])}>
            {texts.schedule.addGroup(participants.length === 0)}
          </button>
        )}
        <button type="button" onClick={() => setTurns([...participants, []])}>
          {texts.schedule.addNobody}
        </button>
      </p>
    </>
  );
};

const HourFields = ({ layer, index, onLayer }: RotationProps) => {
  const { restrictions, turns } = layer;
  const { field } = bindFields(layer, onLayer);
  return (
    <>
      <WeekHoursList
        list={restrictions}
        name={`layers.${index}.restrictions`}
        onList={(list) => onLayer({ restrictions: list })}
      />
      <button type="button" onClick={() => onLayer({ restrictions: [...restrictions, officeHours] })}>
        {texts.week.addHours}
      </button>
      {(restrictions.length > 0 || turns === "duty") && (
        <SelectField
          label={texts.schedule.countedLabel}
          options={counted}
          {...field("turns", `layers.${index}.turns`)}
        />
      )}
    </>
  );
};

/** Returns the type of a time's field. The browser's own field cannot show a time with Z or an offset. */
const chooseInputType = (time: string) => (/(?:Z|[+-]\d\d:?\d\d)$/.test(time) ? "text" : "datetime-local");

export const Rotation = (props: RotationProps) => {
  const { layer, index, onLayer, remove } = props;
  const { field } = bindFields(layer, onLayer);
  return (
    <fieldset class="panel">
      <legend>{texts.schedule.rotation(index + 1)}</legend>
      <div class="triple">
        <TextField
          label={texts.schedule.start}
          type={chooseInputType(layer.start)}
          {...field("start", `layers.${index}.start`)}
        />
        <TextField label={texts.schedule.every} type="number" {...field("every", `layers.${index}.every`)} />
        <SelectField label={texts.schedule.unit} options={units} {...field("unit", `layers.${index}.unit`)} />
      </div>
      <TextField
        label={texts.schedule.until}
        type={chooseInputType(layer.until)}
        {...field("until", `layers.${index}.until`)}
      />
      <Participants {...props} />
      <h2 class="minor">{texts.schedule.hours}</h2>
      <HourFields {...props} />
      <p>
        <button type="button" class="danger" aria-label={texts.schedule.removeRotation(index + 1)} onClick={remove}>
          {texts.schedule.remove}
        </button>
      </p>
    </fieldset>
  );
};
