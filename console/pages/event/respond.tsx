import { formatClockTime, now } from "../../app/clock.ts";
import { toTimestamp } from "../../app/dates.ts";
import { createLocalFailure } from "../../app/failure.ts";
import type { StatusText, ViewProps } from "../../app/page.tsx";
import { here, setQuery } from "../../app/router.ts";
import type { Answers } from "../../app/types.ts";
import { Action } from "../../parts/action.tsx";
import { Form, TextField, useFields } from "../../parts/form.tsx";
import { OpenButton } from "../../parts/needs.tsx";
import { Picker } from "../../parts/picker.tsx";
import { texts } from "../../page-texts/events.ts";
import { findNextMorning } from "./next-morning.ts";

/** The URL names the open panel. */
type PanelName = "snooze" | "tell";
const PANEL = "do";

export const isPanelOpen = (panel: PanelName): boolean => here.value.searchParams.get(PANEL) === panel;
const closePanel = (): void => setQuery({ [PANEL]: undefined });

export const OpenPanel = ({ panel }: { panel: PanelName }) => {
  const isOpen = isPanelOpen(panel);
  return (
    <OpenButton role="responder" expanded={isOpen} onClick={() => setQuery({ [PANEL]: isOpen ? undefined : panel })}>
      {texts.event[panel]}
    </OpenButton>
  );
};

type EventProps = { event: Answers["Event"] } & Pick<ViewProps<unknown>, "refresh"> &
  Pick<ViewProps<unknown>["context"], "api">;

const SOON_MINUTES = [15, 60] as const;

export const Snooze = ({ event, api, refresh }: EventProps) => {
  const { values, field } = useFields({ until: "" });
  if (!isPanelOpen("snooze")) return null;
  const snoozeEvent = async (body: { minutes: number } | { until: string }): Promise<StatusText> => {
    const { acknowledgedUntil } = await api("events/snooze-event", { path: { eventId: event.id }, body });
    closePanel();
    await refresh();
    return texts.event.isSnoozed(formatClockTime(Date.parse(acknowledgedUntil ?? "")));
  };
  const morning = findNextMorning(now.value);
  return (
    <section class="panel" aria-label={texts.event.snooze}>
      <p class="buttons">
        {SOON_MINUTES.map((minutes) => (
          <Action key={minutes} role="responder" action={() => snoozeEvent({ minutes })}>
            {texts.event.snoozeFor(minutes)}
          </Action>
        ))}
        {morning !== undefined && (
          <Action role="responder" action={() => snoozeEvent({ until: new Date(morning).toISOString() })}>
            {texts.event.snoozeUntil(new Date(morning).getDate() !== new Date(now.value).getDate())}
          </Action>
        )}
      </p>
      <Form
        role="responder"
        send={() => snoozeEvent({ until: toTimestamp(values.until) })}
        submit={texts.event.snooze}
        fields={["until"]}
        cancel={closePanel}
      >
        <TextField
          label={texts.event.snoozedUntil}
          hint={texts.event.snoozeHint}
          type="datetime-local"
          {...field("until")}
        />
      </Form>
    </section>
  );
};

type NotifyProps = EventProps & { members: readonly Answers["Member"][]; groups: readonly Answers["Group"][] };
/** The ids of people and groups, in the order in which the reader chose them. */
type ChosenIds = readonly string[];

/** Notifies people and groups that no rule has notified. */
export const Notify = ({ event, members, groups, api, refresh }: NotifyProps) => {
  const { values, field, set } = useFields<{ chosen: ChosenIds; note: string }>({ chosen: [], note: "" });
  if (!isPanelOpen("tell")) return null;
  const { chosen, note } = values;
  const names = new Map([
    ...groups.map(({ id, name }) => [id, name] as const),
    ...members.map(({ userId, name }) => [userId, name === "" ? userId : name] as const),
  ]);
  const nameOf = (id: string): string => names.get(id) ?? id;
  const notify = async (): Promise<StatusText> => {
    if (chosen.length === 0)
      throw createLocalFailure(texts.event.chooseWhom, [
        { field: "whom", code: "required", message: texts.event.chooseWhom },
      ]);
    const isGroup = (id: string): boolean => groups.some((group) => group.id === id);
    const body = {
      userIds: chosen.filter((id) => !isGroup(id)),
      groupIds: chosen.filter(isGroup),
      ...(note === "" ? {} : { note }),
    };
    await api("events/tell-event", { path: { eventId: event.id }, body });
    closePanel();
    await refresh();
    return texts.event.isTold(chosen.map(nameOf));
  };
  return (
    <section class="panel" aria-label={texts.event.tell}>
      <Form role="responder" send={notify} submit={texts.event.tellThem} fields={["whom", "note"]} cancel={closePanel}>
        <ul class="chosen-ones" aria-label={texts.event.chosen}>
          {chosen.map((id) => (
            <li key={id}>
              {nameOf(id)}
              <button
                type="button"
                class="quiet"
                aria-label={texts.removeOf(nameOf(id))}
                onClick={() => set({ chosen: chosen.filter((one) => one !== id) })}
              >
                ✕
              </button>
            </li>
          ))}
        </ul>
        <Picker
          label={texts.event.whom}
          name="whom"
          options={[...names].filter(([id]) => !chosen.includes(id))}
          onPick={(id) => set({ chosen: [...chosen, id] })}
        />
        <TextField label={texts.event.note} hint={texts.event.tellHint} {...field("note")} />
      </Form>
    </section>
  );
};
