import { importExport } from "../../../setup/import/import-export.ts";

export type Shift = {
  id: string;
  name: string;
  type: "rolling_users" | "recurrent_event" | "single_event" | "override";
  level: number;
  start: string;
  duration: number;
  until?: string | null;
  frequency?: "hourly" | "daily" | "weekly" | "monthly" | null;
  interval?: number | null;
  week_start?: string;
  by_day?: string[] | null;
  users?: string[];
  rolling_users?: string[][];
  start_rotation_from_user_index?: number | null;
  time_zone?: string | null;
};

export const everybody = ["A", "B", "C", "D", "E"].map((id) => ({
  id: `U${id}`,
  username: id.toLowerCase(),
  email: `${id.toLowerCase()}@acme.example`,
  teams: ["T1"],
}));
export const json = (kind: string, results: unknown[]) => ({ path: `${kind}.json`, text: JSON.stringify({ results }) });

export const answersOf = (zone: string, shifts: Shift[], more: Record<string, unknown> = {}) => [
  json("users", everybody),
  json("schedules", [
    { id: "S1", name: "Web", type: "web", time_zone: zone, shifts: shifts.map(({ id }) => id), ...more },
  ]),
  json("on_call_shifts", shifts),
];

export const FROM = Date.parse("2026-03-16T00:00:00Z");

export const aShift = (id: string, more: Partial<Shift> = {}): Shift => ({
  id,
  name: id,
  type: "rolling_users",
  level: 1,
  start: "2026-01-05T09:00:00",
  duration: 7 * 86_400,
  frequency: "weekly",
  interval: 1,
  week_start: "MO",
  rolling_users: [["UA"], ["UB", "UC"]],
  ...more,
});

export const imported = (
  shifts: Shift[],
  more: Record<string, unknown> = {},
  ...files: { path: string; text: string }[]
) => importExport("oncall", [...answersOf("Europe/Berlin", shifts, more), ...files], FROM);
