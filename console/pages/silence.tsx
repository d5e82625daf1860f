import { signal } from "@preact/signals";
import { now } from "../app/clock.ts";
import { formatMinute } from "../app/dates.ts";
import { undefinedIfNotFound } from "../app/failure.ts";
import { definePage, type StatusText, type ViewProps } from "../app/page.tsx";
import { refreshAll } from "../app/resource.ts";
import type { ActionResult } from "../app/status.ts";
import type { Answers } from "../app/types.ts";
import { DraftNotice, useDraft } from "../parts/draft.tsx";
import { CheckField, bindFields, Form, SelectField, TextField } from "../parts/form.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { WeekHoursFields, ZoneField } from "../parts/week-hours.tsx";
import { texts } from "../page-texts/silences.ts";
import {
  createDraftForEvent,
  createEmptyDraft,
  isForAllEvents,
  type SilenceDraft,
  toDraft,
  toSilenceInput,
} from "./silence/draft.ts";
import { MatchingFields } from "./rule/matching.tsx";
import { HOUR_MS } from "../../core/domain/basics/units.ts";

type Silence = Answers["Silence"];
type Data = {
  silence: Silence | undefined;
  /** The event for which a new silence is created. */
  event: Answers["Event"] | undefined;
  eventKeys: readonly string[];
};

const kinds = [
  ["once", texts.silence.once],
  ["weekly", texts.silence.weekly],
] as const;
/** Conditions get no suggestions, because the service may never have received the silence's event key. */
const noFields = signal([]);

type TimesProps = { draft: SilenceDraft; change: (changes: Partial<SilenceDraft>) => void };

const TimeFields = ({ draft, change }: TimesProps) => {
  const { field } = bindFields(draft, change);
  return (
    <>
      <SelectField
        label={texts.silence.when}
        name="weekly"
        value={draft.when}
        options={kinds}
        onValue={(when) => change({ when, ends: when === "weekly" ? "" : formatMinute(now.value + HOUR_MS) })}
      />
      {draft.when === "weekly" && (
        <>
          <WeekHoursFields hours={draft.hours} prefix="weekly" onHours={(hours) => change({ hours })} />
          <ZoneField {...field("timeZone", "weekly.timeZone")} />
        </>
      )}
      <div class="pair">
        <TextField label={texts.silence.starts} type="datetime-local" {...field("starts", "startsAt")} />
        <TextField
          label={texts.silence.ends}
          type="datetime-local"
          hint={draft.when === "weekly" ? texts.silence.endsHint : undefined}
          {...field("ends", "endsAt")}
        />
      </div>
    </>
  );
};

const listFieldNames = (conditions: SilenceDraft["conditions"]): string[] => [
  "name",
  "eventKey",
  "startsAt",
  "endsAt",
  "weekly.from",
  "weekly.to",
  "weekly.timeZone",
  ...conditions.flatMap((_, index) => ["field", "operator", "value"].map((name) => `conditions.${index}.${name}`)),
];

const SilenceView = ({ data: { silence, event, eventKeys }, context }: ViewProps<Data>) => {
  const { api } = context;
  const createInitialDraft = () => {
    if (silence !== undefined) return toDraft(silence);
    return event === undefined ? createEmptyDraft(now.value) : createDraftForEvent(event, now.value);
  };
  const { draft, change, version, leave, notice } = useDraft(context, createInitialDraft, silence?.version);
  const { field, check } = bindFields(draft, change);
  const saveSilence = async (): Promise<ActionResult> => {
    const body = toSilenceInput(draft);
    const written =
      silence === undefined
        ? await api("silences/create-silence", { body })
        : await api("silences/update-silence", { path: { silenceId: silence.id }, body, version });
    leave("/silences");
    refreshAll();
    const message = texts.silence.saved(written.name, written.wouldHaveCovered);
    if (silence !== undefined) return message;
    return { message, undo: () => api("silences/delete-silence", { path: { silenceId: written.id } }) };
  };
  const deleteSilence = async ({ id, name }: Silence): Promise<StatusText> => {
    await api("silences/delete-silence", { path: { silenceId: id }, version });
    leave("/silences");
    refreshAll();
    return texts.silence.deleted(name);
  };
  return (
    <>
      <Form
        send={saveSilence}
        submit={texts.silence.save}
        fields={listFieldNames(draft.conditions)}
        cancel={() => leave("/silences")}
        unsaved={notice.isChanged}
      >
        <DraftNotice {...notice} item={silence} />
        <TextField label={texts.matching.name} {...field("name")} />
        <MatchingFields draft={draft} change={change} eventKeys={eventKeys} eventType={noFields} />
        <TimeFields draft={draft} change={change} />
        {isForAllEvents(draft) && (
          <CheckField label={texts.silence.everything} hint={texts.silence.everythingHint} {...check("everything")} />
        )}
        <CheckField label={texts.silence.tells} hint={texts.silence.tellsHint} {...check("tells")} />
        <CheckField
          label={texts.silence.includeUrgent}
          hint={texts.silence.includeUrgentHint}
          {...check("includeUrgent")}
        />
      </Form>
      {silence !== undefined && (
        <p class="buttons">
          <Confirm
            text={texts.silence.delete}
            question={texts.silence.deleteQuestion(silence.name)}
            action={() => deleteSilence(silence)}
          />
        </p>
      )}
    </>
  );
};

export const page = definePage<Data>({
  heading: texts.silence.heading,
  headingOf: ({ silence }) => silence?.name ?? texts.silence.newSilence,
  load: async ({ api, params, query }) => {
    const silenceId = params["id"];
    const eventId = query().get("event");
    const [silence, event, types] = await Promise.all([
      silenceId === undefined ? undefined : api("silences/get-silence", { path: { silenceId } }),
      eventId === null ? undefined : undefinedIfNotFound(api("events/get-event", { path: { eventId } })),
      api("event-types/list-event-types", {}),
    ]);
    return { silence, event, eventKeys: ["*", ...types.map(({ eventKey }) => eventKey)] };
  },
  needs: "manager",
  View: SilenceView,
});
