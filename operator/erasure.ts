import * as v from "valibot";
import type { AuditDeps } from "../core/deps.ts";
import { toIso } from "../core/domain/basics/time.ts";
import { UserId } from "../core/domain/basics/user-id.ts";
import { HOUR_MS } from "../core/domain/basics/units.ts";
import { hashEmail, normalizeEmail } from "../core/domain/people/invitation.ts";
import { listDevices } from "../core/store/people/devices.ts";
import { addressPk } from "../core/store/keys.ts";
import { listMemberships, listOwners, readMember } from "../core/store/people/read-members.ts";
import { removeMember } from "../core/store/people/members.ts";
import { eraseTraces, listTraces, type EraseCounts, type SoughtTraces } from "../core/store/people/traces.ts";
import type { Clients } from "./clients.ts";
import { anotherTable, type Command, isYes, requireOption, type Options, openStage, openTable } from "./options.ts";
import { type Account, deleteUser, disableUser, findAccountsById, findAccountsByEmail } from "./people.ts";
import { OperatorError } from "./stage.ts";

/** The time after which all sessions and all work in progress have ended. */
const SETTLED_MS = HOUR_MS;
/** The maximum number of scans. Usually, two or three scans suffice: a scan may find a name that earlier items contain. */
const SCANS_MAX = 10;

const whom = {
  email: "the person's email address",
  user: "the person's user id, such as usr_…, instead of the email address; works also after the account is deleted",
};

type Person = { accounts: readonly Account[]; userIds: readonly string[] };

/** Reads the person that `--email` or `--user` selects. Throws an OperatorError unless exactly one of the options is set. */
const readPerson = async (clients: Clients, pool: string, options: Options): Promise<Person> => {
  const { email, user } = options;
  if ((email === undefined) === (user === undefined)) throw new OperatorError("Set either --email or --user.");
  if (user === undefined) {
    const accounts = await findAccountsByEmail(clients, pool, requireOption(options, "email"));
    return { accounts, userIds: accounts.map(({ userId }) => userId) };
  }
  if (!v.is(UserId, user)) throw new OperatorError("--user must be a user id: usr_ and the characters after it.");
  return { accounts: await findAccountsById(clients, pool, user), userIds: [user] };
};

/** Collects everything by which a person's data can be found: ids, names, addresses and their hashes. */
const collectIdentifiers = async (
  deps: AuditDeps,
  { accounts, userIds }: Person,
  email: string | undefined,
): Promise<SoughtTraces> => {
  const words = new Set<string>();
  const emails = new Set<string>();
  const addSearchWords = (...texts: readonly (string | null | undefined)[]): void => {
    for (const word of texts) if (typeof word === "string" && word !== "") words.add(word);
  };
  for (const account of accounts) {
    addSearchWords(account.name, account.email);
    if (account.email !== undefined) emails.add(normalizeEmail(account.email));
  }
  if (email !== undefined) emails.add(normalizeEmail(email));
  for (const userId of userIds)
    for (const ws of await listMemberships(deps, userId)) {
      const member = await readMember(deps, ws, userId);
      addSearchWords(member?.name, member?.email);
      if (member !== undefined && member.email !== "") emails.add(normalizeEmail(member.email));
      for (const device of await listDevices(deps, ws, userId)) addSearchWords(device.name, device.email, device.phone);
    }
  addSearchWords(...emails);
  const hashes = await Promise.all([...emails].map((one) => hashEmail(one)));
  return { ids: new Set(userIds), words, emails, addresses: new Set(hashes.map(addressPk)) };
};

/** Lists the workspaces that have no other owner than `userIds`. */
const listAbandonedWorkspaces = async (deps: AuditDeps, userIds: readonly string[]): Promise<string[]> => {
  const memberships = await Promise.all(userIds.map((userId) => listMemberships(deps, userId)));
  const owners = await listOwners(deps, memberships.flat());
  return [...owners].flatMap(([ws, ids]) =>
    ids !== undefined && [...ids].every((id) => userIds.includes(id)) ? [ws] : [],
  );
};

/** Removes users from their workspaces, whose ids it returns. Throws if a workspace would lose its last member or owner. */
const leaveAllWorkspaces = async (deps: AuditDeps, userIds: readonly string[]): Promise<string[]> => {
  const left: string[] = [];
  for (const userId of userIds)
    for (const ws of await listMemberships(deps, userId)) {
      const outcome = await removeMember(deps, ws, userId);
      if (outcome === "last" || outcome === "last_owner")
        throw new OperatorError(
          `${ws} has no other member, or no other owner. Make somebody else an owner, or delete the workspace, and run the command again.`,
        );
      left.push(ws);
    }
  return left;
};

/** Scans the table until a scan finds nothing to erase; throws after too many scans. Returns the numbers of items and scans. */
const eraseAllTraces = async (deps: AuditDeps, sought: SoughtTraces): Promise<EraseCounts & { looks: number }> => {
  const all = { read: 0, deleted: 0, rewritten: 0, missed: 0, looks: 0 };
  while (all.looks < SCANS_MAX) {
    const { read, deleted, rewritten, missed } = await eraseTraces(deps, sought, "all");
    all.read = read;
    all.deleted += deleted;
    all.rewritten += rewritten;
    all.looks += 1;
    if (deleted + rewritten + missed === 0) return all;
  }
  throw new OperatorError(`After ${SCANS_MAX} scans of the table there is still data to erase. Run the command again.`);
};

export const exportPerson: Command = {
  does: "Shows everything that the service stores about one person in all workspaces, item by item. Reads the whole table.",
  needs: {},
  takes: { ...whom, ...anotherTable },
  run: async (clients, options) => {
    const pool = (await openStage(clients, options))("UserPoolId");
    const person = await readPerson(clients, pool, options);
    const deps = await openTable(clients, options);
    const items = await listTraces(deps, await collectIdentifiers(deps, person, options["email"]));
    return { userIds: person.userIds, accounts: person.accounts, items };
  },
};

export const erasePerson: Command = {
  does: "Erases one person: account, memberships, devices, and their name and addresses wherever they are stored. Only ids remain. Reads the whole table, at least twice.",
  needs: {},
  takes: { ...whom, "dry-run": "yes: shows how much would be erased, and changes nothing", ...anotherTable },
  run: async (clients, options) => {
    const isDry = isYes(options, "dry-run");
    const pool = (await openStage(clients, options))("UserPoolId");
    const person = await readPerson(clients, pool, options);
    const { userIds, accounts } = person;
    const deps = await openTable(clients, options);
    const sought = await collectIdentifiers(deps, person, options["email"]);
    const last = await listAbandonedWorkspaces(deps, userIds);
    if (isDry) return { userIds, dryRun: true, lastOwnerOf: last, ...(await eraseTraces(deps, sought, "count")) };
    if (last.length > 0)
      throw new OperatorError(
        `Nothing was done: the person is the only owner of ${last.join(", ")}. Make somebody else an owner, or delete the workspace, and run the command again.`,
      );
    for (const { username } of accounts) await disableUser(clients, pool, username);
    // Erases the addresses of the person's devices from texts before it deletes the devices, so that a run after an
    // interruption still finds the addresses.
    await eraseTraces(deps, sought, "texts");
    const left = await leaveAllWorkspaces(deps, userIds);
    const { looks, ...done } = await eraseAllTraces(deps, sought);
    // The accounts are deleted last, so that another run still finds the person by address.
    for (const { username } of accounts) await deleteUser(clients, pool, username);
    return { userIds, left, looks, ...done, runAgainAfter: toIso(clients.now() + SETTLED_MS) };
  },
};
