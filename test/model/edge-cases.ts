import type { HttpFunction } from "../faults/engine/functions.ts";
import { START } from "../faults/engine/world.ts";
import { people, type Move } from "./history.ts";
import {
  pickValue,
  DEDUPE_MS,
  expectStatus,
  idOf,
  currentValue,
  memberAt,
  type Handlers,
  type WorkspaceModel,
} from "./play.ts";
import { lifecycle } from "./lifecycle.ts";
import { post } from "./post.ts";
import { silences } from "./silences.ts";

/** Histories end by this time. The 45 days contain two ends of months. */
const TIME_MAX = START + 45 * 24 * 3_600_000;

/** After this time, a snooze of five minutes has ended. */
const SNOOZED_MS = 7 * 60_000;

/** After this time, a silence of a minute has ended. */
const SILENCED_MS = 4 * 60_000;

/** After this time, an event's rules have been evaluated, if nothing fails. */
const MATCHED_MS = 10_000;

const createPostToAcknowledge = (move: Move<"silenceTwice" | "snoozeTwice">): Move<"post"> => ({
  ...move,
  do: "post",
  requiresAck: true,
  dedupeKey: null,
  resolves: null,
  idempotencyKey: null,
});

/** The time in which an alert certainly opens three times. */
const FLAPS_MS = 2 * 3_600_000;

/** Lists requests in the person's own workspace for objects of another workspace, each with the status of its answer. */
const listForeignRequests = (
  other: WorkspaceModel,
): readonly { name: HttpFunction; path?: Record<string, string>; body?: unknown; status: number }[] => {
  const now = currentValue(other.people);
  const groupId = now.groups.at(-1)?.id ?? "grp_none";
  const ruleId = currentValue(other.rules).at(-1)?.id ?? "rule_none";
  const policyId = now.policies.at(-1)?.id ?? "pol_none";
  const notificationId = [...other.reports.keys()].at(-1) ?? "ntf_none";
  const heartbeatId = other.heartbeats.at(-1)?.id ?? "hb_none";
  const targets = [{ type: "group", groupId }];
  return [
    { name: "get-event", path: { eventId: other.events.at(-1)?.id ?? "evt_none" }, status: 404 },
    { name: "delete-group", path: { groupId }, status: 404 },
    { name: "update-routing-rule", path: { ruleId }, body: { enabled: false }, status: 404 },
    { name: "delete-routing-rule", path: { ruleId }, status: 404 },
    { name: "create-routing-rule", body: { name: "x", eventKey: "*", targets }, status: 422 },
    { name: "delete-escalation-policy", path: { policyId }, status: 404 },
    { name: "create-escalation-policy", body: { name: "x", steps: [{ delayMinutes: 1, targets }] }, status: 422 },
    { name: "update-heartbeat", path: { heartbeatId }, body: { paused: true }, status: 404 },
    { name: "delete-heartbeat", path: { heartbeatId }, status: 404 },
    { name: "delete-api-key", path: { id: other.keys.at(-1)?.id ?? "key_none" }, status: 404 },
    { name: "update-notification", path: { notificationId }, body: { status: "ACKNOWLEDGED" }, status: 404 },
    { name: "list-group-members", path: { groupId }, status: 404 },
    { name: "list-events", status: 200 },
    { name: "list-notifications", status: 200 },
  ];
};

const isOwn = (model: WorkspaceModel, request: { path?: Record<string, string>; body?: unknown }): boolean => {
  const now = currentValue(model.people);
  const text = JSON.stringify([request.path, request.body]);
  const own = [
    ...now.groups,
    ...now.policies,
    ...currentValue(model.rules),
    ...model.keys,
    ...model.heartbeats,
    ...model.events,
  ].map(({ id }) => id);
  return [...own, ...model.reports.keys()].some((id) => text.includes(`"${id}"`));
};

export const edgeCases = {
  trespass: async (play, { ws, by, pick, asStranger }) => {
    const model = play.model[ws];
    const other = play.model[ws === "ws_acme" ? "ws_globex" : "ws_acme"];
    const { name, status, ...request } = pickValue(listForeignRequests(other), pick)!;
    const stranger = people.map(idOf).find((userId) => !currentValue(model.people).members.includes(userId));
    const as = asStranger ? stranger : memberAt(model, by);
    if (as === undefined || (!asStranger && (status === 200 || isOwn(model, request)))) return undefined;
    const answer = await play.call<{ workspaceId?: string }>(ws, as, name, request);
    // The person's own workspace may have a notice with the same id as the other workspace's event.
    const isOwnNotice = !asStranger && name === "get-event" && answer.body.workspaceId === ws;
    expectStatus(play, `P5: ${name} by ${as}`, answer, [asStranger ? 403 : isOwnNotice ? 200 : status]);
    return `${asStranger ? "stranger" : "member"} tries ${name} ${Object.values(request.path ?? {}).join()}: ${answer.status}`;
  },
  tick: async ({ world }, { seconds }) => {
    if (world.kernel.now() + seconds * 1000 > TIME_MAX) return undefined;
    await world.kernel.sleep(seconds * 1000);
    return `${seconds} seconds pass`;
  },
  repeatAtWindow: async (play, move) => {
    const { world, model } = play;
    const { offsetMs } = move;
    const [open] = [...model[move.ws].claims].filter(([, { to }]) => to + DEDUPE_MS > world.kernel.now());
    if (open === undefined) return undefined;
    const [dedupeKey, claim] = open;
    const edge = (offsetMs > 0 ? claim.to : claim.from) + DEDUPE_MS + offsetMs;
    if (edge <= world.kernel.now()) return undefined;
    await world.kernel.sleep(edge - world.kernel.now());
    const notified = await post(play, { ...move, do: "post", dedupeKey, resolves: null, idempotencyKey: null });
    return `${offsetMs} ms after the end of the window of ${claim.eventId}: ${notified}`;
  },
  flap: async (play, move) => {
    const { world } = play;
    if (world.kernel.now() + FLAPS_MS > TIME_MAX) return undefined;
    const notified: string[] = [];
    for (const [dedupeKey, resolves] of [
      ["d1", null],
      [null, null],
      [null, "d1"],
      ["d1", null],
      [null, null],
      [null, "d1"],
      ["d1", null],
    ] as const) {
      notified.push((await post(play, { ...move, do: "post", dedupeKey, resolves, idempotencyKey: null })) ?? "");
      await world.kernel.sleep(move.seconds * 1000);
    }
    return notified.join("; ");
  },
  silenceTwice: async (play, move) => {
    const { world } = play;
    if (world.kernel.now() + 2 * SILENCED_MS > TIME_MAX) return undefined;
    const addSilence = (lasts: number) =>
      silences.createSilence(play, {
        ...move,
        do: "createSilence",
        silence: { pattern: move.event, above: null, includeUrgent: true, weekly: null, begins: null, lasts },
      });
    const notified = [await addSilence(60), await post(play, createPostToAcknowledge(move)), await addSilence(600)];
    await world.kernel.sleep(SILENCED_MS);
    return notified.join("; ");
  },
  snoozeTwice: async (play, move) => {
    const { world } = play;
    if (world.kernel.now() + 2 * SNOOZED_MS > TIME_MAX) return undefined;
    const notified = [await post(play, createPostToAcknowledge(move))];
    const pick = play.model[move.ws].events.length - 1;
    for (let round = 0; round < 2; round += 1) {
      await world.kernel.sleep(MATCHED_MS);
      notified.push(await lifecycle.snooze(play, { ...move, do: "snooze", pick, minutes: 5 }));
      await world.kernel.sleep(SNOOZED_MS);
    }
    return notified.join("; ");
  },
  postAtMonthEnd: async (play, move) => {
    const { world } = play;
    const { offsetMs } = move;
    const now = new Date(world.kernel.now());
    const at = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1) + offsetMs;
    if (at > TIME_MAX) return undefined;
    await world.kernel.sleep(at - world.kernel.now());
    const notified = await post(play, { ...move, do: "post", dedupeKey: null, resolves: null, idempotencyKey: null });
    return `${offsetMs} ms after the end of the month: ${notified}`;
  },
  redeliver: async (play, { queue: name, pick }) => {
    const queue = play.world.queues[name];
    const message = pickValue(play.world.sent[name].slice(-6).reverse(), pick);
    if (message === undefined) return undefined;
    queue.add(message);
    play.isDisturbed = true;
    return `a message of ${name} comes again`;
  },
  fault: async ({ world }, { mode, after }) => {
    world.calls.waitingFaults.push({ mode, after });
    return `fault ${mode} after ${after} calls`;
  },
  outage: async (play, { service, seconds }) => {
    const { world } = play;
    const end = world.kernel.now() + seconds * 1000;
    world.outage[service] = true;
    world.extendDisturbance(end);
    play.isDisturbed = true;
    world.kernel.at(end, () => {
      world.outage[service] = false;
    });
    return `${service} is down for ${seconds} seconds`;
  },
} satisfies Partial<Handlers>;
