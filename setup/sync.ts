import { fromIso } from "../core/domain/basics/time.ts";
import { endsAfter } from "../core/domain/on-call/override.ts";
import { addSender } from "../core/domain/event/event.ts";
import { findAbsentPeople, removeEntriesOfAbsentPeople } from "./absent-people.ts";
import { connectByOptions, reachOptions } from "./api.ts";
import { applyPlan, countSteps } from "./apply.ts";
import { type Command, CommandError, type RunResult, type Options, type World } from "./command.ts";
import { listInvitedNonMembers, isCallerOwner, planInvitations, removeInvited } from "./invitations.ts";
import { keysFileOption, chooseSecretOutput } from "./keys.ts";
import { simulatePlan, readName, listObstacles, type Plan, renderPlan, createPlan, addDeletions } from "./plan.ts";
import type { AlertsFile } from "./file.ts";
import { formatFault } from "./read.ts";
import { readValidFile } from "./test.ts";
import { compareShifts, toStoredForm } from "./on-call-lines.ts";
import { readSamples, describeNotified } from "./notified.ts";
import { readTeamsUrls } from "./addresses.ts";
import { readWorkspace, type Workspace } from "./workspace.ts";
import type { SetUp, SetUpSection } from "./write.ts";

const EVENTS_DEFAULT = 50;
const EVENTS_MAX = 100;

const options = {
  ...reachOptions,
  prune: { means: "delete entries of the workspace that are not in the file", flag: true },
} as const;

/** Reads files and their workspace, and plans the changes. Throws if the files have faults or no plan is possible. */
const preparePlan = async (world: World, paths: readonly string[], options: Options) => {
  const { file: written, locate } = readValidFile(world, paths);
  const api = connectByOptions(world, options);
  const workspace = await readWorkspace(api, world.now());
  const invited = listInvitedNonMembers(written, workspace);
  const absent = findAbsentPeople(written, workspace, invited);
  const { file: present, left } = removeEntriesOfAbsentPeople(removeInvited(written, invited), absent, workspace);
  const seesPay = written.pay.length === 0 || workspace.setUp.pay.length > 0 || (await isCallerOwner(api));
  const file = removePastOverrides(seesPay ? present : { ...present, pay: [] }, workspace.readAt);
  const faults = listObstacles(file, workspace);
  if (faults.length > 0) throw new CommandError(faults.join("\n"));
  const { changes, extra: unnamed, same } = createPlan(file, workspace);
  const extra = unnamed.filter(({ section, name }) => !written[section].some((one) => readName(section, one) === name));
  const invitations = await planInvitations(api, invited, workspace);
  const plan = { changes: [...invitations.changes, ...changes], extra, same: same + invitations.same };
  const warnings = [
    ...absent.flatMap(({ why, paths: named }) =>
      named.map((path) => formatFault({ ...locate({ path }), path: "", message: `warning: ${why}` })),
    ),
    ...(seesPay ? [] : ["Pay is left out, because only owners see and change pay."]),
    ...(left.length === 0
      ? []
      : [`Not applied, because these entries name people who are not members: ${left.join(", ")}.`]),
  ];
  for (const warning of warnings) world.tell(warning);
  return { file, api, workspace, invited, warnings, plan: options["prune"] === true ? addDeletions(plan) : plan };
};

/** Removes overrides that have ended, because `readWorkspace` leaves ended overrides out, too. */
const removePastOverrides = (file: AlertsFile, now: number): AlertsFile => ({
  ...file,
  schedules: file.schedules.map(({ overrides, ...schedule }) =>
    overrides === undefined
      ? schedule
      : { ...schedule, overrides: overrides.filter((override) => endsAfter(override, now)) },
  ),
});

/** Returns the setup after the plan, and a description of changed shifts. */
const previewOnCall = (file: SetUp, workspace: Workspace, plan: Plan, now: number) => {
  const after = toStoredForm(workspace.setUp, simulatePlan(file, workspace, plan), now);
  return { after, duty: compareShifts(workspace.setUp, after, plan.changes, now) };
};

const parseEventCount = ({ events }: Options): number => {
  if (events === undefined) return EVENTS_DEFAULT;
  const count = Number(events);
  if (Number.isInteger(count) && count >= 0 && count <= EVENTS_MAX) return count;
  throw new CommandError(`--events must be a whole number from 0 to ${EVENTS_MAX}.`);
};

export const planCommand = {
  does: "shows what apply would change, and who would be notified of more or fewer events; exits with 2 if there are changes",
  takes: "FILE...",
  options: {
    ...options,
    events: {
      means: `how many of the latest stored events to try; ${EVENTS_DEFAULT} by default, at most ${EVENTS_MAX}`,
    },
  },
  run: async (world, path, given, more) => {
    const count = parseEventCount(given);
    const { file, api, workspace, plan, warnings } = await preparePlan(world, [path, ...more], given);
    for (const line of renderPlan(plan)) world.print(line);
    const { changes, extra, same } = plan;
    if (changes.length === 0)
      return { code: 0 as const, report: { changes, extra, same, duty: [], told: [], warnings } };
    const promised = file.contracts.map(({ event, sender, at }) => ({
      event: addSender(event, sender),
      at: fromIso(at) ?? 0,
    }));
    const samples = [...(await readSamples(api, count, world.progress)), ...promised];
    const now = world.now();
    const { after, duty } = previewOnCall(file, workspace, plan, now);
    const told = describeNotified(workspace.setUp, after, samples, now);
    for (const line of [...duty, ...told]) world.print(line);
    return { code: 2 as const, report: { changes, extra, same, duty, told, warnings } };
  },
} satisfies Command;

export const applyCommand: Command = {
  does: "changes a workspace to match the file; after an interruption, run the command again",
  takes: "FILE...",
  options: { ...options, ...keysFileOption },
  run: async (world, path, given, more): Promise<RunResult> => {
    const { file, api, workspace, invited, plan, warnings } = await preparePlan(world, [path, ...more], given);
    const listCreatedIn = (wantedSection: SetUpSection): string[] =>
      plan.changes.flatMap(({ section, kind, name }) => (section === wantedSection && kind === "create" ? [name] : []));
    const addresses = readTeamsUrls(world, file, listCreatedIn("connections"));
    const keep = chooseSecretOutput(world, given, { keys: listCreatedIn("keys"), webhooks: listCreatedIn("webhooks") });
    const steps: string[] = [];
    const tick = world.progress("steps", countSteps(file, workspace.setUp, plan));
    const reportStep = (step: string): void => {
      steps.push(step);
      world.print(step);
      tick();
    };
    const { duty } = previewOnCall(file, workspace, plan, world.now());
    await applyPlan({ api, file, workspace, invited, done: reportStep, keep, addresses }, plan);
    for (const line of duty) world.print(line);
    world.print(plan.changes.length === 0 ? "Nothing to change." : `Changes made: ${plan.changes.length}.`);
    return { code: warnings.length === 0 ? 0 : 1, report: { made: steps, warnings, duty } };
  },
};
