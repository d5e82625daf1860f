import { describe, expect, test } from "vitest";
import type { Datapoint } from "./alarm-engine.ts";
import { countLine } from "./log-filter.ts";
import { idAt, type Resource, resourcesOf, textAt } from "./support.ts";
import { MINUTE, listRingingAlarms } from "./ringing.ts";

const NOW = Date.UTC(2026, 10, 21, 12);
const createSweeps = (minutes: number): Datapoint[] =>
  Array.from({ length: minutes }, (_, index) => ({ at: NOW - (index + 1) * MINUTE, metric: "SweeperRan", value: 1 }));

describe("an alarm on an AWS metric", () => {
  const createSeries = (minutes: number, metric: string, value: number, resource: string): Datapoint[] =>
    createSweeps(minutes).flatMap((round) => [
      { ...round, metric, value, ...(resource === "the stage" ? {} : { about: resource }) },
      round,
    ]);

  test.each([
    ["queue-behind-events", "ApproximateAgeOfOldestMessage", "EventsQueue", 60, 61],
    ["queue-behind-pushes", "ApproximateAgeOfOldestMessage", "PushesQueue", 300, 301],
    ["queue-behind-escalations", "ApproximateAgeOfOldestMessage", "EscalationsQueue", 1200, 1201],
    ["queue-behind-webhooks", "ApproximateAgeOfOldestMessage", "WebhooksQueue", 1200, 1201],
    ["queue-behind-inbound", "ApproximateAgeOfOldestMessage", "InboundQueue", 300, 301],
    ["function-errors", "Errors", "matcher", 0, 1],
    ["function-errors", "Errors", "sweeper", 0, 1],
    ["function-errors", "Errors", "postfromsource", 0, 1],
    ["function-errors", "Errors", "takecall", 0, 1],
    ["function-errors", "Errors", "takereceipt", 0, 1],
    ["function-throttled", "Throttles", "postevent", 0, 1],
    ["function-throttled", "Throttles", "sender", 0, 1],
    ["function-throttled", "Throttles", "postfromsource", 0, 1],
    ["function-throttled", "Throttles", "takecall", 0, 1],
    ["function-throttled", "Throttles", "takereceipt", 0, 1],
    ["keys-failed", "Errors", "voice", 0, 1],
    ["keys-failed", "Throttles", "voice", 0, 1],
    ["api-5xx", "5xx", "the stage", 0, 1],
    ["table-throttled", "WriteThrottleEvents", "the stage", 1, 2],
    ["table-throttled", "ReadThrottleEvents", "the stage", 1, 2],
  ] as const)(
    "named $0 goes off if the metric $1 of $2 exceeds $3, but not at $3",
    (alarm, metric, about, fine, bad) => {
      expect(listRingingAlarms(createSeries(15, metric, fine, about), NOW)).toEqual([]);
      expect(listRingingAlarms(createSeries(15, metric, bad, about), NOW)).toEqual([alarm]);
    },
  );

  test("does not go off if the messages of a queue are too old for only one minute", () => {
    expect(
      listRingingAlarms(
        [
          ...createSeries(15, "ApproximateAgeOfOldestMessage", 10, "EventsQueue").slice(2),
          { at: NOW - MINUTE, metric: "ApproximateAgeOfOldestMessage", about: "EventsQueue", value: 500 },
        ],
        NOW,
      ),
    ).toEqual([]);
  });
});

describe("the alarm for a function that Lambda stops at its timeout", () => {
  const of = resourcesOf();
  const filters = of("AWS::Logs::MetricFilter").map(([, filter]) => filter);
  const path = of("AWS::Lambda::Function")
    .map(([, f]) => f)
    .filter((f) =>
      /-(post-event|post-from-source|take-call|take-receipt|matcher|sender|escalator|webhook-sender|sweeper)$/.test(
        textAt(f, "FunctionName"),
      ),
    );
  const createLogLine = (type: string, status: string) => ({
    time: "2026-11-21T12:00:00.000Z",
    type,
    record: { requestId: "8286a188-ba32-4475-8077-530cd35c09a9", metrics: { durationMs: 20_000 }, status },
  });
  /** Lists the alarms that go off after two log lines of this type and status within ten minutes. */
  const listAlarmsOn = (filter: Resource, type: string, status: string): string[] =>
    listRingingAlarms(
      [
        ...[1, 7].flatMap((minutes) => countLine(filter, createLogLine(type, status), NOW - minutes * MINUTE)),
        ...createSweeps(15),
      ],
      NOW,
    );

  test("goes off for any function at its timeout, and not for a successful or refused invocation", () => {
    for (const filter of filters) {
      expect(listAlarmsOn(filter, "platform.report", "timeout")).toEqual(["function-timeouts"]);
      expect(listAlarmsOn(filter, "platform.report", "success")).toEqual([]);
      expect(listAlarmsOn(filter, "platform.report", "error")).toEqual([]);
      // Lambda also logs this line for the same invocation, which must not be counted twice.
      expect(listAlarmsOn(filter, "platform.runtimeDone", "timeout")).toEqual([]);
    }
  });

  test("covers every function that an event passes through: each logs in JSON to a log group with the alarm's filter", () => {
    const watched = filters.map((filter) => idAt(filter, "LogGroupName"));

    expect(path).toHaveLength(9);
    for (const f of path) {
      expect(f.Properties["LoggingConfig"]).toMatchObject({ LogFormat: "JSON", SystemLogLevel: "WARN" });
      expect(watched).toContain(idAt(f, "LoggingConfig.LogGroup"));
    }
  });
});
