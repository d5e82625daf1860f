import { readFileSync } from "node:fs";
import { InvalidParameterException } from "@aws-sdk/client-cognito-identity-provider";
import type { AuditDeps } from "../core/deps.ts";
import type { WorkspaceId } from "../core/domain/basics/ids.ts";
import { Refusal } from "../core/domain/basics/refusal.ts";
import { normalizeEmail } from "../core/domain/people/invitation.ts";
import { toRole, type Member, type Owners } from "../core/domain/people/member.ts";
import { DEFAULT_ROLE } from "../core/domain/people/role.ts";
import { addToGroup } from "../core/flow/admin/notification-limits.ts";
import { listGroupMembers, listGroups } from "../core/store/people/groups.ts";
import { listInvitations, saveInvitation } from "../core/store/people/invitations.ts";
import { listMembers, readOwners } from "../core/store/people/read-members.ts";
import { saveMember } from "../core/store/people/members.ts";
import type { Progress } from "../tools/program.ts";
import { createProgress } from "../tools/program.ts";
import type { Clients } from "./clients.ts";
import { type Command, isYes, requireOption, requireOneOf, requireWorkspace, openStage, openTable } from "./options.ts";
import { inviteUser, listUsers } from "./people.ts";
import { type FileMember, readPeopleFile } from "./people-file.ts";
import { OperatorError } from "./stage.ts";

type PersonAction = "account" | "member" | "change" | "groups" | "invitation";
type PersonFailure = { line: number; email: string; error: string };

/** The existing accounts, members, owners and groups. Entries that agree with the file stay unchanged. */
type KnownPeople = {
  accounts: ReadonlyMap<string, string>;
  members: ReadonlyMap<string, Member>;
  owners: Owners;
  inGroups: ReadonlyMap<string, ReadonlySet<string>>;
};

const readKnownPeople = async (
  deps: AuditDeps,
  ws: WorkspaceId,
  users: Awaited<ReturnType<typeof listUsers>>,
  groupIds: ReadonlySet<string>,
): Promise<KnownPeople> => ({
  accounts: new Map(users.map(({ email, userId }) => [normalizeEmail(email ?? ""), userId])),
  members: new Map((await listMembers(deps, ws)).map((member) => [member.userId, member])),
  owners: await readOwners(deps, ws),
  inGroups: new Map(
    await Promise.all(
      [...groupIds].map(
        async (id) => [id, new Set((await listGroupMembers(deps, ws, id)).map(({ userId }) => userId))] as const,
      ),
    ),
  ),
});

/** Returns the actions that make a person's account, membership and groups agree with the file; none if they agree. */
const planActions = ({ email, name, role, groupIds }: FileMember, existing: KnownPeople): PersonAction[] => {
  const userId = existing.accounts.get(normalizeEmail(email));
  const member = userId === undefined ? undefined : existing.members.get(userId);
  const isMember =
    member !== undefined &&
    member.name === name &&
    normalizeEmail(member.email) === normalizeEmail(email) &&
    (role === undefined || toRole(member, existing.owners) === role);
  return [
    ...(userId === undefined ? (["account"] as const) : []),
    ...(isMember ? [] : [member === undefined ? ("member" as const) : ("change" as const)]),
    ...(groupIds.every((id) => userId !== undefined && existing.inGroups.get(id)?.has(userId) === true)
      ? []
      : (["groups"] as const)),
  ];
};

type AddPlan = {
  plan: readonly { person: FileMember; actions: readonly PersonAction[] }[];
  carryOut: (person: FileMember) => Promise<void>;
};

/** Plans the accounts and members to create or change. If a run is interrupted, the next run creates the missing accounts. */
const planAccounts = async (
  clients: Clients,
  deps: AuditDeps,
  { ws, pool, people, mail }: { ws: WorkspaceId; pool: string; people: readonly FileMember[]; mail: boolean },
): Promise<AddPlan> => {
  const groupIds = new Set(people.flatMap((person) => person.groupIds));
  const known = await readKnownPeople(deps, ws, await listUsers(clients, pool), groupIds);
  return {
    plan: people.map((person) => ({ person, actions: planActions(person, known) })),
    carryOut: async ({ email, name, role, groupIds: ids }) => {
      const { userId } = await inviteUser(clients, pool, { email, name }, mail);
      await saveMember(deps, ws, { userId, email, name, ...(role === undefined ? {} : { role }) });
      for (const id of ids) await addToGroup(deps, ws, { groupId: id, userId });
    },
  };
};

/** Plans an invitation for each person who is neither a member nor invited. Existing members stay unchanged. */
const planInvitations = async (deps: AuditDeps, ws: WorkspaceId, people: readonly FileMember[]): Promise<AddPlan> => {
  const members = new Set((await listMembers(deps, ws)).map(({ email }) => normalizeEmail(email)));
  const open = new Map((await listInvitations(deps, ws)).map((one) => [normalizeEmail(one.email), one]));
  const isInvited = ({ email, role = DEFAULT_ROLE, groupIds }: FileMember): boolean => {
    const one = open.get(normalizeEmail(email));
    return one?.role === role && new Set(groupIds).symmetricDifference(new Set(one.groupIds)).size === 0;
  };
  return {
    plan: people.map((person) => ({
      person,
      actions: members.has(normalizeEmail(person.email)) || isInvited(person) ? [] : ["invitation"],
    })),
    carryOut: async ({ email, role = DEFAULT_ROLE, groupIds }) => {
      await saveInvitation(deps, ws, { email, role, groupIds });
    },
  };
};

/** Returns whether an error concerns one person only, so that the run can continue with the next person. */
const isErrorOfOnePerson = (error: unknown): boolean =>
  error instanceof Refusal || error instanceof InvalidParameterException;

/** Carries out the plan person by person, and returns the failures. Throws an error that does not concern one person only. */
const executePlan = async ({ plan, carryOut }: AddPlan, progress: Progress): Promise<PersonFailure[]> => {
  const toDo = plan.filter(({ actions }) => actions.length > 0);
  const tick = progress("people", toDo.length);
  const failures: PersonFailure[] = [];
  for (const { person } of toDo) {
    const { line, email } = person;
    try {
      await carryOut(person);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      if (!isErrorOfOnePerson(error))
        throw new OperatorError(
          `Line ${line}, ${email}: ${error.message}\nThe earlier lines are done. Run the same command again to continue.`,
        );
      failures.push({ line, email, error: error.message });
    }
    tick();
  }
  return failures;
};

const countActions = ({ plan }: AddPlan) => {
  const countPeopleWith = (action: PersonAction): number =>
    plan.filter(({ actions }) => actions.includes(action)).length;
  return {
    people: plan.length,
    asTheyAre: plan.filter(({ actions }) => actions.length === 0).length,
    accounts: countPeopleWith("account"),
    members: countPeopleWith("member"),
    changed: countPeopleWith("change"),
    joinGroups: countPeopleWith("groups"),
    invitations: countPeopleWith("invitation"),
  };
};

const kinds = ["accounts", "invitations"] as const;
const STANDARD_INPUT = 0;

/** Reads a text file (`-`: standard input). Throws if the text is not UTF-8: Node would put replacement characters into names. */
const readUtf8File = (file: string): string => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(file === "-" ? STANDARD_INPUT : file));
  } catch (error) {
    if (error instanceof TypeError) throw new OperatorError(`${file} is not UTF-8: save it as "CSV UTF-8".`);
    throw error;
  }
};

/** Adds many people at once. The command can be repeated: no action is done twice, and nobody gets a second email. */
export const addPeople: Command = {
  does: "Adds the people of a CSV file to a workspace: email,name,role,groups. If you run the command again, it continues where it was interrupted.",
  needs: {
    workspace: "the workspace's id",
    file: "the CSV file, or - for standard input; role and groups may be empty; | separates groups",
  },
  takes: {
    as: "accounts (the default), for people who get an email with a temporary password; or invitations, for people who sign in with an account elsewhere",
    quietly: "yes: sends no emails; you can send them later with send-invitation",
    "dry-run": "yes: shows what would be done, and changes nothing",
  },
  run: async (clients, options) => {
    const as = options["as"] === undefined ? "accounts" : requireOneOf(options, "as", kinds);
    const isDry = isYes(options, "dry-run");
    const mail = !isYes(options, "quietly");
    const deps = await openTable(clients, options);
    const ws = await requireWorkspace(deps, options);
    const text = readUtf8File(requireOption(options, "file"));
    const people = readPeopleFile(text, await listGroups(deps, ws), as === "accounts");
    const pool = (await openStage(clients, options))("UserPoolId");
    const work =
      as === "accounts"
        ? await planAccounts(clients, deps, { ws, pool, people, mail })
        : await planInvitations(deps, ws, people);
    const counts = { workspaceId: ws, ...countActions(work) };
    if (isDry) return { ...counts, dryRun: true };
    const failures = await executePlan(work, createProgress(process.stderr));
    if (failures.length === 0) return counts;
    const lines = failures.map(({ line, email, error }) => `Line ${line}, ${email}: ${error}`);
    throw new OperatorError([...lines, `${failures.length} of ${people.length} people could not be added.`].join("\n"));
  },
};
