import { basename } from "node:path";
import { expect, it } from "vitest";
import * as keys from "../../core/store/keys.ts";
import { keyPatterns } from "../../core/store/key-patterns.ts";
import { routes } from "../../interface/routes.ts";
import { createPolicies } from "../../local/aws/policies.ts";
import { idAt, listAt, resourcesOf, textAt } from "./support.ts";

/*
 * A function that strangers can reach touches the kinds of items that it needs. If somebody else's code ran in it, IAM
 * would still keep people, tokens, rules and the rest from it.
 */

const WS = ["ws_1", "ws_0123456789abcdef", `ws_${"x".repeat(64)}`];
const COUNTED = { seq: 1, receivedAt: 1 };
const samples = (ws: string): Record<string, string[]> => ({
  workspace: [keys.controlKey(ws).pk, keys.workspaceKey(ws).pk, keys.memberSetKey(ws).pk, keys.countsKey(ws).pk],
  apiKeys: [keys.apiKeysPk(ws)],
  claims: [keys.dedupeKey(ws, "h-_A").pk, keys.idempotencyKey(ws, "h-_A").pk],
  events: [keys.firstEventsPk(ws), ...keys.spreadEventsPks(ws, 0, 1000)],
  lostNumbers: [keys.lostKey(ws, 1, 2).pk, keys.auditedKey(ws).pk],
  markers: [keys.eventMarkerKey(1, ws, "evt_1").pk, keys.stepMarkerKey(1, ws, "evt_1", 0, 0).pk],
  packs: keys.notificationsPks(ws),
  planParts: [keys.planPartKey(ws, 1, "p", 1).pk],
  escalations: [keys.escalationsPk(ws)],
  grouped: [keys.groupedKey(ws, "h-_A").pk, ...[undefined, 1].map((of) => keys.countedKey(ws, "h-_A", of, COUNTED).pk)],
  openEvents: [keys.openEventsPk(ws), keys.openByKeyPk(ws, "h-_A")],
  statistics: [keys.statisticsPk(ws)],
  people: [keys.peoplePk(ws)],
  devices: [keys.devicesPk(ws)],
  heartbeats: [keys.heartbeatsPk(ws)],
  heartbeatChecks: keys.heartbeatShards.map(keys.heartbeatChecksPk),
  calendars: [keys.calendarKey(ws, "usr_1").pk, keys.calendarSecretKey("h").pk],
  rules: [keys.rulesPk(ws), keys.ruleVersionKey(ws, "rule_1", 1).pk],
  users: [keys.userPk("usr_1")],
  tokens: [keys.tokenOwnerKey("h").pk],
  audits: [keys.auditPk("00"), keys.roundsKey.pk],
  types: [keys.eventTypesPk(ws)],
  sites: keys.sitesPks(ws),
  firings: [keys.firingsPk(ws)],
});

type Statement = Parameters<typeof createPolicies>[0][number]["statements"][number];
const TABLE = "table";
const all = resourcesOf();

/** What a function's role grants on the table, with the table's address as a plain text. */
const statementsOf = (name: string): Statement[] => {
  const [, lambda] = all("AWS::Lambda::Function").find(([, one]) => textAt(one, "FunctionName").endsWith(`-${name}`))!;
  const [, role] = all("AWS::IAM::Role").find(([id]) => id === idAt(lambda, "Role"))!;
  const written = listAt<{ PolicyDocument: { Statement: Record<string, unknown>[] } }>(role, "Policies");
  return written
    .flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
    .map((statement) => ({ ...statement, Action: [statement["Action"]].flat() as string[] }) as unknown as Statement)
    .filter(({ Action }) => Action.some((action) => action.startsWith("dynamodb:")))
    .map((statement) => ({ ...statement, Resource: [TABLE] }));
};

const open = routes.filter(({ auth, access }) => auth !== "session" && access.table.length > 0);
const functions = new Map(open.map(({ entry, access }) => [basename(entry), access]));

it("every function that needs no session, and touches the table, says which kinds of items", () => {
  expect([...functions].filter(([, { keys: kinds }]) => kinds === undefined)).toEqual([]);
});

const cases = [...functions].flatMap(([name, { keys: kinds = [], table }]) =>
  Object.keys(samples("ws_1")).map((kind) => ({ name, kind, table, may: kinds.some((one) => one === kind) })),
);

it.each(cases)("$name and $kind: $may", ({ name, kind, table, may }) => {
  const policies = createPolicies([{ name, statements: statementsOf(name) }]);
  const known = WS.flatMap((ws) => samples(ws)[kind]!);

  for (const action of table)
    for (const key of known) {
      const verdict = policies.authorize(name, `dynamodb:${action}`, TABLE, [key]);
      expect({ key, allowed: verdict.allowed }).toEqual({ key, allowed: may });
    }
});

const patterns = Object.entries(keyPatterns).map(([kind, like]) => ({ kind, like }));

it.each(patterns)("the patterns of $kind take all keys of that kind, and none of another", ({ kind, like }) => {
  const Condition = { "ForAllValues:StringLike": { "dynamodb:LeadingKeys": [...like] } };
  const statement = { Effect: "Allow", Action: ["dynamodb:GetItem"], Resource: [TABLE], Condition } as const;
  const policies = createPolicies([{ name: kind, statements: [statement as unknown as Statement] }]);
  const taken = Object.entries(samples("ws_1"))
    .filter(([, known]) => known.every((key) => policies.authorize(kind, "dynamodb:GetItem", TABLE, [key]).allowed))
    .map(([of]) => of);

  expect(taken).toEqual([kind]);
});

it("a request for several keys needs all of them", () => {
  const [name] = [...functions.keys()];
  const policies = createPolicies([{ name: name!, statements: statementsOf(name!) }]);
  const [good, bad] = [keys.apiKeysPk("ws_1"), keys.peoplePk("ws_1")];

  expect(policies.authorize(name!, "dynamodb:Query", TABLE, [good]).allowed).toBe(true);
  expect(policies.authorize(name!, "dynamodb:Query", TABLE, [good, bad]).allowed).toBe(false);
});
