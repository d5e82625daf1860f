import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import * as v from "valibot";
import { startLocalService, type LocalService } from "./local-service.ts";
import { writeSection } from "./performance-page.ts";
import { dollarsOf, type Usage } from "./prices.ts";
import { anEvent, aRuleFor, asMember } from "./scenario.ts";
import { stackedBars } from "./svg-bars.ts";

/*
 * What each kind of work uses, counted by the local service's meters as AWS would bill it, against its budget. Every kind
 * runs once before it is measured, so that the instances are warm, and then several times.
 */

type Budget = { writeUnits: number; readUnits: number; sqsRequests?: number };
type Row = { work: string; times: number; usage: Usage; budget: Budget };

const service = await startLocalService();
const [workspace] = service.session.workspaces;
if (workspace === undefined) throw new Error("the local service has no workspace");
const member = asMember(service, workspace);
const Posted = v.object({ eventId: v.string() });

const post = async (event: object): Promise<string> =>
  v.parse(Posted, await service.call("POST", "/v1/events", { "X-Api-Key": workspace.apiKey }, event)).eventId;

/** Waits until the workers have nothing left to do: the meters stand still for a while. */
const settle = async (): Promise<void> => {
  for (let still = 0, last = -1; still < 4;) {
    await sleep(250);
    const { total } = await service.meters();
    const now = total.writeUnits + total.fcmRequests + total.sqsRequests;
    still = now === last ? still + 1 : 0;
    last = now;
  }
};

const perRun = async (times: number, work: (run: number) => Promise<unknown>, only?: string): Promise<Usage> => {
  await work(-1);
  await settle();
  await service.resetMeters();
  for (let run = 0; run < times; run += 1) {
    await work(run);
    if (only === undefined) await settle();
  }
  const { functions, total } = await service.meters();
  const used = only === undefined ? total : functions[only];
  const per = (count: number | undefined) => (count ?? 0) / times;
  return {
    writeUnits: per(used?.writeUnits),
    readUnits: per(used?.readUnits),
    sqsRequests: per(used?.sqsRequests),
    fcmRequests: per(used?.fcmRequests),
  };
};

const measure = async (service: LocalService): Promise<Row[]> => {
  if (workspace.members.length < 3) throw new Error(`${service.session.baseUrl} has too few members`);
  await aRuleFor(service, workspace, { resource: "three", people: 3, devices: 2 });
  const rows: Row[] = [];
  const row = async (
    work: string,
    times: number,
    budget: Budget,
    run: (n: number) => Promise<unknown>,
    only?: string,
  ) => {
    rows.push({ work, times, budget, usage: await perRun(times, run, only) });
  };

  await row("`POST /v1/events`", 20, { writeUnits: 3, readUnits: 1 }, (n) => post(anEvent("nobody", n)), "post-event");
  await row(
    "the same with a `dedupeKey`",
    20,
    { writeUnits: 4, readUnits: 1 },
    (n) => post({ ...anEvent("nobody", n), dedupeKey: `bench-${n}` }),
    "post-event",
  );
  await row("an event that no rule matches, all the way", 5, { writeUnits: 5, readUnits: 1 }, (n) =>
    post(anEvent("nobody", n)),
  );
  await row(
    "an event for three people with two devices each, all the way",
    5,
    { writeUnits: 8, readUnits: 2.5, sqsRequests: 6 },
    (n) => post(anEvent("three", n)),
  );
  const burst = 100;
  // After a pause each instance of ingest takes the bucket for idle: those that are wrong pay one refused write, once.
  const refusedAdmissions = 0.2;
  const usage = await perRun(1, (n) =>
    Promise.all(Array.from({ length: burst }, (_, index) => post(anEvent("three", burst * (n + 1) + index)))),
  );
  rows.push({
    work: "the same, in a burst of a hundred (per event)",
    times: burst,
    usage: {
      writeUnits: usage.writeUnits / burst,
      readUnits: usage.readUnits / burst,
      sqsRequests: usage.sqsRequests / burst,
      fcmRequests: usage.fcmRequests / burst,
    },
    budget: { writeUnits: 8 + refusedAdmissions, readUnits: 2.5, sqsRequests: 2.5 },
  });
  await row(
    "a page of 50 events",
    5,
    { writeUnits: 0, readUnits: 13 },
    () => member("GET", "/events?limit=50"),
    "list-events",
  );
  await row(
    "50 notifications, newest first",
    5,
    { writeUnits: 0, readUnits: 7 },
    () => member("GET", "/notifications?limit=50"),
    "list-notifications",
  );
  const Notifications = v.array(v.object({ id: v.string() }));
  const list = v.parse(Notifications, await member("GET", "/notifications?limit=20"));
  await row(
    "an acknowledgement",
    10,
    { writeUnits: 2, readUnits: 2 },
    (n) => member("PATCH", `/notifications/${list[n + 1]?.id}`, { status: "ACKNOWLEDGED" }),
    "update-notification",
  );
  return rows;
};

const measureAndStop = async (): Promise<Row[]> => {
  try {
    return await measure(service);
  } finally {
    await service.stop();
  }
};
const rows = await measureAndStop();

const number = (value: number): string => String(Math.round(value * 100) / 100);
const against = (value: number, budget: number | undefined): string =>
  budget === undefined ? number(value) : `${number(value)} of ${number(budget)}`;
const lines = [
  "| Work | Write units | Read units | SQS requests | FCM requests | $ a million |",
  "|---|---|---|---|---|---|",
  ...rows.map(
    ({ work, usage, budget }) =>
      `| ${work} | ${against(usage.writeUnits, budget.writeUnits)} | ${against(usage.readUnits, budget.readUnits)} | ` +
      `${against(usage.sqsRequests, budget.sqsRequests)} | ${number(usage.fcmRequests)} | ${dollarsOf(usage, 1e6).toFixed(2)} |`,
  ),
];
console.log(lines.join("\n"));
stackedBars(
  join(import.meta.dirname, "..", "docs", "img", "cost.svg"),
  "Dollars per million, table and queues",
  rows.map(({ work, usage }) => ({
    label: work.replaceAll("`", ""),
    parts: [
      { name: "writes", value: dollarsOf({ ...usage, readUnits: 0, sqsRequests: 0 }, 1e6) },
      { name: "reads", value: dollarsOf({ ...usage, writeUnits: 0, sqsRequests: 0 }, 1e6) },
      { name: "queues", value: dollarsOf({ ...usage, writeUnits: 0, readUnits: 0 }, 1e6) },
    ],
  })),
);
writeSection("cost", [
  "What the local service's meters counted (`npm run bench:cost`), each figure beside its budget. Events of about 1 KB; warm",
  "instances; dollars at the list prices in `bench/prices.ts`, for the table and the queues. When a burst begins after a pause, each",
  "instance of ingest may pay one refused write, for it takes the bucket for idle: those are the two tenths of a unit in its budget.",
  "",
  ...lines,
  "",
  "![Dollars per million](img/cost.svg)",
]);
writeFileSync(
  join(import.meta.dirname, "cost.json"),
  `${JSON.stringify(Object.fromEntries(rows.map(({ work, usage }) => [work, usage])), null, 2)}\n`,
);

const broken = rows.filter(
  ({ usage, budget }) =>
    usage.writeUnits > budget.writeUnits + 1e-9 ||
    usage.readUnits > budget.readUnits + 1e-9 ||
    usage.sqsRequests > (budget.sqsRequests ?? Infinity) + 1e-9,
);
if (broken.length > 0) {
  console.error(`over budget: ${broken.map(({ work }) => work).join("; ")}`);
  process.exitCode = 1;
}
