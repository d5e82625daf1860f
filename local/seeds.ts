import { rmSync } from "node:fs";
import { join } from "node:path";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import { bindAuthor } from "../core/deps.ts";
import { DAY_MS } from "../core/domain/basics/units.ts";
import { newId } from "../core/new-id.ts";
import { createOperatorAuthor } from "../core/domain/workspace/audit.ts";
import type { UsagePlan } from "../core/domain/workspace/usage-plan.ts";
import { createApiKey } from "../core/store/people/api-keys.ts";
import { setUsagePlan } from "../core/store/events/control.ts";
import { saveMember } from "../core/store/people/members.ts";
import { limitWorkspaces, createWorkspace } from "../core/store/people/workspaces.ts";
import { OPERATOR } from "./aws/policies.ts";
import { seedingFilePath } from "./checks.ts";
import { seedDemo } from "./demo/seed.ts";
import { readJsonFile, writeAtomically } from "./files.ts";
import { seededWorkspace } from "./session.ts";
import { region } from "./template/resolve.ts";

const unlimited: UsagePlan = { monthlyEvents: 1_000_000, eventsPerMinute: 600_000, burst: 100_000, retentionDays: 400 };

type Person = { name: string; email: string };
const createPeople = (company: string, ...names: string[]): Person[] =>
  names.map((name) => ({ name, email: `${name.toLowerCase()}@${company}.example` }));

/** Workspaces for tests and tools, and the workspace Demo for people. All plans are practically unlimited, except Tiny's. */
const workspaces: readonly { name: string; plan: UsagePlan; people: Person[] }[] = [
  { name: "Acme", plan: unlimited, people: createPeople("acme", "Alice", "Bob", "Carol", "Dave", "Erin", "Frank") },
  { name: "Globex", plan: unlimited, people: createPeople("globex", "Grace", "Heidi", "Ivan") },
  {
    name: "Tiny",
    plan: { monthlyEvents: 20, eventsPerMinute: 600, burst: 10, retentionDays: 400 },
    people: createPeople("tiny", "Trent"),
  },
  {
    name: "Demo",
    plan: unlimited,
    people: createPeople("demo", "Dora", "Dan", "Lena", "Omar", "Priya", "Sam", "Yuki"),
  },
];
const outsider: Person = { name: "Oscar", email: "oscar@outside.example" };

const Member = v.object({ sub: v.string(), userId: v.string(), name: v.string(), email: v.string() });
const Seeds = v.object({
  table: v.string(),
  workspaces: v.array(v.object({ ...seededWorkspace, members: v.array(Member) })),
  outsider: Member,
});
export type Seeds = v.InferOutput<typeof Seeds>;

/** Creates an id from its prefix and a number, so that the id is the same in every directory. */
const createFixedId = <Prefix extends string>(prefix: Prefix, number: number): `${Prefix}_${string}` =>
  `${prefix}_local${String(number).padStart(11, "0")}`;

/** Returns the person with a `sub` and a user id, which depend only on `number`. */
const createMember = (person: Person, number: number): v.InferOutput<typeof Member> => {
  const sub = `10ca1000-0000-4000-8000-${String(number).padStart(12, "0")}`;
  return { ...person, sub, userId: `usr_${sub.replaceAll("-", "")}` };
};

type SeedDeps = Parameters<typeof createWorkspace>[0];

const createSeedDeps = (client: DynamoDBClient, tableName: string): SeedDeps => ({
  table: {
    name: tableName,
    client: DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } }),
    author: createOperatorAuthor("local"),
  },
  now: Date.now,
  newId,
});

/** How many workspaces a seeded person may create: more than needed. The person without a workspace has the usual limit. */
const ANY_NUMBER = 1_000_000;

/** Creates and returns workspaces and people, once per directory: deleted items stay deleted. Repeats an interrupted seeding. */
export const seedWorkspaces = async (
  dir: string,
  table: { name: string; endpoint: string },
  demoDays: number,
  print: (line: string) => void,
): Promise<Seeds> => {
  const path = join(dir, "seeds.json");
  const known = readJsonFile(path, Seeds);
  if (known?.table === table.name) return known;

  if (known === undefined) writeAtomically(seedingFilePath(dir), "");
  const client = new DynamoDBClient({
    region,
    endpoint: table.endpoint,
    credentials: { accessKeyId: OPERATOR, secretAccessKey: "local" },
  });
  const deps = createSeedDeps(client, table.name);
  const seeds: Seeds = { table: table.name, workspaces: [], outsider: createMember(outsider, 999) };
  for (const [index, { name, plan, people }] of workspaces.entries()) {
    const id = createFixedId("ws", index + 1);
    const members = people.map((person, number) => createMember(person, index * 100 + number + 1));
    const [creator, ...others] = members;
    if (creator === undefined) continue;
    const isDemo = name === "Demo";
    const begun = Date.now() - (demoDays + 2) * DAY_MS;
    const made = isDemo
      ? bindAuthor({ ...deps, now: () => begun }, { userId: creator.userId, via: "console", requestId: "demo" })
      : deps;
    print(`Creating the workspace ${name}${isDemo ? ` with ${demoDays} days of events` : ""} ...`);
    await createWorkspace(made, { id, name, creator, plan });
    await setUsagePlan(deps, id, plan);
    for (const member of others) await saveMember(made, id, member);
    for (const { userId } of members) await limitWorkspaces(deps, userId, ANY_NUMBER);
    const { key } = await createApiKey(made, id, { name: `${name} on this machine` });
    if (isDemo) await seedDemo(deps, id, { members, apiKey: key, days: demoDays });
    seeds.workspaces.push({ id, name, apiKey: key, plan, members });
  }
  client.destroy();
  writeAtomically(path, JSON.stringify(seeds), { secret: true });
  rmSync(seedingFilePath(dir), { force: true });
  return seeds;
};
