import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import type { Deps } from "../core/deps.ts";
import { formatEventId, randomChars } from "../core/domain/ids.ts";
import { inTurns } from "../core/flow/in-turns.ts";
import { registerDevice } from "../core/flow/register-device.ts";
import { readControl } from "../core/store/control.ts";
import { createEvent } from "../core/store/events.ts";
import { addGroupMember } from "../core/store/groups.ts";
import { controlKey } from "../core/store/keys.ts";
import { saveMember } from "../core/store/members.ts";
import { startLocalService, type BenchWorkspace, type LocalService } from "./local-service.ts";
import { writeSection } from "./performance-page.ts";
import { anEvent, aRuleFor, asMember } from "./scenario.ts";
import { svgPlot } from "./svg-plot.ts";

/*
 * The local service under load, once as it is and then with one thing ten times as large: the rate, the rules, the
 * recipients, the stored events. Every step measures the POST, and the time from the POST to the push, in one run.
 */

const { values } = parseArgs({
  options: { seconds: { type: "string", default: "10" }, stored: { type: "string", default: "10000" } },
});
const seconds = Number(values.seconds);
const stored = Number(values.stored);

type Timing = { p50: number; p95: number; p99: number };
type Row = { step: string; rate: number; post: Timing; push: Timing | undefined };

const timing = (samples: readonly number[]): Timing => {
  const sorted = samples.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
};

const Posted = v.object({ eventId: v.string() });
const Pushed = v.object({ data: v.object({ eventId: v.string() }) });

const tableDeps = (service: LocalService): Pick<Deps, "table" | "now" | "newId"> => {
  const { endpoint, name, accessKeyId } = service.session.table;
  const client = new DynamoDBClient({
    endpoint,
    region: "us-east-1",
    credentials: { accessKeyId, secretAccessKey: "local" },
  });
  return {
    table: { name, client: DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } }) },
    now: Date.now,
    newId: (prefix) => `${prefix}_${randomChars(randomBytes(10))}`,
  };
};

/** Posts at an even rate for the set time and waits for the pushes. */
const run = async (
  service: LocalService,
  workspace: BenchWorkspace,
  step: string,
  { rate, resource }: { rate: number; resource: string },
): Promise<Row> => {
  const postedAt = new Map<string, number>();
  const posts: number[] = [];
  const one = async (number: number): Promise<void> => {
    const wall = Date.now();
    const start = performance.now();
    const answer = await service.call(
      "POST",
      "/v1/events",
      { "X-Api-Key": workspace.apiKey },
      anEvent(resource, number),
    );
    posts.push(performance.now() - start);
    postedAt.set(v.parse(Posted, answer).eventId, wall);
  };
  const firstPush = new Map<string, number>();
  const collect = async (): Promise<void> => {
    for (const { message, receivedAt } of await service.inbox()) {
      const pushed = v.safeParse(Pushed, message);
      const id = pushed.success ? pushed.output.data.eventId : "";
      if (postedAt.has(id) && !firstPush.has(id)) firstPush.set(id, new Date(receivedAt).getTime());
    }
  };
  await one(0);
  await sleep(500);
  postedAt.clear();
  posts.length = 0;
  const running: Promise<void>[] = [];
  const began = performance.now();
  for (let number = 1; number <= rate * seconds; number += 1) {
    await sleep(Math.max(0, began + (number * 1000) / rate - performance.now()));
    running.push(one(number));
  }
  await Promise.all(running);
  for (let waited = 0; waited < 20; waited += 1) {
    await collect();
    if (firstPush.size === postedAt.size) break;
    await sleep(500);
  }
  const delays = [...firstPush].map(([id, at]) => at - (postedAt.get(id) ?? at));
  await fetch(service.session.fcm.inboxUrl, { method: "DELETE" });
  const row = { step, rate, post: timing(posts), push: delays.length === 0 ? undefined : timing(delays) };
  console.log(`${step}: POST p99 ${row.post.p99.toFixed(1)} ms, push p99 ${row.push?.p99.toFixed(0)} ms`);
  return row;
};

/** As many posts as so many callers get through one after the other. */
const throughput = async (service: LocalService, workspace: BenchWorkspace, callers: number): Promise<number> => {
  const until = performance.now() + seconds * 1000;
  let count = 0;
  const caller = async (): Promise<void> => {
    while (performance.now() < until) {
      await service.call("POST", "/v1/events", { "X-Api-Key": workspace.apiKey }, anEvent("nobody", count));
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return count / seconds;
};

/** Fills a workspace with events past the API, up to so many, as ingest would have stored them. */
const fill = async (deps: Pick<Deps, "table" | "now">, ws: string, upTo: number): Promise<void> => {
  const control = await readControl(deps, ws);
  const from = (control?.seq ?? 0) + 1;
  const numbers = Array.from({ length: Math.max(0, upTo - from + 1) }, (_, index) => from + index);
  await inTurns(numbers, 32, async (seq) => {
    const event = {
      workspaceId: ws,
      eventId: formatEventId({ seq, nonce: "00000000000" }),
      receivedAt: deps.now(),
      rulesVersion: 1,
      peopleVersion: 1,
      content: {
        eventKey: "fill.stored",
        title: `Stored event ${seq}`,
        body: "x".repeat(200),
        priority: "NORMAL" as const,
      },
    };
    await createEvent(deps, event, "fill");
  });
  await deps.table.client.send(
    new UpdateCommand({
      TableName: deps.table.name,
      Key: controlKey(ws),
      UpdateExpression: "SET seq = :seq",
      ExpressionAttributeValues: { ":seq": Math.max(upTo, control?.seq ?? 0) },
    }),
  );
};

const measure = async (service: LocalService): Promise<{ rows: Row[]; eventsPerSecond: number; pages: Row[] }> => {
  const [workspace] = service.session.workspaces;
  if (workspace === undefined) throw new Error("the local service has no workspace");
  const deps = tableDeps(service);
  const member = asMember(service, workspace);
  const { groupId } = await aRuleFor(service, workspace, { resource: "few", people: 3, devices: 2 });
  const addRules = async (count: number) => {
    for (let number = 0; number < count; number += 1)
      await member("POST", "/routing-rules", {
        name: `filler ${number}`,
        eventKey: "*",
        targets: [{ type: "group", groupId }],
        conditions: [
          { field: "data.customer.tier", operator: "equals", value: `tier-${number}` },
          { field: "data.amount", operator: "greater_than", value: number },
        ],
      });
  };
  const rows: Row[] = [];
  const eventsPerSecond = await throughput(service, workspace, 16);
  console.log(`throughput: ${eventsPerSecond.toFixed(0)} events a second`);
  rows.push(await run(service, workspace, "10 events a second", { rate: 10, resource: "few" }));
  rows.push(await run(service, workspace, "100 events a second", { rate: 100, resource: "few" }));
  await addRules(100);
  rows.push(await run(service, workspace, "100 rules", { rate: 20, resource: "few" }));
  await addRules(900);
  rows.push(await run(service, workspace, "1,000 rules", { rate: 20, resource: "few" }));
  rows.push(await run(service, workspace, "3 recipients", { rate: 10, resource: "few" }));
  const many = await aRuleFor(service, workspace, { resource: "many", people: 3, devices: 2 });
  for (let number = 0; number < 27; number += 1) {
    const userId = `usr_bench${number}`;
    await saveMember(deps, workspace.id, { userId, name: `Bench ${number}`, email: `b${number}@bench.example` });
    await addGroupMember(deps, workspace.id, many.groupId, userId);
    for (const device of [1, 2])
      await registerDevice(deps, workspace.id, userId, { token: `bench-${userId}-${device}`, platform: "android" });
  }
  rows.push(await run(service, workspace, "30 recipients", { rate: 10, resource: "many" }));
  const pages: Row[] = [];
  for (const count of [stored, 10 * stored]) {
    await fill(deps, workspace.id, count);
    const name = `${count.toLocaleString("en")} stored events`;
    rows.push(await run(service, workspace, name, { rate: 20, resource: "few" }));
    const times: number[] = [];
    for (let turn = 0; turn < 40; turn += 1) {
      const start = performance.now();
      await member("GET", `/events?page=${Math.floor(count / 50) - turn}`);
      times.push(performance.now() - start);
    }
    pages.push({ step: `the oldest page of ${name}`, rate: 0, post: timing(times), push: undefined });
  }
  return { rows, eventsPerSecond, pages };
};

const service = await startLocalService();
const measureAndStop = async () => {
  try {
    return await measure(service);
  } finally {
    await service.stop();
  }
};
const { rows, eventsPerSecond, pages } = await measureAndStop();
const ms = (value: number | undefined): string => (value === undefined ? "" : value.toFixed(value < 10 ? 1 : 0));
writeFileSync(
  join(import.meta.dirname, "..", "docs", "img", "load.svg"),
  svgPlot({
    title: "Median times, one thing made ten times as large",
    xLabel: "times as large",
    yLabel: "milliseconds",
    series: ["rate", "rules", "recipients", "stored events"].flatMap((name, index) => {
      const color = ["#3b6fb6", "#e0a030", "#5aa469", "#a05195"][index] ?? "#000000";
      const [one, ten] = [rows[2 * index], rows[2 * index + 1]];
      if (one === undefined || ten === undefined) return [];
      const points = (pick: (row: Row) => number | undefined) => [
        { x: 1, y: pick(one) ?? 1 },
        { x: 10, y: pick(ten) ?? 1 },
      ];
      return [
        { name: `POST, ${name}`, color, points: points((row) => row.post.p50) },
        { name: `to push, ${name}`, color, points: points((row) => row.push?.p50) },
      ];
    }),
  }),
);
writeSection("load", [
  `The local service on this machine (\`npm run bench:load\`), service and callers sharing its cores: ${Math.round(eventsPerSecond)} events a second from 16`,
  `callers that wait for their answers. Then ${seconds} s a step at an even rate, one thing ten times as large each time; milliseconds.`,
  "",
  "| Step | Events/s | POST p50 | p95 | p99 | to push p50 | p95 | p99 |",
  "|---|---|---|---|---|---|---|---|",
  ...rows.map(
    ({ step, rate, post, push }) =>
      `| ${step} | ${rate} | ${ms(post.p50)} | ${ms(post.p95)} | ${ms(post.p99)} | ${ms(push?.p50)} | ${ms(push?.p95)} | ${ms(push?.p99)} |`,
  ),
  "",
  ...pages.map(({ step, post }) => `\`GET /events\`, ${step}: p50 ${ms(post.p50)} ms, p99 ${ms(post.p99)} ms.`),
  "",
  "![Median times](img/load.svg)",
]);
