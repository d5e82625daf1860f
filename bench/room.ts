import { setTimeout as sleep } from "node:timers/promises";
import * as v from "valibot";
import { readArguments } from "../tools/command-line.ts";
import { startLocalService, type BenchWorkspace, type LocalService } from "./local-service.ts";
import { anEvent, aRuleFor, asMember, atRate } from "./scenario.ts";

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
const WAIT_MS = 60_000;
/** The stand-in answers 429 for every message to a channel that ends so. */
const THROTTLED = "C0000000004";

const Posted = v.object({ eventId: v.string() });
const Pushed = v.looseObject({ data: v.looseObject({ eventId: v.string() }) });

/** The times from 201 to the push, in milliseconds; what never came took at least as long as it was waited for. */
const measure = async (service: LocalService, workspace: BenchWorkspace, resource: string): Promise<number[]> => {
  const answered = new Map<string, number>();
  await atRate(PER_SECOND, PER_SECOND * seconds, async (number) => {
    const headers = { "X-Api-Key": workspace.apiKey };
    const { eventId } = v.parse(Posted, await service.call("POST", "/v1/events", headers, anEvent(resource, number)));
    answered.set(eventId, Date.now());
  });
  for (let waited = 0; ; waited += 250) {
    const found = (await service.inbox()).flatMap(({ receivedAt, message }) => {
      const push = v.safeParse(Pushed, message);
      const since = push.success ? answered.get(push.output.data.eventId) : undefined;
      return since === undefined ? [] : [new Date(receivedAt).getTime() - since];
    });
    if (found.length >= answered.size) return found;
    if (waited >= WAIT_MS) return [...found, ...Array.from({ length: answered.size - found.length }, () => WAIT_MS)];
    await sleep(250);
  }
};

const percentile = (measured: readonly number[], part: number): number => {
  const sorted = measured.toSorted((one, other) => one - other);
  return Math.max(1, sorted[Math.min(sorted.length - 1, Math.ceil(part * sorted.length) - 1)] ?? Number.NaN);
};

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
await measure(service, workspace, "alone");
for (let turn = 0; turn < turns; turn += 1) {
  alone.push(...(await measure(service, workspace, "alone")));
  beside.push(...(await measure(service, workspace, "beside")));
}
const rows = [0.5, 0.99].map((part) => {
  const [one, other] = [percentile(alone, part), percentile(beside, part)];
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
