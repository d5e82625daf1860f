import { getZone } from "../../../core/domain/basics/clock/zone.ts";
import { createEmailReader, takeFittingLayers, type Draft } from "../draft.ts";
import { DAY_MINUTES, ALWAYS, EVERY_DAY, createDailyHours, type WeekSpan } from "../hours.ts";
import { convertPeriods, splitOverlaps } from "../periods.ts";
import { toCadence, type FileLayer, rotationToLayers, findExceededLimit, toLocal } from "../rotation.ts";
import { createOnCallReader, readRenderedSchedule } from "./reading.ts";
import { toIso } from "../../../core/domain/basics/time.ts";
import type { Layer, OnCall, Reference, Schedule } from "./shape.ts";

/** `end`: absent if the shift never ends. */
type Shift = {
  start?: number | null | undefined;
  end?: number | null | undefined;
  user?: Reference | null | undefined;
};

const toLabel = ({ id, summary }: Reference): string => summary ?? id;

const listWeekHours = ({ restrictions }: Layer): WeekSpan[] =>
  restrictions.flatMap(({ type, start_time_of_day, duration_seconds, start_day_of_week }) => {
    const [from, minutes] = [Math.round(start_time_of_day / 60), Math.round(duration_seconds / 60)];
    if (type === "daily_restriction") return createDailyHours(EVERY_DAY, from, Math.min(minutes, DAY_MINUTES));
    return createDailyHours([start_day_of_week - 1], from, minutes);
  });

type ScheduleContext = {
  zone: ReturnType<typeof getZone>;
  timeZone: string;
  nowMs: number;
  peopleOf: (user: Reference) => string[];
};

/** Converts a layer of PagerDuty. Reports the reason and returns an empty list if this service cannot express the layer. */
const toLayers = (
  draft: Draft,
  layerName: string,
  layer: Layer,
  { zone, timeZone, nowMs, peopleOf }: ScheduleContext,
): FileLayer[] => {
  const { start, end, rotation_virtual_start, rotation_turn_length_seconds, users, restrictions } = layer;
  const untilMs = end ?? Infinity;
  if (untilMs <= nowMs) {
    draft.left(layerName, "The layer is over.");
    return [];
  }
  if (users.length === 0) {
    draft.left(layerName, "The layer has no people.");
    return [];
  }
  const cadence = toCadence(rotation_turn_length_seconds * 1_000);
  if (cadence === undefined) {
    draft.left(layerName, `The turns of ${rotation_turn_length_seconds} seconds are not whole hours.`);
    return [];
  }
  if (restrictions.some((one) => one.start_time_of_day % 60 !== 0 || one.duration_seconds % 60 !== 0))
    draft.different(layerName, "The hours of the layer are rounded down to whole minutes.");
  const rotation = {
    anchor: toLocal(rotation_virtual_start, zone),
    ...cadence,
    turns: users.map(({ user }) => peopleOf(user)),
    fromMs: start,
    untilMs,
    hours: restrictions.length === 0 ? ALWAYS : listWeekHours(layer),
  };
  const limit = findExceededLimit(rotation);
  if (limit === undefined) return rotationToLayers(rotation, timeZone, nowMs);
  draft.left(layerName, `This layer exceeds a limit of this service: ${limit}.`);
  return [];
};

/** Adds a group with a schedule's layers and its overrides in `period`. Returns the group's name; undefined without shifts. */
export const addSchedule = (
  draft: Draft,
  schedule: Schedule,
  oncalls: readonly OnCall[],
  people: ReadonlyMap<string, string>,
  period: { fromMs: number; toMs: number },
): string | undefined => {
  const { name, time_zone: timeZone, overrides_subschedule } = schedule;
  const zone = getZone(timeZone);
  const what = draft.count("schedules", `Schedule ${name}`);
  const emailOf = createEmailReader(draft, people);
  const toEmailList = (user: Reference | null | undefined): string[] => {
    const email = user === undefined || user === null ? undefined : emailOf(user.id, toLabel(user));
    return email === undefined ? [] : [email];
  };

  const schedule_layers = schedule.schedule_layers ?? [];
  if (schedule.schedule_layers === undefined || schedule.schedule_layers === null) {
    const entries: readonly Shift[] = schedule.final_schedule?.rendered_schedule_entries ?? [];
    const shifts: readonly Shift[] = entries.length > 0 ? entries : oncalls;
    const periods = shifts.flatMap(({ start, end, user }) => {
      const until = Math.min(end ?? period.toMs, period.toMs);
      return until <= period.fromMs
        ? []
        : [{ start: Math.max(start ?? 0, period.fromMs), end: until, people: toEmailList(user) }];
    });
    if (periods.length === 0) {
      draft.left(
        what,
        "The export has neither the layers nor the shifts of this schedule: fetch each schedule by its id, and oncalls.json for shift-based schedules.",
      );
      return undefined;
    }
    const layers = takeFittingLayers(draft, what, [], convertPeriods(splitOverlaps(periods), timeZone));
    const group = draft.addGroup(name, [], { timeZone, layers });
    draft.taken(what, `group ${group} with the shifts of the next days`);
    draft.warn(
      what,
      `The shifts are written one by one until ${toIso(period.toMs).slice(0, 10)}. After that day, nobody is on call: add a rotation before that day.`,
    );
    return group;
  }

  const ground = { zone, timeZone, nowMs: period.fromMs, peopleOf: toEmailList };
  const layers = schedule_layers
    .toReversed()
    .flatMap((layer, index) => toLayers(draft, `${what}, layer ${layer.name ?? index + 1}`, layer, ground));
  const overrides = (overrides_subschedule?.rendered_schedule_entries ?? []).filter(({ end }) => end > period.fromMs);
  const overriding = convertPeriods(
    splitOverlaps(overrides.map(({ start, end, user }) => ({ start, end, people: toEmailList(user) }))),
    timeZone,
  );
  const group = draft.addGroup(name, [], { timeZone, layers: takeFittingLayers(draft, what, layers, overriding) });
  draft.taken(
    what,
    `group ${group} with ${layers.length} layers${overriding.length === 0 ? "" : `, and ${overriding.length} more for ${overrides.length} overrides`}`,
  );
  const describeUser = (user: Reference) => people.get(user.id) ?? `${toLabel(user)} (not in the export)`;
  const rendered = schedule.final_schedule?.rendered_schedule_entries ?? [];
  const covers = rendered.some(({ start }) => start <= period.fromMs) && rendered.some(({ end }) => end >= period.toMs);
  const own = covers ? readRenderedSchedule(schedule, describeUser) : undefined;
  draft.checks.push({
    schedule: name,
    groups: [group],
    timeZone,
    source: own === undefined ? "its layers, evaluated by PagerDuty's rules" : "PagerDuty's own final schedule",
    reading: own ?? createOnCallReader(schedule, (ms) => toLocal(ms, zone), describeUser),
  });
  return group;
};
