import { noticeRule } from "../../../core/domain/event/notice.ts";
import { readProbes } from "../../../core/flow/read/list-probes.ts";
import { listEventsBetween } from "../../../core/store/events/events.ts";
import { updateRule } from "../../../core/store/rules/rules.ts";
import { setProbeConfirmed, setProbesDue } from "../../../core/store/schedules/probes.ts";
import { putDueCheck } from "../../../core/store/schedules/reachability-checks.ts";
import { START } from "../engine/world.ts";
import { buildWorkspace } from "../fixtures.ts";
import type { Play, Scenario } from "../scenario.ts";

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;
const WATCH_UNTIL = START + 10 * MINUTE_MS;
/** The notice about red rules comes an hour after the probes. */
const NOTICE_DUE = START + 61 * MINUTE_MS;
const END = NOTICE_DUE + 15 * MINUTE_MS;
/** A failure shows within two sweeps, and a fault delays it by a sweep or a message's visibility timeout. */
const DELAY_MAX_MS = 7 * MINUTE_MS;

/** The statuses that probes had, each with the time at which it was first seen, and their last statuses. */
type Seen = { statuses: Map<string, { at: number; confirmed: boolean }>; last: Map<string, string> };
const seen = new WeakMap<Play["world"], Seen>();

export const probe: Scenario = {
  name: "probe",
  about: "two rules are probed: one turns green when its phone confirms, the other red, and the owners get one notice",
  minutes: 24 * 60,
  setup: async (deps) => {
    const probe = { everyHours: 24 };
    // The rules were created before their last probe time, so they are due at the start.
    const earlier = { ...deps, now: () => START - 2 * DAY_MS };
    const acme = await buildWorkspace(earlier, {
      people: { alice: ["signing-alice"], bob: ["signing-bob"] },
      groups: { ops: ["alice"], web: ["bob"] },
      rules: {
        orders: { eventKey: "order.*", groups: ["ops"], probe },
        mute: { eventKey: "page.*", groups: ["web"], probe },
      },
    });
    await putDueCheck(earlier, { ws: acme.ws, due: START });
    await setProbesDue(earlier, acme.ws, START);
    return [acme];
  },
  play: async ({ world, fixtures }) => {
    const { ws, users, rules } = fixtures[0]!;
    const { statuses, last }: Seen = { statuses: new Map(), last: new Map() };
    seen.set(world, { statuses, last });
    let confirmed = false;
    while (world.kernel.now() < WATCH_UNTIL) {
      await world.kernel.sleep(10 * SECOND_MS);
      const taken = world.fcm.otherPushes.find(
        ({ token, notificationId, acceptedAt }) =>
          token === "signing-alice" && notificationId.startsWith("prb_") && acceptedAt !== undefined,
      );
      if (taken !== undefined && !confirmed) {
        confirmed = true;
        const push = { userId: users["alice"] ?? "", id: taken.notificationId };
        await world.outside((deps) => setProbeConfirmed(deps, ws, push));
      }
      for (const { name, status } of await world.outside((deps) => readProbes(deps, ws)))
        if (!statuses.has(`${name} ${status}`))
          statuses.set(`${name} ${status}`, { at: world.kernel.now(), confirmed });
    }
    await world.kernel.sleep(END - world.kernel.now());
    await world.outside(async (deps) => {
      for (const { name, status } of await readProbes(deps, ws)) last.set(name, status);
      // Without this change, the sweeper would probe for ever.
      for (const id of Object.values(rules)) await updateRule(deps, ws, id, { probe: null });
    });
  },
  expectNotified: ({ eventKey }) =>
    eventKey === "service.probe" ? [[`${noticeRule.name}|alice`, `${noticeRule.name}|bob`]] : [[]],
  check: async ({ world, fixtures }) => {
    const { ws } = fixtures[0]!;
    const { statuses, last } = seen.get(world)!;
    const found: string[] = [];
    if (statuses.has("mute green")) found.push("a rule is green, although its phone confirmed nothing");
    if (statuses.get("orders green")?.confirmed === false) found.push("a rule was green before its phone confirmed");
    const latestTimeFor = (at: number) => Math.max(at, world.disturbedUntil()) + DELAY_MAX_MS;
    const late = latestTimeFor(START);
    if (last.get("mute") !== "red") found.push(`the rule of a silent phone is ${last.get("mute")}`);
    if (last.get("orders") === "pending") found.push("a rule is still pending");
    const red = statuses.get("mute red")?.at;
    if (late < WATCH_UNTIL && (red === undefined || red > late))
      found.push("the rule of a silent phone turned red late");
    const events = await world.outside((deps) => listEventsBetween(deps, ws, { from: 0, to: 1_000_000 }));
    const notices = events.filter(({ content }) => content.eventKey === "service.probe");
    if (notices.length !== 1) found.push(`the owners got ${notices.length} notices`);
    if (notices.some(({ receivedAt }) => receivedAt > latestTimeFor(NOTICE_DUE)))
      found.push("the owners got their notice late");
    return found;
  },
  faultyCalls: /^(?:sweeper|wake sweeper|sender|wake sender|matcher|wake matcher)/,
  expectsNoErrors: false,
};
