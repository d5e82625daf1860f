import { describe, expect, test } from "vitest";
import { valueAt, idAt, type Resource, resourcesOf, nameOf } from "./support.ts";
import { SEND_LEASE_MS } from "../../core/flow/notify/claim-pack.ts";
import { findConcurrencyLimit, sumReservedConcurrency } from "../../lib/ceilings.ts";
import { readConfig } from "../../lib/config.ts";

const resources = resourcesOf();
const functions = resources("AWS::Lambda::Function");

describe("the queues and functions of a stage", () => {
  const queues = new Map(resources("AWS::SQS::Queue"));
  const sources = resources("AWS::Lambda::EventSourceMapping").map(([, mapping]) => ({
    mapping,
    queue: queues.get(idAt(mapping, "EventSourceArn")),
    consumer: functions.find(([id]) => id === idAt(mapping, "FunctionName"))?.[1],
  }));

  test("include only queues that are encrypted and refuse requests without TLS", () => {
    expect([...queues.values()].every(({ Properties }) => Properties["SqsManagedSseEnabled"] === true)).toBe(true);
    const secured = resources("AWS::SQS::QueuePolicy").filter(([, policy]) =>
      JSON.stringify(policy).includes('"aws:SecureTransport":"false"'),
    );
    expect(secured).toHaveLength(queues.size);
  });

  test("keep a message hidden for six function timeouts while it is processed, and try it six times", () => {
    expect(
      sources.map(({ queue, consumer }) => [valueAt(consumer, "Timeout"), valueAt(queue, "VisibilityTimeout")]),
    ).toEqual([
      [20, 120],
      [30, 180],
      [20, 120],
      [30, 180],
    ]);
    expect(sources.map(({ queue }) => valueAt(queue, "RedrivePolicy.maxReceiveCount"))).toEqual([6, 6, 6, 6]);
  });

  test("keep a message for 14 days after it failed six times", () => {
    const dead = sources.map(({ queue }) => queues.get(idAt(queue, "RedrivePolicy.deadLetterTargetArn")));

    expect(dead.map((queue) => valueAt(queue, "MessageRetentionPeriod"))).toEqual([1209600, 1209600, 1209600, 1209600]);
  });

  test("use batches without a batching window, with partial failures and a maximum concurrency", () => {
    for (const { mapping } of sources)
      expect(mapping.Properties).toMatchObject({
        BatchSize: 10,
        MaximumBatchingWindowInSeconds: 0,
        FunctionResponseTypes: ["ReportBatchItemFailures"],
      });
    expect(sources.map(({ mapping }) => valueAt(mapping, "ScalingConfig.MaximumConcurrency"))).toEqual([
      20, 50, 10, 20,
    ]);
  });

  test("stop the function sender before its lease on a notification ends", () => {
    const sender = functions.find(([, f]) => nameOf(f) === "sender")?.[1];

    expect(valueAt(sender, "Timeout")).toBeLessThan(SEND_LEASE_MS / 1000);
  });
});

test("functions whose messages loop by design are not stopped as runaways, and no other function's messages may loop", () => {
  const allowed = functions.filter(([, f]) => valueAt(f, "RecursiveLoop") === "Allow").map(([, f]) => nameOf(f));

  expect(allowed).toEqual(["matcher", "sender", "escalator", "webhook-sender"]);
});

test("concurrency is reserved for ingest and the sweeper, so that a storm of sends cannot starve them", () => {
  const reserved = functions.filter(([, { Properties }]) => "ReservedConcurrentExecutions" in Properties);

  expect(reserved.map(([, f]) => [nameOf(f), f.Properties["ReservedConcurrentExecutions"]])).toEqual([
    ["post-event", 100],
    ["sweeper", 2],
  ]);
});

test("queues have the same limits in the capacity model, preflight and the template", () => {
  const stage = readConfig({});
  const modelled = ["post-event", "matcher", "sender", "escalator", "webhook-sender"].map((entry) =>
    findConcurrencyLimit(entry, stage),
  );

  expect(modelled).toEqual([100, 20, 50, 10, 20]);
  expect([sumReservedConcurrency(stage), sumReservedConcurrency({ ingestConcurrency: 0 })]).toEqual([102, 0]);
});

test("no concurrency is reserved in an account that has none to reserve", () => {
  const bare = resourcesOf({ ingestConcurrency: "0" })("AWS::Lambda::Function");

  expect(JSON.stringify(bare)).not.toContain("ReservedConcurrentExecutions");
});

test("the sweeper runs every minute, and a failed run is not repeated", () => {
  const [[, rule]] = resources("AWS::Events::Rule") as [[string, Resource]];

  expect(rule.Properties).toMatchObject({ ScheduleExpression: "rate(1 minute)", State: "ENABLED" });
  expect(functions.filter(([id]) => id === idAt(rule, "Targets.0.Arn")).map(([, f]) => nameOf(f))).toEqual(["sweeper"]);
  const [[, once]] = resources("AWS::Lambda::EventInvokeConfig") as [[string, Resource]];
  expect(once.Properties).toMatchObject({ MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60 });
});
