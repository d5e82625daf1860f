import { importExport } from "../../../setup/import/import-export.ts";

const FROM = Date.parse("2026-03-16T00:00:00Z");
export const HOUR = 3_600;
export const DAY = 24 * HOUR;

const users = [
  ...["A", "B", "C"].map((id) => ({
    id: `U${id}`,
    username: id.toLowerCase(),
    email: `${id}@x`,
    teams: id === "C" ? [] : ["T1"],
  })),
  { id: "UX", username: "nameless", email: "" },
  { id: "UY", username: null, email: null, teams: ["T2"] },
];
export const importAnswers = (
  answers: Readonly<Record<string, unknown[]>>,
  ...files: { path: string; text: string }[]
) =>
  importExport(
    "oncall",
    [
      ...Object.entries({ users, ...answers }).map(([kind, results]) => ({
        path: `${kind}.json`,
        text: JSON.stringify({ results }),
      })),
      ...files,
    ],
    FROM,
  );
export type Imported = ReturnType<typeof importAnswers>;

export const shift = {
  id: "H",
  name: "Main",
  type: "rolling_users",
  level: 1,
  start: "2026-01-05T09:00:00",
  duration: 7 * DAY,
  frequency: "weekly",
  interval: 1,
  week_start: "MO",
  rolling_users: [["UA"], ["UB"]],
};
export const importSchedule = (shifts: object[], fields: object = {}, ...files: { path: string; text: string }[]) => {
  const named = shifts.map((one, index) => ({ ...shift, id: `H${index}`, ...one }));
  const schedule = {
    id: "S1",
    name: "Web",
    type: "web",
    time_zone: "UTC",
    shifts: named.map(({ id }) => id),
    ...fields,
  };
  return importAnswers({ schedules: [schedule], shifts: named }, ...files);
};
