import { dirname, relative } from "node:path";
import { DEFAULT_ROLE } from "../core/domain/people/role.ts";
import { connectByOptions, reachOptions } from "./api.ts";
import { type Command, CommandError, type RunResult } from "./command.ts";
import { addInvitedPeopleAndPay } from "./invitations.ts";
import { schemaFile } from "./json-schema.ts";
import { rewriteAlertsFile } from "./rewrite.ts";
import { readValidFile } from "./test.ts";
import { listDuplicateNames, readWorkspace, type Workspace } from "./workspace.ts";
import { type SetUp, writeAlertsFile } from "./write.ts";

/** Returns the part of a setup that a file can express, and a note for each reference to a deleted item. */
export const toExpressiblePart = (
  { setUp, ids }: Pick<Workspace, "setUp" | "ids">,
  existingFile: Partial<Pick<SetUp, "people">> = {},
): { setUp: SetUp; notes: string[] } => {
  const notes: string[] = [];
  /** Returns whether an item is missing in the workspace; if so, adds a note. `what`: the entry that refers to the item. */
  const reportIfDeleted = (what: string, kind: "groups" | "policies" | "people" | "rules", name: string): boolean => {
    const isGone = !ids[kind].has(name);
    if (isGone) notes.push(`${what} names ${name}, which no longer exists: left out.`);
    return isGone;
  };
  const policies = setUp.policies.map((policy) => ({
    ...policy,
    steps: policy.steps.map((step) => ({
      ...step,
      targets: step.targets.filter((target) =>
        "group" in target
          ? !reportIfDeleted(`policy "${policy.name}"`, "groups", target.group)
          : !reportIfDeleted(`policy "${policy.name}"`, "people", target.user),
      ),
    })),
  }));
  const rules = setUp.rules.flatMap((rule) => {
    const what = `rule "${rule.name}"`;
    const groups = rule.groups.filter((group) => !reportIfDeleted(what, "groups", group));
    const policy = rule.policy !== null && reportIfDeleted(what, "policies", rule.policy) ? null : rule.policy;
    if (groups.length > 0) return [{ ...rule, groups, policy }];
    notes.push(`${what} notifies nobody: left out.`);
    return [];
  });
  const kept = new Set(rules.map(({ name }) => name));
  const connections = setUp.connections.flatMap((connection) => {
    const what = `connection "${connection.name}"`;
    const ofRules = connection.rules?.filter((rule) => !reportIfDeleted(what, "rules", rule) && kept.has(rule)) ?? null;
    const groups = connection.groups?.filter((group) => !reportIfDeleted(what, "groups", group)) ?? null;
    const tied = [ofRules, groups].filter((list) => list !== null);
    // A connection without rules and groups gets every event, so a connection that has lost all rules and groups is left out.
    if (tied.length > 0 && tied.every((list) => list.length === 0)) {
      notes.push(`${what} no longer follows any rule or group: left out.`);
      return [];
    }
    const nullIfEmpty = (list: string[] | null) => (list?.length === 0 ? null : list);
    return [{ ...connection, rules: nullIfEmpty(ofRules), groups: nullIfEmpty(groups) }];
  });
  // Leaves out members with the default role, except members whom the existing file names.
  const named = new Set(existingFile.people?.map(({ person }) => person));
  const people = setUp.people.filter(
    ({ person, role, invite }) => role !== DEFAULT_ROLE || invite === true || named.has(person),
  );
  return { setUp: { ...setUp, people, policies, rules, connections }, notes };
};

export const exportCommand: Command = {
  does: "writes a workspace's setup to FILE, or with - to standard output; an existing file keeps its comments, order and contracts",
  takes: "FILE",
  options: reachOptions,
  run: async (world, path, given): Promise<RunResult> => {
    const text = path === "-" ? undefined : world.readText(path);
    const old = text === undefined ? undefined : readValidFile(world, [path]).file;
    const api = connectByOptions(world, given);
    const workspace = await readWorkspace(api, world.now());
    const doubles = listDuplicateNames(workspace);
    if (doubles.length > 0) throw new CommandError(doubles.join("\n"));
    const invited = await addInvitedPeopleAndPay(api, workspace, old);
    const { setUp, notes: left } = toExpressiblePart({ ...workspace, setUp: invited.setUp }, old);
    const notes = [...left, ...invited.notes];
    const written =
      text === undefined || old === undefined
        ? writeAlertsFile(setUp, { schema: relative(dirname(path), schemaFile) })
        : rewriteAlertsFile(text, old, setUp);
    if (path === "-") world.print(written.trimEnd());
    else world.writeText(path, written);
    for (const note of notes) world.tell(note);
    const count = Object.values(setUp).reduce((sum, entries) => sum + entries.length, 0);
    if (path !== "-") world.print(`${path}: ${count} entries.`);
    return { code: 0, report: path === "-" ? { entries: count, notes, file: written } : { entries: count, notes } };
  },
};
