import { setTimeout as sleep } from "node:timers/promises";
import * as v from "valibot";
import { readArguments } from "../tools/command-line.ts";
import { startLocalService, type BenchWorkspace, type LocalService } from "./local-service.ts";
import { attacksOnAws, victimOnAws, simulateWaits } from "./neighbours-on-aws.ts";
import { writeSection } from "./performance-page.ts";
import { buildEvent, setUpRule, callAsMember, findQuantile, postEvent, measurePushes } from "./scenario.ts";

/**
 * Measures whether a workspace can delay the pushes of another workspace: the time from the answer 201 to the push, with and
 * without an attack. AWS is simulated in virtual time. The local service's functions share one machine.
 */

const usage = `npm run bench:neighbours -- --seconds 10    the time for which each attack is measured (10)
npm run bench:neighbours -- --rules 9999    the rules of the workspace that has many, beside one (9,999)
npm run bench:neighbours -- --people 5000   the people whom its great events tell (5,000)
npm run bench:neighbours -- --only patterns some of the attacks
npm run bench:neighbours -- --virtual       only what is computed in virtual time
npm run bench:neighbours -- --no-page       prints only: writes no page`;

const values = readArguments(usage, {
  seconds: { type: "string", default: "10" },
  rules: { type: "string", default: "9999" },
  people: { type: "string", default: "5000" },
  only: { type: "string", default: "" },
  virtual: { type: "boolean", default: false },
  "no-page": { type: "boolean", default: false },
});
const [seconds = 10, rules = 9_999, people = 5_000] = [values.seconds, values.rules, values.people].map(Number);

const GOAL_RATIO = 2;
const GOAL_MS = 2_000;
const PER_SECOND = 4;

type Figures = { p50: number; p99: number };
const summarizeDelays = (measured: readonly number[]): Figures => ({
  p50: Math.max(0, Math.round(findQuantile(measured, 0.5))),
  p99: Math.max(0, Math.round(findQuantile(measured, 0.99))),
});

// --- On AWS, in virtual time ---

const formatRatio = (value: number, base: number): string => `${(value / Math.max(1, base)).toFixed(1)}x`;

/** Returns whether the p99 beside an attacker is over 2 s, or over twice the p99 without an attacker. */
const missesGoal = (beside: Figures, alone: Figures): boolean =>
  beside.p99 > GOAL_RATIO * alone.p99 || beside.p99 > GOAL_MS;
const formatMissedMark = (beside: Figures, alone: Figures): string => (missesGoal(beside, alone) ? " **not met**" : "");

const renderSimulationTable = (): string[] => {
  const alone = summarizeDelays(simulateWaits("victim", victimOnAws, true));
  const rows = attacksOnAws.map(({ name, sent }) => {
    const shared = summarizeDelays(simulateWaits("victim", [...victimOnAws, ...sent], true));
    return `| ${name} | ${shared.p50} | ${shared.p99} | ${formatRatio(shared.p99, alone.p99)}${formatMissedMark(shared, alone)} |`;
  });
  return [
    "The table shows milliseconds from 201 to the push, in virtual time with random response times of AWS. One workspace sends 4 events a second, and another causes the load.",
    "",
    "| Load of the other workspace | p50 | p99 | p99 compared with no load |",
    "|---|---|---|---|",
    `| no load | ${alone.p50} | ${alone.p99} | 1.0x |`,
    ...rows,
  ];
};

// --- On the local service ---

type Attack = {
  name: string;
  prepare?: (attacker: Attacker) => Promise<string | undefined>;
  run: (attacker: Attacker, signal: AbortSignal) => Promise<void>;
};
type Attacker = {
  service: LocalService;
  workspace: BenchWorkspace;
  call: ReturnType<typeof callAsMember>;
  groupId: string;
};

const post = ({ service, workspace }: Pick<Attacker, "service" | "workspace">, event: object): Promise<unknown> =>
  postEvent(service, workspace, event);

/** Sends events at a fixed rate until aborted, and ignores refusals. */
const sendContinuously = async (
  perSecond: number,
  signal: AbortSignal,
  send: (number: number) => Promise<unknown>,
): Promise<void> => {
  const running: Promise<unknown>[] = [];
  for (let number = 0; !signal.aborted; number += 1) {
    running.push(send(number).catch(() => undefined));
    await sleep(1000 / perSecond);
  }
  await Promise.all(running);
};

/** Runs numbered tasks, at most `maxConcurrent` at the same time. */
const runConcurrently = async (count: number, maxConcurrent: number, run: (number: number) => Promise<unknown>) => {
  let next = 0;
  const runUntilDone = async (): Promise<void> => {
    while (next < count) await run((next += 1) - 1);
  };
  await Promise.all(Array.from({ length: maxConcurrent }, runUntilDone));
};

const createExpensiveCondition = (number: number): object => ({
  field: "body",
  operator: "matches_regex",
  value: `[^\\pL]{120}\\pL{120}[${String.fromCodePoint(0x4e00 + number)}]`,
});
const createRuleBody = (groupId: string, eventKey: string, furtherFields: object = {}): object => ({
  name: "Attack",
  eventKey,
  targets: [{ type: "group", groupId }],
  ...furtherFields,
});

const attacks: readonly Attack[] = [
  {
    name: "patterns: 3,000 expensive ones in 300 rules, 5 events a second",
    prepare: async ({ call, groupId }) => {
      let taken = 0;
      for (let rule = 0; rule < 300; rule += 1) {
        const conditions = Array.from({ length: 10 }, (_, index) => createExpensiveCondition(10 * rule + index));
        const more = { conditions, conditionMatch: "any" };
        taken += await call("POST", "/routing-rules", createRuleBody(groupId, "patterns.*", more)).then(
          () => 1,
          () => 0,
        );
      }
      return `${taken} of 300 rules accepted`;
    },
    run: (attacker, signal) => sendContinuously(5, signal, (number) => post(attacker, buildEvent("patterns", number))),
  },
  {
    name: `rules: ${rules.toLocaleString("en-US")}, 5 events a second`,
    prepare: async ({ call, groupId }) => {
      await runConcurrently(rules, 16, (number) =>
        call(
          "POST",
          "/routing-rules",
          createRuleBody(groupId, "rules.*", {
            conditions: [
              { field: "data.order", operator: "equals", value: number },
              { field: "body", operator: "contains", value: `customer ${number}` },
            ],
          }),
        ),
      );
      return undefined;
    },
    run: (attacker, signal) => sendContinuously(5, signal, (number) => post(attacker, buildEvent("rules", number))),
  },
  {
    name: `people: events for ${people.toLocaleString("en-US")}, one a second`,
    prepare: async ({ call }) => {
      const { id } = v.parse(v.object({ id: v.string() }), await call("POST", "/groups", { name: "Crowd" }));
      await runConcurrently(people - 10, 16, async (number) => {
        const userId = `usr_${String(number).padStart(32, "0")}`;
        await call("POST", "/members", { userId, name: `P${number}`, email: `p${number}@example.com` });
        await call("POST", `/groups/${id}/members`, { userId });
      });
      await call("POST", "/routing-rules", createRuleBody(id, "people.*"));
      return undefined;
    },
    run: (attacker, signal) => sendContinuously(1, signal, (number) => post(attacker, buildEvent("people", number))),
  },
  {
    name: "size: 300 events a minute of 256 KB",
    run: (attacker, signal) =>
      sendContinuously(5, signal, (number) =>
        post(attacker, {
          event: "size.great",
          title: `${number}`,
          body: "\u{1F525}".repeat(2_000),
          detail: "\u{1F525}".repeat(10_000),
          data: { text: "\u{1F525}".repeat(7_500) },
        }),
      ),
  },
  {
    name: "history: two callers simulate without a pause",
    run: async ({ call, groupId }, signal) => {
      const requestPreviewsUntilAborted = async (): Promise<void> => {
        const body = { rules: [createRuleBody(groupId, "*")], days: 30 };
        while (!signal.aborted) await call("POST", "/simulate/history", body).catch(() => undefined);
      };
      await Promise.all([requestPreviewsUntilAborted(), requestPreviewsUntilAborted()]);
    },
  },
  {
    name: "burst: 300 events at once for one person each",
    run: async (attacker, signal) => {
      await sleep(1000);
      await Promise.all(Array.from({ length: 300 }, (_, number) => post(attacker, buildEvent("burst", number)))).catch(
        () => undefined,
      );
      while (!signal.aborted) await sleep(100);
    },
  },
];

/** Measures another workspace's delays, first alone and then during an attack. `remark`: what the attack prepared. */
const measureBesideAttack = async (
  attack: Attack,
): Promise<{ alone: Figures; attacked: Figures; remark: string | undefined }> => {
  await using service = await startLocalService();
  const [own, other] = service.session.workspaces;
  if (own === undefined || other === undefined) throw new Error("the local service has no two workspaces");
  await setUpRule(service, other, { resource: "victim", people: 1, devices: 1 });
  const { groupId } = await setUpRule(service, own, { resource: "burst", people: 1, devices: 1 });
  const attacker: Attacker = { service, workspace: own, call: callAsMember(service, own), groupId };
  const remark = await attack.prepare?.(attacker);
  const measureDelays = () => measurePushes(service, other, { resource: "victim", perSecond: PER_SECOND, seconds });
  await measureDelays();
  const alone = summarizeDelays(await measureDelays());
  const ending = new AbortController();
  const running = attack.run(attacker, ending.signal);
  await sleep(500);
  const attacked = summarizeDelays(await measureDelays());
  ending.abort();
  await running;
  return { alone, attacked, remark };
};

const virtual = renderSimulationTable();
console.log(virtual.join("\n"));
if (!values["no-page"]) writeSection("neighbours", virtual);
if (values.virtual) process.exit();
const chosen = attacks.filter(
  ({ name }) => values.only === "" || values.only.split(",").some((one) => name.startsWith(one)),
);
const lines = [
  `The table shows milliseconds from 201 to the push on the local service: ${PER_SECOND} events a second for ${seconds} seconds. The service and the programs`,
  "that send all requests share 2 cores.",
  "",
  "| Load of the other workspace | p50 without it | p99 without it | p50 | p99 | p99 compared with no load |",
  "|---|---|---|---|---|---|",
];
const missed: string[] = [];
for (const attack of chosen) {
  const { alone, attacked, remark } = await measureBesideAttack(attack);
  const name = remark === undefined ? attack.name : `${attack.name} (${remark})`;
  const row = `| ${name} | ${alone.p50} | ${alone.p99} | ${attacked.p50} | ${attacked.p99} | ${formatRatio(attacked.p99, alone.p99)}${formatMissedMark(attacked, alone)} |`;
  console.log(row);
  lines.push(row);
  if (missesGoal(attacked, alone)) missed.push(attack.name);
}
lines.push(`| goal | | | | ${GOAL_MS.toLocaleString("en-US")} | ${GOAL_RATIO}x |`);
if (!values["no-page"]) writeSection("neighbours-here", lines);
if (missed.length > 0) console.error(`beyond the goal here: ${missed.join("; ")}`);
