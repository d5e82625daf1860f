import { fromIso } from "../core/domain/basics/time.ts";
import { addSender } from "../core/domain/event/event.ts";
import { traceRules } from "../core/domain/rules/trace.ts";
import type { AlertsFile, Contract } from "./file.ts";
import { type Outcome, createSimulator, type PlannedNotification, toRoutingRule } from "./rehearsal.ts";

type Breach = { promised: string; rules: readonly string[] };

export type ContractFailure = { index: number; name: string; lines: string[] };

const describeDelay = (minutes: number): string => (minutes === 0 ? "at once" : `after ${minutes} min`);

const describeNotification = ({ person, minutes, rule, step }: PlannedNotification): string => {
  const by = step === undefined ? `rule "${rule}"` : `rule "${rule}", step ${step.number} of "${step.policy}"`;
  return `${describeDelay(minutes)}: ${person} (${by})`;
};

const NOTIFICATIONS_SHOWN = 12;

const describeOutcome = ({ notifications, silence, matched }: Outcome): string[] => {
  if (silence !== undefined) return [`the silence "${silence}" covered the event; nobody was notified`];
  if (matched.length === 0) return ["no rule matched; nobody was notified"];
  if (notifications.length === 0)
    return [`${matched.map((name) => `"${name}"`).join(", ")} matched; nobody was notified`];
  const shown = notifications.slice(0, NOTIFICATIONS_SHOWN).map(describeNotification);
  return notifications.length > shown.length ? [...shown, `and ${notifications.length - shown.length} more`] : shown;
};

type FindPeople = (name: string) => readonly string[];

type RulesFor = (people: readonly string[]) => string[];

/** Returns the promises of a contract that a simulated outcome breaks, each with the rules that cause the breach. */
const findBreaches = (contract: Contract, outcome: Outcome, peopleOf: FindPeople, rulesFor: RulesFor): Breach[] => {
  const { told, notTold, within } = contract;
  const planned = outcome.notifications;
  const listNotifications = (people: readonly string[], withinMinutes: number) =>
    planned.filter(({ person, minutes }) => people.includes(person) && minutes <= withinMinutes);
  const listDistinctRules = (notifications: readonly PlannedNotification[]) => [
    ...new Set(notifications.map(({ rule }) => rule)),
  ];
  if (told === "nobody")
    return planned.length === 0 ? [] : [{ promised: "nobody is notified", rules: listDistinctRules(planned) }];
  const missing = told.flatMap((name): Breach[] => {
    const people = peopleOf(name);
    if (listNotifications(people, within ?? 0).length > 0) return [];
    const when = within === undefined ? "at once" : `within ${within} min`;
    return [{ promised: `${name} is notified ${when}`, rules: rulesFor(people) }];
  });
  const unwanted = notTold.flatMap((name): Breach[] => {
    const notifications = listNotifications(peopleOf(name), within ?? Infinity);
    if (notifications.length === 0) return [];
    const until = within === undefined ? "" : ` within ${within} min`;
    return [{ promised: `${name} is not notified${until}`, rules: listDistinctRules(notifications) }];
  });
  return [...missing, ...unwanted];
};

const TRACES_SHOWN = 5;

/** Returns lines that explain which conditions of each named rule match; at most five rules, rules for the event's key first. */
const explainMatches = (
  ruleNames: ReadonlySet<string>,
  { rules }: AlertsFile,
  { event, sender, at }: Contract,
): string[] => {
  const byName = new Map(rules.map((rule) => [rule.name, rule]));
  const traced = traceRules(rules.map(toRoutingRule), addSender(event, sender), fromIso(at) ?? 0)
    .flatMap(({ rule: { name }, trace }) => {
      const rule = ruleNames.has(name) ? byName.get(name) : undefined;
      return rule === undefined ? [] : [{ rule, trace }];
    })
    .sort((one, other) => Number(other.trace.eventKey.verdict) - Number(one.trace.eventKey.verdict));
  const shown = traced.slice(0, TRACES_SHOWN).flatMap(({ rule, trace }) => [
    `rule "${rule.name}" ${trace.matches ? "matches" : trace.enabled ? "does not match" : "is disabled"}, ` +
      `for ${rule.groups.join(", ")}${rule.onCallOnly ? " (only people on call)" : ""}`,
    `  ${trace.eventKey.verdict ? "yes" : "no "}  event key ${trace.eventKey.expected}: the event has ${trace.eventKey.actual}`,
    ...trace.conditions.map(({ field, not, operator, ignoreCase, expected, actual, verdict }) => {
      const value = expected === null ? "" : ` ${JSON.stringify(expected)}`;
      const condition = `${not ? "not " : ""}${field} ${operator}${value}${ignoreCase ? " (ignoring case)" : ""}`;
      return `  ${verdict ? "yes" : "no "}  ${condition}: the value is ${JSON.stringify(actual)}`;
    }),
    ...(trace.activeHours === null
      ? []
      : [
          `  ${trace.activeHours.verdict ? "yes" : "no "}  active hours: the event came at ${trace.activeHours.actual}`,
        ]),
    ...(trace.fallback === null
      ? []
      : [
          trace.fallback.matched === null
            ? "  yes  fallback (only if no other rule matches): no other rule matched"
            : `  no   fallback (only if no other rule matches): rule "${trace.fallback.matched.name}" matched`,
        ]),
    ...(trace.chain === null
      ? []
      : [
          trace.chain.matched === null
            ? `  yes  chain ${trace.chain.name}: no earlier rule of the chain matched`
            : `  no   chain ${trace.chain.name}: an earlier rule of the chain matched, "${trace.chain.matched.name}"`,
        ]),
  ]);
  return traced.length > TRACES_SHOWN ? [...shown, `and ${traced.length - TRACES_SHOWN} more rules`] : shown;
};

/** Returns a function that lists the rules that notify any of the given people, directly or by their policy. */
const createRuleFinder = ({ rules, policies, groups }: AlertsFile): RulesFor => {
  const membersOf = new Map(groups.map(({ name, members }) => [name, members]));
  const policyOf = new Map(policies.map((policy) => [policy.name, policy]));
  const isAnyInGroup = (group: string, people: readonly string[]) =>
    membersOf.get(group)?.some((member) => people.includes(member)) ?? false;
  return (people) =>
    rules
      .filter(
        ({ groups, policy }) =>
          groups.some((group) => isAnyInGroup(group, people)) ||
          (policyOf.get(policy ?? "")?.steps ?? []).some(({ targets }) =>
            targets.some((target) =>
              "group" in target ? isAnyInGroup(target.group, people) : people.includes(target.user),
            ),
          ),
      )
      .map(({ name }) => name);
};

/** Returns the contracts that failed, with the simulated outcome. */
export const runContracts = (file: AlertsFile): ContractFailure[] => {
  const outcomeOf = createSimulator(file);
  const groups = new Map(file.groups.map(({ name, members }) => [name, members]));
  const peopleOf: FindPeople = (name) => groups.get(name) ?? [name.toLowerCase()];
  const rulesFor = createRuleFinder(file);
  return file.contracts.flatMap((contract, index): ContractFailure[] => {
    const outcome = outcomeOf(addSender(contract.event, contract.sender), fromIso(contract.at) ?? 0);
    const breaches = findBreaches(contract, outcome, peopleOf, rulesFor);
    if (breaches.length === 0) return [];
    const ruleNames = new Set(breaches.flatMap(({ rules }) => rules));
    const lines = [
      ...breaches.map(({ promised }) => `promised: ${promised}`),
      ...describeOutcome(outcome).map((line) => `happened: ${line}`),
      ...explainMatches(ruleNames, file, contract),
    ];
    return [{ index, name: contract.name, lines }];
  });
};
