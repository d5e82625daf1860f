import { formatMinute, readReaderTimeZone, toTimestamp } from "../../app/dates.ts";
import type { Answers } from "../../app/types.ts";
import type { WeekHours } from "../../parts/week.ts";
import { flattenData } from "../event/flatten-data.ts";
import { type ConditionDraft, emptyCondition, toConditionDrafts, toConditions } from "../rule/draft.ts";
import { HOUR_MS } from "../../../core/domain/basics/units.ts";

/** `ends`: empty if the silence does not end. */
export type SilenceDraft = {
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
  everything: boolean;
};

const nights: WeekHours = { days: ["sun"], from: "02:00", to: "04:00" };

/** Returns an empty draft that begins at `nowMs`. */
export const createEmptyDraft = (nowMs: number): SilenceDraft => ({
  name: "",
  // The event key is empty, because a silence of all events must be explicit.
  eventKey: "",
  conditions: [],
  conditionMatch: "all",
  when: "once",
  starts: formatMinute(nowMs),
  ends: formatMinute(nowMs + HOUR_MS),
  hours: nights,
  timeZone: readReaderTimeZone(),
  includeUrgent: false,
  tells: true,
  everything: false,
});

/** The maximum number of conditions. A silence with more conditions would match hardly any other event. */
const CONDITIONS_MAX = 3;
const NAME_MAX = 100;

/** Returns a draft that lasts an hour, for events with the same key and the same texts in `data`, except numbers and links. */
export const createDraftForEvent = ({ title, eventKey, data }: Answers["Event"], nowMs: number): SilenceDraft => ({
  ...createEmptyDraft(nowMs),
  name: title.slice(0, NAME_MAX),
  eventKey,
  conditions: flattenData(data ?? {})
    .filter(([, value]) => Number.isNaN(Number(value)) && !/^https?:/.test(value))
    .slice(0, CONDITIONS_MAX)
    .map(([path, value], id) => ({ ...emptyCondition, id, field: `data.${path}`, value })),
});

export const toDraft = (silence: Answers["Silence"]): SilenceDraft => ({
  name: silence.name,
  eventKey: silence.eventKey,
  conditions: toConditionDrafts(silence.conditions),
  conditionMatch: silence.conditionMatch,
  when: silence.weekly === null ? "once" : "weekly",
  starts: formatMinute(Date.parse(silence.startsAt)),
  ends: silence.endsAt === null ? "" : formatMinute(Date.parse(silence.endsAt)),
  hours: silence.weekly ?? nights,
  timeZone: silence.weekly?.timeZone ?? readReaderTimeZone(),
  includeUrgent: silence.includeUrgent,
  tells: silence.afterwards === "tell",
  everything: silence.everything,
});

export const isForAllEvents = ({ eventKey, conditions }: SilenceDraft): boolean =>
  eventKey.trim() === "*" && conditions.length === 0;

export const toSilenceInput = (draft: SilenceDraft) => ({
  name: draft.name,
  eventKey: draft.eventKey,
  conditions: toConditions(draft.conditions),
  conditionMatch: draft.conditionMatch,
  startsAt: toTimestamp(draft.starts),
  endsAt: draft.ends === "" ? null : toTimestamp(draft.ends),
  weekly: draft.when === "once" ? null : { ...draft.hours, days: [...draft.hours.days], timeZone: draft.timeZone },
  includeUrgent: draft.includeUrgent,
  afterwards: draft.tells ? ("tell" as const) : ("drop" as const),
  everything: draft.everything && isForAllEvents(draft),
});
