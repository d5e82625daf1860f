import { useState } from "preact/hooks";
import { formatDayAndTime, now } from "../app/clock.ts";
import { definePage, type StatusText, type ViewProps } from "../app/page.tsx";
import { Choices } from "../parts/choices.tsx";
import { CheckField, Form, SelectField, TextField, useFields } from "../parts/form.tsx";
import { Warnings } from "../parts/warnings.tsx";
import { WeekHoursFields, ZoneField } from "../parts/week-hours.tsx";
import { formatDayName } from "../parts/week.ts";
import {
  type HoldBelow,
  type Priority,
  priorities,
  type RulesDraft,
  type StepDraft,
  type Rules,
  toDraft,
  toRulesInput,
  type Channel,
} from "./notification-rules/draft.ts";
import { previewNight } from "./notification-rules/preview.ts";
import { texts as common } from "../page-texts/notification-rules.ts";
import { MINUTE_MS } from "../../core/domain/basics/units.ts";

const { notificationRules: texts } = common;

/** `name`: empty for the reader's own rules. */
type Data = { rules: Rules; name: string };

const NOTIFICATION_STEPS_MAX = 4;
const holds: readonly (readonly [HoldBelow, string])[] = [
  ["NORMAL", texts.held.NORMAL],
  ["HIGH", texts.held.HIGH],
  ["URGENT", texts.held.URGENT],
];

type StepsProps = {
  priority: Priority;
  rungs: readonly StepDraft[];
  ways: readonly Channel[];
  preview: string;
  onRungs: (steps: StepDraft[]) => void;
};

const PriorityStepFields = ({ priority, rungs, ways, preview, onRungs }: StepsProps) => {
  const said = texts.priorities[priority];
  const changeStep = (changedIndex: number, changes: Partial<StepDraft>) =>
    onRungs(rungs.map((step, index) => (index === changedIndex ? { ...step, ...changes } : step)));
  const addStep = () => {
    const last = rungs.at(-1);
    onRungs([...rungs, { minutes: last === undefined ? "0" : String(Number(last.minutes) + 5), ways: ["push"] }]);
  };
  return (
    <section class="panel" aria-label={said}>
      <h2>{said}</h2>
      <p class="soft">{preview}</p>
      {rungs.map((step, index) => (
        <fieldset key={`${priority} ${index}`} class="step-line">
          <legend class="unseen">{texts.rung(said, index + 1)}</legend>
          <span aria-hidden="true">{texts.lineAfter}</span>
          <TextField
            label={texts.after(said, index + 1)}
            name={`rungs.${priority}.${index}.afterMinutes`}
            type="number"
            value={step.minutes}
            onValue={(minutes) => changeStep(index, { minutes })}
          />
          <span aria-hidden="true">{texts.lineMinutes}</span>
          <div class="checks">
            <Choices
              options={ways.map((id) => ({ id, name: common.ways[id] }))}
              chosen={step.ways}
              onChosen={(chosen) => changeStep(index, { ways: ways.filter((channel) => chosen.includes(channel)) })}
            />
          </div>
          <button
            type="button"
            aria-label={texts.remove(said, index + 1)}
            onClick={() => onRungs(rungs.filter((_, other) => other !== index))}
          >
            ×
          </button>
        </fieldset>
      ))}
      {rungs.length < NOTIFICATION_STEPS_MAX && (
        <button type="button" onClick={addStep}>
          {texts.add(said)}
        </button>
      )}
    </section>
  );
};

/** Notification steps are at most an hour after the event, so any later notification was delayed by quiet hours. */
const STEP_MINUTES_MAX = 60;

const describePreview = (preview: ReturnType<typeof previewNight>): string => {
  if (preview === undefined) return "";
  const { at, steps } = preview;
  const said = steps?.map((step) => {
    const minutes = (step.at - at) / MINUTE_MS;
    const channels = step.ways.map((channel) => common.ways[channel]).join(", ");
    return minutes > STEP_MINUTES_MAX ? `${formatDayAndTime(step.at)}: ${channels}` : texts.rings(minutes, channels);
  });
  return texts.example(formatDayAndTime(at), said === undefined ? texts.everything : `${said.join("; ")}.`);
};

const listFieldNames = (draft: RulesDraft): string[] => [
  "quietHours.from",
  "quietHours.to",
  "quietHours.timeZone",
  "quietHours.holdBelow",
  ...priorities.flatMap((priority) => draft[priority].map((_, index) => `rungs.${priority}.${index}.afterMinutes`)),
];

/** Shows a colleague's rules without fields, because only the colleague can change them. */
const ColleagueRules = ({ rules: { rungs, quietHours }, name }: { rules: Rules; name: string }) => (
  <section class="panel" aria-labelledby="theirs">
    <h2 id="theirs">{texts.of(name)}</h2>
    <dl class="pairs">
      {priorities.map((priority) => (
        <div key={priority}>
          <dt>{texts.priorities[priority]}</dt>
          <dd>
            {rungs[priority].length === 0
              ? texts.everything
              : rungs[priority].map(({ afterMinutes, ways }) => (
                  <p key={afterMinutes}>
                    {texts.rings(afterMinutes, ways.map((channel) => common.ways[channel]).join(", "))}
                  </p>
                ))}
          </dd>
        </div>
      ))}
      <div>
        <dt>{texts.quiet}</dt>
        <dd>
          {quietHours === null
            ? texts.noQuiet
            : texts.quietAt(
                quietHours.days.map((day) => formatDayName(day)).join(", "),
                quietHours.from,
                quietHours.to,
                quietHours.timeZone,
              )}
        </dd>
      </div>
    </dl>
    <p>
      <a href="/people">{common.pages.people}</a>
    </p>
  </section>
);

const RulesView = (props: ViewProps<Data>) => {
  const { data, context } = props;
  if (data.rules.userId === context.me) return <OwnRules {...props} data={data.rules} />;
  return <ColleagueRules rules={data.rules} name={data.name} />;
};

const OwnRules = ({ data, context, refresh }: ViewProps<Rules>) => {
  const { values, set, field, check } = useFields(toDraft(data));
  const [warnings, setWarnings] = useState<NonNullable<Rules["warnings"]>>([]);
  const saveRules = async (): Promise<StatusText> => {
    const saved = await context.api("notification-rules/put-notification-rules", {
      body: toRulesInput(values),
      version: data.version,
    });
    setWarnings(saved.warnings ?? []);
    await refresh();
    return texts.saved;
  };
  const { urgentFloor: floor, ways } = data;
  return (
    <Form send={saveRules} submit={texts.save} fields={listFieldNames(values)}>
      <p>{texts.lead}</p>
      {floor !== null && (
        <p class="note">
          {texts.floor(floor.ways.map((channel) => common.ways[channel]).join(", "), floor.withinMinutes)}
        </p>
      )}
      {priorities.map((priority) => (
        <PriorityStepFields
          key={priority}
          priority={priority}
          rungs={values[priority]}
          ways={ways}
          preview={describePreview(previewNight(values, floor, priority, now.value))}
          onRungs={(steps) => set({ [priority]: steps })}
        />
      ))}
      <CheckField label={texts.quiet} hint={texts.quietHint} {...check("quiet")} />
      {values.quiet && (
        <>
          <WeekHoursFields hours={values.hours} prefix="quietHours" onHours={(hours) => set({ hours })} />
          <ZoneField {...field("timeZone", "quietHours.timeZone")} />
          <SelectField {...field("holdBelow")} label={texts.holdBelow} name="quietHours.holdBelow" options={holds} />
        </>
      )}
      <Warnings warnings={warnings} members={[]} />
    </Form>
  );
};

export const page = definePage<Data>({
  heading: common.pages.notificationRules,
  load: async ({ api, me, query }) => {
    const userId = query().get("of") ?? me;
    const [rules, members] = await Promise.all([
      api("notification-rules/get-notification-rules", { query: userId === me ? {} : { userId } }),
      userId === me ? [] : api("members/list-members", {}),
    ]);
    return { rules, name: members.find((member) => member.userId === userId)?.name ?? userId };
  },
  View: RulesView,
});
