import * as v from "valibot";
import { toIso } from "../basics/time.ts";
import { DAY_MS } from "../basics/units.ts";
import type { FrozenPolicy } from "../escalation/escalation-policy.ts";
import type { ProbedPerson, StoredProbe } from "../event/probe.ts";
import type { People } from "../people/people.ts";
import { type RedProbe, probeLinks } from "../event/notices.ts";
import { compileActiveHours } from "../rules/active-hours.ts";
import { findContradiction } from "../rules/contradiction.ts";
import type { RoutingRule } from "../rules/routing-rule.ts";
import { LINK_WAIT_MS, Links, judgeLinks, listTargetPeople, Status, judgeProbe, findWorstStatus } from "./probe.ts";

/** How long a probe or a confirmed push is valid: a week and a day. */
const COUNTS_MS = 8 * DAY_MS;

/** Returns why the rule does not match its probe, as a fault's code. */
const findMismatchFault = (rule: RoutingRule, { composed, acceptedAt }: StoredProbe): string => {
  if (!rule.enabled) return "rule_disabled";
  if (findContradiction(rule) !== undefined) return "contradiction";
  if (!compileActiveHours(rule)(acceptedAt)) return "outside_active_hours";
  return composed === true ? "no_example" : "no_match";
};

const Step = v.object({ status: Status, people: v.number(), confirmed: v.number() });

/** The last probe of a rule, with the result for each of its `probeLinks`, or of the steps of an escalation policy. */
export const ProbeView = v.object({
  type: v.picklist(["rule", "policy"]),
  id: v.string(),
  name: v.string(),
  /** `green`: everything is proven; `red`: something is broken; `none`: not probed. */
  status: Status,
  eventId: v.nullable(v.string()),
  links: v.nullable(Links),
  /** How many people each step can notify, and how many of these people confirmed a push. */
  steps: v.array(Step),
});
export type ProbeView = v.InferOutput<typeof ProbeView>;

/** Shows the rule's probe. The status is `none` without a recent probe of the rule's current version. */
export const toRuleProbe = (
  rule: RoutingRule,
  probe: StoredProbe | undefined,
  people: ReadonlyMap<string, ProbedPerson>,
  now: number,
): ProbeView => {
  const about = { type: "rule" as const, id: rule.id, name: rule.name, steps: [] };
  if (probe === undefined || toIso(probe.acceptedAt) < rule.updatedAt || now - probe.acceptedAt > COUNTS_MS)
    return { ...about, status: "none", eventId: null, links: null };
  const links = judgeLinks(probe, people, now, () => findMismatchFault(rule, probe));
  return { ...about, status: judgeProbe(links), eventId: probe.eventId, links };
};

/** Returns the step's status, how many people it can notify (`userIds`), and how many of these people confirmed a push. */
const toStepView = (userIds: readonly string[], probedPeople: ReadonlyMap<string, ProbedPerson>, now: number) => {
  const persons = userIds.map((userId) => probedPeople.get(userId));
  const confirmed = persons.filter((person) => now - (person?.confirmedAt ?? 0) <= COUNTS_MS).length;
  const hasPushFailed = (person: ProbedPerson | undefined): boolean =>
    person !== undefined && (person.fault !== undefined || now - person.askedAt >= LINK_WAIT_MS);
  const status: Status = confirmed > 0 ? "green" : persons.every(hasPushFailed) ? "red" : "pending";
  return { status, people: userIds.length, confirmed };
};

/** Shows the policy's steps. A step is green if at least one of its people has confirmed a push. */
export const toPolicyProbe = (
  { id, name, steps }: Pick<FrozenPolicy, "id" | "name" | "steps">,
  people: People,
  probedPeople: ReadonlyMap<string, ProbedPerson>,
  now: number,
): ProbeView => {
  const shown = steps
    .filter(({ targets }) => targets.length > 0)
    .map(({ targets }) => toStepView(listTargetPeople(targets, people, now), probedPeople, now));
  const status = shown.length === 0 ? "red" : findWorstStatus(shown.map((step) => step.status));
  return { type: "policy", id, name, status, eventId: null, links: null, steps: shown };
};

/** Shows the probes of the rules, in the order of `rules`, then those of the escalation policies that the rules name. */
export const listProbeViews = (
  rules: readonly RoutingRule[],
  people: People,
  probes: { rules: ReadonlyMap<string, StoredProbe>; people: ReadonlyMap<string, ProbedPerson> },
  now: number,
): ProbeView[] => {
  const named = new Set(rules.map(({ escalationPolicyId }) => escalationPolicyId));
  const policies = [...people.policies.values()].filter(({ id }) => named.has(id));
  return [
    ...rules.map((rule) => toRuleProbe(rule, probes.rules.get(rule.id), probes.people, now)),
    ...policies.map((policy) => toPolicyProbe(policy, people, probes.people, now)),
  ];
};

/** Returns at which stage a red probe failed; undefined if the probe only lacked a past event to copy. */
const toFailedProbe = ({ id, name, type, links }: ProbeView): RedProbe | undefined => {
  if (type === "policy") return { mark: `${id} steps`, name, link: "steps", fault: undefined };
  const link = probeLinks.find((one) => links?.[one].fault);
  const fault = link === undefined ? undefined : links?.[link].fault;
  // An example composed from the rule's conditions may fail to match although real events would match.
  if (link === undefined || fault === "no_example") return undefined;
  return { mark: `${id} ${link}`, name, link, fault: fault ?? undefined };
};

/** Returns the probes that failed since the last call. `marks`: all failed probes, to be passed as `lastMarks` next time. */
export const findNewlyFailedProbes = (
  views: readonly ProbeView[],
  lastMarks: readonly string[],
): { fresh: RedProbe[]; marks: string[] } => {
  const red = views.filter(({ status }) => status === "red").flatMap((view) => toFailedProbe(view) ?? []);
  const undecided = views.filter(({ status }) => status === "pending" || status === "none");
  const kept = lastMarks.filter((mark) => undecided.some(({ id }) => mark.startsWith(`${id} `)));
  return {
    fresh: red.filter(({ mark }) => !lastMarks.includes(mark)),
    marks: [...kept, ...red.map(({ mark }) => mark)],
  };
};
