import type { FileTarget } from "../../file.ts";
import type { Draft } from "../draft.ts";
import { createReader, toFileStem, readAllItems, RECORDS, type ExportFile, type ReadParts } from "../export-files.ts";
import { addEscalationPolicy, type RuleRecipients, type Level } from "../escalation.ts";
import { splitOverlaps } from "../periods.ts";
import { readEvents, toPeriods } from "./calendar.ts";
import { addIntegration } from "./routes.ts";
import { addUsers, readEmail } from "./people.ts";
import { addSchedule, type Calendar } from "./schedules.ts";
import { Chain, Integration, OwnStep, Route, Schedule, Shift, Step, Team, User } from "./shape.ts";
import { DAY_MS } from "../../../core/domain/basics/units.ts";

const KINDS = {
  users: ["users"],
  teams: ["teams"],
  schedules: ["schedules"],
  shifts: ["on_call_shifts", "shifts"],
  "escalation chains": ["escalation_chains"],
  steps: ["escalation_policies"],
  "own rules": ["personal_notification_rules"],
  integrations: ["integrations"],
  routes: ["routes"],
  ...RECORDS.oncall,
} as const;

/** The number of days for which calendar events are converted, because this service's schedules cannot read calendars. */
const CALENDAR_DAYS = 91;
const REPEATS = 5;

type ById = {
  groups: ReadonlyMap<string, readonly string[]>;
  teams: ReadonlyMap<string, string>;
  users: ReadonlyMap<string, User>;
};

/** Adds a policy for an escalation chain, and returns its recipients; undefined if the chain notifies nobody. */
const addPolicy = (draft: Draft, { name }: Chain, steps: readonly Step[], byId: ById): RuleRecipients | undefined => {
  const what = draft.count("escalation chains", `Escalation ${name}`);
  const levels: (Level & { targets: FileTarget[] })[] = [];
  let afterMinutes = 0;
  let times = 0;
  /** Adds targets to the level at `afterMinutes`; creates the level if it does not exist. */
  const addTargets = (targets: readonly FileTarget[]) => {
    const last = levels.at(-1);
    if (last?.afterMinutes === afterMinutes) last.targets.push(...targets);
    else levels.push({ afterMinutes, targets: [...targets] });
  };
  const toUserTargets = (id: string): FileTarget[] => {
    const user = byId.users.get(id);
    const email = user === undefined ? undefined : readEmail(user);
    if (email !== undefined) return [{ user: email }];
    draft.left(`${what}: ${user?.username ?? id}`, "The export has no user with that id and an email address.");
    return [];
  };
  for (const step of steps.toSorted((one, other) => one.position - other.position)) {
    switch (step.type) {
      case "wait":
        afterMinutes += (step.duration ?? 0) / 60;
        break;
      case "notify_on_call_from_schedule": {
        const groups = byId.groups.get(step.notify_on_call_from_schedule ?? "");
        if (groups === undefined)
          draft.left(
            `${what}: schedule ${step.notify_on_call_from_schedule ?? ""}`,
            "The export does not contain this schedule.",
          );
        addTargets((groups ?? []).map((group) => ({ group, onCallOnly: true })));
        break;
      }
      case "notify_persons":
        addTargets(step.persons_to_notify.flatMap(toUserTargets));
        break;
      case "notify_person_next_each_time":
        draft.warn(
          what,
          "OnCall notifies the people of a step in turn, one person for each alert; this service notifies all of these people at once.",
        );
        addTargets(step.persons_to_notify_next_each_time.flatMap(toUserTargets));
        break;
      case "notify_team_members": {
        const group = byId.teams.get(step.notify_to_team_members ?? "");
        if (group === undefined) draft.left(`${what}: a team`, "The export does not contain this team or its members.");
        else addTargets([{ group, onCallOnly: false }]);
        break;
      }
      case "repeat_escalation":
        times = REPEATS;
        break;
      default:
        draft.left(
          `${what}: a step ${step.type === "" ? "without a type" : step.type}`,
          "This service has no step of this type.",
        );
    }
  }
  const wait = Math.max(1, afterMinutes - (levels.at(-1)?.afterMinutes ?? 0));
  return addEscalationPolicy(draft, { name, levels, repeated: { times, afterMinutes: wait }, what });
};

/** Returns a function that finds the email address of a person by `name`: the address or the user name, in lower case. */
const createPeopleFinder =
  (draft: Draft, users: readonly User[]) =>
  (name: string): string[] => {
    const found = users.find((user) => [user.email, user.username].some((one) => one?.toLowerCase() === name));
    const email = found === undefined ? undefined : readEmail(found);
    if (email !== undefined) return [email];
    draft.left(`Person ${name}`, "A calendar names somebody who is not in the export, or has no email address.");
    return [];
  };

/** Reads the calendar files of a schedule; returns undefined if the schedule has no calendar files. */
const readCalendar = (
  draft: Draft,
  { id, name, time_zone }: Schedule,
  files: readonly ExportFile[],
  peopleNamed: (name: string) => string[],
  fromMs: number,
): Calendar | undefined => {
  const own = files.filter(
    ({ path }) => path.endsWith(".ics") && [id, name].includes(toFileStem(path, ".ics").replace(/\.\w+$/, "")),
  );
  if (own.length === 0) return undefined;
  const toMs = fromMs + CALENDAR_DAYS * DAY_MS;
  const events = own.flatMap((file) => readEvents(file, time_zone, { fromMs, toMs }));
  draft.different(
    `Schedule ${name}: its calendar`,
    `The ${events.length} events of the next ${CALENDAR_DAYS} days are imported one by one; later events of the calendar are not imported.`,
  );
  return { periods: splitOverlaps(toPeriods(events, peopleNamed)), toMs };
};

/** Adds a group for each team with members, and returns the groups' names by team id. */
const addTeams = (
  draft: Draft,
  teams: readonly { id: string; name: string }[],
  users: readonly User[],
): Map<string, string> => {
  const groups = new Map<string, string>();
  for (const { id, name } of teams) {
    const members = users.flatMap((user) => (user.teams.includes(id) ? (readEmail(user) ?? []) : []));
    const what = draft.count("teams", `Team ${name}`);
    if (members.length === 0) draft.left(what, "No user of the export is in this team.");
    else {
      const group = draft.addGroup(name, members);
      draft.taken(what, `group ${group}`);
      groups.set(id, group);
    }
  }
  return groups;
};

/** Adds everything in an export of OnCall to the draft. `period`: the time for which schedules are imported and compared. */
export const addOnCallExport = (
  draft: Draft,
  files: readonly ExportFile[],
  period: { fromMs: number; toMs: number },
): void => {
  const parts = readAllItems(draft, "OnCall's answers", files, KINDS);
  const values: ReadParts<keyof typeof KINDS> = createReader(draft, parts);
  const everybody = values("users", User);
  addUsers(draft, everybody, values("own rules", OwnStep));
  const users = new Map(everybody.map((user) => [user.id, user]));
  const peopleNamed = createPeopleFinder(draft, everybody);
  const shifts = new Map(values("shifts", Shift).map((shift) => [shift.id, shift]));

  const groups = new Map<string, readonly string[]>();
  for (const schedule of values("schedules", Schedule)) {
    const own = schedule.shifts.flatMap((id) => {
      const shift = shifts.get(id);
      if (shift === undefined)
        draft.left(`Schedule ${schedule.name}: shift ${id}`, "The export does not contain this shift.");
      return shift ?? [];
    });
    const calendar = readCalendar(draft, schedule, files, peopleNamed, period.fromMs);
    groups.set(schedule.id, addSchedule(draft, schedule, own, calendar, users, period));
  }
  const teams = addTeams(draft, values("teams", Team), everybody);
  const steps = values("steps", Step);
  const recipientsById = new Map(
    values("escalation chains", Chain).map((chain): [string, RuleRecipients | undefined] => [
      chain.id,
      addPolicy(
        draft,
        chain,
        steps.filter((step) => step.escalation_chain_id === chain.id),
        { groups, teams, users },
      ),
    ]),
  );
  const routes = values("routes", Route);
  const integrations = values("integrations", Integration);
  const known = new Set(integrations.map(({ id }) => id));
  for (const { id, integration_id } of routes)
    if (!known.has(integration_id))
      draft.left(draft.count("routes", `Route ${id}`), "The export does not contain this integration.");
  for (const integration of integrations) {
    const own = routes.filter((route) => route.integration_id === integration.id);
    addIntegration(draft, integration, own, recipientsById);
  }
};
