import type { EscalationPolicyInput } from "../../../core/domain/escalation/escalation-policy.ts";
import { readEventView } from "../../../core/flow/read/read-event.ts";
import { listOpenEvents } from "../../../core/store/events/open-events.ts";
import { useWorld } from "../../world/use-world.ts";
import { stepTo, type World, type WorldOptions } from "../../world/world.ts";

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const bob = { id: "usr_bob", name: "Bob" };

/** Ann is notified at first, Bob after 10 minutes, and Cleo after 20 minutes. An acknowledgement ends after 30 minutes. */
export const setUp = async (options: WorldOptions = {}, fields: Partial<EscalationPolicyInput> = {}) => {
  const world = await useWorld(options);
  const ops = await world.group("Ops", ["usr_ann"]);
  for (const name of ["usr_bob", "usr_cleo"]) await world.group(name, [name]);
  const escalationPolicyId = await world.policy([stepTo("usr_bob", 10), stepTo("usr_cleo", 10)], {
    ackMinutes: 30,
    ...fields,
  });
  await world.rule([ops], { requiresAck: true, escalationPolicyId });
  return world;
};

/** Posts an event, and acknowledges the newest notification after some minutes. */
export const postAndAcknowledge = async (world: World, minutes: number) => {
  const { eventId } = await world.post();
  await world.runUntil(world.start + minutes * MINUTE);
  await world.acknowledgeNewest();
  return eventId;
};

const toMinute = (world: World, at: number) => Math.round(((at - world.start) / MINUTE) * 10) / 10;
/** Lists the pushes, except those that replace an earlier push, each with minute, recipient and title. */
export const listPushes = (world: World) =>
  world.pushed.map(
    ({ at, userId, message }) => `${toMinute(world, at)} ${userId} ${message.notification?.title ?? ""}`,
  );
export const readView = async ({ deps, ws }: World, eventId: string) => (await readEventView(deps, ws, eventId))!;
export const listOpenIds = async ({ deps, ws }: World) =>
  (await listOpenEvents(deps, ws, { limit: "all" })).map(({ eventId }) => eventId);
