import { verifyTrail } from "../../../core/flow/read/verify-trail.ts";
import { trailPk } from "../../../core/store/keys.ts";
import { listEntries } from "../../../core/store/configuration/audit-trail.ts";
import type { Write } from "../engine/dynamo.ts";
import type { HttpFunction } from "../engine/functions.ts";
import { buildWorkspace, type Fixture } from "../fixtures.ts";
import type { Play, Scenario } from "../scenario.ts";

const WS = "ws_acme";
const ANY_TIME_MS = 9_999_999_999_999;

/** The kinds of items by their keys, each of which ends with the item's id. */
const kinds: readonly [key: RegExp, kind: string][] = [
  [/^WS#ws_acme META$/, "workspace"],
  [/^WS#ws_acme#PEOPLE MEMBER#/, "member"],
  [/^WS#ws_acme#PEOPLE GROUP#/, "group"],
  [/^WS#ws_acme#PEOPLE IN#/, "group_member"],
  [/^WS#ws_acme#PEOPLE ONCALL#/, "schedule"],
  [/^WS#ws_acme#PEOPLE OVERRIDE#/, "override"],
  [/^WS#ws_acme#PEOPLE POLICY#/, "policy"],
  [/^WS#ws_acme#RULES rule_/, "rule"],
  [/^WS#ws_acme#RULES sil_/, "silence"],
  [/^WS#ws_acme#RULES wh_/, "webhook"],
  [/^WS#ws_acme#HEARTBEATS /, "heartbeat"],
  [/^WS#ws_acme#KEYS /, "api_key"],
  [/^WS#ws_acme#CALENDARS /, "calendar"],
];

const actionOf = ({ before, after }: Pick<Write, "before" | "after">): string => {
  if (before === undefined) return "created";
  return after === undefined ? "deleted" : "updated";
};

/** The audit entries that must exist because of the writes to the table, such as `rule rule_1 updated`. */
const changesOfRun = new WeakMap<object, { setUp: number; made: string[] }>();

const watchChanges = ({ world }: Play): void => {
  const made: string[] = [];
  changesOfRun.set(world, { setUp: world.dynamo.list(trailPk(WS)).length, made });
  world.onWrite((write) => {
    const { pk, sk } = write;
    const kind = kinds.find(([key]) => key.test(`${pk} ${sk}`))?.[1];
    if (kind === undefined) return;
    // The deletion of a group deletes the group's other items later, without audit entries of their own.
    const [of, group = ""] = sk.split("#");
    const isOfGroup = of === "IN" || of === "ONCALL" || of === "OVERRIDE";
    if (isOfGroup && world.dynamo.get({ pk, sk: `GROUP#${group}` }) === undefined) return;
    made.push(`${kind} ${kind === "workspace" ? WS : sk.split("#").at(-1)} ${actionOf(write)}`);
  });
};

type ApiCall = readonly [name: HttpFunction, path: Record<string, string>, body?: object];

const callEndpoint = async ({ clients, fixtures: [acme] }: Play, user: string, [name, path, body]: ApiCall) => {
  const answer = await clients.call<{ id?: string }>(acme!, user, name, {
    path,
    ...(body === undefined ? {} : { body }),
  });
  // A repeated deletion finds nothing, and people give up if nothing answers for minutes.
  if (answer.status >= 400 && answer.status < 500 && answer.status !== 404)
    clients.failures.push(`${name} was answered ${answer.status}`);
  return answer.body?.id ?? "";
};

/** Checks that the audit trail has exactly one entry for each change that took effect, in the order of the changes. */
const check: Scenario["check"] = async ({ world }) => {
  const { entries, verified } = await world.outside(async (deps) => ({
    entries: await listEntries(deps, WS, { from: 0, to: ANY_TIME_MS }),
    verified: await verifyTrail(deps, WS),
  }));
  const { setUp, made } = changesOfRun.get(world) ?? { setUp: 0, made: [] };
  const said = entries.toReversed().map(({ target, action }) => `${target.kind} ${target.id} ${action}`);
  const notified = said.slice(setUp);
  const found = [...verified.faults];
  if (notified.join() !== made.join())
    found.push(`the audit trail has [${notified.join()}] instead of [${made.join()}]`);
  return found;
};

const setup: Scenario["setup"] = async (deps): Promise<readonly Fixture[]> => [
  await buildWorkspace(deps, {
    ws: WS,
    people: { alice: [], bob: [], cleo: [] },
    groups: { ops: ["alice", "bob"] },
    rules: { orders: { eventKey: "order.*" } },
  }),
];

const addHours = (at: number, hours: number): string => new Date(at + hours * 3_600_000).toISOString();

export const auditTrail: Scenario = {
  name: "audit-trail",
  about: "rules, groups, schedules and silences are changed, two at a time; the audit trail has each effective change",
  setup,
  play: async (play) => {
    watchChanges(play);
    const { groups, users, rules } = play.fixtures[0]!;
    const [ops = "", cleo = "", ruleId = ""] = [groups["ops"], users["cleo"], rules["orders"]];
    const now = play.world.kernel.now();
    await callEndpoint(play, "alice", ["update-routing-rule", { ruleId }, { priorityOverride: "URGENT" }]);
    const [group] = await Promise.all([
      callEndpoint(play, "alice", ["create-group", {}, { name: "Night" }]),
      callEndpoint(play, "bob", ["update-routing-rule", { ruleId }, { name: "All orders" }]),
    ]);
    await callEndpoint(play, "alice", ["add-group-member", { groupId: ops }, { userId: cleo }]);
    const layers = [{ participants: [users["bob"], cleo], start: addHours(now, 0), every: 1, unit: "day" }];
    await callEndpoint(play, "alice", ["put-on-call", { groupId: ops }, { timeZone: "UTC", layers }]);
    const override = { userId: cleo, start: addHours(now, 1), end: addHours(now, 2) };
    await callEndpoint(play, "alice", ["create-override", { groupId: ops }, override]);
    const silenceId = await callEndpoint(play, "bob", [
      "create-silence",
      {},
      { name: "Works", eventKey: "site.*", endsAt: addHours(now, 3) },
    ]);
    await callEndpoint(play, "alice", ["remove-group-member", { groupId: ops, userId: cleo }]);
    await Promise.all([
      callEndpoint(play, "alice", ["delete-routing-rule", { ruleId }]),
      callEndpoint(play, "bob", ["delete-silence", { silenceId }]),
      callEndpoint(play, "cleo", ["delete-group", { groupId: group }]),
    ]);
  },
  expectNotified: () => undefined,
  check,
};

export const auditTrailOfPeople: Scenario = {
  name: "audit-trail-of-people",
  about: "members, roles, keys, heartbeats and webhooks are changed; the audit trail has each effective change",
  setup,
  play: async (play) => {
    watchChanges(play);
    const { users, groups } = play.fixtures[0]!;
    const [bob = "", cleo = "", ops = ""] = [users["bob"], users["cleo"], groups["ops"]];
    const now = play.world.kernel.now();
    await callEndpoint(play, "alice", ["update-workspace", {}, { name: "Acme Ltd" }]);
    await callEndpoint(play, "alice", ["update-member", { userId: cleo }, { role: "viewer" }]);
    await Promise.all([
      callEndpoint(play, "alice", ["update-member", { userId: cleo }, { role: "manager" }]),
      callEndpoint(play, "bob", ["update-member", { userId: cleo }, { role: "owner" }]),
    ]);
    await callEndpoint(play, "alice", [
      "add-member",
      {},
      { userId: "usr_acmedan", name: "Dan", email: "dan@acme.example" },
    ]);
    await callEndpoint(play, "alice", ["renew-my-calendar", {}]);
    const id = await callEndpoint(play, "bob", ["create-api-key", {}, { name: "shop" }]);
    const heartbeatId = await callEndpoint(play, "bob", [
      "create-heartbeat",
      {},
      { name: "backup", everySeconds: 7200, paused: true },
    ]);
    await callEndpoint(play, "bob", ["update-heartbeat", { heartbeatId }, { everySeconds: 3600, newUrl: true }]);
    const webhookId = await callEndpoint(play, "bob", [
      "create-webhook",
      {},
      { name: "chat", url: "https://x.example/hook" },
    ]);
    const layers = [{ participants: [bob, cleo], start: addHours(now, 0), every: 1, unit: "day" }];
    await callEndpoint(play, "alice", ["put-on-call", { groupId: ops }, { timeZone: "UTC", layers }]);
    await callEndpoint(play, "alice", ["remove-member", { userId: bob }]);
    await Promise.all([
      callEndpoint(play, "alice", ["delete-api-key", { id }]),
      callEndpoint(play, "cleo", ["delete-heartbeat", { heartbeatId }]),
      callEndpoint(play, "cleo", ["delete-webhook", { webhookId }]),
    ]);
    await callEndpoint(play, "alice", ["delete-my-calendar", {}]);
  },
  expectNotified: () => undefined,
  check,
};
