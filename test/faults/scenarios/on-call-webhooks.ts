import type { AuditEntry } from "../../../core/domain/workspace/audit.ts";
import { checkWorkspace } from "../../../core/flow/deliver/check-workspace.ts";
import { listOnCallTimelines } from "../../../core/store/schedules/on-call-timelines.ts";
import { listEntries } from "../../../core/store/configuration/audit-trail.ts";
import { listFirstMessages } from "../../../core/store/delivery/delivery-queues.ts";
import { createWebhook, listWebhooks } from "../../../core/store/delivery/webhooks.ts";
import type { ReceivedMessage } from "../engine/receivers.ts";
import { EARLY_MS, type Play, type Scenario } from "../scenario.ts";
import { buildShift, editNightSchedule, SHIFT_ENDS } from "../shift.ts";

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const WS = "ws_acme";
const ANY_TIME_MS = 9_999_999_999_999;
/** The time of a sweep and two faults, each of which causes a delay by a lease or a visibility timeout. */
const NOTIFIED_WITHIN_MS = 14 * MINUTE_MS;

const STEADY = "https://steady.example.com/hook";
const RECOVERING = "https://back.example.com/hook";
/** The URL of a webhook that is created while other webhooks already receive messages. */
const LATE = "https://late.example.com/hook";
const DOWN_MS = 20 * SECOND_MS;

/** Lists each message once, in the order in which the messages first came. */
const listMessagesOnce = ({ world }: Play, url: string, type: string): ReceivedMessage[] => {
  const all = world.receivers.received.filter((one) => one.url === url && one.type === type);
  if (new Set(all.map(({ id }) => id)).size < all.length)
    world.seen.add("a webhook received an on-call change or audit entry twice with one id");
  return all.filter(({ id }, index) => all.findIndex((one) => one.id === id) === index);
};

/** Checks that the audit trail was delivered entry by entry, beginning with the creation of the first webhook. */
const checkTrail = (url: string, notified: readonly ReceivedMessage[], entries: readonly string[]): string[] => {
  const ids = notified.map(({ id }) => id.slice("msg_".length));
  return ids.join() === entries.join() ? [] : [`${url} got the entries [${ids.join()}] instead of [${entries.join()}]`];
};

/** Checks that a later webhook got every entry since its own creation, and maybe some earlier entries. */
const checkLateTrail = (notified: readonly ReceivedMessage[], entries: readonly AuditEntry[], id: string): string[] => {
  const since = entries.findIndex(({ target }) => target.id === id);
  const wanted = entries.slice(since).map((entry) => entry.id);
  const ids = notified.map((one) => one.id.slice("msg_".length));
  return ids.slice(-wanted.length).join() === wanted.join()
    ? []
    : [`${LATE} got the entries [${ids.join()}] instead of [${wanted.join()}]`];
};

const joinIds = (people: unknown): string =>
  (people as { id: string }[]).map(({ id }) => id.slice("usr_acme".length)).join("+");

const listEditedPeople = (entries: readonly AuditEntry[], groupId: string): string[] =>
  entries
    .filter(({ target }) => target.kind === "schedule" && target.id === groupId)
    .map(({ after }) => {
      const layers = (after?.["layers"] ?? []) as { participants: string[] }[];
      return joinIds(layers.flatMap(({ participants }) => participants.map((id) => ({ id }))));
    });

/**
 * Checks that each change of who is on call was reported once. Of several edits between two checks, only the last is reported.
 */
const checkOnCallChanges = (
  url: string,
  notified: readonly ReceivedMessage[],
  { groupId, people, mayMiss }: { groupId: string; people: readonly string[]; mayMiss: boolean },
): string[] => {
  const of = notified.filter(({ data }) => data["groupId"] === groupId);
  const said = of.map(({ data }) => `${joinIds(data["before"])}>${joinIds(data["onCall"])}`);
  const [first, ...later] = people;
  const all = later.map((one, index) => `${people[index]}>${one}`);
  const short = later.length === 0 ? [] : [`${first}>${later.at(-1)}`];
  const found = [all, mayMiss ? short : all].some((right) => right.join() === said.join())
    ? []
    : [`${url} got [${said.join()}], but the people on call changed as [${all.join()}]`];
  if (of.some(({ sequence }, index) => sequence !== index + 1))
    found.push(`${url} got messages out of order: ${of.map(({ sequence }) => sequence).join()}`);
  return found;
};

export const onCallWebhooks: Scenario = {
  name: "on-call-webhooks",
  about: "webhooks get each change of who is on call, by handoffs and by edits, and each entry of the audit trail",
  setup: async (deps) => {
    const acme = await buildShift(deps, WS);
    const rest = { types: ["oncall.changed" as const, "audit.recorded" as const], eventKeys: null, paused: false };
    await createWebhook(deps, WS, { name: "steady", url: STEADY, ...rest });
    await createWebhook(deps, WS, { name: "back", url: RECOVERING, ...rest });
    // Only changes after the first check are reported.
    await checkWorkspace(deps, WS, () => true);
    return [acme];
  },
  play: async ({ clients, world, fixtures: [acme] }) => {
    const { users } = acme!;
    world.receivers.down.set(RECOVERING, { kind: "failed", code: "ECONNREFUSED" });
    world.kernel.at(world.kernel.now() + DOWN_MS, () => world.receivers.down.delete(RECOVERING));
    const editParticipants = (participants: string[]) => editNightSchedule({ clients }, acme!, participants);
    await editParticipants([users["bob"]!]);
    await world.kernel.sleep(70 * SECOND_MS);
    const types = ["audit.recorded"];
    await clients.call(acme!, "alice", "create-webhook", { body: { name: "late", url: LATE, types } });
    await clients.call(acme!, "bob", "create-group", { body: { name: "Day" } });
    await editParticipants([users["alice"]!]);
    await world.kernel.sleep(SHIFT_ENDS + MINUTE_MS - world.kernel.now());
  },
  expectNotified: () => undefined,
  check: async (play) => {
    const { world, fixtures } = play;
    const { groups } = fixtures[0]!;
    const { entries, left, untold, late } = await world.outside(async (deps) => {
      const webhooks = await listWebhooks(deps, WS);
      const waiting = await Promise.all(webhooks.map(({ id }) => listFirstMessages(deps, { ws: WS, id }, 1)));
      const timelines = await listOnCallTimelines(deps, WS);
      return {
        entries: (await listEntries(deps, WS, { from: 0, to: ANY_TIME_MS })).toReversed(),
        left: waiting.flat().length,
        untold: timelines.flatMap((timeline) => timeline.untold).length,
        late: webhooks.find(({ url }) => url === LATE),
      };
    });
    const since = entries.findIndex(({ target }) => target.kind === "webhook");
    const expected = entries.slice(since).map(({ id }) => id);
    const edits = listEditedPeople(entries, groups["night"]!);
    const found: string[] = [];
    if (left > 0) found.push("a message is still in the delivery queue");
    if (untold > 0) found.push("a change is still recorded as not delivered");
    if (late !== undefined)
      found.push(...checkLateTrail(listMessagesOnce(play, LATE, "audit.recorded"), entries, late.id));
    for (const url of [STEADY, RECOVERING]) {
      const trail = listMessagesOnce(play, url, "audit.recorded");
      const duty = listMessagesOnce(play, url, "oncall.changed");
      found.push(
        ...checkTrail(url, trail, expected),
        ...checkOnCallChanges(url, duty, { groupId: groups["ops"]!, people: ["alice", "bob"], mayMiss: false }),
        ...checkOnCallChanges(url, duty, { groupId: groups["night"]!, people: ["", ...edits], mayMiss: true }),
      );
      const shift = duty.find(({ data }) => data["groupId"] === groups["ops"]);
      if (shift !== undefined && SHIFT_ENDS - shift.at > EARLY_MS)
        found.push(`${url} got a message before the shift ended`);
      const last = Math.max(0, ...[...trail, ...duty].map(({ at }) => at));
      const caused = Math.max(world.disturbedUntil(), SHIFT_ENDS, entries.at(-1)?.at ?? 0);
      if (last > caused + NOTIFIED_WITHIN_MS)
        found.push(`${url} got its last message ${(last - caused) / SECOND_MS} s late`);
    }
    return found;
  },
};
