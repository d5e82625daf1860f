import * as v from "valibot";
import { endsAfter } from "../core/domain/on-call/override.ts";
import { MemberView } from "../core/domain/people/member.ts";
import { includesRole } from "../core/domain/people/role.ts";
import { listScheduleUsers } from "../core/domain/on-call/index.ts";
import { type Api, ApiError, NoAnswer } from "./api.ts";
import { CommandError } from "./command.ts";
import { type InvitedPerson, sendInvitations } from "./invitations.ts";
import { type KeepSecret, createKeys } from "./keys.ts";
import { toInput, toNewInput } from "./bodies.ts";
import type { FileOverride } from "./file.ts";
import { type ChangeableSection, type EntryVersion, findId, paths, readEntry } from "./current-entry.ts";
import { type NameLookup, toSchedule } from "./names.ts";
import { simulatePlan, type Change, listDifferences, type Entry, readName, isSameValue, type Plan } from "./plan.ts";
import { nouns, type IdSection, exportPay, runConcurrently, shown, toPay, type Workspace } from "./workspace.ts";
import type { SetUp, SetUpSection } from "./write.ts";

/*
 * Applies a plan. Adds recipients before it removes other recipients, so that an interruption leaves nobody without
 * notifications. Before each write, checks that the workspace still has the plan's old state.
 */

/** Somebody else is changing the workspace. Completed writes stay; another run makes the remaining changes. */
export class ChangedMeanwhile extends CommandError {
  constructor(what: string) {
    super(`${what} Somebody else is changing this workspace: nothing more was written. Run plan again.`);
  }
}

/** `secret`: a webhook's secret, which only the answer to its creation has. */
const ApiItem = v.object({ id: v.string(), name: v.string(), createdAt: v.string(), secret: v.optional(v.string()) });
type ApiItem = v.InferOutput<typeof ApiItem>;

const CHANGED_MEANWHILE = 412;

type ChangedEntry = Pick<Change, "name"> & { section: ChangeableSection };
type EntryName = Pick<Change, "name" | "section">;

type ApplyRun = {
  api: Api;
  file: SetUp;
  workspace: Workspace;
  invited: readonly InvitedPerson[];
  done: (what: string) => void;
  /** Passes on a new key's or webhook's secret, which the API returns only once. */
  keep: KeepSecret;
  addresses: ReadonlyMap<string, string>;
};

const describeEntry = (section: SetUpSection, name: string): string => `${nouns[section]} "${name}"`;

const findEntry = (setUp: SetUp, section: SetUpSection, name: string): Entry | undefined => {
  const entries: readonly Entry[] = setUp[section];
  return entries.find((entry) => readName(section, entry) === name);
};

/** Returns a dictionary from names to ids, including ids of entries that this run creates. */
const toNameLookup = ({ ids }: Workspace): NameLookup => {
  const requireId = (section: "groups" | "policies" | "rules", name: string): string => {
    const id = ids[section].get(name)?.[0];
    if (id === undefined) throw new CommandError(`The workspace has no ${describeEntry(section, name)}.`);
    return id;
  };
  return {
    person: (name) => {
      const id = ids.people.get(name);
      if (id === undefined) throw new CommandError(`${name} is not a member of the workspace.`);
      return id;
    },
    group: (name) => requireId("groups", name),
    policy: (name) => requireId("policies", name),
    rule: (name) => requireId("rules", name),
  };
};

/** Returns whether two entries have no different fields. Two missing entries are equal. */
const isEqualEntry = (first: Entry | undefined, second: Entry | undefined): boolean => {
  if (first === undefined || second === undefined) return first === second;
  return listDifferences(first, second).length === 0 && listDifferences(second, first).length === 0;
};

const createChangedError = ({ section, name }: EntryName) =>
  new ChangedMeanwhile(`The ${describeEntry(section, name)} has changed since the plan. Run plan again.`);

/** Returns the version of an entry to change; undefined if already changed. Throws if somebody else changed the entry. */
const readVersionToChange = async (
  run: ApplyRun,
  change: ChangedEntry,
): Promise<Pick<EntryVersion, "version"> | undefined> => {
  const { section, name } = change;
  const now = await readEntry(run, section, name);
  const wanted = findEntry(run.file, section, name);
  if (now !== undefined && wanted !== undefined && listDifferences(now.entry, wanted).length === 0) return undefined;
  if (!isEqualEntry(now?.entry, findEntry(run.workspace.setUp, section, name))) throw createChangedError(change);
  return { version: now?.version };
};

/** Sends a write, immediately after its entry was read. Throws if somebody has changed the entry after the read (412). */
const writeEntry = async ({ api }: ApplyRun, change: EntryName, ...send: Parameters<Api["put"]>): Promise<void> => {
  try {
    await api.put(...send);
  } catch (error) {
    throw error instanceof ApiError && error.status === CHANGED_MEANWHILE ? createChangedError(change) : error;
  }
};

const CREATE_TRIES = 3;

const listItems = (api: Api, section: IdSection) => api.list(paths[section], ApiItem);

/** Creates an entry. If the request has no answer, reads the list to find out whether the entry was created. */
const createOnce = async (run: ApplyRun, section: IdSection, name: string): Promise<ApiItem> => {
  const { api, file, workspace, addresses } = run;
  const entry = findEntry(file, section, name);
  if (entry === undefined) throw new CommandError(`The file has no ${describeEntry(section, name)}.`);
  for (let round = 1; ; round += 1) {
    try {
      return await api.create(paths[section], toNewInput(section, entry, toNameLookup(workspace), addresses), ApiItem);
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      const found = (await listItems(api, section)).find((one) => one.name === name);
      if (found !== undefined) return found;
      if (round === CREATE_TRIES) throw error;
    }
  }
};

/** Passes on a webhook's secret. If the answer with the secret was lost, creates a new secret for the webhook. */
const passOnSecret = async ({ api, keep }: ApplyRun, { id, name, secret }: ApiItem): Promise<void> => {
  const known = secret ?? (await api.create(`${paths.webhooks}/${id}/secret`, {}, ApiItem)).secret;
  if (known === undefined)
    throw new CommandError(`The service returned no secret for ${describeEntry("webhooks", name)}.`);
  keep({ webhook: name, secret: known });
};

/** Returns whether the first item was created before the second item; items of the same time are ordered by id. */
const isOlder = (first: ApiItem, second: ApiItem): boolean =>
  first.createdAt < second.createdAt || (first.createdAt === second.createdAt && first.id < second.id);

/**
 * Deletes entries of this run (`own`) for whose names another run has created older entries, and throws if there are any. Both
 * runs see both entries, because each run checks after its write.
 */
const deleteNewer = async (
  { api, workspace }: ApplyRun,
  section: IdSection,
  own: readonly ApiItem[],
): Promise<void> => {
  const all = Map.groupBy(await listItems(api, section), ({ name }) => name);
  const younger = own.filter((mine) => all.get(mine.name)?.some((other) => isOlder(other, mine)));
  await runConcurrently(younger, ({ id }) => api.put({ method: "DELETE", path: `${paths[section]}/${id}` }, "gone"));
  const [first] = younger;
  if (first !== undefined)
    throw new ChangedMeanwhile(`Meanwhile somebody else created the ${describeEntry(section, first.name)}.`);
  for (const { id, name } of own) workspace.ids[section].set(name, [id]);
};

/** The number of entries that are created between two reads of the list. */
const BATCH = 100;

/** Creates entries in batches. Stops if somebody else has created one of the entries since the plan. */
const createEntries = async (run: ApplyRun, section: IdSection, changes: readonly Change[]): Promise<void> => {
  for (let from = 0; from < changes.length; from += BATCH) {
    const batch = changes.slice(from, from + BATCH);
    const there = new Set((await listItems(run.api, section)).map(({ name }) => name));
    const known = batch.find(({ name }) => there.has(name));
    if (known !== undefined)
      throw new ChangedMeanwhile(`Meanwhile somebody else created the ${describeEntry(section, known.name)}.`);
    const made = await runConcurrently(batch, async ({ name }) => {
      const created = await createOnce(run, section, name);
      if (section === "webhooks") await passOnSecret(run, created);
      run.done(`created ${describeEntry(section, name)}`);
      return created;
    });
    await deleteNewer(run, section, made);
  }
};

/** Returns the members of the group with the name; an empty list if the group does not exist. */
const findGroupMembers = (setUp: SetUp, groupName: string): readonly string[] =>
  setUp.groups.find((group) => group.name === groupName)?.members ?? [];

/** Writes a group's schedule as in the file, without overrides. `version`: the version to replace; undefined: any version. */
const putSchedule = async (run: ApplyRun, name: string, version?: number): Promise<void> => {
  const { file, workspace, done } = run;
  const schedule = file.schedules.find(({ group }) => group === name);
  if (schedule === undefined) return;
  const body = toSchedule(schedule, toNameLookup(workspace));
  const path = `/groups/${findId(workspace, "groups", name)}/on-call` as const;
  await writeEntry(run, { section: "schedules", name }, { method: "PUT", path, body, version });
  done(`wrote ${describeEntry("schedules", name)}`);
};

const isSameOverride = (first: FileOverride, second: FileOverride): boolean =>
  first.person === second.person && first.start === second.start && first.end === second.end;

/** Returns the overrides to add (`added`) and to delete (`gone`), so that `current` becomes `wanted`. */
const compareOverrides = <Known extends FileOverride>(current: readonly Known[], wanted: readonly FileOverride[]) => ({
  added: wanted.filter((one) => !current.some((other) => isSameOverride(one, other))),
  gone: current.filter((one) => !wanted.some((other) => isSameOverride(one, other))),
});

/** Adds and deletes the overrides of a group. If a request has no answer, reads the overrides again. */
const putOverrides = async (run: ApplyRun, name: string, tries = CREATE_TRIES): Promise<void> => {
  const { api, file, workspace, done } = run;
  const wanted = findOverrides(file, name);
  if (wanted === undefined) return;
  const path = `/groups/${findId(workspace, "groups", name)}/on-call` as const;
  const schedule = await api.get(path, shown.schedule);
  const known = (schedule?.overrides ?? [])
    .filter((override) => endsAfter(override, workspace.readAt))
    .map(({ id, userId, start, end }) => ({ id, person: workspace.names.person(userId), start, end }));
  const { added, gone } = compareOverrides(known, wanted);
  try {
    for (const one of added) {
      const body = { userId: toNameLookup(workspace).person(one.person), start: one.start, end: one.end };
      await api.create(`${path}/overrides`, body, v.object({ id: v.string() }));
      done(`added an override of ${one.person} to ${describeEntry("schedules", name)}`);
    }
    for (const one of gone) {
      await api.put({ method: "DELETE", path: `${path}/overrides/${one.id}` }, "gone");
      done(`deleted an override of ${one.person} from ${describeEntry("schedules", name)}`);
    }
  } catch (error) {
    if (!(error instanceof NoAnswer) || tries === 1) throw error;
    await putOverrides(run, name, tries - 1);
  }
};

/** Writes the floor, the workspace's minimum for urgent notifications; a workspace has at most one floor. */
const putFloors = async (run: ApplyRun, changes: readonly Change[]): Promise<void> => {
  for (const { name } of changes) {
    const floor = run.file.floors.find(({ priority }) => priority === name);
    const waits = await readVersionToChange(run, { section: "floors", name });
    if (floor === undefined || waits === undefined) continue;
    const { ways, withinMinutes } = floor;
    const body = { urgentFloor: { ways, withinMinutes } };
    await writeEntry(run, { section: "floors", name }, { method: "PATCH", path: "", body, ...waits });
    run.done(`wrote ${describeEntry("floors", name)}`);
  }
};

/** Writes all rates of pay in one request, including deletions. */
const putPay = async (run: ApplyRun, changes: readonly Change[]): Promise<void> => {
  const [first] = changes;
  if (first === undefined) return;
  const { api, file, workspace, done } = run;
  const wanted = simulatePlan(file, workspace, { changes }).pay;
  const own = await api.getTagged("", shown.workspace);
  const now = own === undefined ? [] : exportPay(own.found);
  if (isSameValue(toPay(now), toPay(wanted))) return;
  if (!isSameValue(toPay(now), toPay(workspace.setUp.pay))) throw createChangedError(first);
  await writeEntry(run, first, { method: "PATCH", path: "", body: { pay: toPay(wanted) }, version: own?.version });
  for (const { kind, name } of changes)
    done(`${kind === "delete" ? "deleted" : "wrote"} ${describeEntry("pay", name)}`);
};

/** Changes the entries that do not yet have their new state. */
const changeEntries = async (
  run: ApplyRun,
  section: Exclude<IdSection, "groups">,
  changes: readonly Change[],
): Promise<void> => {
  const { file, workspace, done } = run;
  await runConcurrently(changes, async ({ name }) => {
    const change = { section, name };
    const entry = findEntry(file, section, name);
    const waits = entry === undefined ? undefined : await readVersionToChange(run, change);
    if (entry === undefined || waits === undefined) return;
    const path = `${paths[section]}/${findId(workspace, section, name)}` as const;
    const body = toInput(section, entry, toNameLookup(workspace));
    await writeEntry(run, change, { method: "PATCH", path, body, ...waits });
    done(`changed ${describeEntry(section, name)}`);
  });
};

/** Returns the members that a group gains (`in`) and loses (`out`). */
const compareMembers = (before: SetUp, after: SetUp, groupName: string): { in: string[]; out: string[] } => {
  const [old, wanted] = [findGroupMembers(before, groupName), findGroupMembers(after, groupName)];
  return { in: wanted.filter((one) => !old.includes(one)), out: old.filter((one) => !wanted.includes(one)) };
};

/** Returns whether the schedule that a file has for a group has turns of people who are not members of the group. */
const hasTurnsOfNonMembers = (file: SetUp, groupName: string): boolean => {
  const schedule = file.schedules.find(({ group }) => group === groupName);
  const members = findGroupMembers(file, groupName);
  return schedule !== undefined && listScheduleUsers(schedule).some((person) => !members.includes(person));
};

const findOverrides = ({ schedules }: SetUp, groupName: string): readonly FileOverride[] | undefined =>
  schedules.find(({ group }) => group === groupName)?.overrides;

/** Returns the number of steps for the progress display. Each added or removed member or override is a step. */
export const countSteps = (file: SetUp, before: SetUp, { changes }: Pick<Plan, "changes">): number =>
  changes.reduce((sum, { section, kind, name }) => {
    const wanted = section === "schedules" && kind !== "delete" ? findOverrides(file, name) : undefined;
    if (wanted !== undefined) {
      const { added, gone } = compareOverrides(findOverrides(before, name) ?? [], wanted);
      return sum + 1 + added.length + gone.length;
    }
    if (section !== "groups" || kind === "delete") return sum + 1;
    const moves = compareMembers(before, file, name);
    const again = moves.out.length > 0 && hasTurnsOfNonMembers(file, name) ? 1 : 0;
    return sum + (kind === "create" ? 1 : 0) + moves.in.length + moves.out.length + again;
  }, 0);

/** Adds (`in`) or removes (`out`) members, and returns the groups that have lost a member. */
const addOrRemoveMembers = async (
  run: ApplyRun,
  changes: readonly Change[],
  direction: "in" | "out",
): Promise<string[]> => {
  const { api, file, workspace, done } = run;
  const { person } = toNameLookup(workspace);
  const left: string[] = [];
  await runConcurrently(changes, async ({ name }) => {
    const moving = compareMembers(workspace.setUp, file, name)[direction];
    if (moving.length === 0) return;
    const path = `/groups/${findId(workspace, "groups", name)}/members` as const;
    for (const one of moving) {
      const userId = person(one);
      if (direction === "in") await api.put({ method: "POST", path, body: { userId } });
      else await api.put({ method: "DELETE", path: `${path}/${userId}` }, "gone");
      done(
        `${direction === "in" ? "added" : "removed"} ${one} ${direction === "in" ? "to" : "from"} ${describeEntry("groups", name)}`,
      );
    }
    if (direction === "out") left.push(name);
  });
  return left;
};

/** Throws ChangedMeanwhile if somebody else has added or removed members of the groups since the plan. */
const refuseChangedMembers = async (run: ApplyRun, changes: readonly Change[]): Promise<void> => {
  await runConcurrently(changes, async ({ name }) => {
    const now = await readEntry(run, "groups", name);
    const [before, after] = [findGroupMembers(run.workspace.setUp, name), findGroupMembers(run.file, name)];
    const members = now !== undefined && "members" in now.entry ? now.entry.members : [];
    const strange = [
      ...members.filter((one) => !before.includes(one) && !after.includes(one)),
      ...before.filter((one) => after.includes(one) && !members.includes(one)),
    ];
    if (strange.length > 0)
      throw new ChangedMeanwhile(
        `Meanwhile somebody else changed the members of ${describeEntry("groups", name)}: ${strange.join(", ")}.`,
      );
  });
};

/** Returns whether somebody has added a schedule to a group after this run deleted the group's schedule. */
const hasNewSchedule = async (run: ApplyRun, { section, name }: ChangedEntry): Promise<boolean> =>
  section === "groups" && (await readEntry(run, "schedules", name)) !== undefined;

/** Deletes entries. Stops if somebody has changed one of the entries since the plan. */
const deleteEntries = async (run: ApplyRun, changes: readonly ChangedEntry[]): Promise<void> => {
  const { workspace, done } = run;
  for (const change of changes) {
    const { section, name } = change;
    const now = await readEntry(run, section, name);
    if (now === undefined) continue;
    const isPlanned = isEqualEntry(now.entry, findEntry(workspace.setUp, section, name));
    if (!isPlanned || (await hasNewSchedule(run, change))) throw createChangedError(change);
    const { version } = now;
    const id = section === "floors" ? "" : findId(workspace, section === "schedules" ? "groups" : section, name);
    if (section === "floors") {
      await writeEntry(run, change, { method: "PATCH", path: "", body: { urgentFloor: null }, version });
    } else if (section === "schedules") {
      const body = { timeZone: "UTC", layers: [] };
      await writeEntry(run, change, { method: "PUT", path: `/groups/${id}/on-call`, body, version });
    } else await writeEntry(run, change, { method: "DELETE", path: `${paths[section]}/${id}`, version }, "gone");
    done(`deleted ${describeEntry(section, name)}`);
  }
};

/** Sets the roles in the file that are higher (`raised`) or lower (`lowered`) than in the workspace. */
const setRoles = async (run: ApplyRun, people: readonly string[], direction: "raised" | "lowered"): Promise<void> => {
  const { api, file, workspace, done } = run;
  const findRole = ({ people: entries }: SetUp, name: string) => entries.find(({ person }) => person === name)?.role;
  for (const name of people) {
    const [before, after] = [findRole(workspace.setUp, name), findRole(file, name)];
    if (before === undefined || after === undefined || includesRole(after, before) !== (direction === "raised"))
      continue;
    const userId = toNameLookup(workspace).person(name);
    const current = (await api.list("/members", MemberView)).find((member) => member.userId === userId)?.role;
    if (current === after) continue;
    if (current !== before) throw new ChangedMeanwhile(`Meanwhile somebody else changed the role of ${name}.`);
    await api.put({ method: "PATCH", path: `/members/${userId}`, body: { role: after } });
    done(`made ${name} ${after}`);
  }
};

/** Makes the changes of a plan. After an interruption, a new plan has the remaining changes. */
export const applyPlan = async (run: ApplyRun, { changes }: Plan): Promise<void> => {
  const listChanges = (section: SetUpSection, ...kinds: Change["kind"][]) =>
    changes.filter((change) => change.section === section && kinds.includes(change.kind));
  const { file } = run;

  const roles = listChanges("people", "change").map(({ name }) => name);
  await setRoles(run, roles, "raised");
  await createEntries(run, "groups", listChanges("groups", "create"));
  const grouped = listChanges("groups", "create", "change");
  await refuseChangedMembers(run, grouped);
  await addOrRemoveMembers(run, grouped, "in");
  const toInvite = new Set(listChanges("people", "create").map(({ name }) => name));
  await sendInvitations(
    run,
    run.invited.filter(({ person }) => toInvite.has(person)),
  );
  await runConcurrently(listChanges("schedules", "create", "change"), async ({ name }) => {
    const waits = await readVersionToChange(run, { section: "schedules", name });
    if (waits === undefined) return;
    await putSchedule(run, name, waits.version);
    await putOverrides(run, name);
  });
  await putFloors(run, listChanges("floors", "create", "change"));
  await putPay(run, listChanges("pay", "create", "change", "delete"));
  // Connections come last, because they name rules.
  for (const section of ["policies", "rules", "silences", "webhooks", "connections"] as const) {
    await createEntries(run, section, listChanges(section, "create"));
    await changeEntries(run, section, listChanges(section, "change"));
  }
  await createKeys(
    run,
    listChanges("keys", "create").map(({ name }) => name),
  );
  const left = await addOrRemoveMembers(run, grouped, "out");
  // A person who leaves a group also leaves its schedule. If the file's schedule has the person, the schedule is written again.
  for (const name of left) if (hasTurnsOfNonMembers(file, name)) await putSchedule(run, name);
  await deleteEntries(
    run,
    changes.flatMap(({ kind, section, name }) =>
      kind === "delete" && section !== "keys" && section !== "people" && section !== "pay" ? [{ section, name }] : [],
    ),
  );
  // Roles are lowered last, because the other steps may need the caller's role.
  await setRoles(run, roles, "lowered");
};
