import { useState } from "preact/hooks";
import { formatMinute, readReaderTimeZone, toTimestamp } from "../../app/dates.ts";
import { formatDayAndTime, now } from "../../app/clock.ts";
import type { Api } from "../../app/api.ts";
import type { ActionResult, Undoable } from "../../app/status.ts";
import type { Answers } from "../../app/types.ts";
import { Confirm } from "../../parts/confirm.tsx";
import { Form, SelectField, TextField } from "../../parts/form.tsx";
import { Warnings } from "../../parts/warnings.tsx";
import { texts } from "../../page-texts/on-call.ts";

type OverrideProps = {
  api: Api;
  group: { id: string; name: string };
  schedule: Answers["OnCallSchedule"] | undefined;
  members: Answers["ListedMember"][];
  me: string;
  /** The period that was pressed in the timeline, in milliseconds. */
  period: { start: number; end: number };
  close: () => void;
  refresh: () => Promise<void>;
};

const findMemberName = (members: OverrideProps["members"], userId: string): string =>
  members.find((member) => member.userId === userId)?.name ?? userId;

const StoredOverrides = ({ api, group, schedule, members, refresh }: OverrideProps) => {
  const unended = (schedule?.overrides ?? []).filter(({ end }) => Date.parse(end) > now.value);
  const deleteOverride = async ({ id, insteadOf, ...override }: (typeof unended)[number]): Promise<ActionResult> => {
    const { userId, start, end } = override;
    await api("on-call/delete-override", { path: { groupId: group.id, overrideId: id } });
    await refresh();
    const message = texts.onCall.overrideRemoved(findMemberName(members, userId));
    // The deletion of a cover's override cannot be undone, because the API does not accept `insteadOf`.
    if (insteadOf !== undefined) return message;
    const undo = () => api("on-call/create-override", { path: { groupId: group.id }, body: { userId, start, end } });
    return { message, undo };
  };
  if (unended.length === 0) return null;
  return (
    <>
      <h3>{texts.onCall.standing}</h3>
      <ul class="rows">
        {unended.map((override) => (
          <li key={override.id}>
            <strong>{findMemberName(members, override.userId)}</strong>
            <span class="number">{texts.span(formatDayAndTime(override.start), formatDayAndTime(override.end))}</span>
            <Confirm
              text={texts.remove}
              label={texts.removeOf(`${findMemberName(members, override.userId)}, ${formatDayAndTime(override.start)}`)}
              look="plain"
              role="responder"
              question={texts.onCall.askOverride(findMemberName(members, override.userId))}
              action={() => deleteOverride(override)}
            />
          </li>
        ))}
      </ul>
    </>
  );
};

export const Override = (props: OverrideProps) => {
  const { api, group, schedule, members, me, period, close, refresh } = props;
  const [userId, setUserId] = useState(members.some((member) => member.userId === me) ? me : members[0]?.userId);
  const [start, setStart] = useState(formatMinute(period.start));
  const [end, setEnd] = useState(formatMinute(period.end));
  const [warnings, setWarnings] = useState<Answers["WrittenOverride"]["warnings"]>([]);
  const createOverride = async (): Promise<Undoable> => {
    const written = await api("on-call/create-override", {
      path: { groupId: group.id },
      body: { userId: userId ?? "", start: toTimestamp(start), end: toTimestamp(end) },
    });
    await refresh();
    setWarnings(written.warnings);
    if (written.warnings.length === 0) close();
    return {
      message: texts.onCall.overridden(findMemberName(members, written.userId), group.name),
      undo: () => api("on-call/delete-override", { path: { groupId: group.id, overrideId: written.id } }),
    };
  };
  const zone = schedule?.timeZone;
  const mine = readReaderTimeZone();
  return (
    <section class="panel" aria-label={texts.onCall.overrideOf(group.name)}>
      <Form
        role="responder"
        send={createOverride}
        submit={texts.onCall.saveOverride}
        fields={["userId", "start", "end"]}
        cancel={close}
      >
        <SelectField
          label={texts.onCall.who}
          name="userId"
          value={userId ?? ""}
          options={members.map((member) => [member.userId, member.name] as const)}
          onValue={setUserId}
        />
        <div class="pair">
          <TextField
            label={texts.onCall.from}
            name="start"
            type="datetime-local"
            value={start}
            onValue={setStart}
            hint={zone === undefined || zone === mine ? undefined : texts.onCall.zones(mine, zone)}
          />
          <TextField label={texts.onCall.to} name="end" type="datetime-local" value={end} onValue={setEnd} />
        </div>
        <Warnings warnings={warnings} members={members} />
      </Form>
      <StoredOverrides {...props} />
    </section>
  );
};
