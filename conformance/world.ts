import { randomBytes } from "node:crypto";
import * as v from "valibot";
import type { Answer, Client, Person, Session, SessionWorkspace } from "./client.ts";
import { retryUntilSuccess, expectBody, expectStatus } from "./expect.ts";
import { Accepted, Event, Group, NewApiKey, Notification, Rule, Workspace } from "./shapes.ts";

/** Sends requests to one workspace, as its people or with its API key. */
export type WorkspaceClient = {
  id: string;
  apiKey: string;
  owner: Person;
  people: readonly Person[];
  /** Sends a request as the owner. The path is relative to the workspace. */
  ask: (method: string, path: string, body?: unknown) => Promise<Answer>;
  as: (person: Pick<Person, "token">, method: string, path: string, body?: unknown) => Promise<Answer>;
  /** Reads a path as the owner. Throws unless the answer is 200 with the shape `shape`. */
  read: <Output>(path: string, shape: v.GenericSchema<unknown, Output>) => Promise<Output>;
  /** Creates an item as the owner. Throws unless the answer is 201 with the shape `shape`. */
  create: <Output>(path: string, body: unknown, shape: v.GenericSchema<unknown, Output>) => Promise<Output>;
  /** Sends an event with the workspace's key; strings are sent unchanged. */
  post: (event: object | string, headers?: Record<string, string>) => Promise<Answer>;
};

export type World = {
  client: Client;
  session: Session;
  acme: WorkspaceClient;
  globex: WorkspaceClient;
  tiny: SessionWorkspace;
  /** Creates a workspace with the default plan and two members of Acme. */
  fresh: () => Promise<WorkspaceClient>;
  /** Returns a name that no other run uses. */
  unique: (prefix: string) => string;
};

const findSessionWorkspace = (session: Session, name: string): SessionWorkspace => {
  const found = session.workspaces.find((workspace) => workspace.name === name);
  if (found === undefined) throw new Error(`the session file has no workspace ${name}`);
  return found;
};

const requireFirst = <Item>(items: readonly Item[]): Item => {
  const [item] = items;
  if (item === undefined) throw new Error("the session file names nobody");
  return item;
};

const createWorkspaceClient = (
  client: Client,
  id: string,
  apiKey: string,
  people: readonly Person[],
): WorkspaceClient => {
  const owner = requireFirst(people);
  const as: WorkspaceClient["as"] = ({ token }, method, path, body) =>
    client(method, `/v1/workspaces/${id}${path}`, { token, ...(body === undefined ? {} : { body }) });
  return {
    id,
    apiKey,
    owner,
    people,
    as,
    ask: (method, path, body) => as(owner, method, path, body),
    read: async (path, shape) => expectBody(await as(owner, "GET", path), 200, shape),
    create: async (path, body, shape) => expectBody(await as(owner, "POST", path, body), 201, shape),
    post: (event, headers = {}) => client("POST", "/v1/events", { apiKey, headers, body: event }),
  };
};

/** Returns what the checks use: clients of the session's workspaces, and functions that create workspaces and unique names. */
export const createWorld = (client: Client, session: Session): World => {
  const acme = findSessionWorkspace(session, "Acme");
  const globex = findSessionWorkspace(session, "Globex");
  return {
    client,
    session,
    acme: createWorkspaceClient(client, acme.id, acme.apiKey, acme.members),
    globex: createWorkspaceClient(client, globex.id, globex.apiKey, globex.members),
    tiny: findSessionWorkspace(session, "Tiny"),
    fresh: async () => {
      const people = acme.members.slice(0, 2);
      const { token } = requireFirst(people);
      const made = await client("POST", "/v1/workspaces", { token, body: { name: "conformance" } });
      const { id } = expectBody(made, 201, Workspace);
      const workspace = createWorkspaceClient(client, id, "", people);
      for (const { userId, name, email } of people) await workspace.ask("POST", "/members", { userId, name, email });
      const { key } = await workspace.create("/api-keys", { name: "conformance" }, NewApiKey);
      return createWorkspaceClient(client, id, key, people);
    },
    unique: (prefix) => `${prefix}${randomBytes(6).toString("hex")}`,
  };
};

/** Returns an event as the API accepts it; `fields` replace the defaults. */
export const buildEvent = (fields: object = {}): object => ({
  event: "conformance.checked",
  title: "Conformance",
  body: "An event of the conformance checks",
  ...fields,
});

/** Creates a group with the given members, and returns the group's id. */
export const createGroup = async (workspace: WorkspaceClient, members: readonly Person[] = []): Promise<string> => {
  const { id } = await workspace.create("/groups", { name: "conformance" }, Group);
  for (const { userId } of members) expectStatus(await workspace.ask("POST", `/groups/${id}/members`, { userId }), 201);
  return id;
};

/** Creates a rule by which events with a certain key notify a group, and returns the rule. */
export const createRule = async (
  workspace: WorkspaceClient,
  rule: { eventKey: string; groupId: string; [field: string]: unknown },
) => {
  const { groupId, ...fields } = rule;
  const body = { name: "conformance", targets: [{ type: "group", groupId }], ...fields };
  return workspace.create("/routing-rules", body, Rule);
};

export const registerDevice = (workspace: WorkspaceClient, person: Person, token: string): Promise<Answer> =>
  workspace.as(person, "POST", "/devices", { token, platform: "ios" });

/** Sends an event, expects a 201, and returns the id of the event. */
export const sendEvent = async (workspace: WorkspaceClient, fields: object = {}): Promise<string> =>
  expectBody(await workspace.post(buildEvent(fields)), 201, Accepted).eventId;

/** Sends an event as Acme, expects a 201, and returns the answer's body. */
export const sendAsAcme = async ({ acme }: World, fields: object) =>
  expectBody(await acme.post(buildEvent(fields)), 201, Accepted);

/** Sends an event as Acme, expects a 201, and returns the stored event. */
export const sendAndReadEvent = async (world: World, fields: object) => {
  const { eventId } = await sendAsAcme(world, fields);
  return world.acme.read(`/events/${eventId}`, Event);
};

const Notified = v.looseObject({ matched: v.boolean(), notifications: v.array(Notification) });

/** Waits until each notification of an event was sent or has failed, and returns the notifications. */
export const waitForSent = (workspace: WorkspaceClient, eventId: string): Promise<Notification[]> =>
  retryUntilSuccess(async () => {
    const event = await workspace.read(`/events/${eventId}`, Notified);
    if (!event.matched) throw new Error(`event ${eventId} was not matched in time`);
    if (event.notifications.some(({ status }) => status === "QUEUED"))
      throw new Error(`notifications of ${eventId} were not sent in time`);
    return event.notifications;
  });

/** Opens a workspace in which every event notifies the two members. `rule`: further fields of the rule. */
export const openNotifyingWorkspace = async (
  createWorkspace: () => Promise<WorkspaceClient>,
  rule: object = {},
): Promise<WorkspaceClient> => {
  const workspace = await createWorkspace();
  const groupId = await createGroup(workspace, workspace.people);
  await createRule(workspace, { eventKey: "*", groupId, ...rule });
  return workspace;
};

/** Sends a request to create a rule that matches no event, and returns the answer. */
export const postRule = (workspace: WorkspaceClient, groupId: string, fields: object) =>
  workspace.ask("POST", "/routing-rules", {
    name: "conformance",
    eventKey: "nothing.ever",
    targets: [{ type: "group", groupId }],
    ...fields,
  });

/** Creates a group with one member, calls `run`, and deletes the group. */
export const withGroup = async (workspace: WorkspaceClient, run: (groupId: string) => Promise<void>): Promise<void> => {
  const groupId = await createGroup(workspace, workspace.people.slice(0, 1));
  await run(groupId);
  await workspace.ask("DELETE", `/groups/${groupId}`);
};
