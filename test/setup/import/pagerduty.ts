import { importExport } from "../../../setup/import/import-export.ts";

export type Restriction = {
  type: "daily_restriction" | "weekly_restriction";
  start_time_of_day: string;
  duration_seconds: number;
  start_day_of_week?: number;
};
export type Layer = {
  name: string;
  start: string;
  end: string | null;
  rotation_virtual_start: string;
  rotation_turn_length_seconds: number;
  users: { user: { id: string; type: string; summary: string } }[];
  restrictions: Restriction[];
};
export type Entry = { start: string; end: string; user: { id: string } };

export const everybody = ["A", "B", "C", "D", "E"].map((id) => ({
  id: `P${id}`,
  name: id,
  email: `${id.toLowerCase()}@acme.example`,
}));

const FROM = Date.parse("2026-03-16T00:00:00Z");

export const layerOf = (name: string, ids: string[], more: Partial<Layer> = {}): Layer => ({
  name,
  start: "2026-01-05T09:00:00+01:00",
  end: null,
  rotation_virtual_start: "2026-01-05T09:00:00+01:00",
  rotation_turn_length_seconds: 604_800,
  users: ids.map((id) => ({ user: { id, type: "user_reference", summary: id } })),
  restrictions: [],
  ...more,
});

export const imported = (answers: Record<string, unknown>[], fromMs = FROM) =>
  importExport(
    "pagerduty",
    answers.map((answer, index) => ({ path: `answer-${index}.json`, text: JSON.stringify(answer) })),
    fromMs,
  );

export const aSchedule = (layers: Layer[], more: Record<string, unknown> = {}) => ({
  schedules: [{ id: "PSCHED", name: "Web", time_zone: "Europe/Berlin", schedule_layers: layers, ...more }],
});

export const users = { users: everybody.slice(0, 3) };

export const aPolicy = (targets: { id: string; type: string }[][], num_loops = 0) => ({
  escalation_policies: [
    {
      id: "PPOL",
      name: "Web first",
      num_loops,
      escalation_rules: targets.map((level, index) => ({
        escalation_delay_in_minutes: 10 * (index + 1),
        targets: level,
      })),
    },
  ],
});

export const aService = (more: Record<string, unknown> = {}) => ({
  services: [{ id: "PSVC", name: "Checkout API", escalation_policy: { id: "PPOL" }, ...more }],
});

export const SCHEDULE = { id: "PSCHED", type: "schedule_reference" };
export const user = (id: string) => ({ id, type: "user_reference" });
