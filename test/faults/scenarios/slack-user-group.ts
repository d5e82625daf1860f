import type { WorkspaceId } from "../../../core/domain/basics/ids.ts";
import { createConnection, listConnections } from "../../../core/store/delivery/connections.ts";
import { loadPeople } from "../../../core/store/people/people.ts";
import { storeSlackAccount } from "../../../core/store/delivery/slack.ts";
import { listFirstMessages, readQueue } from "../../../core/store/delivery/delivery-queues.ts";
import type { Scenario } from "../scenario.ts";
import { buildShift, editNightSchedule, SHIFT_ENDS } from "../shift.ts";

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const WS: WorkspaceId = "ws_acme";
const USER_GROUP = "S0123456789";
const slackIdOf = (userId: string): string => `U0${userId.slice("usr_".length).toUpperCase()}`;
/** Enough for one sweep and two faults. A fault costs a lease, a pause of the queue or a visibility timeout. */
const UPDATED_WITHIN_MS = 14 * MINUTE_MS;

export const slackUserGroup: Scenario = {
  name: "slack-user-group",
  about: "a Slack user group follows the people on call in two groups, through a handoff and an edit",
  setup: async (deps) => {
    const acme = await buildShift(deps, WS);
    const [alice = "", bob = ""] = [acme.users["alice"], acme.users["bob"]];
    for (const userId of [alice, bob])
      await storeSlackAccount(deps, { workspaceId: WS, team: "T0TEST", user: slackIdOf(userId), name: userId }, userId);
    const groupIds = Object.values(acme.groups);
    const rest = { userGroup: USER_GROUP, ruleIds: null, groupIds, paused: false };
    await createConnection(deps, WS, { name: "on call", kind: "slack_user_group", ...rest });
    return [acme];
  },
  play: async ({ clients, world, fixtures: [acme] }) => {
    const editParticipants = (participants: string[]) => editNightSchedule({ clients }, acme!, participants);
    await editParticipants([acme!.users["bob"]!]);
    await world.kernel.sleep(70 * SECOND_MS);
    await editParticipants([]);
    await world.kernel.sleep(SHIFT_ENDS + MINUTE_MS - world.kernel.now());
  },
  expectNotified: () => undefined,
  check: async ({ world }) => {
    const { wanted, left, followed } = await world.outside(async (deps) => {
      const [connection] = await listConnections(deps, WS);
      const ref = { ws: WS, id: connection?.id ?? "" };
      const people = await loadPeople(deps, WS);
      const onCall = (connection?.groupIds ?? []).flatMap((id) =>
        people
          .duty(id)
          .at(deps.now())
          .people.map(({ userId }) => userId),
      );
      return {
        wanted: [...new Set(onCall)].map(slackIdOf).sort().join(),
        left: (await listFirstMessages(deps, ref, 1)).length,
        followed: (await readQueue(deps, ref)).followed,
      };
    });
    const found: string[] = [];
    const has = world.slack.userGroups.get(USER_GROUP)?.join() ?? "";
    if (has !== wanted) found.push(`the user group has [${has}] instead of [${wanted}], who are on call`);
    if (followed?.users.join() !== wanted)
      found.push(`the service recorded that the user group has [${followed?.users.join()}]`);
    if (left > 0) found.push("a message is still in the delivery queue");
    const late = (followed?.at ?? 0) - Math.max(world.disturbedUntil(), SHIFT_ENDS);
    if (late > UPDATED_WITHIN_MS) found.push(`P4: the user group was updated ${late / SECOND_MS} s late`);
    return found;
  },
};
