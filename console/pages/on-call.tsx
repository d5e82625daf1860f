import { useState } from "preact/hooks";
import { formatClockTime, formatDayAndTime, now } from "../app/clock.ts";
import { formatDay, listMidnights } from "../app/dates.ts";
import { undefinedIfNotFound } from "../app/failure.ts";
import { definePage, type ViewProps } from "../app/page.tsx";
import { listHumanMembers } from "../app/people.ts";
import { setQuery } from "../app/router.ts";
import type { Answers } from "../app/types.ts";
import { SelectField } from "../parts/form.tsx";
import { LazyPart } from "../parts/later.tsx";
import { OpenButton, MissingRole } from "../parts/needs.tsx";
import { DutyShifts } from "../parts/on-duty.tsx";
import { Empty } from "../parts/states.tsx";
import { WhoIsOnCall } from "../parts/who-is-on-call.tsx";
import { texts } from "../page-texts/on-call.ts";
import { listMonthMidnights } from "./on-call/loads.ts";
import { type Shift, listShiftsBetween } from "./on-call/shifts.ts";
import { computeTimelineStart } from "./on-call/timeline-start.ts";
import { Axis, Timeline } from "./on-call/timeline.tsx";
import { listUnconfirmed } from "./on-call/unconfirmed.ts";
import { DAY_MS, HOUR_MS } from "../../core/domain/basics/units.ts";

type GroupSchedule = { now: Answers["GroupOnCallNow"]; schedule: Answers["OnCallSchedule"] | undefined };
type Data = {
  lines: GroupSchedule[];
  members: Answers["ListedMember"][];
  mine: Answers["Shift"][];
  covers: Answers["Cover"][];
};
type Props = ViewProps<Data>;

const DAYS_SHOWN = 14;
/** The empty schedule that is shown for a group with overrides but without a schedule. */
const noSchedule = { timeZone: "UTC", layers: [] };

/** `from`: midnight of the day in the URL, or else a few hours ago. */
type TimelineSpan = { from: number; days: readonly number[] };
/** Returns the days of the timeline, from the day in the URL's parameter `from` or else from the default start. */
const readTimelineSpan = (query: URLSearchParams): TimelineSpan => {
  const asked = query.get("from") ?? "";
  const isAsked = /^\d{4}-\d{2}-\d{2}$/.test(asked);
  const days = listMidnights(isAsked ? asked : formatDay(computeTimelineStart()), DAYS_SHOWN);
  return { from: isAsked ? (days[0] ?? 0) : computeTimelineStart(), days };
};

const listShifts = ({ schedule }: GroupSchedule, { from, days }: TimelineSpan): Shift[] =>
  listShiftsBetween(schedule ?? noSchedule, schedule?.overrides ?? [], from, days.at(-1) ?? 0);

/** Returns the period of a new override: the rest of the shift that was pressed, or else the next twelve hours. */
const suggestPeriod = (query: URLSearchParams): { start: number; end: number } => {
  const [start, end] = [Number(query.get("start")), Number(query.get("end"))];
  if (start > 0 && end > start) return { start: Math.max(start, now.value), end };
  const hour = Math.floor(now.value / HOUR_MS) * HOUR_MS;
  return { start: hour, end: hour + 12 * HOUR_MS };
};

const closeOverrideForm = (): void => setQuery({ override: undefined, start: undefined, end: undefined });

const OnCallNowCell = ({ line }: { line: GroupSchedule }) => {
  const { onCall, next } = line.now;
  if (line.schedule === undefined && onCall.length === 0) return <p class="facts soft">{texts.onCall.none}</p>;
  return (
    <p class="facts">
      <WhoIsOnCall onCall={onCall} nobody={texts.onCall.nobodyNow}>
        <strong>{texts.onCall.now(onCall.map(({ name }) => name))}</strong>
      </WhoIsOnCall>
      {onCall
        .filter(({ inGroup }) => !inGroup)
        .map(({ userId, name }) => (
          <span key={userId} class="priority-high">
            {texts.onCall.notInGroup(name)}
          </span>
        ))}
      {listUnconfirmed(line.now).map(({ userId, name }) => (
        <span key={userId} class="priority-high">
          {texts.onCall.unproven(name)}
        </span>
      ))}
      {next !== null && (
        <span class="soft">
          {texts.onCall.next(
            next.onCall.map(({ name }) => name),
            formatDayAndTime(next.at),
          )}
        </span>
      )}
    </p>
  );
};

const GroupHeading = ({ line, isOpen }: { line: GroupSchedule; isOpen: boolean }) => {
  const { groupId: id, groupName: name } = line.now;
  return (
    <div class="line-head">
      <h2 id={id}>{name}</h2>
      <OnCallNowCell line={line} />
      <p class="buttons">
        <OpenButton
          role="responder"
          expanded={isOpen}
          label={texts.onCall.overrideOf(name)}
          onClick={() => (isOpen ? closeOverrideForm() : setQuery({ override: id, start: undefined, end: undefined }))}
        >
          {texts.onCall.override}
        </OpenButton>
        <OpenButton role="manager" href={`/on-call/${id}`} label={texts.onCall.editOf(name)}>
          {texts.onCall.edit}
        </OpenButton>
      </p>
    </div>
  );
};

const isOverrideFormOpen = ({ context }: Props, { now: { groupId } }: GroupSchedule): boolean =>
  context.query().get("override") === groupId;

/** Creates a timeline's functions: a user's colour and name, and `open`, which puts a period into the URL. */
const createTimelineProps = ({ now: { groupId } }: GroupSchedule, { data: { members } }: Props) => {
  const colourOf = (userId: string): number => members.findIndex((member) => member.userId === userId);
  return {
    colourOf,
    nameOf: (userId: string): string => members[colourOf(userId)]?.name ?? userId,
    open: ({ start, end }: Pick<Shift, "start" | "end">): void =>
      setQuery({ override: groupId, start: String(start), end: String(end) }),
  };
};

const OverrideForm = ({ line, props }: { line: GroupSchedule; props: Props }) => {
  const { groupId: id, groupName: name } = line.now;
  const { api, me, query } = props.context;
  if (!isOverrideFormOpen(props, line)) return null;
  return (
    <LazyPart load={() => import("./on-call/override.tsx")}>
      {({ Override }) => (
        <Override
          key={`${id} ${query().get("start") ?? ""} ${query().get("end") ?? ""}`}
          api={api}
          group={{ id, name }}
          schedule={line.schedule}
          members={props.data.members}
          me={me}
          period={suggestPeriod(query())}
          close={closeOverrideForm}
          refresh={props.refresh}
        />
      )}
    </LazyPart>
  );
};

const GroupTimeline = ({ line, span, props }: { line: GroupSchedule; span: TimelineSpan; props: Props }) => {
  const { groupId: id, groupName: name } = line.now;
  const { open, ...shown } = createTimelineProps(line, props);
  const own = props.data.mine.find(({ groupId }) => groupId === id);
  return (
    <section class="line" aria-labelledby={id}>
      <GroupHeading line={line} isOpen={isOverrideFormOpen(props, line)} />
      {line.schedule !== undefined && (
        <Timeline
          label={texts.onCall.fortnight(name)}
          shifts={listShifts(line, span)}
          {...span}
          {...shown}
          onShift={open}
          bare
        />
      )}
      {own !== undefined && <CoverForm shift={own} props={props} />}
      <OverrideForm line={line} props={props} />
    </section>
  );
};

const GroupMonth = ({ days, props }: { days: readonly number[]; props: Props }) => {
  const { lines } = props.data;
  const asked = props.context.query().get("group");
  const line =
    lines.find(({ now: { groupId } }) => groupId === asked) ??
    lines.find(({ schedule }) => schedule !== undefined) ??
    lines[0];
  if (line === undefined) return null;
  const { groupId: id, groupName: name } = line.now;
  const { open, ...shown } = createTimelineProps(line, props);
  return (
    <>
      {lines.length > 1 && (
        <SelectField
          label={texts.onCall.group}
          name="group"
          value={id}
          options={lines.map(({ now: one }) => [one.groupId, one.groupName] as const)}
          onValue={(group) => setQuery({ group, override: undefined })}
        />
      )}
      <LazyPart load={() => import("./on-call/month.tsx")}>
        {({ Month }) => (
          <Month
            key={`${id} ${days[0] ?? 0}`}
            group={{ id, name }}
            shifts={listShifts(line, { from: days[0] ?? 0, days })}
            days={days}
            {...shown}
            onSpan={open}
          />
        )}
      </LazyPart>
      <OverrideForm line={line} props={props} />
    </>
  );
};

type CoverFormProps = { shift: Answers["Shift"]; props: Props };

const CoverForm = ({ shift, props: { data, context, refresh } }: CoverFormProps) => {
  const [isOpen, setOpen] = useState(false);
  const schedule = data.lines.find(({ now: { groupId } }) => groupId === shift.groupId)?.schedule;
  return (
    <>
      <OpenButton
        role="responder"
        expanded={isOpen}
        label={texts.cover.findAt(shift.groupName, formatDayAndTime(shift.start))}
        onClick={() => setOpen(!isOpen)}
      >
        {texts.cover.find}
      </OpenButton>
      {isOpen && (
        <LazyPart load={() => import("./on-call/covers.tsx")}>
          {({ FindCover }) => (
            <FindCover
              shift={shift}
              schedule={schedule}
              members={data.members}
              api={context.api}
              me={context.me}
              refresh={refresh}
              close={() => setOpen(false)}
            />
          )}
        </LazyPart>
      )}
    </>
  );
};

const MyShifts = ({ props }: Pick<CoverFormProps, "props">) => {
  const { mine } = props.data;
  return (
    <section aria-labelledby="mine">
      <h2 id="mine">{texts.onCall.mine}</h2>
      {mine.length === 0 ? (
        <p class="soft">{texts.onCall.noneOfMine}</p>
      ) : (
        <ul class="rows">
          {mine.map((shift) => {
            const { groupId, groupName, start, end, inGroup } = shift;
            return (
              <li key={`${groupId} ${start}`}>
                <strong>{groupName}</strong>
                <span class="number">
                  {end === null
                    ? texts.onCall.since(formatDayAndTime(start))
                    : texts.span(formatDayAndTime(start), formatDayAndTime(end))}
                </span>
                {Date.parse(start) <= now.value && <span class="status-acknowledged">{texts.onCall.isNow}</span>}
                {!inGroup && <span class="priority-high">{texts.onCall.meNotInGroup}</span>}
                <CoverForm shift={shift} props={props} />
              </li>
            );
          })}
        </ul>
      )}
      <LazyPart load={() => import("./on-call/calendar.tsx")}>
        {({ Calendar }) => <Calendar api={props.context.api} role="viewer" />}
      </LazyPart>
    </section>
  );
};

type ScheduleView = "people" | "month" | undefined;

const SpanControls = ({ days, view }: { days: readonly number[]; view: ScheduleView }) => {
  const moveSpan = (direction: 1 | -1): void => {
    const middle = (days[0] ?? 0) + (direction * DAYS_SHOWN * DAY_MS) / 2 + HOUR_MS;
    const month = direction === 1 ? (days.at(-1) ?? 0) : (days[0] ?? 0) - HOUR_MS;
    setQuery({ from: formatDay(view === "month" ? month : middle) });
  };
  const renderViewButton = (offeredView: ScheduleView, text: string) => (
    <button
      type="button"
      class="chip"
      aria-pressed={view === offeredView}
      onClick={() => setQuery({ by: offeredView })}
    >
      {text}
    </button>
  );
  return (
    <p class="buttons">
      <button type="button" onClick={() => moveSpan(-1)}>
        {texts.onCall.earlier}
      </button>
      <button type="button" onClick={() => setQuery({ from: undefined })}>
        {texts.onCall.today}
      </button>
      <button type="button" onClick={() => moveSpan(1)}>
        {texts.onCall.later}
      </button>
      <span class="grow" />
      <span class="chips" role="group" aria-label={texts.onCall.lines}>
        {renderViewButton(undefined, texts.onCall.byGroup)}
        {renderViewButton("people", texts.onCall.byPerson)}
        {renderViewButton("month", texts.onCall.byMonth)}
      </span>
    </p>
  );
};

const PersonTimelines = ({ span, data: { lines, members } }: { span: TimelineSpan; data: Data }) => {
  const groups = lines.map((line) => ({
    id: line.now.groupId,
    name: line.now.groupName,
    shifts: listShifts(line, span),
  }));
  return (
    <LazyPart load={() => import("./on-call/people.tsx")}>
      {({ People }) => <People {...span} groups={groups} members={members} />}
    </LazyPart>
  );
};

/** Lists who is on call now. The table is the first on the page, because most readers look for it. */
const OnCallNowTable = ({ lines }: Pick<Data, "lines">) => (
  <div class="wide" role="region" aria-labelledby="on-call-now" tabIndex={0}>
    <table class="now compared">
      <caption id="on-call-now">{texts.onCall.atThisMoment}</caption>
      <thead>
        <tr>
          <th scope="col">{texts.onCall.group}</th>
          <th scope="col">{texts.onCall.who}</th>
          <th scope="col">{texts.onCall.untilHead}</th>
          <th scope="col">{texts.onCall.nextHead}</th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ now: { groupId, groupName, onCall, next }, schedule }) => (
          <tr key={groupId}>
            <th scope="row">
              <a href={`#${groupId}`}>{groupName}</a>
            </th>
            <td>
              {onCall.length === 0 && schedule === undefined ? (
                <span class="soft">{texts.onCall.noSchedule}</span>
              ) : (
                <WhoIsOnCall onCall={onCall} nobody={texts.onCall.nobody} />
              )}
            </td>
            <td data-label={next === null ? undefined : texts.onCall.untilHead}>
              {next === null ? "" : formatClockTime(Date.parse(next.at))}
            </td>
            <td data-label={next === null ? undefined : texts.onCall.nextHead}>
              {next !== null && (next.onCall.map(({ name }) => name).join(", ") || texts.onCall.nobody)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

const OnCallView = (props: Props) => {
  const { data, context } = props;
  const by = context.query().get("by");
  const view: ScheduleView = by === "people" || by === "month" ? by : undefined;
  const fortnight = readTimelineSpan(context.query());
  const asked = context.query().has("from") ? fortnight.from : now.value;
  const span = view === "month" ? { from: 0, days: listMonthMidnights(asked) } : fortnight;
  if (data.lines.length === 0) {
    const groupsLink = (
      <a class="button main" href="/groups">
        {texts.pages.groups}
      </a>
    );
    return <Empty next={groupsLink}>{texts.onCall.empty}</Empty>;
  }
  return (
    <>
      <MissingRole role="manager" action={texts.roles.schedules} />
      <DutyShifts shifts={data.mine} showsNext />
      {data.covers.length > 0 && (
        <LazyPart load={() => import("./on-call/covers.tsx")}>
          {({ Covers }) => <Covers covers={data.covers} api={context.api} me={context.me} refresh={props.refresh} />}
        </LazyPart>
      )}
      <OnCallNowTable lines={data.lines} />
      <SpanControls days={span.days} view={view} />
      {view === "people" && <PersonTimelines span={span} data={data} />}
      {view === "month" && <GroupMonth days={span.days} props={props} />}
      {view === undefined && (
        <>
          <Axis {...span} />
          {data.lines.map((line) => (
            <GroupTimeline key={line.now.groupId} line={line} span={span} props={props} />
          ))}
        </>
      )}
      <MyShifts props={props} />
      <LazyPart load={() => import("./on-call/load.tsx")} textsName="load">
        {({ MonthLoad }) => <MonthLoad schedules={data.lines.map(({ schedule }) => schedule)} members={data.members} />}
      </LazyPart>
    </>
  );
};

export const page = definePage<Data>({
  heading: texts.pages.onCall,
  load: async ({ api }) => {
    const [groups, members, mine, covers] = await Promise.all([
      api("on-call/list-on-call-now", {}),
      listHumanMembers(api),
      api("on-call/list-my-shifts", {}),
      api("covers/list-my-covers", {}),
    ]);
    const lines = groups.map(async (now) => {
      const path = { groupId: now.groupId };
      return {
        now,
        schedule: now.hasSchedule ? await undefinedIfNotFound(api("on-call/get-on-call", { path })) : undefined,
      };
    });
    return { lines: await Promise.all(lines), members, mine, covers };
  },
  everySeconds: 60,
  View: OnCallView,
});
