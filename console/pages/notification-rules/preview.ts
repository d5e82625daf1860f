import { isWholeWeek } from "../../../core/domain/basics/clock/weekly.ts";
import { isTimeZone } from "../../../core/domain/basics/clock/zone.ts";
import { scheduleSteps } from "../../../core/domain/people/scheduled-steps.ts";
import { type Priority, type Rules, type RulesDraft, toRulesInput } from "./draft.ts";

const NIGHT_HOUR = 3;

const isCompletelyTyped = (hours: NonNullable<Rules["quietHours"]>): boolean =>
  hours.from !== "" && hours.to !== "" && isTimeZone(hours.timeZone) && !isWholeWeek([hours]);

/**
 * Returns the notifications (`steps`) of an alert at 3:00 of the coming night (`at`, in ms). `steps` is undefined if every device
 * is notified at once. Returns undefined while the quiet hours are incomplete.
 */
export const previewNight = (draft: RulesDraft, urgentFloor: Rules["urgentFloor"], priority: Priority, now: number) => {
  const rules = toRulesInput(draft);
  if (rules.quietHours !== null && !isCompletelyTyped(rules.quietHours)) return undefined;
  const night = new Date(now);
  night.setHours(NIGHT_HOUR, 0, 0, 0);
  if (night.getTime() <= now) night.setDate(night.getDate() + 1);
  const at = night.getTime();
  return { at, steps: scheduleSteps(rules, urgentFloor, { priority, requiresAck: true, isLoud: true, at }) };
};
