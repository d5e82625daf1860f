import { useState } from "preact/hooks";
import { MINUTE_MS } from "../../../core/domain/basics/units.ts";
import type { Api } from "../../app/api.ts";
import { formatDayAndTime, now } from "../../app/clock.ts";
import { formatMinute, toTimestamp } from "../../app/dates.ts";
import { locale } from "../../app/language.ts";
import type { StatusText } from "../../app/page.tsx";
import type { Answers } from "../../app/types.ts";
import { Action } from "../../parts/action.tsx";
import { Confirm } from "../../parts/confirm.tsx";
import { Form, SelectField, TextField } from "../../parts/form.tsx";
import { texts } from "../../page-texts/covers.ts";
import { texts as ofPage } from "../../page-texts/on-call.ts";
import { listCoverActions, listShownCovers } from "./offered-covers.ts";
import { listCoverPeriods, listReturnShifts, type Period } from "./cover-periods.ts";

type Cover = Answers["Cover"];
type Props = { api: Api; me: string; refresh: () => Promise<void> };

const formatPeriod = ({ start, end }: Pick<Cover, "start" | "end">): string =>
  texts.span(formatDayAndTime(start), formatDayAndTime(end));

const CoverRow = ({ cover, api, me, refresh }: Props & { cover: Cover }) => {
  const { id, groupName, name, userId, takenBy, status } = cover;
  const path = { coverId: id };
  const formatButtonLabel = (verb: string): string => texts.cover.labelOf(verb, name, formatDayAndTime(cover.start));
  const refreshAndReturn = async (result: string): Promise<StatusText> => {
    await refresh();
    return result;
  };
  const offered = listCoverActions(cover, me);
  return (
    <li>
      <strong>
        {takenBy === null ? texts.cover.open(name, groupName) : texts.cover.taken(name, takenBy.name, groupName)}
      </strong>
      <span class="number">{formatPeriod(cover)}</span>
      {cover.inReturn !== null && <span class="soft">{texts.cover.inReturn(formatPeriod(cover.inReturn))}</span>}
      {cover.note !== null && <span dir="auto">{cover.note}</span>}
      {userId === me && status === "open" && <span class="soft">{texts.cover.asked(cover.asked.length)}</span>}
      {offered.includes("take") && (
        <Action
          look="main"
          role="responder"
          label={formatButtonLabel(texts.cover.take)}
          action={async () => {
            await api("covers/take-cover", { path });
            return refreshAndReturn(texts.cover.youTake(name));
          }}
        >
          {texts.cover.take}
        </Action>
      )}
      {offered.includes("decline") && (
        <Action
          role="responder"
          label={formatButtonLabel(texts.cover.decline)}
          action={async () => {
            await api("covers/decline-cover", { path });
            return refreshAndReturn(texts.cover.declined);
          }}
        >
          {texts.cover.decline}
        </Action>
      )}
      {offered.includes("withdraw") && (
        <Confirm
          text={texts.cover.withdraw}
          label={formatButtonLabel(texts.cover.withdraw)}
          look="plain"
          role="responder"
          question={takenBy === null ? texts.cover.askWithdrawOpen : texts.cover.askWithdraw(name)}
          action={async () => {
            await api("covers/withdraw-cover", { path });
            return refreshAndReturn(texts.cover.withdrawn);
          }}
        />
      )}
    </li>
  );
};

/** Lists covers that have not begun and are open or taken. */
export const Covers = ({ covers, ...props }: Props & { covers: Cover[] }) => {
  const shown = listShownCovers(covers, now.value);
  if (shown.length === 0) return null;
  return (
    <section aria-labelledby="covers">
      <h2 id="covers">{texts.cover.heading}</h2>
      <ul class="rows">
        {shown.map((cover) => (
          <CoverRow key={cover.id} cover={cover} {...props} />
        ))}
      </ul>
    </section>
  );
};

/** The minimum time from now to the start of a cover, because the past cannot be covered. */
const SOON_MS = 5 * MINUTE_MS;

const formatWeekday = (timeMs: number): string => new Date(timeMs).toLocaleDateString(locale, { weekday: "long" });

type FindCoverProps = Props & {
  shift: Pick<Answers["Shift"], "groupId" | "groupName" | "start" | "end">;
  /** The group's schedule, from which a colleague's shift can be requested in return. */
  schedule: Answers["OnCallSchedule"] | undefined;
  members: readonly Answers["ListedMember"][];
  close: () => void;
};

export const FindCover = ({
  api,
  me,
  refresh,
  close,
  shift: { groupId, groupName, ...shift },
  ...rest
}: FindCoverProps) => {
  // The earliest start stays the same while the form is open, because a period's start identifies the period.
  const [earliestStart] = useState(now.value + SOON_MS);
  const { whole, nights, periods } = listCoverPeriods(shift, earliestStart);
  const suggested = periods[0] ?? whole;
  const [{ start, end }, setPeriod] = useState({
    start: formatMinute(suggested.start),
    end: formatMinute(suggested.end),
  });
  const [note, setNote] = useState("");
  const [to, setTo] = useState("");
  const [back, setBack] = useState("");
  const returned = to === "" ? [] : listReturnShifts(rest.schedule, to, earliestStart);
  const inReturn = returned.find(({ start: one }) => one === back);
  const choosePeriod = (period: Period): void =>
    setPeriod({ start: formatMinute(period.start), end: formatMinute(period.end) });
  const askForCover = async (): Promise<StatusText> => {
    const said = note.trim();
    const { asked } = await api("covers/ask-for-cover", {
      path: { groupId },
      body: {
        start: toTimestamp(start),
        end: toTimestamp(end),
        ...(said === "" ? {} : { note: said }),
        ...(to === "" ? {} : { to: [to] }),
        ...(inReturn === undefined ? {} : { inReturn }),
      },
    });
    await refresh();
    close();
    return asked.length === 0 ? texts.cover.nobodyAsked : texts.cover.sent(asked.map(({ name }) => name));
  };
  return (
    <section class="panel" aria-label={texts.cover.findOf(groupName)}>
      {nights.length > 0 && (
        <p class="chips" role="group" aria-label={texts.cover.part}>
          {periods.map((period) => (
            <button
              key={period.end}
              type="button"
              class="chip"
              aria-pressed={start === formatMinute(period.start) && end === formatMinute(period.end)}
              onClick={() => choosePeriod(period)}
            >
              {period === whole ? texts.cover.whole : texts.cover.night(formatWeekday(period.start))}
            </button>
          ))}
        </p>
      )}
      <Form
        role="responder"
        send={askForCover}
        submit={texts.cover.ask}
        fields={["start", "end", "to", "inReturn", "note"]}
        cancel={close}
      >
        <div class="pair">
          <TextField
            label={ofPage.onCall.from}
            name="start"
            type="datetime-local"
            value={start}
            onValue={(value) => setPeriod({ start: value, end })}
          />
          <TextField
            label={ofPage.onCall.to}
            name="end"
            type="datetime-local"
            value={end}
            onValue={(value) => setPeriod({ start, end: value })}
          />
        </div>
        <SelectField
          label={texts.cover.to}
          name="to"
          value={to}
          options={[
            ["", texts.cover.anybody],
            ...rest.members
              .filter(({ userId }) => userId !== me)
              .map(({ userId, name }) => [userId, name || userId] as const),
          ]}
          onValue={setTo}
        />
        {returned.length > 0 && (
          <SelectField
            label={texts.cover.wanted}
            name="inReturn"
            value={back}
            options={[["", texts.cover.nothing], ...returned.map((one) => [one.start, formatPeriod(one)] as const)]}
            onValue={setBack}
          />
        )}
        <TextField label={texts.cover.note} name="note" value={note} onValue={setNote} hint={texts.cover.noteHint} />
      </Form>
    </section>
  );
};
