import { DeleteFunctionConcurrencyCommand, PutFunctionConcurrencyCommand } from "@aws-sdk/client-lambda";
import { StartMessageMoveTaskCommand } from "@aws-sdk/client-sqs";
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { beforeEach, describe, expect, test } from "vitest";
import * as v from "valibot";
import type { WorkspaceId } from "../../core/domain/basics/ids.ts";
import { EventInput } from "../../core/domain/event/event.ts";
import { hashApiKey } from "../../core/domain/workspace/api-key-text.ts";
import { createIngest } from "../../core/flow/ingest/ingest-event.ts";
import { controlKey } from "../../core/store/keys.ts";
import { createApiKey } from "../../core/store/people/api-keys.ts";
import { createWorkspace } from "../../core/store/people/workspaces.ts";
import { createTestQueues } from "../world/queues.ts";
import { startIntake } from "../../operator/writing-functions.ts";
import { bob, aStage } from "./fake-stage.ts";

const { stand, clock, advance, deps, lambda, sqs, run } = await aStage();

test("the operator's tool redrives a dead-letter queue at the given rate", async () => {
  sqs.on(StartMessageMoveTaskCommand).resolves({ TaskHandle: "task" });

  expect(await run("redrive", { queue: "pushes", rate: "500" })).toEqual({ taskHandle: "task" });
  expect(sqs.commandCalls(StartMessageMoveTaskCommand)[0]?.args[0].input).toEqual({
    SourceArn: "arn:pushes-dead",
    MaxNumberOfMessagesPerSecond: 500,
  });
});

test.each([
  [
    "with an unknown queue",
    { queue: "letters", rate: "10" },
    "--queue must be events, pushes, escalations or webhooks.",
  ],
  ["with the rate 0", { queue: "pushes", rate: "0" }, "--rate must be a whole number of at least 1."],
  ["with a rate above the maximum of 500", { queue: "pushes", rate: "501" }, "--rate must be at most 500."],
  ["without a rate", { queue: "pushes" }, "--rate is missing."],
])("the operator's command redrive is refused %s", async (_, options, sentence) => {
  await expect(run("redrive", options)).rejects.toThrow(sentence);
});

describe("the intake of events", () => {
  beforeEach(() => {
    lambda.on(PutFunctionConcurrencyCommand).resolves({});
    lambda.on(DeleteFunctionConcurrencyCommand).resolves({});
  });
  const readConcurrency = () =>
    new Map(
      lambda
        .commandCalls(PutFunctionConcurrencyCommand)
        .map(({ args: [{ input }] }) => [input.FunctionName, input.ReservedConcurrentExecutions]),
    );

  test("is stopped by stopping each function whose requests change data, ingest first, and no other function", async () => {
    await run("stop-intake", {});

    const stopped = readConcurrency();
    expect([...stopped.keys()][0]).toBe("event-alerting-prod-post-event");
    for (const name of ["post-from-source", "take-call", "take-receipt", "write-routing-rules", "write-devices"])
      expect(stopped.get(`event-alerting-prod-${name}`)).toBe(0);
    for (const name of ["read-events", "matcher", "sender", "escalator", "sweeper", "serve-console"])
      expect(stopped.has(`event-alerting-prod-${name}`)).toBe(false);
  });

  test("is started again with the concurrency of the stage's settings", async () => {
    const { stopped } = (await run("stop-intake", { stage: "dev" })) as { stopped: string[] };
    lambda.resetHistory();

    expect(await run("start-intake", { stage: "dev" })).toEqual({ started: stopped.toReversed() });
    expect([...readConcurrency()]).toEqual([["event-alerting-dev-post-event", 100]]);
    expect(lambda.commandCalls(DeleteFunctionConcurrencyCommand)).toHaveLength(stopped.length - 1);
  });

  test("is started again without a reserved concurrency if the stage's settings reserve none", async () => {
    const sent: object[] = [];
    const send = async (command: object) => void sent.push(command);
    await startIntake({ lambda: { send: send as never } }, "new", 0);

    expect(sent.every((command) => command instanceof DeleteFunctionConcurrencyCommand)).toBe(true);
  });
});

test("the operator's tool lists by workspace what a restore would lose", async () => {
  const queues = { events: createTestQueues(clock.now).queues.events.queue };
  const plan = { monthlyEvents: 1000, eventsPerMinute: 600_000, burst: 1000, retentionDays: 400 };
  const { id: ws } = await createWorkspace(deps, { name: "Behind", creator: bob, plan });
  const { key } = await createApiKey(deps, ws, { name: "test" });
  const ingest = createIngest({ ...deps, queues });
  const apiKey = { workspaceId: ws, hash: await hashApiKey(key) };
  const post = (title: string) =>
    ingest({
      apiKey,
      input: { event: v.parse(EventInput, { event: "a.b", title, body: "x" }), idempotency: undefined },
    });
  const skipNumbers = new UpdateCommand({
    TableName: stand.table.name,
    Key: controlKey(ws),
    UpdateExpression: "ADD seq :lost",
    ExpressionAttributeValues: { ":lost": 250 },
  });
  await post("before");
  advance(100);
  const since = clock.now();
  for (let count = 0; count < 120; count += 1) {
    await post(`after ${count}`);
    // Clocks differ, so an earlier event may have a later number.
    if (count === 60) await post(`before ${advance(-1)}`);
    if (count === 60) advance(1);
    // An earlier restore has skipped the numbers of lost events.
    if (count === 30) await stand.table.client.send(skipNumbers);
  }

  const found = (await run("events-since", { since: new Date(since).toISOString() })) as {
    workspaceId: WorkspaceId;
    events: { title: string }[];
  }[];

  const mine = found.find(({ workspaceId }) => workspaceId === ws);
  expect(mine?.events.map(({ title }) => title)).toEqual(
    Array.from({ length: 120 }, (_, index) => `after ${119 - index}`),
  );
  await expect(run("events-since", { since: "yesterday" })).rejects.toThrow("--since must be a time");
});
