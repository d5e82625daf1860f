import * as v from "valibot";
import { toResolvedTitle } from "../event/event.ts";
import { toMessageDraft, Message, type SnsMessage } from "./aws-message.ts";
import {
  createAdapter,
  fields,
  findText,
  list,
  joinNames,
  maybe,
  partSchema,
  parseTime,
  mapStates,
  type Draft,
} from "./draft.ts";

const children = v.fallback(v.array(v.fallback(v.object({ Arn: maybe, arn: maybe }), {})), []);

const Alarm = v.object({
  AlarmName: v.pipe(v.string(), v.nonEmpty()),
  AlarmDescription: maybe,
  AlarmArn: maybe,
  AWSAccountId: maybe,
  Region: maybe,
  NewStateValue: maybe,
  OldStateValue: maybe,
  NewStateReason: maybe,
  StateChangeTime: maybe,
  Trigger: fields,
  /** A composite alarm's rule, and the alarms that changed its state. */
  AlarmRule: maybe,
  TriggeringChildren: children,
});
type Alarm = v.InferOutput<typeof Alarm>;

const State = partSchema({ value: maybe, reason: maybe, reasonData: maybe, timestamp: maybe });
const AlarmEvent = v.object({
  "detail-type": v.literal("CloudWatch Alarm State Change"),
  account: maybe,
  region: maybe,
  resources: list,
  detail: v.object({
    alarmName: v.pipe(v.string(), v.nonEmpty()),
    state: State,
    previousState: State,
    configuration: partSchema({ description: maybe, alarmRule: maybe, metrics: list }),
  }),
});

const ReasonData = v.pipe(v.string(), v.parseJson(), v.object({ triggeringAlarms: children }));

/** Converts EventBridge's event about an alarm to the alarm that SNS would send. */
const toAlarm = ({ account, region, resources, detail }: v.InferOutput<typeof AlarmEvent>): Alarm => {
  const { alarmName, state: now, previousState, configuration } = detail;
  const reason = v.safeParse(ReasonData, now?.reasonData);
  return {
    AlarmName: alarmName,
    AlarmDescription: configuration?.description,
    AlarmArn: findText(...resources),
    AWSAccountId: account,
    Region: region,
    NewStateValue: now?.value,
    OldStateValue: previousState?.value,
    NewStateReason: now?.reason,
    StateChangeTime: now?.timestamp,
    Trigger: { Metrics: configuration?.metrics ?? [] },
    AlarmRule: configuration?.alarmRule,
    TriggeringChildren: reason.success ? reason.output.triggeringAlarms : [],
  };
};

const dimensions = v.fallback(
  v.union([
    v.pipe(
      v.array(v.object({ name: v.string(), value: maybe })),
      v.transform((named) => Object.fromEntries(named.map(({ name, value }) => [name, value]))),
    ),
    v.record(v.string(), v.unknown()),
  ]),
  {},
);
const Metrics = v.object({
  Dimensions: dimensions,
  Metrics: v.fallback(
    v.array(
      v.object({
        MetricStat: partSchema({ Metric: partSchema({ Dimensions: dimensions }) }),
        metricStat: partSchema({ metric: partSchema({ dimensions }) }),
      }),
    ),
    [],
  ),
});
const readDimensions = (trigger: Alarm["Trigger"]): Record<string, unknown> => {
  const read = v.safeParse(Metrics, trigger);
  if (!read.success) return {};
  const { Dimensions: own, Metrics: metrics } = read.output;
  const theirs = metrics.map((one) => one.MetricStat?.Metric?.Dimensions ?? one.metricStat?.metric?.dimensions);
  return Object.assign({}, ...theirs.toReversed(), own);
};

const actions = mapStates({ ALARM: "firing", OK: "resolved" });

const toAlarmDraft = (alarm: Alarm, snsId: string | undefined): Draft => {
  const { AlarmName: name, NewStateValue: value = "", AlarmArn: arn, TriggeringChildren: parts } = alarm;
  const region = arn?.split(":")[3];
  const action = actions.get(value) ?? "info";
  const state = value === "INSUFFICIENT_DATA" ? `No data: ${name}` : `${name} is in an unknown state`;
  const titles = { firing: name, resolved: toResolvedTitle(name), info: state, test: name };
  return {
    action,
    title: titles[action],
    body: findText(alarm.AlarmDescription, alarm.NewStateReason) ?? `${name} is ${value}`,
    detail: alarm.NewStateReason,
    // CloudWatch alarms have no severity. Their priority is HIGH, because somebody chose to be notified of them.
    priority: action === "info" ? "NORMAL" : "HIGH",
    links: {
      Alarm:
        region &&
        `https://${region}.console.aws.amazon.com/cloudwatch/home?region=${region}#alarmsV2:alarm/${encodeURIComponent(name.toWellFormed())}`,
    },
    data: {
      alarm: name,
      state: value,
      oldState: alarm.OldStateValue,
      account: alarm.AWSAccountId,
      region: alarm.Region,
      arn,
      changedAt: alarm.StateChangeTime,
      rule: alarm.AlarmRule,
      children: joinNames(parts.map(({ Arn, arn: other }) => (Arn ?? other)?.split(":alarm:").at(-1))),
      dimensions: readDimensions(alarm.Trigger),
      trigger: alarm.Trigger,
    },
    changedAt: parseTime(alarm.StateChangeTime),
    key: arn ?? `${alarm.AWSAccountId ?? ""}:${alarm.Region ?? ""}:${name}`,
    once:
      snsId ?? (alarm.StateChangeTime === undefined ? undefined : `${arn ?? name}:${alarm.StateChangeTime}:${value}`),
  };
};

const AnyAlarm = v.union([Alarm, v.pipe(AlarmEvent, v.transform(toAlarm))]);

const toAlarmOrMessageDrafts = (message: unknown, sns: SnsMessage): Draft[] => {
  const alarm = v.safeParse(AnyAlarm, message);
  return [alarm.success ? toAlarmDraft(alarm.output, sns.MessageId) : toMessageDraft(message, sns)];
};

const Text = v.pipe(v.string(), v.parseJson());
const Envelope = v.object({ Message: v.string(), MessageId: maybe, Subject: maybe, TopicArn: maybe });

/** Reads CloudWatch alarms and events of other services, with or without an SNS envelope. */
export const cloudwatch = createAdapter(
  v.union(
    [
      v.pipe(
        Envelope,
        v.transform((sns) => {
          const text = v.safeParse(Text, sns.Message);
          return toAlarmOrMessageDrafts(text.success ? text.output : sns.Message, sns);
        }),
      ),
      v.pipe(
        v.union([AnyAlarm, Message]),
        v.transform((alarm) => toAlarmOrMessageDrafts(alarm, {})),
      ),
    ],
    "The body must be a notification of SNS with its Message, an alarm with its AlarmName, or an event of EventBridge or RDS.",
  ),
  (drafts) => drafts,
);
