import * as v from "valibot";
import { roles, type Role } from "../core/domain/people/role.ts";
import { type Api, ApiError } from "./api.ts";
import type { AlertsFile, FilePerson } from "./file.ts";
import type { Change } from "./plan.ts";
import type { Workspace } from "./workspace.ts";
import type { SetUp } from "./write.ts";

/** A person who has not joined yet; `groups`: the groups of the file that name the person. */
export type InvitedPerson = { person: string; role: Role; groups: string[] };

const isMember = ({ ids }: Pick<Workspace, "ids">, person: string): boolean => ids.people.has(person);

export const listInvitedNonMembers = (file: AlertsFile, workspace: Pick<Workspace, "ids">): InvitedPerson[] =>
  file.people
    .filter(({ person, invite }) => invite === true && person.includes("@") && !isMember(workspace, person))
    .map(({ person, role }) => ({
      person,
      role,
      groups: file.groups.filter(({ members }) => members.includes(person)).map(({ name }) => name),
    }));

/** Removes invited people: until they join, their roles and groups are in their invitations. */
export const removeInvited = (file: AlertsFile, invited: readonly InvitedPerson[]): AlertsFile => {
  const persons = new Set(invited.map(({ person }) => person));
  return {
    ...file,
    people: file.people.filter(({ person }) => !persons.has(person)).map(({ person, role }) => ({ person, role })),
    groups: file.groups.map((group) => ({ ...group, members: group.members.filter((one) => !persons.has(one)) })),
  };
};

const Open = v.object({ email: v.string(), role: v.picklist(roles), groupIds: v.array(v.string()) });

const FORBIDDEN = 403;

/** Reads the open invitations; returns undefined if the caller is not an owner. */
const readOpenInvitations = async (api: Api): Promise<v.InferOutput<typeof Open>[] | undefined> => {
  try {
    return await api.list("/invitations", Open);
  } catch (error) {
    if (error instanceof ApiError && error.status === FORBIDDEN) return undefined;
    throw error;
  }
};

export const isCallerOwner = async (api: Api): Promise<boolean> => (await readOpenInvitations(api)) !== undefined;

/** Reads the people with open invitations; returns undefined if the caller is not an owner. */
const readInvitedPeople = async (api: Api, { ids, names }: Workspace): Promise<InvitedPerson[] | undefined> =>
  (await readOpenInvitations(api))
    ?.map(({ email, role, groupIds }) => ({
      person: email.toLowerCase(),
      role,
      groups: groupIds.map(names.group).filter((name) => ids.groups.has(name)),
    }))
    .filter(({ person }) => !isMember({ ids }, person));

/**
 * Returns the workspace's setup with its pay and invited people, and notes to print. Only owners can read pay and invitations, so
 * other callers get the pay and invitations of the existing file. People who have joined keep its `invite: true`.
 */
export const addInvitedPeopleAndPay = async (
  api: Api,
  workspace: Workspace,
  existingFile: AlertsFile | undefined,
): Promise<{ setUp: SetUp; notes: string[] }> => {
  const { setUp } = workspace;
  const inFile = existingFile === undefined ? [] : listInvitedNonMembers(existingFile, workspace);
  const open = await readInvitedPeople(api, workspace);
  const invited = open ?? inFile;
  const named = new Set(existingFile?.people.flatMap(({ person, invite }) => (invite === true ? [person] : [])));
  const people = [
    ...setUp.people.map((one): FilePerson => (named.has(one.person) ? { ...one, invite: true } : one)),
    ...invited.map(({ person, role }): FilePerson => ({ person, role, invite: true })),
  ];
  const groups = setUp.groups.map((group) => {
    const more = invited.flatMap(({ person, groups: leadsTo }) => (leadsTo.includes(group.name) ? [person] : []));
    return more.length === 0 ? group : { ...group, members: [...group.members, ...more].sort() };
  });
  const unseen =
    "Only owners see invitations and pay. The file keeps its entries for people who have not joined, and its pay.";
  const many = `Invited but not joined yet: ${invited.length}. Until they join, only an owner can plan and apply the file.`;
  const notes = [...(open === undefined ? [unseen] : []), ...(invited.length === 0 ? [] : [many])];
  const pay = open === undefined ? (existingFile?.pay ?? []) : setUp.pay;
  return { setUp: { ...setUp, people, groups, pay }, notes };
};

/** Plans invitations, except invitations that are already open with the same role and groups. */
export const planInvitations = async (
  api: Api,
  invited: readonly InvitedPerson[],
  { names }: Pick<Workspace, "names">,
): Promise<{ changes: Change[]; same: number }> => {
  if (invited.length === 0) return { changes: [], same: 0 };
  const open = new Map((await api.list("/invitations", Open)).map((one) => [one.email.toLowerCase(), one]));
  const changes = invited.flatMap(({ person, role, groups }): Change[] => {
    const one = open.get(person);
    const offered = one?.groupIds.map(names.group).sort().join("\n");
    if (one?.role === role && offered === groups.toSorted().join("\n")) return [];
    return [{ section: "people", name: person, kind: "create", fields: [] }];
  });
  return { changes, same: invited.length - changes.length };
};

/** Sends an invitation to each person, which replaces an open invitation of the same address. */
export const sendInvitations = async (
  { api, workspace, done }: { api: Api; workspace: Workspace; done: (what: string) => void },
  invited: readonly InvitedPerson[],
): Promise<void> => {
  for (const { person, role, groups } of invited) {
    const groupIds = groups.flatMap((name) => workspace.ids.groups.get(name)?.slice(0, 1) ?? []);
    await api.put({ method: "POST", path: "/invitations", body: { email: person, role, groupIds } });
    done(`invited ${person} as ${role}`);
  }
};
