import * as v from "valibot";
import { HeartbeatInput, toHeartbeatView } from "../../../core/domain/heartbeat/heartbeat.ts";
import { listEvents } from "../../../core/flow/read/list-events.ts";
import { createHeartbeat, readHeartbeat, acceptCall, updateHeartbeat } from "../../../core/store/rules/heartbeats.ts";
import { useWorld } from "../../world/use-world.ts";
import type { World, WorldOptions } from "../../world/world.ts";

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;

export const backup = v.parse(HeartbeatInput, {
  name: "Backup",
  everySeconds: 300,
  graceSeconds: 60,
  priority: "CRITICAL",
});

/** A world with a heartbeat every five minutes plus one minute of grace, and Ann, who is notified. */
export const createHeartbeatWorld = async (options: WorldOptions = {}) => {
  const world = await useWorld(options);
  await world.rule([await world.group("Ops", ["usr_ann"])], { requiresAck: true });
  const { heartbeat, secret } = await createHeartbeat(world.deps, world.ws, backup);
  const { id } = heartbeat;
  return {
    ...world,
    id,
    secret,
    call: () => acceptCall(world.deps, secret),
    change: (patch: object) => updateHeartbeat(world.deps, world.ws, id, patch),
    view: async () => toHeartbeatView((await readHeartbeat(world.deps, world.ws, id))!, world.now()),
    events: () => listWorldEvents(world),
    checks: () => [...world.markers.keys()].filter((name) => name.startsWith("HEARTBEATS#")),
  };
};

const listWorldEvents = async (world: World) => {
  const { items } = await listEvents(world.deps, world.ws, { page: 1, limit: 50 });
  return items.toReversed();
};
export const listEventKeys = async (world: World) => (await listWorldEvents(world)).map(({ eventKey }) => eventKey);
