import type { Answers } from "../../app/types.ts";

export type Draft = {
  name: string;
  every: string;
  unit: Unit;
  graceMinutes: string;
  priority: Answers["Heartbeat"]["priority"];
};

const SECONDS = { days: 86_400, hours: 3600, minutes: 60, seconds: 1 } as const;
export type Unit = keyof typeof SECONDS;
export const units = ["seconds", "minutes", "hours", "days"] as const satisfies Unit[];

export const emptyDraft: Draft = { name: "", every: "1", unit: "hours", graceMinutes: "5", priority: "HIGH" };

/** Converts an interval to the largest unit that divides it. */
export const toIntervalDraft = (seconds: number): { every: string; unit: Unit } => {
  const unit = units.findLast((one) => seconds % SECONDS[one] === 0) ?? "seconds";
  return { every: String(seconds / SECONDS[unit]), unit };
};

export const toDraft = ({ name, everySeconds, graceSeconds, priority }: Answers["Heartbeat"]): Draft => ({
  name,
  ...toIntervalDraft(everySeconds),
  graceMinutes: String(graceSeconds / 60),
  priority,
});

export const toHeartbeatInput = ({ name, every, unit, graceMinutes, priority }: Draft) => ({
  name,
  everySeconds: Math.round(Number(every) * SECONDS[unit]),
  graceSeconds: Math.round(Number(graceMinutes) * 60),
  priority,
});
