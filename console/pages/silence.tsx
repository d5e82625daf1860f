import { signal } from "@preact/signals";
import { now } from "../app/clock.ts";
import { minuteText, myZone, toTimestamp } from "../app/dates.ts";
import { definePage, type ViewProps } from "../app/page.tsx";
import { refreshAll } from "../app/resource.ts";
import { navigate } from "../app/router.ts";
import type { Answers } from "../app/types.ts";
import { DraftNote, useDraft } from "../parts/draft.tsx";
import { CheckField, Form, SelectField, TextField } from "../parts/form.tsx";
import { Remove } from "../parts/remove.tsx";
import { type WeekHours, WeekHoursFields } from "../parts/week-hours.tsx";
import { texts } from "../texts.ts";
import { type ConditionDraft, toConditionDrafts, toConditions } from "./rule/draft.ts";
import { Matching } from "./rule/matching.tsx";
import { HOUR_MS } from "../../core/domain/basics/units.ts";

type Silence = Answers["Silence"];
type Data = { silence: Silence | undefined; eventKeys: readonly string[] };
type Draft = {
  name: string;
  eventKey: string;
  conditions: readonly ConditionDraft[];
  conditionMatch: "all" | "any";
  when: "once" | "weekly";
  starts: string;
  ends: string;
  hours: WeekHours;
  timeZone: string;
  includeUrgent: boolean;
  tells: boolean;
  /** That a silence over every event is meant. */
  everything: boolean;
};

const nights: WeekHours = { days: ["sun"], from: "02:00", to: "04:00" };
const kinds = [
  ["once", texts.silence.once],
  ["weekly", texts.silence.weekly],
] as const;
const zones = Intl.supportedValuesOf("timeZone");
/** The fields of a silence's conditions are typed freely: it may be about keys that were never seen. */
const noFields = signal([]);

const emptyDraft = (): Draft => ({
  name: "",
  // None: whoever wants a silence over everything says so.
  eventKey: "",
  conditions: [],
  conditionMatch: "all",
  when: "once",
  starts: minuteText(now.value),
  ends: minuteText(now.value + HOUR_MS),
  hours: nights,
  timeZone: myZone(),
  includeUrgent: false,
  tells: true,
  everything: false,
});

const toDraft = (silence: Silence): Draft => ({
  name: silence.name,
  eventKey: silence.eventKey,
  conditions: toConditionDrafts(silence.conditions),
  conditionMatch: silence.conditionMatch,
  when: silence.weekly === null ? "once" : "weekly",
  starts: minuteText(Date.parse(silence.startsAt)),
  ends: silence.endsAt === null ? "" : minuteText(Date.parse(silence.endsAt)),
  hours: silence.weekly ?? nights,
  timeZone: silence.weekly?.timeZone ?? myZone(),
  includeUrgent: silence.includeUrgent,
  tells: silence.afterwards === "tell",
  everything: silence.everything,
});

const isOverEverything = ({ eventKey, conditions }: Draft): boolean =>
  eventKey.trim() === "*" && conditions.length === 0;

const toInput = (draft: Draft) => ({
  name: draft.name,
  eventKey: draft.eventKey,
  conditions: toConditions(draft.conditions),
  conditionMatch: draft.conditionMatch,
  startsAt: toTimestamp(draft.starts),
  endsAt: draft.ends === "" ? null : toTimestamp(draft.ends),
  weekly: draft.when === "once" ? null : { ...draft.hours, days: [...draft.hours.days], timeZone: draft.timeZone },
  includeUrgent: draft.includeUrgent,
  afterwards: draft.tells ? ("tell" as const) : ("drop" as const),
  everything: draft.everything && isOverEverything(draft),
});

type TimesProps = { draft: Draft; change: (some: Partial<Draft>) => void };

const Times = ({ draft, change }: TimesProps) => (
  <>
    <SelectField
      label={texts.silence.when}
      name="weekly"
      value={draft.when}
      options={kinds}
      onValue={(when) => change({ when, ends: when === "weekly" ? "" : minuteText(now.value + HOUR_MS) })}
    />
    {draft.when === "weekly" && (
      <>
        <WeekHoursFields hours={draft.hours} prefix="weekly" onHours={(hours) => change({ hours })} />
        <TextField
          label={texts.silence.zone}
          name="weekly.timeZone"
          value={draft.timeZone}
          options={zones}
          onValue={(timeZone) => change({ timeZone })}
        />
      </>
    )}
    <div class="pair">
      <TextField
        label={texts.silence.starts}
        name="startsAt"
        type="datetime-local"
        value={draft.starts}
        onValue={(starts) => change({ starts })}
      />
      <TextField
        label={texts.silence.ends}
        name="endsAt"
        type="datetime-local"
        value={draft.ends}
        onValue={(ends) => change({ ends })}
        {...(draft.when === "weekly" ? { hint: texts.silence.endsHint } : {})}
      />
    </div>
  </>
);

const fieldsOf = (conditions: Draft["conditions"]): string[] => [
  "name",
  "eventKey",
  "startsAt",
  "endsAt",
  "weekly.from",
  "weekly.to",
  "weekly.timeZone",
  ...conditions.flatMap((_, index) => ["field", "operator", "value"].map((name) => `conditions.${index}.${name}`)),
];

const SilenceView = ({ data: { silence, eventKeys }, context }: ViewProps<Data>) => {
  const { api } = context;
  const begin = () => (silence === undefined ? emptyDraft() : toDraft(silence));
  const { draft, change, version, saved, note } = useDraft(context, begin, silence?.version);
  const save = async (): Promise<string> => {
    const body = toInput(draft);
    const written =
      silence === undefined
        ? await api("silences/create-silence", { body })
        : await api("silences/update-silence", { path: { silenceId: silence.id }, body, version });
    saved();
    navigate("/silences");
    refreshAll();
    return texts.silence.saved(written.name, written.wouldHaveCovered);
  };
  const remove = async ({ id, name }: Silence): Promise<string> => {
    await api("silences/delete-silence", { path: { silenceId: id }, version });
    saved();
    navigate("/silences");
    refreshAll();
    return texts.silence.deleted(name);
  };
  return (
    <>
      <Form
        send={save}
        submit={texts.silence.save}
        fields={fieldsOf(draft.conditions)}
        cancel={() => {
          saved();
          navigate("/silences");
        }}
        unsaved={note.isChanged}
      >
        <DraftNote {...note} of={silence} />
        <Matching draft={draft} change={change} eventKeys={eventKeys} eventType={noFields} />
        <Times draft={draft} change={change} />
        {isOverEverything(draft) && (
          <CheckField
            label={texts.silence.everything}
            hint={texts.silence.everythingHint}
            checked={draft.everything}
            onChecked={(everything) => change({ everything })}
          />
        )}
        <CheckField
          label={texts.silence.tells}
          hint={texts.silence.tellsHint}
          checked={draft.tells}
          onChecked={(tells) => change({ tells })}
        />
        <CheckField
          label={texts.silence.includeUrgent}
          hint={texts.silence.includeUrgentHint}
          checked={draft.includeUrgent}
          onChecked={(includeUrgent) => change({ includeUrgent })}
        />
      </Form>
      {silence !== undefined && (
        <Remove
          text={texts.silence.delete}
          question={texts.silence.deleteQuestion(silence.name)}
          remove={() => remove(silence)}
        />
      )}
    </>
  );
};

export const page = definePage<Data>({
  heading: texts.silence.heading,
  headingOf: ({ silence }) => silence?.name ?? texts.silence.newSilence,
  load: async ({ api, params }) => {
    const silenceId = params["id"];
    const [silence, types] = await Promise.all([
      silenceId === undefined ? undefined : api("silences/get-silence", { path: { silenceId } }),
      api("event-types/list-event-types", {}),
    ]);
    return { silence, eventKeys: ["*", ...types.map(({ eventKey }) => eventKey)] };
  },
  needs: "manager",
  View: SilenceView,
});
