import { readReaderTimeZone } from "../../app/dates.ts";
import type { Answers } from "../../app/types.ts";
import type { WeekHours } from "../../parts/week.ts";
import type { Texts } from "../../texts/en/notification-rules.ts";

export type Rules = Answers["NotificationRules"];
export type Channel = Rules["ways"][number];
export type StepDraft = { minutes: string; ways: readonly Channel[] };

export const priorities = ["URGENT", "HIGH", "NORMAL", "LOW"] as const;
export type Priority = (typeof priorities)[number];
export type HoldBelow = keyof Texts["notificationRules"]["held"];
export type RulesDraft = Record<Priority, readonly StepDraft[]> & {
  quiet: boolean;
  hours: WeekHours;
  timeZone: string;
  holdBelow: HoldBelow;
};

const nights: WeekHours = { days: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"], from: "22:00", to: "07:00" };

export const toDraft = ({ rungs, quietHours }: Rules): RulesDraft => {
  const createStepDrafts = (priority: Priority): StepDraft[] =>
    rungs[priority].map(({ afterMinutes, ways }) => ({ minutes: String(afterMinutes), ways }));
  return {
    URGENT: createStepDrafts("URGENT"),
    HIGH: createStepDrafts("HIGH"),
    NORMAL: createStepDrafts("NORMAL"),
    LOW: createStepDrafts("LOW"),
    quiet: quietHours !== null,
    hours: quietHours ?? nights,
    timeZone: quietHours?.timeZone ?? readReaderTimeZone(),
    holdBelow: quietHours?.holdBelow ?? "URGENT",
  };
};

export const toRulesInput = (draft: RulesDraft) => {
  const toSteps = (priority: Priority) =>
    draft[priority].map(({ minutes, ways }) => ({ afterMinutes: Number(minutes), ways: [...ways] }));
  const { days, from, to } = draft.hours;
  return {
    rungs: { URGENT: toSteps("URGENT"), HIGH: toSteps("HIGH"), NORMAL: toSteps("NORMAL"), LOW: toSteps("LOW") },
    quietHours: draft.quiet
      ? { days: [...days], from, to, timeZone: draft.timeZone, holdBelow: draft.holdBelow }
      : null,
  };
};
