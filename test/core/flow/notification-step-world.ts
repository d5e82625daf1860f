import type { NotificationRulesInput } from "../../../core/domain/people/notification-rules.ts";
import { setCode, setVerified, saveDevice } from "../../../core/store/people/devices.ts";
import { putNotificationRules } from "../../../core/store/people/notification-rules.ts";
import { useWorld } from "../../world/use-world.ts";
import type { World, WorldOptions } from "../../world/world.ts";

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

/** Adds a verified email address for a person. */
export const addEmail = async ({ deps, ws }: World, userId: string): Promise<void> => {
  const { device } = await saveDevice(deps, ws, userId, { email: `${userId}-m@acme.example` }, async () => true);
  await setCode(deps, ws, userId, device.id, { hash: "h", sentAt: deps.now(), tries: 0 });
  await setVerified(deps, ws, userId, device.id, { hash: "h", sentAt: deps.now(), tries: 0 });
};

type Steps = Partial<Record<"LOW" | "NORMAL" | "HIGH" | "URGENT", readonly [number, ...string[]][]>>;
export const everyPriority = (steps: readonly [number, ...string[]][]): Steps => ({
  LOW: steps,
  NORMAL: steps,
  HIGH: steps,
  URGENT: steps,
});

export const createRules = (
  steps: Steps,
  quietHours: NotificationRulesInput["quietHours"] = null,
): NotificationRulesInput => {
  const stepsOf = (priority: keyof Steps) =>
    (steps[priority] ?? []).map(([afterMinutes, ...ways]) => ({ afterMinutes, ways: ways as "push"[] }));
  return {
    rungs: { LOW: stepsOf("LOW"), NORMAL: stepsOf("NORMAL"), HIGH: stepsOf("HIGH"), URGENT: stepsOf("URGENT") },
    quietHours,
  };
};

/** Ann has a phone and a verified address; Bob has a phone. A rule notifies Ann and Bob, and requires an acknowledgement. */
export const setUp = async (
  rules: NotificationRulesInput,
  fields: object = {},
  options: WorldOptions = {},
): Promise<World> => {
  const world = await useWorld(options);
  const group = await world.group("Ops", ["usr_ann", "usr_bob"]);
  await addEmail(world, "usr_ann");
  await world.rule([group], { requiresAck: true, ...fields });
  await putNotificationRules(world.deps, world.ws, "usr_ann", rules);
  return world;
};

/** Lists the messages, each with the seconds since the start, the recipient and the channel. */
export const listMessages = ({ pushed, start }: World) =>
  pushed.map(({ at, userId, token }) => {
    const isMail = token.startsWith("mail ");
    return `${Math.floor((at - start) / SECOND)} ${isMail ? userId.slice("mail ".length) : userId} ${isMail ? "email" : "push"}`;
  });
