import * as v from "valibot";
import { findNearest } from "../core/domain/basics/nearest.ts";
import { toIso } from "../core/domain/basics/time.ts";
import { listEventWarnings } from "../core/domain/event/event.ts";
import { findHoursFaults } from "../core/domain/rules/active-hours.ts";
import { findChainFaults } from "../core/domain/rules/chain.ts";
import { findGroupingFaults } from "../core/domain/rules/grouping.ts";
import { findScopeFaults, findTimeFaults } from "../core/domain/rules/silence.ts";
import { findWebhookUrlFault } from "../core/domain/webhook/public-url.ts";
import {
  Contract,
  FileConnection,
  FileGroup,
  FilePerson,
  FilePolicy,
  FileRule,
  FileSchedule,
  FileSilence,
  FileWebhook,
  nameFields,
  listPeople,
  SECTIONS,
} from "./file.ts";

/* Faults between entries: unknown names, duplicate names, contradictions. */

type FieldPath = readonly (string | number)[];
/** `key`: whether the fault is in a field's name instead of its value. */
export type PathFault = { path: FieldPath; message: string; key?: boolean };

/** The names of a file's entries, to which other entries may refer. */
type KnownNames = {
  groups: readonly string[];
  policies: readonly string[];
  rules: readonly string[];
  people: readonly string[];
};

const NAMES_SHOWN = 8;

const findNameFaults = (path: FieldPath, kind: string, name: string, knownNames: readonly string[]): PathFault[] => {
  if (knownNames.includes(name)) return [];
  const meant = findNearest(name, knownNames);
  const some = `${knownNames.slice(0, NAMES_SHOWN).join(", ")}${knownNames.length > NAMES_SHOWN ? ", ..." : ""}`;
  const others = knownNames.length === 0 ? "it has none." : `it has ${some}.`;
  const right = meant === undefined ? others : `did you mean ${meant}?`;
  return [{ path, message: `the file has no ${kind} "${name}": ${right}` }];
};

const findScheduleFaults = ({ group }: Pick<FileSchedule, "group">, { groups }: KnownNames): PathFault[] =>
  findNameFaults(["group"], "group", group, groups);

const findPolicyFaults = ({ steps }: Pick<FilePolicy, "steps">, { groups }: KnownNames): PathFault[] =>
  steps.flatMap(({ targets }, step) =>
    targets.flatMap((target, index) =>
      "group" in target
        ? findNameFaults(["steps", step, "targets", index, "group"], "group", target.group, groups)
        : [],
    ),
  );

const findRuleFaults = ({ groups, policy }: Pick<FileRule, "groups" | "policy">, known: KnownNames): PathFault[] => [
  ...groups.flatMap((group, index) => findNameFaults(["groups", index], "group", group, known.groups)),
  ...(policy === null ? [] : findNameFaults(["policy"], "policy", policy, known.policies)),
];

const toFieldFaults = (faults: readonly { field: string; message: string }[]): PathFault[] =>
  faults.map(({ field, message }) => ({ path: [field], message }));

/** The assumed start of a silence without `startsAt`, so that its end is always later. */
const LONG_AGO = toIso(0);
const findSilenceFaults = ({
  startsAt = LONG_AGO,
  endsAt,
  weekly,
}: Pick<FileSilence, "startsAt" | "endsAt" | "weekly">): PathFault[] =>
  toFieldFaults(findTimeFaults({ startsAt, endsAt, weekly }));

/** Returns whether a URL names this machine. Only the service decides whether it accepts local URLs. */
const isOnThisMachine = (url: string): boolean => /^(?:localhost|127\.0\.0\.1)$/.test(URL.parse(url)?.hostname ?? "");

const findWebhookFaults = ({ url }: Pick<FileWebhook, "url">): PathFault[] => {
  const message = isOnThisMachine(url) ? undefined : findWebhookUrlFault(url, undefined);
  return message === undefined ? [] : [{ path: ["url"], message }];
};

/** The field with the target of a connection, by kind. Only a new connection needs a Teams URL. */
const ends = {
  slack: {
    field: "channel",
    is: "a connection of kind slack needs the field channel, with the id of a channel",
    needs: "the id of the channel, such as C0123456789",
  },
  teams: {
    field: "urlFrom",
    is: "a connection of kind teams needs the field urlFrom: the environment variable that has its URL",
    needs: undefined,
  },
  slack_user_group: {
    field: "userGroup",
    is: "a connection of kind slack_user_group needs the field userGroup, with the id of a user group",
    needs: "the id of the user group, such as S0123456789",
  },
} as const;

/** Returns faults if a connection lacks the field with its target, or has the field of another kind of connection. */
const findTargetFaults = (connection: Omit<FileConnection, "name" | "paused">): PathFault[] => {
  const own = ends[connection.kind];
  const missing =
    own.needs === undefined || connection[own.field] !== undefined
      ? []
      : [{ path: [own.field], message: `${own.field} is missing: ${own.needs}.` }];
  const others = Object.entries(ends).flatMap(([kind, { field }]) =>
    field === own.field || connection[field] === undefined
      ? []
      : [{ path: [field], message: `${field} is for ${kind}; ${own.is}.`, key: true as const }],
  );
  return [...missing, ...others];
};

/** Returns faults if a connection for a Slack user group names rules, or names no groups. */
const findUserGroupFaults = ({
  kind,
  rules,
  groups,
}: Pick<FileConnection, "kind" | "rules" | "groups">): PathFault[] => {
  if (kind !== "slack_user_group") return [];
  return [
    ...(groups === null
      ? [{ path: ["groups"], message: "groups is missing: a Slack user group follows who is on call in these groups." }]
      : []),
    ...(rules === null
      ? []
      : [
          {
            path: ["rules"],
            message: "rules is only for channels. Remove it: a Slack user group follows who is on call in its groups.",
            key: true as const,
          },
        ]),
  ];
};

const findConnectionFaults = (connection: Omit<FileConnection, "name" | "paused">, known: KnownNames): PathFault[] => [
  ...(connection.rules ?? []).flatMap((rule, index) => findNameFaults(["rules", index], "rule", rule, known.rules)),
  ...(connection.groups ?? []).flatMap((group, index) =>
    findNameFaults(["groups", index], "group", group, known.groups),
  ),
  ...findTargetFaults(connection),
  ...findUserGroupFaults(connection),
];

/** Reports targets that connections share: a channel would get everything twice, and a user group's members would alternate. */
const findSharedTargets = (
  connections: readonly [number, Pick<FileConnection, "channel" | "userGroup">][],
  field: "channel" | "userGroup",
  noun: string,
  nameOf: NameOf,
): PathFault[] =>
  connections.flatMap(([index, { [field]: end }]) => {
    const first = connections.find(([, other]) => end !== undefined && other[field] === end)?.[0] ?? index;
    if (first === index) return [];
    const message = `${end} is the ${noun} of ${nameOf("connections", first)}, too. Combine the two connections.`;
    return [{ path: ["connections", index, field], message }];
  });

const findContractFaults = (
  { told, notTold }: Pick<Contract, "told" | "notTold">,
  { groups, people }: KnownNames,
): PathFault[] => {
  const findRecipientFaults = (field: string, names: readonly string[]) =>
    names.flatMap((name, index) => {
      if (people.includes(name.toLowerCase())) return [];
      const candidates = name.includes("@") ? [...people, ...groups] : [...groups, ...people];
      return findNameFaults([field, index], "person or group", name, candidates);
    });
  const promisesNothing = told.length === 0 && notTold.length === 0;
  return [
    ...(told === "nobody" ? [] : findRecipientFaults("told", told)),
    ...findRecipientFaults("notTold", notTold),
    ...(promisesNothing
      ? [{ path: [], message: "a contract needs told (who must be notified) or notTold (who must not be notified)." }]
      : []),
  ];
};

/** Returns faults for the fields of a contract's event that no rule can read. The API only warns of unreadable fields. */
const findEventFaults = (raw: unknown): PathFault[] => {
  const result = v.safeParse(v.object({ event: v.looseObject({}) }), raw);
  if (!result.success) return [];
  return listEventWarnings(result.output.event).map(({ field, message }) => ({
    path: ["event", field],
    message,
    key: true,
  }));
};

const Raw = v.fallback(v.record(v.string(), v.unknown()), {});
const List = v.fallback(v.array(v.unknown()), []);

/** Returns the entries of a section of a file that is not validated yet; empty if the section is no list. */
export const listRawEntries = (raw: unknown, section: string): unknown[] => v.parse(List, v.parse(Raw, raw)[section]);

/** Returns the name in each entry; undefined for an entry whose field is not a string. */
const listNamesIn = (raw: unknown, section: string, field: string): (string | undefined)[] =>
  listRawEntries(raw, section).map((entry) => {
    const name = v.parse(Raw, entry)[field];
    return typeof name === "string" ? name : undefined;
  });

const listDistinctNames = (names: readonly (string | undefined)[]): string[] => [
  ...new Set(names.filter((name) => name !== undefined)),
];

type NameOf = (section: string, index: number) => string;

const findDuplicateFaults = (raw: unknown, nameOf: NameOf): PathFault[] =>
  SECTIONS.flatMap((section) => {
    const field = nameFields[section];
    const names = listNamesIn(raw, section, field);
    const first = new Map<string, number>();
    for (const [index, name] of names.entries()) if (name !== undefined && !first.has(name)) first.set(name, index);
    return names.flatMap((name, index) => {
      const before = name === undefined ? index : (first.get(name) ?? index);
      if (before === index) return [];
      return [
        { path: [section, index, field], message: `"${name}" is already the ${field} of ${nameOf(section, before)}.` },
      ];
    });
  });

const { groups: ruleGroups, policy: rulePolicy } = FileRule.entries;

/** The fields that contain names, by section, so that names are checked even in entries with other faults. */
const naming = {
  people: v.object({ person: FilePerson.entries.person }),
  groups: v.object({ members: FileGroup.entries.members }),
  schedules: v.object({ group: FileSchedule.entries.group }),
  participants: v.object({ layers: FileSchedule.entries.layers }),
  policies: v.object({ steps: FilePolicy.entries.steps }),
  rules: v.object({ groups: v.fallback(ruleGroups, []), policy: v.fallback(rulePolicy, null) }),
  hours: v.pick(v.object(FileRule.entries), ["activeHours", "timeZone"]),
  grouping: v.pick(v.object(FileRule.entries), ["groupBy", "groupMinutes", "atLeast"]),
  chain: v.pick(v.object(FileRule.entries), ["chain", "position"]),
  silences: v.pick(v.object(FileSilence.entries), ["startsAt", "endsAt", "weekly"]),
  reach: v.pick(v.object(FileSilence.entries), ["eventKey", "conditions", "everything"]),
  webhooks: v.object({ url: FileWebhook.entries.url }),
  connections: v.omit(v.object(FileConnection.entries), ["name", "paused"]),
  contracts: v.object({ told: Contract.entries.told, notTold: Contract.entries.notTold }),
};

/** Returns every fault that concerns more than one field. `raw`: the content before validation. */
export const findReferenceFaults = (raw: unknown, nameOf: NameOf): PathFault[] => {
  /** Returns the valid entries of a section, with their positions in the section. */
  const readSection = <Item>(section: string, schema: v.GenericSchema<unknown, Item>): [number, Item][] =>
    listRawEntries(raw, section).flatMap((entry, index): [number, Item][] => {
      const result = v.safeParse(schema, entry);
      return result.success ? [[index, result.output]] : [];
    });
  const listValidItems = <Item>(section: string, schema: v.GenericSchema<unknown, Item>) =>
    readSection(section, schema).map(([, item]) => item);
  const listFaultsOfEach = <Item>(
    section: string,
    schema: v.GenericSchema<unknown, Item>,
    find: (item: Item) => PathFault[],
  ) =>
    readSection(section, schema).flatMap(([index, item]) =>
      find(item).map((fault) => ({ ...fault, path: [section, index, ...fault.path] })),
    );
  const known: KnownNames = {
    groups: listDistinctNames(listNamesIn(raw, "groups", "name")),
    policies: listDistinctNames(listNamesIn(raw, "policies", "name")),
    rules: listDistinctNames(listNamesIn(raw, "rules", "name")),
    people: listPeople({
      people: listValidItems("people", naming.people),
      groups: listValidItems("groups", naming.groups),
      schedules: listValidItems("schedules", naming.participants),
      policies: listValidItems("policies", naming.policies),
    }),
  };
  return [
    ...findDuplicateFaults(raw, nameOf),
    ...listFaultsOfEach("schedules", naming.schedules, (schedule) => findScheduleFaults(schedule, known)),
    ...listFaultsOfEach("policies", naming.policies, (policy) => findPolicyFaults(policy, known)),
    ...listFaultsOfEach("rules", naming.rules, (rule) => findRuleFaults(rule, known)),
    ...listFaultsOfEach("rules", naming.hours, (rule) => toFieldFaults(findHoursFaults(rule))),
    ...listFaultsOfEach("rules", naming.grouping, (rule) => toFieldFaults(findGroupingFaults(rule))),
    ...listFaultsOfEach("rules", naming.chain, (rule) => toFieldFaults(findChainFaults(rule))),
    ...listFaultsOfEach("silences", naming.silences, findSilenceFaults),
    ...listFaultsOfEach("silences", naming.reach, (reach) => toFieldFaults(findScopeFaults(reach, reach.everything))),
    ...listFaultsOfEach("webhooks", naming.webhooks, findWebhookFaults),
    ...listFaultsOfEach("connections", naming.connections, (connection) => findConnectionFaults(connection, known)),
    ...findSharedTargets(readSection("connections", naming.connections), "channel", "channel", nameOf),
    ...findSharedTargets(readSection("connections", naming.connections), "userGroup", "user group", nameOf),
    ...listFaultsOfEach("contracts", naming.contracts, (contract) => findContractFaults(contract, known)),
    ...listFaultsOfEach("contracts", v.unknown(), findEventFaults),
  ];
};
