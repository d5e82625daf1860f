import * as v from "valibot";
import { adapter, fields, first, words, maybe, timeOf, type Draft } from "./draft.ts";

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
});

const Envelope = v.object({ Message: v.string(), MessageId: maybe, Subject: maybe, TopicArn: maybe });

const actions = words({ ALARM: "firing", OK: "resolved" });

const regionOf = (arn: string | undefined): string | undefined => arn?.split(":")[3];

const ofAlarm = (alarm: v.InferOutput<typeof Alarm>, once: string | undefined): Draft => {
  const { AlarmName: name, NewStateValue: state = "", AlarmArn: arn } = alarm;
  const region = regionOf(arn);
  const action = actions.get(state) ?? "info";
  return {
    action,
    title: action === "resolved" ? `Resolved: ${name}` : name,
    body: first(alarm.AlarmDescription, alarm.NewStateReason) ?? `${name} is ${state}`,
    detail: alarm.NewStateReason,
    // An alarm has no severity of its own, but somebody made it in order to be told.
    priority: "HIGH",
    url:
      region === undefined
        ? undefined
        : `https://${region}.console.aws.amazon.com/cloudwatch/home?region=${region}#alarmsV2:alarm/${encodeURIComponent(name.toWellFormed())}`,
    data: {
      alarm: name,
      state,
      oldState: alarm.OldStateValue,
      account: alarm.AWSAccountId,
      region: alarm.Region,
      arn,
      changedAt: alarm.StateChangeTime,
      trigger: alarm.Trigger,
    },
    changedAt: timeOf(alarm.StateChangeTime),
    key: arn ?? `${alarm.AWSAccountId ?? ""}:${alarm.Region ?? ""}:${name}`,
    once:
      once ?? (alarm.StateChangeTime === undefined ? undefined : `${arn ?? name}:${alarm.StateChangeTime}:${state}`),
  };
};

const AlarmText = v.pipe(v.string(), v.parseJson(), Alarm);

const ofEnvelope = ({
  Message: text,
  MessageId: id,
  Subject: subject,
  TopicArn: topic,
}: v.InferOutput<typeof Envelope>): Draft => {
  const alarm = v.safeParse(AlarmText, text);
  if (alarm.success) return ofAlarm(alarm.output, id);
  return {
    action: "info",
    title: first(subject) ?? "Message of an SNS topic",
    body: first(text, subject) ?? "Message of an SNS topic",
    priority: "NORMAL",
    data: { topic },
    once: id,
  };
};

/** A CloudWatch alarm in the envelope of its SNS topic, or without it where the subscription delivers raw messages. */
export const cloudwatch = adapter(
  v.union(
    [
      v.pipe(
        Envelope,
        v.transform((envelope) => [ofEnvelope(envelope)]),
      ),
      v.pipe(
        Alarm,
        v.transform((alarm) => [ofAlarm(alarm, undefined)]),
      ),
    ],
    "The body must be a notification of SNS with its Message, or an alarm of CloudWatch with its AlarmName.",
  ),
  (drafts) => drafts,
);
