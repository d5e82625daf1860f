import { type Datapoint, isInAlarm } from "./alarm-engine.ts";
import { resourcesOf, textAt, withEveryAlarm } from "./support.ts";

export const alarms = new Map(
  resourcesOf(withEveryAlarm)("AWS::CloudWatch::Alarm").map(([, alarm]) => [
    textAt(alarm, "AlarmName").replace("event-alerting-dev-", ""),
    alarm,
  ]),
);

export const MINUTE = 60_000;

/** Lists the alarms that are on, without the alarm for a missing synthetic event, which is always on. */
export const listRingingAlarms = (data: readonly Datapoint[], now: number): string[] =>
  [...alarms]
    .filter(([name, alarm]) => name !== "synthetic-missing" && isInAlarm(alarm, data, now))
    .map(([name]) => name)
    .sort();
