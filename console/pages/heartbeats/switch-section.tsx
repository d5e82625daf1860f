import { formatDayAndTime, now } from "../../app/clock.ts";
import { undefinedIfNotFound } from "../../app/failure.ts";
import type { PageContext, StatusText } from "../../app/page.tsx";
import { listHumanMembers } from "../../app/people.ts";
import { refreshAll } from "../../app/resource.ts";
import { setQuery } from "../../app/router.ts";
import type { Answers } from "../../app/types.ts";
import { Ago } from "../../parts/ago.tsx";
import { Confirm } from "../../parts/confirm.tsx";
import { DraftNotice, useDraft } from "../../parts/draft.tsx";
import { bindFields, Form, SelectField, TextField } from "../../parts/form.tsx";
import { type MarkLooks, Mark } from "../../parts/marks.tsx";
import { OpenButton } from "../../parts/needs.tsx";
import { StepList } from "../../parts/step-list.tsx";
import { useResource } from "../../parts/use-resource.ts";
import { texts as all } from "../../page-texts/heartbeats.ts";
import { listSwitchSteps, summarizeSteps } from "./switch-steps.ts";

const { pagerSwitch: texts } = all;

type Switch = Answers["Switch"];
type MemberList = Answers["ListedMember"][];

const LOOK_SECONDS = 60;
export const EDIT_SWITCH = "switch";

const closeForm = (): void => setQuery({ edit: undefined });

/** Returns whether a device can confirm pushes; email addresses and phone numbers cannot. */
const isPushDevice = ({ platform }: { platform: Answers["Device"]["platform"] }): boolean =>
  platform !== "email" && platform !== "phone";

type FormProps = { context: PageContext; current: Switch | undefined; people: MemberList };

const SwitchForm = ({ context, current, people }: FormProps) => {
  const { api, me } = context;
  const { draft, change, saved, notice } = useDraft(
    context,
    () => ({
      url: current?.url ?? "",
      everyMinutes: String(current?.everyMinutes ?? 5),
      userId: current?.userId ?? me,
      deviceId: current?.deviceId ?? "",
    }),
    undefined,
  );
  const { field } = bindFields(draft, change);
  const { userId } = draft;
  const member = useResource(() => api("members/get-member", { path: { userId } }), LOOK_SECONDS, userId);
  const devices = member?.kind === "ready" && member.data.userId === userId ? member.data.devices : undefined;
  const options = (devices ?? []).filter(isPushDevice).map(({ id, platform, createdAt }): [string, string] => {
    return [id, texts.since(all.push.platforms[platform], formatDayAndTime(createdAt))];
  });
  const saveSwitch = async (): Promise<StatusText> => {
    const { url, everyMinutes, deviceId } = draft;
    await api("webhooks/set-switch", { body: { url, everyMinutes: Number(everyMinutes), deviceId } });
    saved();
    closeForm();
    refreshAll();
    return texts.saved;
  };
  const cancel = (): void => {
    saved();
    closeForm();
  };
  return (
    <Form
      send={saveSwitch}
      submit={all.heartbeats.save}
      fields={["url", "everyMinutes", "deviceId"]}
      cancel={cancel}
      unsaved={notice.isChanged}
    >
      <DraftNotice {...notice} item={undefined} />
      <TextField label={texts.url} hint={texts.urlHint} autoFocus {...field("url")} />
      <TextField label={texts.minutes} hint={texts.minutesHint} type="number" {...field("everyMinutes")} />
      <SelectField
        label={texts.person}
        options={people.map((one) => [one.userId, one.name])}
        {...field("userId")}
        onValue={(chosen) => change({ userId: chosen, deviceId: "" })}
      />
      <SelectField
        label={texts.device}
        hint={devices !== undefined && options.length === 0 ? texts.noDevice : texts.deviceHint}
        options={[["", texts.choose], ...options]}
        {...field("deviceId")}
      />
    </Form>
  );
};

const looks: MarkLooks<ReturnType<typeof summarizeSteps>> = {
  working: ["status-acknowledged", "M1 6l3 3 7-7"],
  waiting: ["soft", "M2 6h8"],
  stopped: ["status-failed", "M2 2l8 8M10 2l-8 8"],
};

const SwitchState = ({ current, people }: { current: Switch; people: MemberList }) => {
  const { url, everyMinutes, userId, lastFailure } = current;
  const steps = listSwitchSteps(current, now.value);
  const state = summarizeSteps(steps);
  return (
    <>
      <p class="facts">
        <Mark look={looks[state]}>{texts.states[state]}</Mark>
        <span class="address">{URL.parse(url)?.host}</span>
        <span class="soft number">{all.heartbeats.everyOf(String(everyMinutes), all.heartbeats.units.minutes)}</span>
        <span class="soft">{people.find((one) => one.userId === userId)?.name}</span>
      </p>
      <StepList steps={steps} waiting={texts.notYet} />
      {lastFailure !== null && (
        <p class="soft">
          {texts.lastFailure(lastFailure.code)} <Ago at={lastFailure.at} />
        </p>
      )}
    </>
  );
};

/** Shows the dead man's switch, which watches this service itself. Only owners may see and configure the switch. */
export const SwitchSection = ({ context }: { context: PageContext }) => {
  const { api, query } = context;
  const loadSwitch = async () => {
    const [current, people] = await Promise.all([
      undefinedIfNotFound(api("webhooks/get-switch", {})),
      listHumanMembers(api),
    ]);
    return { current, people };
  };
  const state = useResource(loadSwitch, LOOK_SECONDS, EDIT_SWITCH);
  if (state?.kind !== "ready") return null;
  const { current, people } = state.data;
  const deleteSwitch = async (): Promise<StatusText> => {
    await api("webhooks/remove-switch", {});
    refreshAll();
    return texts.removed;
  };
  const isOpen = query().get("edit") === EDIT_SWITCH;
  return (
    <section class="panel" aria-labelledby="switch">
      <h2 id="switch">{texts.heading}</h2>
      <p class="soft">{texts.lead}</p>
      {current !== undefined && <SwitchState current={current} people={people} />}
      {isOpen ? (
        <SwitchForm context={context} current={current} people={people} />
      ) : (
        <p class="buttons">
          <OpenButton
            label={current === undefined ? texts.setUp : all.editOf(texts.heading)}
            onClick={() => setQuery({ edit: EDIT_SWITCH })}
          >
            {current === undefined ? texts.setUp : all.edit}
          </OpenButton>
          {current !== undefined && (
            <Confirm
              text={all.remove}
              label={all.removeOf(texts.heading)}
              question={texts.removeQuestion(URL.parse(current.url)?.host ?? current.url)}
              action={deleteSwitch}
            />
          )}
        </p>
      )}
    </section>
  );
};
