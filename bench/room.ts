import { readArguments } from "../tools/command-line.ts";
import { startLocalService } from "./local-service.ts";
import { aRuleFor, asMember, percentile, pushDelays } from "./scenario.ts";

/*
 * Whether the team's room can make a push late: the time from the answer 201 to the push, of events that nothing follows,
 * and of events that a webhook follows which never answers, and a channel of Slack that answers 429. Both kinds are measured
 * in turns on one service, so that what else the machine does falls on both.
 */

const usage = `npm run bench:room -- --turns 6      how often each kind is measured (6)
npm run bench:room -- --seconds 10   for how long in each turn (10)`;
const values = readArguments(usage, {
  turns: { type: "string", default: "6" },
  seconds: { type: "string", default: "10" },
});
const [turns = 6, seconds = 10] = [values.turns, values.seconds].map(Number);

const GOAL_RATIO = 1.1;
const PER_SECOND = 4;
/** The stand-in answers 429 for every message to a channel that ends so. */
const THROTTLED = "C0000000004";

await using service = await startLocalService();
const [workspace] = service.session.workspaces;
if (workspace === undefined) throw new Error("the local service has no workspace");
const call = asMember(service, workspace);
// Whoever is rung for too often is told without a sound, which is another push.
await call("PATCH", "", { loudPerTenMinutes: null });
await aRuleFor(service, workspace, { resource: "alone", people: 1, devices: 1 });
const { ruleId } = await aRuleFor(service, workspace, { resource: "beside", people: 1, devices: 1 });
const url = `${service.session.hooks.inboxUrl}/slow-60000-dead`;
await call("POST", "/webhooks", { name: "Dead", url, eventKeys: ["beside.*"] });
await call("POST", "/connections", { name: "Throttled", kind: "slack", channel: THROTTLED, ruleIds: [ruleId] });

const alone: number[] = [];
const beside: number[] = [];
const measure = (resource: string) => pushDelays(service, workspace, { resource, perSecond: PER_SECOND, seconds });
await measure("alone");
for (let turn = 0; turn < turns; turn += 1) {
  alone.push(...(await measure("alone")));
  beside.push(...(await measure("beside")));
}
const rows = [0.5, 0.99].map((part) => {
  const [one, other] = [Math.max(1, percentile(alone, part)), Math.max(1, percentile(beside, part))];
  return { name: `p${part * 100}`, one, other, ratio: other / one };
});
console.log(`Milliseconds from 201 to the push, of ${alone.length} and ${beside.length} events:`);
for (const { name, one, other, ratio } of rows)
  console.log(`${name}  ${one} alone, ${other} beside a dead webhook and a throttled channel: ${ratio.toFixed(2)}x`);
const missed = rows.filter(({ ratio }) => ratio > GOAL_RATIO);
if (missed.length > 0) {
  console.log(`more than ${GOAL_RATIO}x: ${missed.map(({ name }) => name).join(", ")}`);
  process.exitCode = 1;
}
