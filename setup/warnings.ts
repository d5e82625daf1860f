import { checkPolicy, checkRule } from "../core/domain/planning/reach.ts";
import type { Warning } from "../core/domain/basics/warning.ts";
import { createChainChecker, findRuleDoubts as ruleDoubts } from "../core/domain/rules/doubtful-rules.ts";
import type { SeenPaths } from "../core/domain/rules/doubtful-rules.ts";
import { findNearest } from "../core/domain/basics/nearest.ts";
import { toIso } from "../core/domain/basics/time.ts";
import { findGaps, listScheduleUsers, findEverOnCall } from "../core/domain/on-call/index.ts";
import type { People } from "../core/domain/people/people.ts";
import type { AlertsFile, FileRule, FileSchedule } from "./file.ts";
import { convertToPeople, toRoutingRule } from "./rehearsal.ts";

/** A valid entry that probably does not do what its author wants. */
export type FileWarning = { path: readonly (string | number)[]; message: string };

/** Which events have arrived is unknown, because a file does not contain events. */
const NO_EVENTS: SeenPaths = new Map();

/** Treats every person as having a device, because a setup file does not contain devices. */
const hasDevice = () => true;

const describeWarning = ({ message, id }: Warning): string => (id === undefined ? message : `${message} (${id})`);

const listWarningsOfSchedule = (schedule: FileSchedule, people: People, now: number): string[] => {
  const members = people.groups.get(schedule.group)?.memberIds ?? [];
  const outsiders = [...new Set(listScheduleUsers(schedule))].filter((person) => !members.includes(person));
  const { group } = people.duty(schedule.group);
  const found = findGaps(group, now);
  const [first] = found;
  return [
    ...outsiders.map(
      (person) => `${person} has turns but is not in ${schedule.group}: during those turns, rules notify nobody.`,
    ),
    ...findEverOnCall(group.schedule, now).never.map(
      (person) =>
        `${person} has turns in ${schedule.group} but is never on call from now on: no turn is within the hours of its layer, or a later layer takes precedence.`,
    ),
    ...(first === undefined
      ? []
      : [
          found.length === 1
            ? `There is a time in the next weeks when nobody is on call, from ${toIso(first.start)}.`
            : `There are ${found.length} periods in the next weeks when nobody is on call, the first from ${toIso(first.start)}.`,
        ]),
  ];
};

/** Returns the senders in a rule for which the file has no key. Returns an empty list if the file has no keys. */
const listUnknownSenders = ({ conditions }: FileRule, keys: readonly string[]): string[] =>
  conditions.flatMap(({ field, operator, value, not = false, ignoreCase = false }) => {
    if (field !== "sender" || not || ignoreCase || keys.length === 0) return [];
    if (operator !== "equals" && operator !== "one_of") return [];
    const asked = Array.isArray(value) ? value.map(String) : [String(value)];
    return asked
      .filter((name) => !keys.includes(name))
      .map((name) => {
        const meant = findNearest(name, keys);
        return `The file has no key "${name}"${meant === undefined ? "." : `: did you mean ${meant}?`}`;
      });
  });

/** Lists the API's warnings that depend only on the file. `now`: the time in ms. */
export const listWarnings = (file: AlertsFile, now: number): FileWarning[] => {
  const people = convertToPeople(file);
  const rules = file.rules.map(toRoutingRule);
  const chainDoubts = createChainChecker(rules);
  const toDoubtsOfEntry = (section: string, index: number, messages: readonly string[]): FileWarning[] =>
    messages.map((message) => ({ path: [section, index], message }));
  return [
    ...file.schedules.flatMap((schedule, index) =>
      toDoubtsOfEntry("schedules", index, listWarningsOfSchedule(schedule, people, now)),
    ),
    ...[...people.policies.values()].flatMap((policy, index) =>
      toDoubtsOfEntry("policies", index, checkPolicy(policy, people, hasDevice, now).map(describeWarning)),
    ),
    ...file.rules.flatMap((rule, index) =>
      toDoubtsOfEntry(
        "rules",
        index,
        listUnknownSenders(
          rule,
          file.keys.map(({ name }) => name),
        ),
      ),
    ),
    ...rules.flatMap((rule, index) =>
      toDoubtsOfEntry(
        "rules",
        index,
        [...checkRule(rule, people, hasDevice, now), ...ruleDoubts(rule, NO_EVENTS), ...chainDoubts(rule)].map(
          describeWarning,
        ),
      ),
    ),
  ];
};
