import * as v from "valibot";
import type { FileTarget } from "../../file.ts";
import type { Draft } from "../draft.ts";
import {
  readItems,
  createReader,
  readAllItems,
  RECORDS,
  type ExportFile,
  type ReadParts,
  type ExportPart,
} from "../export-files.ts";
import { addEscalationPolicy, type RuleRecipients } from "../escalation.ts";
import { addUsers, createPeopleFinder, type PeopleFinder } from "./people.ts";
import { addDirectRules, addRoutingRules } from "./rules.ts";
import { addSchedule, addShiftedGroups } from "./schedules.ts";
import { addSenders, type Responder } from "./senders.ts";
import {
  Beside,
  Escalation,
  Integration,
  NotificationRule,
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
  "routing rules": ["teamRoutingRules"],
  policies: ["policies", "policiesV2", "alertPolicies", "notificationPolicies", "policyOrders"],
  integrations: ["integrations"],
  actions: ["integrationActions"],
  "own rules": ["userNotificationRules"],
  heartbeats: ["heartbeats"],
  ...RECORDS.opsgenie,
  others: [
    "forwardings",
    "forwardingRules",
    "userForwardingRules",
    "notifications",
    "userNotifications",
    "maintenance",
    "services",
    "customUserRoles",
  ],
} as const;

const LEFT: Readonly<Record<string, string>> = {
  policies:
    "Policies change alerts before people are notified. Write the important policies as silences, or as conditions or priorityOverride of rules.",
  actions:
    "Filters and actions of integrations change or ignore alerts. Write the important filters and actions as conditions of rules.",
  heartbeats: "Heartbeats are created with POST /heartbeats, which returns the URL to call.",
  others: "This service does not have this feature.",
};

const Named = v.looseObject({ name: v.optional(v.unknown()), username: v.optional(v.unknown()) });

/** Finds the name of a schedule, team or user. Accepts invalid values in all other fields. */
const findName = (value: unknown): string | undefined => {
  const read = v.safeParse(v.looseObject({}), value);
  if (!read.success) return undefined;
  const { schedule, team, user } = read.output;
  const thing = v.safeParse(Named, schedule ?? team ?? user ?? value);
  const name = thing.success ? (thing.output.name ?? thing.output.username) : undefined;
  return typeof name === "string" ? name : undefined;
};

/** Returns the items in the list `field` of each item of `parentKind` as parts of `kind`; their folder is the parent's name. */
const listNestedItems = (
  parts: readonly ExportPart[],
  parentKind: string,
  kind: string,
  field: "overrides" | "routingRules" | "notificationRules",
): ExportPart[] =>
  parts
    .filter((part) => part.kind === parentKind)
    .flatMap((part) => {
      const beside = v.safeParse(Beside, part.value);
      const name = findName(part.value);
      if (!beside.success || name === undefined) return [];
      return beside.output[field].map((value, index) => ({
        kind,
        file: part.file,
        at: `${part.at}: ${field}[${index}]`,
        folders: [name],
        value,
      }));
    });

/** The groups of a schedule. `addShifted`: adds groups with the people of the next shift (1) or the previous shift (-1). */
type OnCall = { groups: string[]; addShifted: (by: 1 | -1) => string[] };
type GroupNames = { schedules: ReadonlyMap<string, OnCall>; team: (team: Team) => string };

/** Converts a recipient of an escalation to targets, and reports a recipient that the export does not contain. */
const toTargets = (
  draft: Draft,
  what: string,
  recipient: Recipient,
  notifyType: string,
  { schedules, team: groupOf }: GroupNames,
  people: PeopleFinder,
): FileTarget[] => {
  if (recipient.type === "schedule") {
    const found = schedules.get(recipient.id ?? "") ?? schedules.get(recipient.name ?? "");
    if (found === undefined) {
      draft.left(
        `${what}: schedule ${recipient.name ?? recipient.id ?? ""}`,
        "The export does not contain this schedule.",
      );
      return [];
    }
    const isTurned = notifyType === "next" || notifyType === "previous";
    const groups = isTurned ? found.addShifted(notifyType === "next" ? 1 : -1) : found.groups;
    return groups.map((group) => ({ group, onCallOnly: notifyType !== "all" }));
  }
  if (recipient.type === "team") {
    const team = people.teamOf(recipient);
    if (team === undefined) {
      draft.left(`${what}: team ${recipient.name ?? recipient.id ?? ""}`, "The export does not contain this team.");
      return [];
    }
    if (notifyType === "admins" || notifyType === "users")
      return people.members(team, [notifyType.slice(0, -1)]).map((user) => ({ user }));
    if (notifyType !== "all")
      draft.different(
        what,
        `Team ${team.name}: all of its members are notified, not the people whom its routing rules choose.`,
      );
    return [{ group: groupOf(team), onCallOnly: false }];
  }
  return people.findEmailsOrReport(recipient).map((user) => ({ user }));
};

/** Adds a policy for an escalation, and returns its recipients; undefined if the escalation notifies nobody. */
const addEscalation = (
  draft: Draft,
  { name, rules, repeat }: Escalation,
  groups: GroupNames,
  people: PeopleFinder,
): RuleRecipients | undefined => {
  const what = draft.count("escalations", `Escalation ${name}`);
  const delays = [...new Set(rules.map(({ delay }) => delay))].sort((one, other) => one - other);
  if (rules.some(({ condition }) => condition === "if-not-closed"))
    draft.different(
      what,
      "An acknowledgement ends the escalation, including levels that wait for the alert to be closed.",
    );
  const levels = delays.map((afterMinutes) => ({
    afterMinutes,
    targets: rules
      .filter(({ delay }) => delay === afterMinutes)
      .flatMap(({ recipient, notifyType }) => toTargets(draft, what, recipient, notifyType, groups, people)),
  }));
  const wait = repeat?.waitInterval ?? 0;
  const repeated = { times: wait > 0 ? (repeat?.count ?? 1) : 0, afterMinutes: wait + (delays[0] ?? 0) };
  return addEscalationPolicy(draft, { name, levels, repeated, what });
};

const listIdAndName = ({ id, name }: { id?: string | null | undefined; name: string }): string[] =>
  typeof id === "string" ? [id, name] : [name];

/** Adds the schedules, with the overrides in `parts`. Returns the groups of a schedule by its id and by its name. */
const addSchedules = (
  draft: Draft,
  schedules: readonly Schedule[],
  parts: readonly ExportPart[],
  people: PeopleFinder,
  period: { fromMs: number; toMs: number },
): Map<string, OnCall> => {
  const overrides = readItems(draft, parts, "overrides", Override);
  const byIdOrName = new Map<string, OnCall>();
  const reportOmitted = (name: string, count: number, why: string) => {
    if (count > 0) draft.left(draft.count("overrides", `Schedule ${name}: ${count} overrides`, count), why);
  };
  for (const schedule of schedules) {
    const what = draft.count("schedules", `Schedule ${schedule.name}`);
    const own = overrides.filter(({ part }) => part.folders[0] === schedule.name).map(({ value }) => value);
    if (!schedule.enabled) {
      draft.left(what, "The schedule is disabled, so it puts nobody on call.");
      reportOmitted(schedule.name, own.length, "The schedule of these overrides is disabled.");
      for (const key of listIdAndName(schedule)) byIdOrName.set(key, { groups: [], addShifted: () => [] });
      continue;
    }
    reportOmitted(
      schedule.name,
      own.filter(({ endDate }) => endDate <= period.fromMs).length,
      "These overrides have ended.",
    );
    const groups = addSchedule(draft, what, schedule, own, people, period);
    const turned = new Map<1 | -1, string[]>();
    const onCall: OnCall = {
      groups,
      addShifted: (by) => {
        const known = turned.get(by) ?? addShiftedGroups(draft, what, schedule, people, period, by);
        turned.set(by, known);
        return known;
      },
    };
    for (const key of listIdAndName(schedule)) byIdOrName.set(key, onCall);
  }
  const known = new Set(schedules.map(({ name }) => name));
  const lost = overrides.filter(({ part }) => !known.has(part.folders[0] ?? ""));
  for (const [name = "", some] of Map.groupBy(lost, ({ part }) => part.folders[0]))
    reportOmitted(name, some.length, "The export does not contain this schedule.");
  return byIdOrName;
};

/** Adds a group for each team, and returns the groups' names by team. */
const addTeams = (draft: Draft, teams: readonly Team[], people: PeopleFinder): Map<string, string> => {
  const groups = new Map<string, string>();
  for (const team of teams) {
    const what = draft.count("teams", `Team ${team.name}`);
    const members = people.members(team);
    if (members.length < team.members.length)
      draft.left(
        `${what}: ${team.members.length - members.length} members`,
        "The export does not contain these users.",
      );
    const group = draft.addGroup(team.name, members);
    groups.set(team.name, group);
    draft.taken(what, `group ${group}`);
  }
  return groups;
};

/** Adds each team's routing rules, or else a rule that notifies the whole team. `reachOf`: lists the alerts that reach a team. */
const addTeamRules = (
  draft: Draft,
  teams: readonly Team[],
  parts: readonly ExportPart[],
  groups: GroupNames,
  people: PeopleFinder,
  reachOf: ReturnType<typeof addSenders>,
  findRecipients: (notify: Pick<Recipient, "type" | "id" | "name">) => RuleRecipients | undefined,
): void => {
  const rules = readItems(draft, parts, "routing rules", RoutingRule);
  for (const team of teams) {
    const { id, name } = team;
    const own = rules.filter(({ part }) => part.folders[0] === name).map(({ value }) => value);
    const reach = reachOf({ type: "team", id, name });
    if (own.length > 0) {
      addRoutingRules(draft, name, reach, own, findRecipients);
      continue;
    }
    if (people.members(team).length === 0) continue;
    draft.missing(
      `Team ${name}: its routing rules`,
      "The export has no routing rules of this team: everybody in the team is notified at once.",
    );
    const recipients = { groups: [groups.team(team)], onCallOnly: false, policy: null };
    addDirectRules(draft, `Alerts for the team ${name}`, name, reach, recipients);
  }
  const known = new Set(teams.map(({ name }) => name));
  for (const [folder = "", some] of Map.groupBy(rules, ({ part }) => part.folders[0]))
    if (!known.has(folder))
      draft.left(
        draft.count("routing rules", `Routing rules of ${folder}`, some.length),
        "The export does not contain this team.",
      );
};

/** Adds everything in an export of Opsgenie to the draft. `period`: the time for which schedules are imported and compared. */
export const addOpsgenieExport = (
  draft: Draft,
  files: readonly ExportFile[],
  period: { fromMs: number; toMs: number },
): void => {
  const found = readAllItems(draft, "Opsgenie's backup", files, KINDS);
  const parts = [
    ...found,
    ...listNestedItems(found, "schedules", "overrides", "overrides"),
    ...listNestedItems(found, "teams", "routing rules", "routingRules"),
    ...listNestedItems(found, "users", "own rules", "notificationRules"),
  ];
  const values: ReadParts<keyof typeof KINDS> = createReader(draft, parts);
  const teams = values("teams", Team);
  const users = values("users", User);
  const ownRules = readItems(draft, parts, "own rules", NotificationRule);
  addUsers(draft, users, ({ id, username }) =>
    ownRules.filter(({ part }) => [id, username].includes(part.folders[0])).map(({ value }) => value),
  );
  const people = createPeopleFinder(draft, users, teams);
  const allSchedules = values("schedules", Schedule);

  const schedules = addSchedules(draft, allSchedules, parts, people, period);
  const teamGroups = addTeams(draft, teams, people);
  const groups: GroupNames = { schedules, team: ({ name }) => teamGroups.get(name) ?? name };

  const recipientsById = new Map<string, RuleRecipients | undefined>();
  const escalations = values("escalations", Escalation);
  for (const escalation of escalations) {
    const recipients = addEscalation(draft, escalation, groups, people);
    for (const key of listIdAndName(escalation)) recipientsById.set(key, recipients);
  }
  const findRecipients = ({ type, id, name }: Pick<Recipient, "type" | "id" | "name">): RuleRecipients | undefined => {
    if (type !== "schedule") return recipientsById.get(id ?? "") ?? recipientsById.get(name ?? "");
    const told = (schedules.get(id ?? "") ?? schedules.get(name ?? ""))?.groups;
    return told === undefined || told.length === 0 ? undefined : { groups: told, onCallOnly: true, policy: null };
  };
  const reachOf = addSenders(draft, values("integrations", Integration));
  addTeamRules(draft, teams, parts, groups, people, reachOf, findRecipients);
  const asked: Responder[] = [
    ...escalations.map(({ id, name }) => ({ type: "escalation", id, name })),
    ...allSchedules.map(({ id, name }) => ({ type: "schedule", id, name })),
  ];
  for (const one of asked) {
    const recipients = findRecipients(one);
    const name = `To the ${one.type} ${one.name}`;
    if (recipients !== undefined)
      addDirectRules(draft, `Alerts for the ${one.type} ${one.name}`, name, reachOf(one), recipients);
  }
  draft.different(
    "Alerts that name a person among their responders",
    "Rules here notify groups: put these responders in a group, and add a rule with a condition on data.responders.",
  );

  for (const [kind, why] of Object.entries(LEFT)) {
    const count = parts.filter((part) => part.kind === kind).length;
    if (count > 0) draft.left(draft.count(kind, `${count} files of ${kind}`, count), why);
  }
};
