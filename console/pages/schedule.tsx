import { useState } from "preact/hooks";
import { now } from "../app/clock.ts";
import { readReaderTimeZone } from "../app/dates.ts";
import { undefinedIfNotFound } from "../app/failure.ts";
import { definePage, type StatusText, type ViewProps } from "../app/page.tsx";
import { listHumanMembers } from "../app/people.ts";
import type { Answers } from "../app/types.ts";
import { DraftNotice, useDraft } from "../parts/draft.tsx";
import { bindFields, Form } from "../parts/form.tsx";
import { LazyPart } from "../parts/later.tsx";
import { Warnings } from "../parts/warnings.tsx";
import { ZoneField } from "../parts/week-hours.tsx";
import { texts } from "../page-texts/on-call.ts";
import { type LayerDraft, createLayer, toSchedule, toScheduleDraft } from "./on-call/draft.ts";
import { Rotation } from "./on-call/rotation.tsx";

type Data = {
  group: Answers["Group"];
  schedule: Answers["OnCallSchedule"] | undefined;
  members: Answers["ListedMember"][];
  inGroup: readonly string[];
};

/** Lists the names of the schedule's fields, for example `layers.0.start`. */
const listFieldNames = (layers: readonly LayerDraft[]): string[] => [
  "timeZone",
  ...layers.flatMap(({ restrictions }, layer) => [
    ...["start", "every", "unit", "until", "turns"].map((name) => `layers.${layer}.${name}`),
    ...restrictions.flatMap((_, index) =>
      ["from", "to"].map((name) => `layers.${layer}.restrictions.${index}.${name}`),
    ),
  ]),
];

const ScheduleView = ({ data: { group, schedule, members, inGroup }, context, refresh }: ViewProps<Data>) => {
  const { api } = context;
  // A group with overrides but no schedule has version 0.
  const createInitialDraft = () =>
    schedule === undefined || schedule.version === 0
      ? { timeZone: readReaderTimeZone(), layers: [createLayer([], now.value)] }
      : toScheduleDraft(schedule);
  const { draft, change, version, saved, leave, notice } = useDraft(context, createInitialDraft, schedule?.version);
  const { field } = bindFields(draft, change);
  const [warnings, setWarnings] = useState<Answers["WrittenSchedule"]["warnings"]>([]);
  const setLayers = (layers: readonly LayerDraft[]): void => change({ layers });
  const saveSchedule = async (): Promise<StatusText> => {
    const seen = version === undefined ? {} : { version };
    const written = await api("on-call/put-on-call", { path: { groupId: group.id }, body: toSchedule(draft), ...seen });
    saved(written.version);
    setWarnings(written.warnings);
    await refresh();
    return texts.schedule.saved(group.name);
  };
  return (
    <div class="beside">
      <Form
        send={saveSchedule}
        submit={texts.schedule.save}
        fields={listFieldNames(draft.layers)}
        cancel={() => leave("/on-call")}
        unsaved={notice.isChanged}
      >
        <DraftNotice {...notice} item={schedule} />
        <ZoneField {...field("timeZone")} />
        {draft.layers.map((layer, index) => (
          <Rotation
            key={layer.id}
            layer={layer}
            index={index}
            members={members}
            inGroup={inGroup}
            onLayer={(some) => setLayers(draft.layers.map((one) => (one.id === layer.id ? { ...one, ...some } : one)))}
            remove={() => setLayers(draft.layers.filter(({ id }) => id !== layer.id))}
          />
        ))}
        {draft.layers.length > 1 && <p class="hint">{texts.schedule.lastDecides}</p>}
        <button type="button" onClick={() => setLayers([...draft.layers, createLayer(draft.layers, now.value)])}>
          {texts.schedule.addRotation}
        </button>
        <Warnings warnings={warnings} members={members} />
      </Form>
      <div>
        <LazyPart load={() => import("./on-call/preview.tsx")}>
          {({ Preview }) => <Preview draft={draft} previous={schedule} members={members} />}
        </LazyPart>
        <LazyPart load={() => import("./on-call/calendar.tsx")}>
          {({ Calendar }) => <Calendar api={api} group={group} role="manager" />}
        </LazyPart>
      </div>
    </div>
  );
};

export const page = definePage<Data>({
  heading: texts.schedule.heading,
  headingOf: ({ group }) => texts.schedule.of(group.name),
  load: async ({ api, params }) => {
    const groupId = params["id"] ?? "";
    const [group, members, schedule, inGroup] = await Promise.all([
      api("groups/get-group", { path: { groupId } }),
      listHumanMembers(api),
      undefinedIfNotFound(api("on-call/get-on-call", { path: { groupId } })),
      api("groups/list-group-members", { path: { groupId } }),
    ]);
    return { group, members, schedule, inGroup: inGroup.map(({ userId }) => userId) };
  },
  needs: "manager",
  View: ScheduleView,
});
