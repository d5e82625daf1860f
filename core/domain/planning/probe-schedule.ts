import { isNightIn } from "../basics/clock/night.ts";
import { fromIso, computeStartOfNextInterval } from "../basics/time.ts";
import { DAY_MS, HOUR_MS } from "../basics/units.ts";
import type { StoredProbe } from "../event/probe.ts";
import type { People } from "../people/people.ts";
import { compileActiveHours } from "../rules/active-hours.ts";
import { PROBE_HOURS_MAX, getProbeSetting, type RoutingRule } from "../rules/routing-rule.ts";
import { listTargetPeople, listProbedPeople, SETTLED_AFTER_MS } from "./probe.ts";
import { toRuleTargets } from "./reach.ts";

/** The maximum number of probes per workspace and sweep. */
const STARTS_MAX = 50;
const DAY_HOURS = DAY_MS / HOUR_MS;
const WEEK_HOURS = 7 * DAY_HOURS;

const hashToNumber = (text: string): number => {
  let hash = 0;
  for (const character of text) hash = (hash * 31 + character.charCodeAt(0)) % 1_000_003;
  return hash;
};

/** Returns whether the rule is probed regularly. Disabled rules are not probed, because they should notify nobody. */
export const isProbedRule = (rule: RoutingRule): boolean => rule.enabled && getProbeSetting(rule) !== null;

/** Returns the rule's last and next time of probing. To save pushes, a workspace's rules are probed at the same hour. */
const findProbeTimes = (rule: RoutingRule, now: number): { last: number; next: number } => {
  const everyHours = getProbeSetting(rule)?.everyHours ?? PROBE_HOURS_MAX;
  const day = hashToNumber(rule.id) % Math.ceil(everyHours / DAY_HOURS);
  const phase = ((hashToNumber(rule.workspaceId) % DAY_HOURS) + day * DAY_HOURS) * HOUR_MS;
  const next = phase + computeStartOfNextInterval(now - phase, everyHours * HOUR_MS);
  return { last: next - everyHours * HOUR_MS, next };
};

/** Returns the time zone of the person's quiet hours, or else of a schedule of the person's groups, or else UTC. */
const findPersonTimeZone = ({ notificationRules, groups, schedules }: People, userId: string): string =>
  notificationRules.get(userId)?.quietHours?.timeZone ??
  [...schedules.values()].find(({ groupId }) => groups.get(groupId)?.memberIds.includes(userId))?.timeZone ??
  "UTC";

/** Returns the first of the rule's next 24 active hours in which it is night in the fewest time zones of the rule's people. */
const findProbeStart = (rule: RoutingRule, people: People, now: number): number | undefined => {
  const { escalationPolicyId } = rule;
  const recipients = listTargetPeople(toRuleTargets(rule), people, now);
  const reached = listProbedPeople({ recipients, policyId: escalationPolicyId ?? undefined }, people, now);
  const zones = [...new Set(reached.map((userId) => findPersonTimeZone(people, userId)))];
  const hours = Array.from({ length: WEEK_HOURS }, (_, nr) => computeStartOfNextInterval(now + nr * HOUR_MS, HOUR_MS));
  const active = [now, ...hours].filter(compileActiveHours(rule)).slice(0, DAY_HOURS);
  const countZonesAtNight = (ms: number): number => zones.filter((zone) => isNightIn(zone, ms)).length;
  const fewest = Math.min(...active.map(countZonesAtNight));
  return active.find((at) => countZonesAtNight(at) === fewest);
};

/** Returns when the outcomes of all probes are final (milliseconds); -Infinity without probes. */
export const computeProbesFinalTime = (probes: ReadonlyMap<string, StoredProbe>): number =>
  Math.max(...[...probes.values()].map(({ acceptedAt }) => acceptedAt)) + SETTLED_AFTER_MS;

/** The rules to probe now. `next`: the next check (milliseconds); Infinity if no rule is probed regularly. */
type Schedule = { due: RoutingRule[]; next: number };

/**
 * Returns the rules to probe now: no probe has run since their last scheduled time, which is after `since` and their creation.
 * After a probe, the next check is at most an hour later, when the probe's outcome is final.
 */
export const scheduleProbes = (
  rules: readonly RoutingRule[],
  people: People,
  probes: ReadonlyMap<string, StoredProbe>,
  { since, now }: { since: number; now: number },
): Schedule => {
  const settled = computeProbesFinalTime(probes);
  const probed = rules.filter(isProbedRule).map((rule) => {
    const { last, next } = findProbeTimes(rule, now);
    const acceptedAt = probes.get(rule.id)?.acceptedAt ?? -Infinity;
    const isDone = last <= Math.max(since, fromIso(rule.createdAt) ?? 0, acceptedAt);
    const start = isDone ? undefined : findProbeStart(rule, people, now);
    return { rule, start, next };
  });
  const due = probed.filter(({ start = Infinity }) => start <= now).map(({ rule }) => rule);
  const times = probed.filter(({ rule }) => !due.includes(rule)).flatMap(({ start = Infinity, next }) => [start, next]);
  const starting = due.slice(0, STARTS_MAX);
  if (due.length > STARTS_MAX) times.push(now);
  else if (starting.length > 0) times.push(now + SETTLED_AFTER_MS);
  if (settled > now) times.push(settled);
  return { due: starting, next: Math.min(...times) };
};
