import { randomUUID } from "node:crypto";
import { EVENT_MAX_BYTES, type Runtime } from "./runtime/runtime.ts";
import { account, region } from "./template/resolve.ts";
import type { ScheduleModel } from "./template/model.ts";

const createScheduledEvent = ({ ruleArn }: ScheduleModel) => ({
  version: "0",
  id: randomUUID(),
  "detail-type": "Scheduled Event",
  source: "aws.events",
  account,
  time: new Date().toISOString().replace(/\.\d+Z$/, "Z"),
  region,
  resources: [ruleArn],
  detail: {},
});

type SchedulesOptions = {
  schedules: readonly ScheduleModel[];
  runtime: Pick<Runtime, "invoke">;
  /** The period of all schedules, in ms. By default, the periods of the template. */
  everyMs: number | undefined;
  onProblem: (message: string) => void;
};

/** The first run is soon after the start, so that unfinished work does not wait. AWS does not promise when the first run is. */
const FIRST_MS = 1000;

/** Invokes the scheduled functions regularly. `everyMs`: replaces the schedules' own intervals. */
export const startSchedules = ({ schedules, runtime, everyMs, onProblem }: SchedulesOptions) => {
  const runSchedule = async (schedule: ScheduleModel): Promise<void> => {
    if (schedule.permitted)
      await runtime.invoke(schedule.functionName, randomUUID(), createScheduledEvent(schedule), EVENT_MAX_BYTES);
    else onProblem(`${schedule.functionName} has no permission that lets EventBridge call it`);
  };
  const timers = schedules.flatMap((schedule) => [
    setTimeout(() => void runSchedule(schedule), FIRST_MS),
    setInterval(() => void runSchedule(schedule), everyMs ?? schedule.everyMs),
  ]);
  return {
    strikeAll: async (): Promise<void> => {
      await Promise.all(schedules.map(runSchedule));
    },
    stop: (): void => {
      for (const timer of timers) clearTimeout(timer);
    },
  };
};
