import * as v from "valibot";
import { formatDay } from "../../app/dates.ts";
import type { Answers } from "../../app/types.ts";
import type { WeekHours } from "../../parts/week.ts";
import { OnCallSchedule, toUserIds } from "./shifts.ts";
import { HOUR_MS } from "../../../core/domain/basics/units.ts";

/** `id`: identifies the rotation while other rotations are added and removed. */
export type LayerDraft = {
  id: number;
  start: string;
  every: string;
  unit: "hour" | "day" | "week" | "month";
  /** The end of the rotation; empty if the rotation does not end. */
  until: string;
  /** An empty turn puts nobody on call. */
  participants: readonly (readonly string[])[];
  turns: "calendar" | "duty";
  restrictions: readonly WeekHours[];
};

/** `rest`: the settings that the editor does not change. */
export type ScheduleDraft = {
  timeZone: string;
  layers: readonly LayerDraft[];
  rest?: Pick<Answers["OnCallSchedule"], "holidays" | "restHours" | "remindHours">;
};

const HANDOFF_HOUR = 9;

/** Creates a rotation that begins at the latest past 9:00, because a rotation puts nobody on call before its beginning. */
export const createLayer = (layers: readonly LayerDraft[], nowMs: number): LayerDraft => ({
  id: Math.max(0, ...layers.map(({ id }) => id)) + 1,
  start: `${formatDay(nowMs - HANDOFF_HOUR * HOUR_MS)}T09:00`,
  every: "1",
  unit: "week",
  until: "",
  participants: [],
  turns: "calendar",
  restrictions: [],
});

export const toScheduleDraft = ({
  timeZone,
  layers,
  holidays,
  restHours,
  remindHours,
}: Answers["OnCallSchedule"]): ScheduleDraft => ({
  timeZone,
  rest: {
    ...(holidays === undefined ? {} : { holidays }),
    ...(restHours === undefined ? {} : { restHours }),
    ...(remindHours === undefined ? {} : { remindHours }),
  },
  layers: layers.map(({ start, every, unit, until = "", participants, turns = "calendar", restrictions = [] }, id) => ({
    id,
    start,
    every: String(every),
    unit,
    until,
    participants: participants.map(toUserIds),
    turns,
    restrictions,
  })),
});

/** Converts a draft to the API's input. Omits `first`, which the service computes so that the same person stays on call. */
export const toSchedule = ({ timeZone, layers, rest }: ScheduleDraft) => ({
  ...rest,
  timeZone,
  layers: layers.map(({ start, every, unit, until, participants, turns, restrictions }) => ({
    start,
    every: Number(every),
    unit,
    ...(until === "" ? {} : { until }),
    participants: participants.map(([one, ...others]) =>
      one === undefined ? [] : others.length === 0 ? one : [one, ...others],
    ),
    ...(turns === "calendar" ? {} : { turns }),
    restrictions: restrictions.map(({ days, from, to }) => ({ days: [...days], from, to })),
  })),
});

type CheckedDraft =
  | { kind: "good"; schedule: OnCallSchedule }
  | { kind: "bad"; faults: { field: string; message: string }[] };

/** Checks the draft by the API's schema, and returns the schedule or the faults. */
export const checkDraft = (draft: ScheduleDraft): CheckedDraft => {
  const result = v.safeParse(OnCallSchedule, toSchedule(draft));
  if (result.success) return { kind: "good", schedule: result.output };
  const faults = result.issues.map((issue) => ({ field: v.getDotPath(issue) ?? "", message: issue.message }));
  return { kind: "bad", faults };
};
