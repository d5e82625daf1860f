import { PutCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import type { WorkspaceId } from "../../../core/domain/basics/ids.ts";
import { HeartbeatInput } from "../../../core/domain/heartbeat/heartbeat.ts";
import { listEventsBetween } from "../../../core/store/events/events.ts";
import { createHeartbeat } from "../../../core/store/rules/heartbeats.ts";
import { auditProgressKey, dueAuditKey, heartbeatKey, type Key, shards } from "../../../core/store/keys.ts";
import { TABLE_NAME } from "../engine/dynamo.ts";
import type { World } from "../engine/world.ts";
import { buildWorkspace, type SetupDeps } from "../fixtures.ts";
import type { Scenario } from "../scenario.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** A scenario is set up ten minutes before it begins, so its heartbeats are missed a minute after the beginning. */
const EVERY_SECONDS = 11 * 60;

const isUnreadable = (sk: string): boolean => sk.includes("ws_nobody");

/** Adds an unreadable item that is sorted before all other items of its list. */
const addUnreadableItem = (deps: SetupDeps, { pk }: Pick<Key, "pk">, rest: string) => {
  const due = String(deps.now()).padStart(13, "0");
  const Item = { pk, sk: `${due}#ws_nobody#${rest}`, kept: "content" };
  return deps.table.client.send(new PutCommand({ TableName: deps.table.name, Item }));
};

const buildOpsWorkspace = async (deps: SetupDeps, ws: WorkspaceId) => {
  const fixture = await buildWorkspace(deps, {
    ws,
    people: { alice: [`${ws}-phone`] },
    rules: { all: { eventKey: "*" } },
  });
  await createHeartbeat(
    deps,
    ws,
    v.parse(HeartbeatInput, { name: "Backup", everySeconds: EVERY_SECONDS, graceSeconds: 0 }),
  );
  return fixture;
};

const breakHeartbeat = async (deps: SetupDeps, ws: WorkspaceId): Promise<void> => {
  const { heartbeat } = await createHeartbeat(
    deps,
    ws,
    v.parse(HeartbeatInput, { name: "Broken", everySeconds: 60, graceSeconds: 0 }),
  );
  const Item = { ...heartbeatKey(ws, heartbeat.id), checkAt: heartbeat.checkAt, name: 7 };
  await deps.table.client.send(new PutCommand({ TableName: deps.table.name, Item }));
};

const listKeys = ({ dynamo }: World, list: string): Key[] =>
  dynamo
    .partitions()
    .filter((pk) => pk.startsWith(`${list}#`))
    .flatMap((pk) => dynamo.list(pk).map((item) => ({ pk, sk: item["sk"]?.S ?? "" })));
const listUnreadableItems = (world: World, list: string): Key[] =>
  listKeys(world, list).filter(({ sk }) => isUnreadable(sk));

/** Checks that every unreadable item is still complete, and is no longer sorted before the other items. */
const checkItemsPostponed = (world: World, list: string, count: number): string[] => {
  const found = listUnreadableItems(world, list);
  const items = found.map((key) => world.dynamo.get(key));
  const names = new Set(found.map(({ pk, sk }) => `${pk} ${sk.slice(14)}`));
  const now = world.kernel.now();
  const late = found.filter(({ sk }) => now - Number(sk.slice(0, 13)) > 3 * MINUTE_MS);
  return [
    ...(names.size === count ? [] : [`${list}: ${names.size} of ${count} unreadable items are left`]),
    ...(items.every((item) => item?.["kept"]?.S === "content") ? [] : [`${list}: an item lost its content`]),
    ...(late.length > 0 && now > world.disturbedUntil() + 3 * MINUTE_MS
      ? [`${list}: ${late[0]?.sk} was not postponed`]
      : []),
  ];
};

const removeItems = (world: World, keys: readonly Key[]): void => {
  for (const { pk, sk } of keys)
    world.dynamo.perform("DeleteItem", { TableName: TABLE_NAME, Key: { pk: { S: pk }, sk: { S: sk } } });
};

const isAudited = ({ dynamo }: World, ws: WorkspaceId): boolean => dynamo.get(auditProgressKey(ws)) !== undefined;

/** Unreadable items do not delay the other items of the sweeper's lists. */
export const unreadableItems: Scenario = {
  name: "unreadable-items",
  about: "each list that the sweeper reads begins with unreadable items, while SQS is down for two workspaces",
  setup: async (deps) => {
    const fixtures = [await buildOpsWorkspace(deps, "ws_acme"), await buildOpsWorkspace(deps, "ws_globex")];
    await breakHeartbeat(deps, "ws_acme");
    for (const shard of shards) {
      await addUnreadableItem(deps, { pk: `PENDING#${shard}` }, "evt_x");
      await addUnreadableItem(deps, { pk: `STEPS#${shard}` }, "evt_x#0#1");
    }
    for (const shard of shards.slice(0, 4)) await addUnreadableItem(deps, { pk: `HEARTBEATS#${shard}` }, "of#nobody");
    for (const { ws } of fixtures) await addUnreadableItem(deps, dueAuditKey(0, ws), "");
    return fixtures;
  },
  play: async ({ clients, world, fixtures }) => {
    world.outage.sqs = true;
    for (const [index, fixture] of fixtures.entries())
      await clients.post(fixture, { event: "order.failed", title: `order ${index}` }, { idempotencyKey: "one" });
    await world.kernel.sleep(MINUTE_MS / 4);
    world.outage.sqs = false;
    world.extendDisturbance(world.kernel.now());
    await world.kernel.sleep(5 * MINUTE_MS);
    clients.failures.push(
      ...checkItemsPostponed(world, "PENDING", shards.length),
      ...checkItemsPostponed(world, "STEPS", shards.length),
      ...checkItemsPostponed(world, "HEARTBEATS", 4),
    );
    world.seen.add("unreadable items were postponed");
    // The sweeper would never finish unreadable items, and a late write may restore a removed item.
    for (let times = 0; times < 2; times += 1) {
      for (const list of ["PENDING", "STEPS", "HEARTBEATS"]) removeItems(world, listUnreadableItems(world, list));
      await world.kernel.sleep(2 * MINUTE_MS);
    }
    const broken = world.dynamo.list("WS#ws_acme#HEARTBEATS").filter((item) => item["name"]?.N !== undefined);
    for (const item of broken) removeItems(world, [{ pk: "WS#ws_acme#HEARTBEATS", sk: item["sk"]?.S ?? "" }]);
    world.setAuditsOn();
    // Two faults may each hit an hourly audit.
    await world.kernel.sleep(3 * HOUR_MS);
    for (const { ws } of fixtures) if (!isAudited(world, ws)) clients.failures.push(`${ws} was not audited`);
    world.setAuditsOn(false);
  },
  expectNotified: () => [["all|alice"]],
  check: async ({ world, fixtures }) => {
    const found: string[] = [];
    for (const { ws } of fixtures) {
      const events = await world.outside((deps) => listEventsBetween(deps, ws, { from: 0, to: 1_000_000 }));
      const missed = events.filter(({ content }) => content.eventKey === "heartbeat.missed");
      const at = missed.map(({ receivedAt }) => receivedAt);
      if (missed.length !== 1) found.push(`${ws} was notified of ${missed.length} missed heartbeats`);
      else if (at[0]! > world.disturbedUntil() + 3 * MINUTE_MS) found.push(`${ws} was notified late of its heartbeat`);
    }
    return found;
  },
  faultyCalls: /^sweeper/,
  minutes: 4 * 60,
  expectsNoErrors: false,
};
