import { readArguments } from "../tools/command-line.ts";
import { startLocalService } from "./local-service.ts";
import { writeSection } from "./performance-page.ts";
import { setUpRule, callAsMember, findQuantile, measurePushes } from "./scenario.ts";

/**
 * Measures whether webhooks and Slack channels delay pushes, even if a webhook never answers or a channel answers 429. Events
 * with and without webhooks and channels alternate on one service.
 */

const usage = `npm run bench:room -- --turns 6      how often each kind is measured (6)
npm run bench:room -- --seconds 10   for how long in each turn (10)
npm run bench:room -- --no-page      without writing docs/performance.md`;
const values = readArguments(usage, {
  turns: { type: "string", default: "6" },
  seconds: { type: "string", default: "10" },
  "no-page": { type: "boolean", default: false },
});
const [turns = 6, seconds = 10] = [values.turns, values.seconds].map(Number);

const GOAL_RATIO = 1.1;
const PER_SECOND = 4;
/** The channel for which the stand-in for Slack always answers 429. */
const THROTTLED = "C0000000004";

await using service = await startLocalService();
const { workspace } = service;
const call = callAsMember(service, workspace);
// Removes the page limit, because pushes above the limit would be silent.
await call("PATCH", "", { loudPerTenMinutes: null });
await setUpRule(service, workspace, { resource: "alone", people: 1, devices: 1 });
/** Creates a rule for a resource, and a webhook and a Slack channel that receive its events. */
const addReceivers = async (resource: string, { path, channel }: { path: string; channel: string }): Promise<void> => {
  const { ruleId } = await setUpRule(service, workspace, { resource, people: 1, devices: 1 });
  const url = `${service.session.hooks.inboxUrl}/${path}`;
  await call("POST", "/webhooks", { name: resource, url, eventKeys: [`${resource}.*`] });
  await call("POST", "/connections", { name: resource, kind: "slack", channel, ruleIds: [ruleId] });
};
await addReceivers("taken", { path: "taken", channel: "C0000000001" });
await addReceivers("refused", { path: "slow-60000-dead", channel: THROTTLED });

const kinds = ["alone", "taken", "refused"] as const;
const delays = { alone: [] as number[], taken: [] as number[], refused: [] as number[] };
const measure = (resource: string) => measurePushes(service, workspace, { resource, perSecond: PER_SECOND, seconds });
await measure("alone");
for (let turn = 0; turn < turns; turn += 1)
  for (const [index] of kinds.entries()) {
    const kind = kinds[(turn + index) % kinds.length] ?? "alone";
    delays[kind].push(...(await measure(kind)));
  }
const rows = [0.5, 0.99].map((part) => {
  const { alone, taken, refused } = delays;
  const [nothing, all, none] = [findQuantile(alone, part), findQuantile(taken, part), findQuantile(refused, part)];
  return { name: `p${part * 100}`, nothing, all, none, ratio: none / all };
});
const lines = [
  `The table shows milliseconds from 201 to the push, for ${delays.alone.length} events each: without connections, with a working webhook and Slack channel,`,
  `and with failing ones. Goal: at most ${GOAL_RATIO}x.`,
  "",
  "| Percentile | None | Working | Failing | Failing compared with working |",
  "|---|---|---|---|---|",
  ...rows.map(
    ({ name, nothing, all, none, ratio }) =>
      `| ${name} | ${nothing.toFixed(1)} | ${all.toFixed(1)} | ${none.toFixed(1)} | ${ratio.toFixed(2)}x |`,
  ),
];
console.log(lines.join("\n"));
if (!values["no-page"]) writeSection("room", lines);
if (rows.some(({ ratio }) => ratio > GOAL_RATIO)) process.exitCode = 1;
