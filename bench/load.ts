import { setTimeout as sleep } from "node:timers/promises";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { Deps, AuditDeps } from "../core/deps.ts";
import { formatEventId, type WorkspaceId } from "../core/domain/basics/ids.ts";
import { newId } from "../core/new-id.ts";
import { mapLimit } from "../core/domain/basics/in-turns.ts";
import { createOperatorAuthor } from "../core/domain/workspace/audit.ts";
import { registerDevice } from "../core/flow/admin/register-device.ts";
import { readControl } from "../core/store/events/control.ts";
import { createEvent } from "../core/store/events/events.ts";
import { addGroupMember } from "../core/store/people/groups.ts";
import { controlKey } from "../core/store/keys.ts";
import { saveMember } from "../core/store/people/members.ts";
import { startLocalService, type BenchWorkspace, type LocalService } from "./local-service.ts";
import { writeSection } from "./performance-page.ts";
import { buildEvent, setUpRule, callAsMember, runAtRate, findQuantile, postEvent, listPushDelays } from "./scenario.ts";
import { readArguments } from "../tools/command-line.ts";

/*
 * Measures how many events per second the local service accepts, and how much slower it is if a workspace is ten times as large.
 * The small and the tenfold size are measured alternately, so that their ratio does not depend on the machine's load.
 */

const usage = `npm run bench:load -- --seconds 3      duration of each measurement (3)
npm run bench:load -- --turns 5        measurements of each size (5)
npm run bench:load -- --stored 10000   stored events in the larger size (10000)`;

const values = readArguments(usage, {
  seconds: { type: "string", default: "3" },
  turns: { type: "string", default: "5" },
  stored: { type: "string", default: "10000" },
});
const seconds = Number(values.seconds);
const turns = Number(values.turns);
const stored = Number(values.stored);

type Timing = { p50: number; p99: number };
type Samples = { posts: number[]; pushes: number[] };
/** One side of a comparison, such as a small or a tenfold workspace. `rate`: events per second. */
type LoadStep = { step: string; workspace: BenchWorkspace; rate: number; resource: string };
type LoadRow = { step: string; post: Timing; push: Timing };
type Stage = "post" | "push";
type Goal = { stage: Stage; rank: keyof Timing; most: number };
type MeasuredPair = { name: string; one: LoadRow; ten: LoadRow; goals: readonly Goal[] };

/** The maximum ratios of times at ten times the size to times at the small size. */
const asLong: readonly Goal[] = [
  { stage: "post", rank: "p50", most: 1.2 },
  { stage: "push", rank: "p50", most: 1.2 },
];
const twiceAsLong: readonly Goal[] = [
  { stage: "push", rank: "p50", most: 2 },
  { stage: "push", rank: "p99", most: 2 },
];

const summarizeTimes = (samples: readonly number[]): Timing => ({
  p50: findQuantile(samples, 0.5),
  p99: findQuantile(samples, 0.99),
});

/** Returns dependencies that read and write the service's table directly, without the API. */
const openTableOfService = (service: LocalService): AuditDeps => {
  const { endpoint, name, accessKeyId } = service.session.table;
  const credentials = { accessKeyId, secretAccessKey: "local" };
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint, region: "us-east-1", credentials }), {
    marshallOptions: { removeUndefinedValues: true },
  });
  return { table: { name, client, author: createOperatorAuthor("load") }, now: Date.now, newId };
};

/** Posts events at a rate, and returns the ms of each post and the ms to each event's first push. */
const timeEvents = async (service: LocalService, { workspace, rate, resource }: LoadStep): Promise<Samples> => {
  const postedAt = new Map<string, number>();
  const posts: number[] = [];
  const timeEvent = async (number: number): Promise<void> => {
    const wall = Date.now();
    const start = performance.now();
    const eventId = await postEvent(service, workspace, buildEvent(resource, number));
    posts.push(performance.now() - start);
    postedAt.set(eventId, wall);
  };
  const firstPush = new Map<string, number>();
  const collectPushes = async (): Promise<void> => {
    for (const { eventId, ms } of await listPushDelays(service, postedAt))
      if (!firstPush.has(eventId)) firstPush.set(eventId, ms);
  };
  await timeEvent(0);
  await sleep(500);
  postedAt.clear();
  posts.length = 0;
  await runAtRate(rate, rate * seconds, (number) => timeEvent(number + 1));
  for (let waited = 0; firstPush.size < postedAt.size; waited += 1) {
    if (waited === 20) throw new Error(`${postedAt.size - firstPush.size} events were not pushed within 10 s`);
    await sleep(500);
    await collectPushes();
  }
  await fetch(service.session.fcm.inboxUrl, { method: "DELETE" });
  return { posts, pushes: [...firstPush.values()] };
};

const summarizeSamples = ({ step }: LoadStep, samples: readonly Samples[]): LoadRow => ({
  step,
  post: summarizeTimes(samples.flatMap(({ posts }) => posts)),
  push: summarizeTimes(samples.flatMap(({ pushes }) => pushes)),
});

/** Times posts and pushes at a size (`one`) and at ten times the size (`ten`) alternately, and returns the times at each. */
const compareSizes = async (
  service: LocalService,
  name: string,
  one: LoadStep,
  ten: LoadStep,
  goals: readonly Goal[],
): Promise<MeasuredPair> => {
  const samples: { one: Samples[]; ten: Samples[] } = { one: [], ten: [] };
  for (let round = 0; round < turns; round += 1) {
    samples.one.push(await timeEvents(service, one));
    samples.ten.push(await timeEvents(service, ten));
  }
  const pair = { name, one: summarizeSamples(one, samples.one), ten: summarizeSamples(ten, samples.ten), goals };
  console.log(
    `${name}: POST ${formatRatio(pair, "post", "p50")}, to push ${formatRatio(pair, "push", "p50")} (medians)`,
  );
  return pair;
};

/** Returns a time at the tenfold size, divided by the time at the smaller size. */
const computeRatio = (pair: MeasuredPair, stage: Stage, rank: keyof Timing): number =>
  pair.ten[stage][rank] / pair.one[stage][rank];
const formatRatio = (pair: MeasuredPair, stage: Stage, rank: keyof Timing): string =>
  `${computeRatio(pair, stage, rank).toFixed(2)}x`;

/** Counts the events that concurrent callers post per second. Each caller posts one event after the other. */
const countPosts = async (service: LocalService, workspace: BenchWorkspace, callers: number): Promise<number> => {
  const until = performance.now() + seconds * 1000;
  let count = 0;
  const postUntilEnd = async (): Promise<void> => {
    while (performance.now() < until) {
      await service.call("POST", "/v1/events", { "X-Api-Key": workspace.apiKey }, buildEvent("nobody", count));
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: callers }, postUntilEnd));
  return count / seconds;
};

/** Stores events up to number `upTo` without the API, as ingest would have stored them. */
const storeEvents = async (deps: Pick<Deps, "table" | "now">, ws: WorkspaceId, upTo: number): Promise<void> => {
  const control = await readControl(deps, ws);
  const from = (control?.seq ?? 0) + 1;
  const numbers = Array.from({ length: Math.max(0, upTo - from + 1) }, (_, index) => from + index);
  await mapLimit(numbers, 32, async (seq) => {
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

/** Creates `count` rules with two conditions each, which notify the group. */
const addFillerRules = async (service: LocalService, workspace: BenchWorkspace, groupId: string, count: number) => {
  const member = callAsMember(service, workspace);
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

/** Creates a rule by which `resource` events notify a group of `people` members with two devices each. Returns the group's id. */
const createRuleForPeople = async (
  service: LocalService,
  deps: AuditDeps,
  workspace: BenchWorkspace,
  resource: string,
  people: number,
): Promise<string> => {
  const { groupId } = await setUpRule(service, workspace, { resource, people: 0, devices: 0 });
  for (let number = 0; number < people; number += 1) {
    const userId = `usr_bench${number}`;
    await saveMember(deps, workspace.id, { userId, name: `Bench ${number}`, email: `b${number}@bench.example` });
    await addGroupMember(deps, workspace.id, { groupId, userId });
    for (const device of [1, 2])
      await registerDevice(deps, workspace.id, userId, {
        token: `bench-${workspace.id}-${userId}-${device}`,
        platform: "android",
      });
  }
  return groupId;
};

/** Measures 40 requests for the oldest pages of the list of events. `count`: the number of stored events. */
const timeOldestPages = async (service: LocalService, workspace: BenchWorkspace, count: number): Promise<Timing> => {
  const times: number[] = [];
  for (let number = 0; number < 40; number += 1) {
    const start = performance.now();
    await callAsMember(service, workspace)("GET", `/events?page=${Math.floor(count / 50) - number}`);
    times.push(performance.now() - start);
  }
  return summarizeTimes(times);
};

/** Returns comparisons with tenfold sizes (`pairs`), the throughput, and the times of lists of the oldest events (`pages`). */
const measureService = async (service: LocalService) => {
  const [small, large] = service.session.workspaces;
  if (small === undefined || large === undefined) throw new Error("the local service has too few workspaces");
  const deps = openTableOfService(service);
  const groups = {
    small: await createRuleForPeople(service, deps, small, "few", 3),
    large: await createRuleForPeople(service, deps, large, "few", 3),
  };
  await createRuleForPeople(service, deps, small, "many", 30);
  const toSize = (step: string, workspace: BenchWorkspace, rate: number, resource = "few"): LoadStep => ({
    step,
    workspace,
    rate,
    resource,
  });

  await countPosts(service, small, 16);
  const eventsPerSecond = await countPosts(service, small, 16);
  console.log(`throughput: ${eventsPerSecond.toFixed(0)} events a second`);
  const pairs = [
    await compareSizes(
      service,
      "rate",
      toSize("4 events a second", small, 4),
      toSize("40 events a second", small, 40),
      twiceAsLong,
    ),
    await compareSizes(
      service,
      "recipients",
      toSize("3 recipients", small, 8),
      toSize("30 recipients", small, 8, "many"),
      [],
    ),
  ];
  await addFillerRules(service, small, groups.small, 100);
  await addFillerRules(service, large, groups.large, 1000);
  pairs.push(
    await compareSizes(service, "rules", toSize("100 rules", small, 20), toSize("1,000 rules", large, 20), asLong),
  );
  // The small and the large workspace now have 1,000 rules each and differ only in stored events.
  await addFillerRules(service, small, groups.small, 900);
  await storeEvents(deps, small.id, 10 * stored);
  await storeEvents(deps, large.id, stored);
  const formatStored = (count: number) => `${count.toLocaleString("en")} stored events`;
  pairs.push(
    await compareSizes(
      service,
      "stored events",
      toSize(formatStored(stored), large, 20),
      toSize(formatStored(10 * stored), small, 20),
      asLong,
    ),
  );
  const pages = [
    { step: formatStored(stored), timing: await timeOldestPages(service, large, stored) },
    { step: formatStored(10 * stored), timing: await timeOldestPages(service, small, 10 * stored) },
  ];
  return { pairs, eventsPerSecond, pages };
};

await using service = await startLocalService();
const { pairs, eventsPerSecond, pages } = await measureService(service);
const formatMs = (value: number): string => value.toFixed(value < 10 ? 1 : 0);
const formatComparison = (pair: MeasuredPair, stage: Stage, rank: keyof Timing): string => {
  const times = [pair.one, pair.ten].map((row) => formatMs(row[stage][rank])).join(", ");
  const goal = pair.goals.find((one) => one.stage === stage && one.rank === rank);
  if (goal === undefined) return `${times}: ${formatRatio(pair, stage, rank)}`;
  const missed = computeRatio(pair, stage, rank) > goal.most ? " **not met**" : "";
  return `${times}: ${formatRatio(pair, stage, rank)} of ${goal.most}x${missed}`;
};
writeSection("load", [
  `The local service takes ${Math.round(eventsPerSecond)} events a second from 16 callers on the same cores. In each row, one size grows tenfold.`,
  "Each cell shows the milliseconds at both sizes, their ratio and its goal.",
  "",
  "| Sizes | POST p50 | POST p99 | to push p50 | to push p99 |",
  "|---|---|---|---|---|",
  ...pairs.map((pair) => {
    const cells = (["post", "push"] as const).flatMap((stage) =>
      (["p50", "p99"] as const).map((rank) => formatComparison(pair, stage, rank)),
    );
    return `| ${[`${pair.one.step.split(" ", 1).join("")}, ${pair.ten.step}`, ...cells].join(" | ")} |`;
  }),
  "",
  ...pages.map(
    ({ step, timing: { p50, p99 } }) =>
      `\`GET /events\` for the oldest pages, with ${step}: p50 ${formatMs(p50)} ms, p99 ${formatMs(p99)} ms.`,
  ),
]);

const missed = pairs.flatMap((pair) =>
  pair.goals
    .filter(({ stage, rank, most }) => computeRatio(pair, stage, rank) > most)
    .map(({ stage, rank, most }) => `${pair.name}, ${stage} ${rank}: ${formatRatio(pair, stage, rank)} of ${most}x`),
);
if (missed.length > 0) {
  console.error(`ten times as much takes too long: ${missed.join("; ")}`);
  process.exitCode = 1;
}
