import { randomBytes } from "node:crypto";
import * as v from "valibot";
import type { Answer, Client, Person, Session, SessionWorkspace } from "./client.ts";
import { retryUntilSuccess, expectBody, expectStatus } from "./expect.ts";
import { Accepted, Event, Group, NewApiKey, Notification, Rule, Workspace } from "./shapes.ts";

/** A workspace for checks, with its owner's token. */
export type House = {
  id: string;
  apiKey: string;
  owner: Person;
  people: readonly Person[];
  /** Sends a request as the owner. The path is relative to the workspace. */
  ask: (method: string, path: string, body?: unknown) => Promise<Answer>;
  as: (person: Pick<Person, "token">, method: string, path: string, body?: unknown) => Promise<Answer>;
  /** Sends an event with the workspace's key; strings are sent unchanged. */
  post: (event: object | string, headers?: Record<string, string>) => Promise<Answer>;
};

export type World = {
  client: Client;
  session: Session;
  acme: House;
  globex: House;
  tiny: SessionWorkspace;
  /** Creates a workspace with the default plan and two members of Acme. */
  fresh: () => Promise<House>;
  /** Returns a name that no other run uses. */
  unique: (prefix: string) => string;
};

const findWorkspace = (session: Session, name: string): SessionWorkspace => {
  const found = session.workspaces.find((workspace) => workspace.name === name);
  if (found === undefined) throw new Error(`the session file has no workspace ${name}`);
  return found;
};

const requireFirst = <Item>(items: readonly Item[]): Item => {
  const [item] = items;
  if (item === undefined) throw new Error("the session file names nobody");
  return item;
};

const createHouse = (client: Client, id: string, apiKey: string, people: readonly Person[]): House => {
  const owner = requireFirst(people);
  const as: House["as"] = ({ token }, method, path, body) =>
    client(method, `/v1/workspaces/${id}${path}`, { token, ...(body === undefined ? {} : { body }) });
  return {
    id,
    apiKey,
    owner,
    people,
    as,
    ask: (method, path, body) => as(owner, method, path, body),
    post: (event, headers = {}) => client("POST", "/v1/events", { apiKey, headers, body: event }),
  };
};

export const createWorld = (client: Client, session: Session): World => {
  const acme = findWorkspace(session, "Acme");
  const globex = findWorkspace(session, "Globex");
  return {
    client,
    session,
    acme: createHouse(client, acme.id, acme.apiKey, acme.members),
    globex: createHouse(client, globex.id, globex.apiKey, globex.members),
    tiny: findWorkspace(session, "Tiny"),
    fresh: async () => {
      const people = acme.members.slice(0, 2);
      const { token } = requireFirst(people);
      const made = await client("POST", "/v1/workspaces", { token, body: { name: "conformance" } });
      const { id } = expectBody(made, 201, Workspace);
      const house = createHouse(client, id, "", people);
      for (const { userId, name, email } of people) await house.ask("POST", "/members", { userId, name, email });
      const { key } = expectBody(await house.ask("POST", "/api-keys", { name: "conformance" }), 201, NewApiKey);
      return createHouse(client, id, key, people);
    },
    unique: (prefix) => `${prefix}${randomBytes(6).toString("hex")}`,
  };
};

/** A valid event, changed by these fields. */
export const anEvent = (fields: object = {}): object => ({
  event: "conformance.checked",
  title: "Conformance",
  body: "An event of the conformance checks",
  ...fields,
});

export const makeGroup = async (house: House, members: readonly Person[] = []): Promise<string> => {
  const { id } = expectBody(await house.ask("POST", "/groups", { name: "conformance" }), 201, Group);
  for (const { userId } of members) expectStatus(await house.ask("POST", `/groups/${id}/members`, { userId }), 201);
  return id;
};

export const makeRule = async (house: House, rule: { eventKey: string; groupId: string; [field: string]: unknown }) => {
  const { groupId, ...fields } = rule;
  const body = { name: "conformance", targets: [{ type: "group", groupId }], ...fields };
  return expectBody(await house.ask("POST", "/routing-rules", body), 201, Rule);
};

export const registerDevice = (house: House, person: Person, token: string): Promise<Answer> =>
  house.as(person, "POST", "/devices", { token, platform: "ios" });

export const send = async (house: House, fields: object = {}): Promise<string> =>
  expectBody(await house.post(anEvent(fields)), 201, Accepted).eventId;

/** Sends an event of Acme and asserts that it is accepted. */
export const sendAcceptedEvent = async ({ acme }: World, fields: object) =>
  expectBody(await acme.post(anEvent(fields)), 201, Accepted);

/** Sends an event of Acme and returns it as the API shows it. */
export const sendAndRead = async (world: World, fields: object) => {
  const { eventId } = await sendAcceptedEvent(world, fields);
  return expectBody(await world.acme.ask("GET", `/events/${eventId}`), 200, Event);
};

const Notified = v.looseObject({ matched: v.boolean(), notifications: v.array(Notification) });

/** Waits until each notification was sent or has failed. */
export const readSettled = (house: House, eventId: string): Promise<Notification[]> =>
  retryUntilSuccess(async () => {
    const event = expectBody(await house.ask("GET", `/events/${eventId}`), 200, Notified);
    if (!event.matched) throw new Error(`event ${eventId} was not matched in time`);
    if (event.notifications.some(({ status }) => status === "QUEUED"))
      throw new Error(`notifications of ${eventId} were not sent in time`);
    return event.notifications;
  });

/** Every event there notifies both members. */
export const openNotifyingWorkspace = async (fresh: () => Promise<House>, rule: object = {}): Promise<House> => {
  const house = await fresh();
  const groupId = await makeGroup(house, house.people);
  await makeRule(house, { eventKey: "*", groupId, ...rule });
  return house;
};

/** Tries to create a rule that matches no event. */
export const createRule = (house: House, groupId: string, fields: object) =>
  house.ask("POST", "/routing-rules", {
    name: "conformance",
    eventKey: "nothing.ever",
    targets: [{ type: "group", groupId }],
    ...fields,
  });

/** Creates a group with one member for `run`, and deletes it afterwards. */
export const withGroup = async (house: House, run: (groupId: string) => Promise<void>): Promise<void> => {
  const groupId = await makeGroup(house, house.people.slice(0, 1));
  await run(groupId);
  await house.ask("DELETE", `/groups/${groupId}`);
};
