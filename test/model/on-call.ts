import { listOverrides } from "../../core/store/schedules/on-call.ts";
import type { OnCallSchedule } from "../../core/domain/on-call/index.ts";
import type { LayerWish } from "./history.ts";
import {
  addEra,
  pickValue,
  expectStatus,
  idOf,
  currentValue,
  memberAt,
  listUnknown,
  withGroup,
  type Handlers,
} from "./play.ts";
import { onCallAt, type Group } from "./specification.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

type Layer = OnCallSchedule["layers"][number];

/** Gives each turn of a person who leaves to the next remaining person in the list. */
const removeTurns = (layer: Layer, userId: string): Layer => {
  const { participants } = layer;
  const findNext = (index: number) =>
    [...participants.slice(index), ...participants].find((turn) => turn !== userId) ?? userId;
  const left = participants.map((turn, index) => (turn === userId ? findNext(index) : turn));
  return { ...layer, participants: left.filter((turn) => turn !== userId) };
};

/**
 * Returns the group's three successive states while a person leaves: the person is not a member; the person's overrides are
 * deleted; the person's turns are given to others.
 */
export const listStatesWhileLeaving = (group: Group, userId: string): Group[] => {
  const memberIds = group.memberIds.filter((member) => member !== userId);
  const overrides = group.overrides?.filter((override) => override.userId !== userId) ?? [];
  const { schedule } = group;
  const out = { ...group, memberIds };
  if (schedule === undefined) return [out, { ...out, overrides }, { ...out, overrides }];
  const without = { ...schedule, layers: schedule.layers.map((layer) => removeTurns(layer, userId)) };
  return [out, { ...out, overrides }, { ...out, overrides, schedule: without }];
};

/** Creates a rotation. `minute`: differs for each schedule, because with an equal start the service continues the old turns. */
const createLayer = ({ unit, every, turns, week, hoursAgo }: LayerWish, now: number, minute: number): Layer => ({
  start: new Date(Math.floor(now / HOUR_MS - hoursAgo) * HOUR_MS + minute * MINUTE_MS).toISOString(),
  every,
  unit,
  participants: turns.map(idOf),
  ...(week === null ? {} : { restrictions: [{ ...week, days: [...week.days] }] }),
});

export const onCall = {
  putSchedule: async (play, { ws, by, pick, timeZone, layers }) => {
    const model = play.model[ws];
    const { groups, members } = currentValue(model.people);
    const group = pickValue(groups, pick);
    if (group === undefined) return undefined;
    model.schedules += 1;
    const now = play.world.kernel.now();
    const schedule = { timeZone, layers: layers.map((layer) => createLayer(layer, now, model.schedules)) };
    const answer = await play.call(ws, memberAt(model, by), "put-on-call", {
      path: { groupId: group.id },
      body: schedule,
    });
    const areMembers = layers.every(({ turns }) => turns.every((who) => members.includes(idOf(who))));
    expectStatus(play, `put the schedule of ${group.id}`, answer, areMembers ? [200] : [422]);
    if (areMembers) addEra(model.people, answer, withGroup(currentValue(model.people), { ...group, schedule }));
    return `put the schedule of ${group.id}: ${answer.status} ${JSON.stringify(schedule)}`;
  },
  createOverride: async (play, { ws, by, pick, who, beginsMinutes, lastsMinutes }) => {
    const model = play.model[ws];
    const { groups, members } = currentValue(model.people);
    const group = pickValue(groups, pick);
    if (group === undefined) return undefined;
    const start = Math.floor(play.world.kernel.now() / MINUTE_MS + beginsMinutes) * MINUTE_MS;
    const userId = idOf(who);
    const body = {
      userId,
      start: new Date(start).toISOString(),
      end: new Date(start + lastsMinutes * MINUTE_MS).toISOString(),
    };
    const path = { groupId: group.id };
    const answer = await play.call<{ id: string }>(ws, memberAt(model, by), "create-override", { path, body });
    const isMember = members.includes(userId);
    if (!expectStatus(play, `override in ${group.id}`, answer, isMember ? [201] : [422]) || !isMember)
      return `override for ${who}: ${answer.status}`;
    // A person who is put on call joins the group first.
    const memberIds = [...new Set([...group.memberIds, userId])];
    const joined = { ...group, memberIds };
    addEra(model.people, answer, withGroup(currentValue(model.people), joined));
    const known = group.overrides ?? [];
    const made =
      answer.tries > 1
        ? listUnknown(await listOverrides(play.world.faultlessDeps, ws, group.id), known)
        : [answer.body];
    for (const [index] of made.entries()) {
      const overrides = [...known, ...made.slice(0, index + 1).map(({ id }) => ({ id, ...body }))];
      addEra(model.people, answer, withGroup(currentValue(model.people), { ...joined, overrides }));
    }
    return `override in ${group.id}: ${JSON.stringify(body)}`;
  },
  deleteOverride: async (play, { ws, by, pick }) => {
    const model = play.model[ws];
    const all = currentValue(model.people).groups.flatMap((group) =>
      (group.overrides ?? []).map((one) => ({ group, one })),
    );
    const chosen = pickValue(all, pick);
    if (chosen === undefined) return undefined;
    const { group, one } = chosen;
    const path = { groupId: group.id, overrideId: one.id };
    const answer = await play.call(ws, memberAt(model, by), "delete-override", { path });
    expectStatus(play, `delete override ${one.id}`, answer, answer.tries > 1 ? [204, 404] : [204]);
    const overrides = group.overrides?.filter(({ id }) => id !== one.id) ?? [];
    addEra(model.people, answer, withGroup(currentValue(model.people), { ...group, overrides }));
    return `delete override ${one.id} of ${group.id}`;
  },
  lookWhoIsOnCall: async (play, { ws, by, pick }) => {
    const model = play.model[ws];
    const { groups, members, reached } = currentValue(model.people);
    const group = pickValue(groups, pick);
    if (group === undefined) return undefined;
    const now = play.world.kernel.now();
    const answer = await play.call<{ onCall: { userId: string }[] }>(ws, memberAt(model, by), "get-on-call-now", {
      path: { groupId: group.id },
      query: { at: new Date(now).toISOString() },
    });
    if (!expectStatus(play, `look who is on call in ${group.id}`, answer, [200])) return "look who is on call";
    const found = answer.body.onCall.map(({ userId }) => userId).toSorted();
    const right = onCallAt(group, now, reached).filter((userId) => members.includes(userId));
    if (found.join() !== right.join())
      play.violations.push(`in ${group.id} are on call [${found.join(" ")}] instead of [${right.join(" ")}]`);
    return `look who is on call in ${group.id}: ${found.join(" ")}`;
  },
} satisfies Partial<Handlers>;
