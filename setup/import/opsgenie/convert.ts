import * as v from "valibot";
import type { FileTarget } from "../../file.ts";
import type { Draft } from "../draft.ts";
import { readKind, readerOf, readParts, type ExportFile, type Reader, type Part } from "../export-files.ts";
import { addLadder, type Ladder } from "../ladder.ts";
import { peopleOf, type People } from "./people.ts";
import { addDirect, addRoutingRules } from "./rules.ts";
import { addSchedule } from "./schedules.ts";
import { addSenders, type Asked } from "./senders.ts";
import {
  Beside,
  Escalation,
  Integration,
  Override,
  RoutingRule,
  Schedule,
  Team,
  User,
  type Recipient,
} from "./shape.ts";

const KINDS = {
  users: ["users"],
  teams: ["teams"],
  schedules: ["schedules"],
  overrides: ["scheduleOverrides"],
  escalations: ["escalations"],
  routing: ["teamRoutingRules"],
  policies: ["policies", "policiesV2", "alertPolicies", "notificationPolicies", "policyOrders"],
  integrations: ["integrations"],
  actions: ["integrationActions"],
  heartbeats: ["heartbeats"],
  others: [
    "forwardings",
    "forwardingRules",
    "userForwardingRules",
    "notifications",
    "userNotifications",
    "userNotificationRules",
    "maintenance",
    "services",
    "customUserRoles",
  ],
} as const;

const LEFT: Readonly<Record<string, string>> = {
  policies:
    "Policies change alerts before they are told of. Silences, priorityOverride and conditions of rules do some of that: write those that matter.",
  actions:
    "Filters and actions of integrations change alerts, or pass over them. Conditions of rules do some of that: write those that matter.",
  heartbeats: "Heartbeats are made with POST /heartbeats, which answers the URL to call.",
  others: "This service has none of these.",
};

/** Things that are nested in the files of another kind, as things of their own. */
const nested = (parts: readonly Part[], of: string, kind: string, field: "overrides" | "routingRules"): Part[] =>
  parts
    .filter((part) => part.kind === of)
    .flatMap((part) => {
      const beside = v.safeParse(Beside, part.value);
      const name = v.safeParse(v.union([Schedule, Team]), part.value);
      if (!beside.success || !name.success) return [];
      return beside.output[field].map((value, index) => ({
        kind,
        at: `${part.at}: ${field}[${index}]`,
        folders: [name.output.name],
        value,
      }));
    });

type Groups = { schedules: ReadonlyMap<string, string[]>; team: (team: Team) => string };

const targetsOf = (
  draft: Draft,
  what: string,
  recipient: Recipient,
  notifyType: string,
  { schedules, team: groupOf }: Groups,
  people: People,
): FileTarget[] => {
  if (recipient.type === "schedule") {
    const groups = schedules.get(recipient.id ?? "") ?? schedules.get(recipient.name ?? "");
    if (groups === undefined) {
      draft.left(`${what}: schedule ${recipient.name ?? recipient.id ?? ""}`, "The export has no such schedule.");
      return [];
    }
    if (notifyType === "next" || notifyType === "previous") {
      draft.left(`${what}: the ${notifyType} of a schedule`, "A step cannot tell who is on call before or after.");
      return [];
    }
    return groups.map((group) => ({ group, onCallOnly: notifyType !== "all" }));
  }
  if (recipient.type === "team") {
    const team = people.teamOf(recipient);
    if (team === undefined) {
      draft.left(`${what}: team ${recipient.name ?? recipient.id ?? ""}`, "The export has no such team.");
      return [];
    }
    if (notifyType === "admins" || notifyType === "users")
      return people.members(team, [notifyType.slice(0, -1)]).map((user) => ({ user }));
    if (notifyType !== "all")
      draft.different(what, `Team ${team.name}: everybody in it is told, not whom its routing rules choose.`);
    return [{ group: groupOf(team), onCallOnly: false }];
  }
  return people.of(recipient).map((user) => ({ user }));
};

const addEscalation = (
  draft: Draft,
  { name, rules, repeat }: Escalation,
  groups: Groups,
  people: People,
): Ladder | undefined => {
  const what = `Escalation ${name}`;
  const delays = [...new Set(rules.map(({ delay }) => delay))].sort((one, other) => one - other);
  if (rules.some(({ condition }) => condition === "if-not-closed"))
    draft.different(what, "An acknowledgement ends it; a level that waits for the alert to be closed does not go on.");
  const levels = delays.map((afterMinutes) => ({
    afterMinutes,
    targets: rules
      .filter(({ delay }) => delay === afterMinutes)
      .flatMap(({ recipient, notifyType }) => targetsOf(draft, what, recipient, notifyType, groups, people)),
  }));
  const wait = repeat?.waitInterval ?? 0;
  const again = { times: wait > 0 ? (repeat?.count ?? 1) : 0, afterMinutes: wait + (delays[0] ?? 0) };
  return addLadder(draft, { name, levels, again });
};

const keysOf = ({ id, name }: { id?: string | null | undefined; name: string }): string[] =>
  typeof id === "string" ? [id, name] : [name];

/** The groups of the schedules, by the schedules' ids and names. */
const addSchedules = (
  draft: Draft,
  all: readonly Schedule[],
  parts: readonly Part[],
  people: People,
  window: { fromMs: number; toMs: number },
): Map<string, string[]> => {
  const overrides = readKind(parts, "overrides", Override);
  const schedules = new Map<string, string[]>();
  for (const schedule of all) {
    if (!schedule.enabled) {
      draft.left(`Schedule ${schedule.name}`, "It is disabled: whoever it would put on call is told nothing.");
      for (const key of keysOf(schedule)) schedules.set(key, []);
      continue;
    }
    const own = overrides.filter(({ part }) => part.folders[0] === schedule.name).map(({ value }) => value);
    const groups = addSchedule(draft, schedule, own, people, window);
    for (const key of keysOf(schedule)) schedules.set(key, groups);
  }
  return schedules;
};

/** The groups of the teams, by the teams' names. */
const addTeams = (draft: Draft, teams: readonly Team[], people: People): Map<string, string> => {
  const groups = new Map<string, string>();
  for (const team of teams) {
    const members = people.members(team);
    if (members.length < team.members.length)
      draft.left(`Team ${team.name}: ${team.members.length - members.length} members`, "The export has no such users.");
    const group = draft.addGroup(team.name, members);
    groups.set(team.name, group);
    draft.taken(`Team ${team.name}`, `group ${group}`);
  }
  return groups;
};

/** The rules of each team, by its routing rules; all of it where the export has none. */
const addTeamRules = (
  draft: Draft,
  teams: readonly Team[],
  parts: readonly Part[],
  groups: Groups,
  people: People,
  reachOf: ReturnType<typeof addSenders>,
  ladderOf: (notify: Pick<Recipient, "type" | "id" | "name">) => Ladder | undefined,
): void => {
  const rules = readKind(parts, "routing", RoutingRule);
  for (const team of teams) {
    const { id, name } = team;
    const own = rules.filter(({ part }) => part.folders[0] === name).map(({ value }) => value);
    const reach = reachOf({ type: "team", id, name });
    if (own.length > 0) {
      addRoutingRules(draft, name, reach, own, ladderOf);
      continue;
    }
    if (people.members(team).length === 0) continue;
    draft.missing(`Team ${name}: its routing rules`, "The export has none: everybody in the team is told at once.");
    const ladder = { groups: [groups.team(team)], onCallOnly: false, policy: null };
    addDirect(draft, `Alerts for the team ${name}`, name, reach, ladder);
  }
  const known = new Set(teams.map(({ name }) => name));
  for (const folder of new Set(rules.map(({ part }) => part.folders[0] ?? "")))
    if (!known.has(folder)) draft.left(`Routing rules of ${folder}`, "The export has no such team.");
};

/** Reads Opsgenie's configuration backup into a draft. */
export const fromOpsgenie = (
  draft: Draft,
  files: readonly ExportFile[],
  window: { fromMs: number; toMs: number },
): void => {
  const found = readParts(draft, "Opsgenie's backup", files, KINDS);
  const parts = [
    ...found,
    ...nested(found, "schedules", "overrides", "overrides"),
    ...nested(found, "teams", "routing", "routingRules"),
  ];
  const values: Reader<keyof typeof KINDS> = readerOf(parts);
  const teams = values("teams", Team);
  const people = peopleOf(draft, values("users", User), teams);

  const schedules = addSchedules(draft, values("schedules", Schedule), parts, people, window);
  const teamGroups = addTeams(draft, teams, people);
  const groups: Groups = { schedules, team: ({ name }) => teamGroups.get(name) ?? name };

  const ladders = new Map<string, Ladder | undefined>();
  const escalations = values("escalations", Escalation);
  for (const escalation of escalations) {
    const ladder = addEscalation(draft, escalation, groups, people);
    for (const key of keysOf(escalation)) ladders.set(key, ladder);
  }
  const ladderOf = ({ type, id, name }: Pick<Recipient, "type" | "id" | "name">): Ladder | undefined => {
    if (type !== "schedule") return ladders.get(id ?? "") ?? ladders.get(name ?? "");
    const told = schedules.get(id ?? "") ?? schedules.get(name ?? "");
    return told === undefined || told.length === 0 ? undefined : { groups: told, onCallOnly: true, policy: null };
  };
  const reachOf = addSenders(draft, values("integrations", Integration));
  addTeamRules(draft, teams, parts, groups, people, reachOf, ladderOf);
  const asked: Asked[] = [
    ...escalations.map(({ id, name }) => ({ type: "escalation", id, name })),
    ...values("schedules", Schedule).map(({ id, name }) => ({ type: "schedule", id, name })),
  ];
  for (const one of asked) {
    const ladder = ladderOf(one);
    const name = `To the ${one.type} ${one.name}`;
    if (ladder !== undefined) addDirect(draft, `Alerts for the ${one.type} ${one.name}`, name, reachOf(one), ladder);
  }
  draft.different(
    "Alerts that name a person among their responders",
    "Rules here tell groups: whoever is to be told of such alerts needs a group, and a rule with a condition on data.responders.",
  );

  for (const [kind, why] of Object.entries(LEFT)) {
    const count = parts.filter((part) => part.kind === kind).length;
    if (count > 0) draft.left(`${count} files of ${kind}`, why);
  }
};
