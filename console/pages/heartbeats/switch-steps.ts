import { MINUTE_MS } from "../../../core/domain/basics/units.ts";
import type { Answers } from "../../app/types.ts";
import { texts as all } from "../../page-texts/heartbeats.ts";
import type { ShownStep } from "../../parts/shown-step.ts";

const { pagerSwitch: texts } = all;

type Switch = Pick<Answers["Switch"], "everyMinutes" | "lastEventAt" | "lastReceiptAt" | "lastCallAt" | "warnings">;

/** Lists the steps event, receipt and call with their last times. If calls have stopped, the first failed step has a remedy. */
export const listSwitchSteps = (
  { everyMinutes, lastEventAt, lastReceiptAt, lastCallAt, warnings }: Switch,
  nowMs: number,
): ShownStep[] => {
  const isWarned = (code: string): boolean => warnings.some((warning) => warning.code === code);
  const isMissingOrLate = (lastAt: string | null, allowedIntervals: number, comparedToMs: number): boolean =>
    lastAt === null || comparedToMs - Date.parse(lastAt) > allowedIntervals * everyMinutes * MINUTE_MS;
  const isGone = isWarned("device_removed");
  const findBrokenStepIndex = (): number => {
    if (isGone) return 1;
    if (isMissingOrLate(lastEventAt, 2, nowMs)) return 0;
    return isMissingOrLate(lastReceiptAt, 1, Date.parse(lastEventAt ?? "")) ? 1 : 2;
  };
  const broken = isGone || isWarned("calls_stopped") ? findBrokenStepIndex() : Infinity;
  return [
    { name: texts.event, at: lastEventAt, remedy: texts.noEvent },
    { name: texts.receipt, at: lastReceiptAt, remedy: isGone ? texts.deviceGone : texts.noReceipt },
    { name: texts.call, at: lastCallAt, remedy: texts.noCall },
  ].map((step, index) => (index === broken ? step : { ...step, remedy: undefined, isOld: index > broken }));
};

/** Returns "stopped" if a step is broken (has a remedy), "waiting" until the last step was reached once, or else "working". */
export const summarizeSteps = (steps: readonly ShownStep[]): "working" | "waiting" | "stopped" => {
  if (steps.some(({ remedy }) => remedy !== undefined)) return "stopped";
  return steps.at(-1)?.at === null ? "waiting" : "working";
};
