import * as v from "valibot";
import { type AlertsFile, type FileOverride, type FileSchedule, nameFields } from "./file.ts";
import { listDuplicateNames, nouns, type Workspace } from "./workspace.ts";
import { type SetUp, type SetUpSection, setUpSections } from "./write.ts";

/** `before`: undefined for a new entry. */
type FieldChange = { field: string; before: unknown; after: unknown };

export type Entry<Section extends SetUpSection = SetUpSection> = SetUp[Section][number];

export type Change = {
  section: SetUpSection;
  name: string;
  kind: "create" | "change" | "delete";
  fields: FieldChange[];
};

/** `extra`: entries that only the workspace has; `--prune` deletes them. */
export type Plan = { changes: Change[]; extra: { section: SetUpSection; name: string }[]; same: number };

/** Returns the name of an entry, from the field that names entries of its section; empty if the field is missing. */
export const readName = (section: SetUpSection, entry: object): string => {
  const name: unknown = new Map<string, unknown>(Object.entries(entry)).get(nameFields[section]);
  return typeof name === "string" ? name : "";
};

/** Returns a schedule's layers with the defaults of omitted fields. `current`: the schedule in the workspace, if any. */
const normalizeLayers = ({ layers }: Pick<FileSchedule, "layers">, current: Pick<FileSchedule, "layers"> | undefined) =>
  layers.map(({ first: own, turns = "calendar", restrictions = [], participants, ...layer }, index) => ({
    ...layer,
    first: own ?? current?.layers[index]?.first ?? 0,
    turns,
    restrictions,
    participants: participants.map((turn) => (typeof turn === "string" ? [turn] : turn)),
  }));

const isListOfNames = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === "string");

const sortOverrides = (overrides: readonly FileOverride[]): FileOverride[] =>
  overrides.toSorted((one, other) => one.start.localeCompare(other.start) || one.person.localeCompare(other.person));

/** Returns the fields of an entry in a form in which equivalent spellings are equal. */
const normalizeFields = (entry: Entry, current?: Entry): Map<string, unknown> => {
  const fields = new Map<string, unknown>(Object.entries(entry));
  if ("members" in entry) fields.set("members", [...new Set(entry.members)].sort());
  if ("layers" in entry)
    fields.set("layers", normalizeLayers(entry, current !== undefined && "layers" in current ? current : undefined));
  if ("overrides" in entry && entry.overrides !== undefined) fields.set("overrides", sortOverrides(entry.overrides));
  // The order of the lists in webhooks and connections has no meaning.
  if ("url" in entry || "kind" in entry)
    for (const field of ["types", "eventKeys", "rules", "groups"]) {
      const list = fields.get(field);
      if (isListOfNames(list)) fields.set(field, list.toSorted());
    }
  // Only files have the field `urlFrom`, so the field is not compared.
  fields.delete("urlFrom");
  return fields;
};

const sortKeys = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(
    fields.sort(([one], [other]) => (one < other ? -1 : 1)).map(([key, inner]) => [key, sortKeys(inner)]),
  );
};
const toComparableText = (value: unknown): string => JSON.stringify(sortKeys(value)) ?? "";
export const isSameValue = (one: unknown, other: unknown): boolean => toComparableText(one) === toComparableText(other);

/** Lists fields that differ. Fields that the file omits do not count, because they stay unchanged. */
export const listDifferences = (before: Entry | undefined, after: Entry): FieldChange[] => {
  const old = before === undefined ? new Map<string, unknown>() : normalizeFields(before);
  return [...normalizeFields(after, before)].flatMap(([field, value]) =>
    value === undefined || isSameValue(old.get(field), value) ? [] : [{ field, before: old.get(field), after: value }],
  );
};

/** Returns whether an entry is a schedule without layers, which has the same effect as no schedule. */
const isEmptySchedule = (entry: Entry): boolean => "layers" in entry && entry.layers.length === 0;

/** Compares the entries of a file with the workspace's entries. */
export const createPlan = (file: SetUp, { setUp }: Pick<Workspace, "setUp">): Plan => {
  const plan: Plan = { changes: [], extra: [], same: 0 };
  for (const section of setUpSections) {
    const entries: readonly Entry[] = setUp[section];
    const existing = new Map(entries.map((entry) => [readName(section, entry), entry]));
    const wanted = new Set<string>();
    for (const entry of file[section]) {
      const name = readName(section, entry);
      wanted.add(name);
      const before = existing.get(name);
      const fields = listDifferences(before, entry);
      if (before === undefined && isEmptySchedule(entry)) plan.same += 1;
      else if (before === undefined) plan.changes.push({ section, name, kind: "create", fields });
      else if (fields.length > 0) plan.changes.push({ section, name, kind: "change", fields });
      else plan.same += 1;
    }
    // Keys and people outside the file may be in use, so they are never pruned.
    if (section === "keys" || section === "people") continue;
    for (const name of existing.keys()) if (!wanted.has(name)) plan.extra.push({ section, name });
  }
  return plan;
};

/** Adds the deletions of entries that only the workspace has. Entries that depend on other entries are deleted first. */
export const addDeletions = ({ changes, extra, same }: Plan): Plan => ({
  changes: [...changes, ...extra.toReversed().map((one): Change => ({ ...one, kind: "delete", fields: [] }))],
  extra: [],
  same,
});

/** Describes the keys that differ from the workspace's, because keys cannot be changed. */
const listKeyMismatches = (file: AlertsFile, { setUp }: Pick<Workspace, "setUp">): string[] =>
  file.keys.flatMap((key) => {
    const before = setUp.keys.find(({ name }) => name === key.name);
    if (before === undefined) return [];
    return listDifferences(before, key).map(
      (change) =>
        `The key "${key.name}" cannot be changed (${describeFieldChange(change)}). Rename the key in the file, or delete the existing key.`,
    );
  });

/** Describes the connections with another channel or user group than in the workspace, because neither can be changed. */
const listChannelMismatches = (file: AlertsFile, { setUp }: Pick<Workspace, "setUp">): string[] =>
  file.connections.flatMap((connection) => {
    const before = setUp.connections.find(({ name }) => name === connection.name);
    if (before === undefined) return [];
    return listDifferences(before, connection)
      .filter(({ field }) => field === "kind" || field === "channel" || field === "userGroup")
      .map(
        (change) =>
          `The connection "${connection.name}" cannot be changed (${describeFieldChange(change)}). Rename the connection in the file, or delete the existing connection.`,
      );
  });

/** Lists obstacles to a plan: names used twice, and keys or channels that differ from the workspace's. */
export const listObstacles = (file: AlertsFile, workspace: Workspace): string[] => [
  ...listDuplicateNames(workspace),
  ...listKeyMismatches(file, workspace),
  ...listChannelMismatches(file, workspace),
];

/** Returns the workspace's setup after the changes. */
export const simulatePlan = (
  file: SetUp,
  { setUp }: Pick<Workspace, "setUp">,
  { changes }: { changes: readonly Change[] },
): SetUp => {
  const deleted = new Set(changes.map(({ kind, section, name }) => (kind === "delete" ? `${section} ${name}` : "")));
  /** Returns the file's entries (`own`), and the workspace's entries (`old`) that are neither in the file nor deleted. */
  const mergeSection = <One extends Entry>(section: SetUpSection, own: readonly One[], old: readonly One[]): One[] => {
    const names = new Set(own.map((entry) => readName(section, entry)));
    const isKept = (name: string) => !names.has(name) && !deleted.has(`${section} ${name}`);
    return [...own, ...old.filter((entry) => isKept(readName(section, entry)))];
  };
  return {
    people: mergeSection("people", file.people, setUp.people),
    groups: mergeSection("groups", file.groups, setUp.groups),
    schedules: mergeSection("schedules", file.schedules, setUp.schedules),
    policies: mergeSection("policies", file.policies, setUp.policies),
    floors: mergeSection("floors", file.floors, setUp.floors),
    pay: mergeSection("pay", file.pay, setUp.pay),
    rules: mergeSection("rules", file.rules, setUp.rules),
    keys: mergeSection("keys", file.keys, setUp.keys),
    silences: mergeSection("silences", file.silences, setUp.silences),
    webhooks: mergeSection("webhooks", file.webhooks, setUp.webhooks),
    connections: mergeSection("connections", file.connections, setUp.connections),
  };
};

const Overrides = v.array(v.object({ person: v.string(), start: v.string(), end: v.string() }));

const formatValue = (value: unknown): string => {
  if (value === undefined) return "nothing";
  return typeof value === "string" ? value : JSON.stringify(value);
};

/** Describes a list of overrides as texts; returns other values unchanged. */
const describeOverrides = (value: unknown): unknown =>
  v.is(Overrides, value) ? value.map(({ person, start, end }) => `${person} ${start} to ${end}`) : value;

/** Describes a change in a line. For a list of names, shows only the added and removed names. */
const describeFieldChange = ({ field, before: old, after: next }: FieldChange): string => {
  const [before, after] = [old, next].map(describeOverrides);
  if (isListOfNames(before) && isListOfNames(after)) {
    const came = after.filter((name) => !before.includes(name)).map((name) => `+${name}`);
    const went = before.filter((name) => !after.includes(name)).map((name) => `-${name}`);
    if (came.length + went.length > 0) return `${field}: ${[...came, ...went].join(" ")}`;
  }
  // `compareShifts` describes the changed shifts.
  if (field === "layers") return "layers: the people on call or their times change";
  return `${field}: ${formatValue(before)} -> ${formatValue(after)}`;
};

const signs = { create: "+", change: "~", delete: "-" } as const;

export const renderPlan = ({ changes, extra, same }: Plan): string[] => {
  const countChanges = (kind: Change["kind"]) => changes.filter((change) => change.kind === kind).length;
  return [
    ...changes.flatMap(({ section, name, kind, fields }) => [
      `${signs[kind]} ${nouns[section]} "${name}"`,
      ...(kind === "change" ? fields.map((field) => `    ${describeFieldChange(field)}`) : []),
    ]),
    ...extra.map(({ section, name }) => `? ${nouns[section]} "${name}" is not in the file; --prune deletes it`),
    `${countChanges("create")} to create, ${countChanges("change")} to change, ${countChanges("delete")} to delete, ${same} unchanged` +
      `${extra.length === 0 ? "" : `, ${extra.length} only in the workspace`}.`,
  ];
};
