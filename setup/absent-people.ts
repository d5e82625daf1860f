import { formatSuggestion } from "../core/domain/basics/nearest.ts";
import { type AlertsFile, listPeople } from "./file.ts";
import { readName } from "./plan.ts";
import { nouns, type Workspace } from "./workspace.ts";

/** The file may name people who are not members. Entries that depend on absent people stay unchanged in the workspace. */

type FieldPath = (string | number)[];

const NAMING = ["people", "groups", "schedules", "policies"] as const;

/** Returns the paths of all texts in `value`, at any depth, that equal `text`. */
const findPaths = (value: unknown, text: string): FieldPath[] => {
  if (value === text) return [[]];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    findPaths(inner, text).map((path) => [Array.isArray(value) ? Number(key) : key, ...path]),
  );
};

type AbsentPerson = { person: string; why: string; paths: FieldPath[] };

/** Returns the people in a file who are not members, with the paths that name them. `invited`: people whom the file invites. */
export const findAbsentPeople = (
  file: AlertsFile,
  { ids: { people } }: Pick<Workspace, "ids">,
  invited: readonly { person: string }[] = [],
): AbsentPerson[] => {
  const known = [...people.keys()].filter((name) => name.includes("@"));
  return listPeople(file).flatMap((person): AbsentPerson[] => {
    if (people.has(person)) return [];
    const isInvited = invited.some((one) => one.person === person);
    // An invitation includes the role and the groups, so the sections `people` and `groups` may name invited people.
    const sections = NAMING.filter((section) => !isInvited || (section !== "people" && section !== "groups"));
    const paths = sections.flatMap((section) => findPaths(file[section], person).map((path) => [section, ...path]));
    if (paths.length === 0) return [];
    const why = isInvited
      ? "has not joined yet; schedules and policies can name them after they have joined."
      : `is not a member of the workspace: add them under Members, or set \`invite: true\` for them in the section people.${formatSuggestion(person, known)}`;
    return [{ person, why: `${person} ${why}`, paths }];
  });
};

/** Removes absent people from the file, and entries that need them. `left`: those entries; the workspace keeps its own copies. */
export const removeEntriesOfAbsentPeople = (
  file: AlertsFile,
  absent: readonly AbsentPerson[],
  { ids }: Pick<Workspace, "ids">,
): { file: AlertsFile; left: string[] } => {
  if (absent.length === 0) return { file, left: [] };
  const persons = absent.map(({ person }) => person);
  const left: string[] = [];
  /** Removes a section's entries that depend on absent people. `gone`: the names of the removed entries. */
  const filterSection = <Section extends "schedules" | "policies" | "rules" | "connections">(
    section: Section,
    dependsOnAbsent: (entry: AlertsFile[Section][number]) => boolean,
  ) => {
    const [entries, gone]: [AlertsFile[Section][number][], Set<string>] = [[], new Set()];
    for (const entry of file[section]) {
      if (dependsOnAbsent(entry)) gone.add(readName(section, entry));
      else entries.push(entry);
    }
    left.push(...[...gone].map((name) => `${nouns[section]} "${name}"`));
    return { entries, gone };
  };
  const mentionsAbsentPerson = (entry: object) => persons.some((person) => findPaths(entry, person).length > 0);
  const schedules = filterSection("schedules", mentionsAbsentPerson);
  const policies = filterSection("policies", mentionsAbsentPerson);
  const rules = filterSection(
    "rules",
    ({ policy }) => policy !== null && policies.gone.has(policy) && !ids.policies.has(policy),
  );
  const connections = filterSection(
    "connections",
    (connection) => connection.rules?.some((rule) => rules.gone.has(rule) && !ids.rules.has(rule)) ?? false,
  );
  const isAbsent = (person: string) => persons.includes(person);
  return {
    left,
    file: {
      ...file,
      people: file.people.filter(({ person }) => !isAbsent(person)),
      groups: file.groups.map((group) => ({ ...group, members: group.members.filter((member) => !isAbsent(member)) })),
      schedules: schedules.entries,
      policies: policies.entries,
      rules: rules.entries,
      connections: connections.entries,
    },
  };
};
