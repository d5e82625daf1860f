import { event, testMessages } from "./table.ts";

testMessages("cloudwatch", {
  "an alarm with every field": [
    {
      AlarmName: "dlq €",
      AlarmDescription: "Orders are dead.",
      NewStateReason: "1 datapoint.",
      AlarmArn: "arn:aws:cloudwatch:eu-west-1:123456789012:alarm:dlq €",
      AWSAccountId: "123456789012",
      Region: "EU (Ireland)",
      NewStateValue: "ALARM",
      OldStateValue: "OK",
      StateChangeTime: "2026-11-21T12:00:00.000+0000",
      Trigger: { MetricName: "Messages" },
    },
    event("cloudwatch.firing HIGH | dlq € | Orders are dead.", {
      detail: "1 datapoint.",
      data: {
        "links.Alarm":
          "https://eu-west-1.console.aws.amazon.com/cloudwatch/home?region=eu-west-1#alarmsV2:alarm/dlq%20%E2%82%AC",
        alarm: "dlq €",
        state: "ALARM",
        oldState: "OK",
        account: "123456789012",
        region: "EU (Ireland)",
        arn: "arn:aws:cloudwatch:eu-west-1:123456789012:alarm:dlq €",
        changedAt: "2026-11-21T12:00:00.000+0000",
        "trigger.MetricName": "Messages",
      },
      url: "https://eu-west-1.console.aws.amazon.com/cloudwatch/home?region=eu-west-1#alarmsV2:alarm/dlq%20%E2%82%AC",
      dedupeKey: "cloudwatch:arn:aws:cloudwatch:eu-west-1:123456789012:alarm:dlq €",
      changedAt: 1795262400000,
      once: "cloudwatch:arn:aws:cloudwatch:eu-west-1:123456789012:alarm:dlq €:2026-11-21T12:00:00.000+0000:ALARM",
    }),
  ],
  "an alarm without an ARN that has ended": [
    { AlarmName: "dlq", NewStateReason: "1 datapoint.", NewStateValue: "OK", StateChangeTime: "2026-11-21T12:00:00Z" },
    event("cloudwatch.resolved LOW | Resolved: dlq | 1 datapoint.", {
      detail: "1 datapoint.",
      data: { alarm: "dlq", state: "OK", changedAt: "2026-11-21T12:00:00Z" },
      resolves: "cloudwatch:::dlq",
      changedAt: 1795262400000,
      once: "cloudwatch:dlq:2026-11-21T12:00:00Z:OK",
    }),
  ],
  "an alarm with only a name": [
    { AlarmName: "dlq" },
    event("cloudwatch.info NORMAL | dlq is in an unknown state | dlq is ", { data: { alarm: "dlq", state: "" } }),
  ],
  "a message of the SNS topic that is not an alarm": [
    { Message: "hello", Subject: "S", TopicArn: "arn:t" },
    event("cloudwatch.info NORMAL | S | hello", { data: { topic: "arn:t" } }),
  ],
  "an empty message of the SNS topic": [
    { Message: "", Subject: "S", MessageId: "m" },
    event("cloudwatch.info NORMAL | S", { once: "cloudwatch:m" }),
  ],
  "a blank message of the SNS topic without a subject": [
    { Message: " " },
    event("cloudwatch.info NORMAL | Message of an SNS topic"),
  ],
  "an alarm from EventBridge with only a name": [
    { "detail-type": "CloudWatch Alarm State Change", detail: { alarmName: "dlq", state: { value: "OK" } } },
    event("cloudwatch.resolved LOW | Resolved: dlq | dlq is OK", {
      data: { alarm: "dlq", state: "OK" },
      resolves: "cloudwatch:::dlq",
    }),
  ],
  "an event of EventBridge without an SNS topic": [
    { "detail-type": "Port Probe", detail: {}, id: "e-1" },
    event("cloudwatch.info NORMAL | Port Probe", {
      data: { "detail-type": "Port Probe", id: "e-1" },
      once: "cloudwatch:e-1",
    }),
  ],
});
