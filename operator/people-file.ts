import * as v from "valibot";
import { INVITED_GROUPS_MAX, MEMBERS_MAX } from "../core/domain/basics/limits.ts";
import { formatSuggestion } from "../core/domain/basics/nearest.ts";
import { normalizeEmail } from "../core/domain/people/invitation.ts";
import { MemberInput } from "../core/domain/people/member.ts";
import { roles, type Role } from "../core/domain/people/role.ts";
import { readCsv, type CsvRow } from "./csv.ts";
import { OperatorError } from "./stage.ts";

/** A person in the file. `role`: undefined if the person's role should not change. */
export type FileMember = { line: number; email: string; name: string; role: Role | undefined; groupIds: string[] };

const FAULTS_SHOWN = 40;
const COLUMNS = ["email", "name", "role", "groups"] as const;
/** Separates the names of groups, because names may contain commas. */
const GROUPS_APART = "|";

const listSchemaFaults = (schema: v.GenericSchema<unknown, unknown>, value: string): string[] => {
  const parsed = v.safeParse(schema, value);
  return parsed.success ? [] : parsed.issues.map(({ message }) => message);
};

const listGroupFaults = (names: readonly string[], idsByName: ReadonlyMap<string, readonly string[]>): string[] => [
  ...(names.length > INVITED_GROUPS_MAX ? [`at most ${INVITED_GROUPS_MAX} groups can be named.`] : []),
  ...names.flatMap((name) => {
    const count = idsByName.get(name)?.length ?? 0;
    if (count === 0) return [`the workspace has no group "${name}".${formatSuggestion(name, [...idsByName.keys()])}`];
    return count > 1 ? [`the workspace has ${count} groups "${name}".`] : [];
  }),
];

const listRowFaults = (
  { fields: { email = "", name = "", role = "" } }: CsvRow,
  groupNames: readonly string[],
  { idsByName, hasNames }: { idsByName: ReadonlyMap<string, readonly string[]>; hasNames: boolean },
): string[] => [
  ...listSchemaFaults(MemberInput.entries.email, email),
  ...(hasNames ? listSchemaFaults(MemberInput.entries.name, name) : []),
  ...(role === "" || roles.some((one) => one === role)
    ? []
    : [`role must be one of ${roles.join(", ")}, or empty.${formatSuggestion(role, roles)}`]),
  ...listGroupFaults(groupNames, idsByName),
];

/** Reads a file of people. Throws an OperatorError with all faults and their lines. `hasNames`: whether lines need a name. */
export const readPeopleFile = (
  text: string,
  groups: readonly { id: string; name: string }[],
  hasNames: boolean,
): FileMember[] => {
  const rows = readCsv(text, { needed: hasNames ? ["email", "name"] : ["email"], known: COLUMNS });
  if (rows.length === 0) throw new OperatorError("The file lists no people.");
  if (rows.length > MEMBERS_MAX) throw new OperatorError(`A workspace has at most ${MEMBERS_MAX} members.`);
  const idsByName = new Map(
    [...Map.groupBy(groups, ({ name }) => name)].map(([name, some]) => [name, some.map(({ id }) => id)] as const),
  );
  const lines = new Map<string, number>();
  const faults: string[] = [];
  const people = rows.map((row) => {
    const { line, fields } = row;
    const { email = "", name = "", role = "" } = fields;
    const enteredNames = (fields["groups"] ?? "").split(GROUPS_APART).map((one) => one.trim());
    const groupNames = [...new Set(enteredNames)].filter((one) => one !== "");
    const before = lines.get(normalizeEmail(email));
    if (before === undefined) lines.set(normalizeEmail(email), line);
    else if (email !== "") faults.push(`Line ${line}: ${email} is already in line ${before}.`);
    faults.push(...listRowFaults(row, groupNames, { idsByName, hasNames }).map((fault) => `Line ${line}: ${fault}`));
    return {
      line,
      email,
      name,
      role: roles.find((one) => one === role),
      groupIds: groupNames.flatMap((one) => idsByName.get(one) ?? []),
    };
  });
  if (faults.length === 0) return people;
  const more = faults.length - FAULTS_SHOWN;
  throw new OperatorError(
    [...faults.slice(0, FAULTS_SHOWN), ...(more > 0 ? [`and ${more} more`] : []), "Nothing was done."].join("\n"),
  );
};
