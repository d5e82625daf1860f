import * as v from "valibot";
import { toIso } from "../../../core/domain/basics/time.ts";
import { noticeRule } from "../../../core/domain/event/notice.ts";
import type { ReachabilityCheck } from "../../../core/domain/shifts/reachability-check.ts";
import { OnCallSchedule } from "../../../core/domain/on-call/index.ts";
import { storePushConfirmed } from "../../../core/store/people/device-states.ts";
import { listDevices } from "../../../core/store/people/devices.ts";
import { listEventsBetween } from "../../../core/store/events/events.ts";
import { putSchedule } from "../../../core/store/schedules/on-call.ts";
import { listReachabilityChecks } from "../../../core/store/schedules/reachability-checks.ts";
import { updateWorkspace } from "../../../core/store/people/workspaces.ts";
import { START } from "../engine/world.ts";
import { buildWorkspace } from "../fixtures.ts";
import type { Play, Scenario } from "../scenario.ts";

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const MINUTES_BEFORE = 10;
const SHIFTS = START + 15 * MINUTE_MS;
const END = SHIFTS + 6 * MINUTE_MS;
/** Others are notified at this time, when each of the two pushes has waited a third of the time before the shift. */
const NOTICE_DUE = SHIFTS - (MINUTES_BEFORE * MINUTE_MS) / 3;
/** A fault delays a check by one or two sweeps, or by a message's visibility timeout. */
const DELAY_MAX_MS = 5 * MINUTE_MS;

/** The checks at the end of the run, before the workspace turns checks off, which removes them. */
const ended = new WeakMap<Play["world"], ReachabilityCheck[]>();

const listAcceptedTimes = ({ world }: Play, token: string): number[] =>
  world.fcm.otherPushes.flatMap((call) =>
    call.token === token && call.notificationId.startsWith("tst_") && call.acceptedAt !== undefined
      ? [call.acceptedAt]
      : [],
  );

export const reachabilityCheck: Scenario = {
  name: "reachability-check",
  about: "two shifts are checked in advance: one phone confirms; for the other, the person on call before is notified",
  setup: async (deps) => {
    const acme = await buildWorkspace(deps, {
      people: { alice: ["alice-phone"], bob: ["signing-bob"], carol: ["signing-carol"] },
      groups: { ops: ["alice", "bob"], web: ["alice", "carol"] },
      rules: { orders: { eventKey: "order.*" } },
    });
    for (const [group, next] of [
      ["ops", "bob"],
      ["web", "carol"],
    ] as const) {
      const participants = [acme.users["alice"], acme.users[next]];
      const layer = {
        start: toIso(SHIFTS - 24 * 60 * MINUTE_MS).slice(0, 16),
        every: 1,
        unit: "day",
        participants,
      };
      const schedule = v.parse(OnCallSchedule, { timeZone: "UTC", layers: [layer] });
      await putSchedule(deps, acme.ws, acme.groups[group] ?? "", () => schedule);
    }
    await updateWorkspace(deps, acme.ws, { proveShifts: { minutesBefore: MINUTES_BEFORE } });
    return [acme];
  },
  play: async (play) => {
    const { world } = play;
    const { ws, users } = play.fixtures[0]!;
    const carol = users["carol"] ?? "";
    let confirmed = 0;
    while (world.kernel.now() < END) {
      await world.kernel.sleep(SECOND_MS);
      if (listAcceptedTimes(play, "signing-carol").length === confirmed) continue;
      confirmed += 1;
      await world.outside(async (deps) => {
        const [device] = await listDevices(deps, ws, carol);
        await storePushConfirmed(deps, ws, carol, device!.id);
      });
    }
    ended.set(world, await world.outside((deps) => listReachabilityChecks(deps, ws)));
    // Without this change, the sweeper would check for ever.
    await world.outside((deps) => updateWorkspace(deps, ws, { proveShifts: null }));
  },
  expectNotified: ({ eventKey, title }, [acme]) => {
    if (eventKey !== "service.shift") return [[]];
    const others = Object.keys(acme?.users ?? {}).filter((name) => !title.startsWith(name));
    return [others.map((name) => `${noticeRule.name}|${name}`)];
  },
  check: async (play) => {
    const { world } = play;
    const { ws, users } = play.fixtures[0]!;
    const found: string[] = [];
    const events = await world.outside((deps) => listEventsBetween(deps, ws, { from: 0, to: 1_000_000 }));
    const checks = ended.get(world) ?? [];
    if ((await world.outside((deps) => listReachabilityChecks(deps, ws))).length > 0)
      found.push("a reachability check was not removed");
    const listEventsAbout = (name: string) => events.filter(({ content }) => content.title.startsWith(name));
    const checkOf = (name: string) => checks.find(({ userId }) => userId === users[name]);
    const late = Math.max(NOTICE_DUE, world.disturbedUntil()) + DELAY_MAX_MS;
    const [notice, ...more] = listEventsAbout("bob");
    if (notice === undefined || more.length > 0)
      found.push(`people were notified ${listEventsAbout("bob").length} times that bob did not confirm`);
    if (notice !== undefined && notice.receivedAt > late)
      found.push("people were notified late that bob did not confirm");
    if (checkOf("bob")?.toldAt === undefined || checkOf("bob")?.provenAt !== undefined)
      found.push(`bob's reachability check is ${JSON.stringify(checkOf("bob"))}`);
    // A push that arrives late is confirmed late.
    const [first = Infinity] = listAcceptedTimes(play, "signing-carol");
    const inTime = listEventsAbout("carol").every(({ receivedAt }) => first > receivedAt - MINUTE_MS - SECOND_MS);
    if (!inTime) found.push("people were notified about carol, whose phone had confirmed");
    if (listEventsAbout("carol").length > 1) found.push("people were notified twice about carol");
    if (first < END - DELAY_MAX_MS && checkOf("carol")?.provenAt === undefined)
      found.push(`carol's reachability check is ${JSON.stringify(checkOf("carol"))}`);
    if (listAcceptedTimes(play, "signing-bob").length === 0) found.push("bob's phone got no reachability check");
    const carols = checkOf("carol");
    if (carols?.asked === 2 && carols.provenAt !== undefined)
      world.seen.add("a second push confirmed a reachability check");
    return found;
  },
  faultyCalls: /^(?:sweeper|wake sweeper|sender|wake sender)/,
  expectsNoErrors: false,
};
