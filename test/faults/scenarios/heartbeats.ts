import * as v from "valibot";
import { HeartbeatInput, isMissed } from "../../../core/domain/heartbeat/heartbeat.ts";
import { listEventsBetween } from "../../../core/store/events/events.ts";
import { createHeartbeat, listHeartbeats, updateHeartbeat } from "../../../core/store/rules/heartbeats.ts";
import { buildWorkspace } from "../fixtures.ts";
import type { Play, Scenario } from "../scenario.ts";

const MINUTE_MS = 60_000;
const ATTEMPTS_MAX = 200;
const RETRY_MS = 1500;

/**
 * The minutes in which each heartbeat is called. Each heartbeat expects a call every five minutes, and `steady` every fifteen.
 */
const calls: Readonly<Record<string, readonly number[]>> = {
  // The heartbeat is missed at minute 5, called at 7, and missed again at 15.
  backup: [7, 10],
  steady: [1, 7, 14],
  // The call at minute 5 comes at the time of a sweep.
  edge: [5, 7, 10, 14],
};
const END_MINUTE = 18;
/** A fault delays a notice by one or two sweeps, and two faults may follow each other. */
const NOTIFIED_WITHIN_MS = 5 * MINUTE_MS;

const callHeartbeat = async ({ world, clients }: Play, name: string, secret: string): Promise<void> => {
  for (let tries = 1; ; tries += 1) {
    const { status } = await world.http("take-call", { path: { heartbeat: secret } });
    if (status === 200) return;
    if (tries === ATTEMPTS_MAX) return void clients.failures.push(`the call of ${name} was answered ${status}`);
    await world.kernel.sleep(RETRY_MS);
  }
};

/** A miss and its end are each reported once; a call in time notifies nobody. */
export const heartbeats: Scenario = {
  name: "heartbeats",
  about: "one heartbeat is missed, called and missed again; another is called in time, and a third during a sweep",
  setup: async (deps) => {
    const acme = await buildWorkspace(deps, { rules: { silent: { eventKey: "heartbeat.missed", requiresAck: true } } });
    for (const name of Object.keys(calls)) {
      const input = { name, everySeconds: 240, graceSeconds: name === "steady" ? 660 : 60, paused: true };
      await createHeartbeat(deps, acme.ws, v.parse(HeartbeatInput, input));
    }
    return [acme];
  },
  play: async (play) => {
    const { world } = play;
    const { ws } = play.fixtures[0]!;
    const began = world.kernel.now();
    const heartbeats = await world.outside((deps) => listHeartbeats(deps, ws));
    const channels = await Promise.all(
      heartbeats.map(async ({ id, name }) => {
        const resumed = await world.outside((deps) => updateHeartbeat(deps, ws, id, { paused: false, newUrl: true }));
        return { id, name, secret: resumed?.secret ?? "" };
      }),
    );
    const days = channels.map(async ({ name, secret }) => {
      for (const minute of calls[name] ?? []) {
        await world.kernel.sleep(Math.max(0, began + minute * MINUTE_MS - world.kernel.now()));
        await callHeartbeat(play, name, secret);
      }
    });
    await Promise.all(days);
    await world.kernel.sleep(Math.max(0, began + END_MINUTE * MINUTE_MS - world.kernel.now()));
    // Without the deletion, the sweeper would check the heartbeats for ever.
    for (const { id, name } of channels)
      if (name !== "backup") await world.outside((deps) => updateHeartbeat(deps, ws, id, { paused: true }));
  },
  expectNotified: ({ eventKey }) => (eventKey === "heartbeat.missed" ? [["silent|alice"]] : [[]]),
  check: async ({ world }) => {
    const found: string[] = [];
    const events = await world.outside((deps) => listEventsBetween(deps, "ws_acme", { from: 0, to: 1_000_000 }));
    const heartbeats = await world.outside((deps) => listHeartbeats(deps, "ws_acme"));
    const listEventsOf = (name: string, key: string) =>
      events.filter(({ content }) => content.eventKey === key && content.heartbeat?.name === name);
    for (const { name, missed: last } of heartbeats) {
      const missed = listEventsOf(name, "heartbeat.missed");
      const back = listEventsOf(name, "heartbeat.resolved");
      const countMoments = (some: typeof missed) =>
        new Set(some.map(({ content }) => content.heartbeat?.missedAt)).size;
      if (countMoments(missed) < missed.length || countMoments(back) < back.length)
        found.push(
          `${name}: people were notified of ${missed.length} misses and ${back.length} returns, of some twice`,
        );
      const wanted = name === "backup" ? missed.length - 1 : missed.length;
      if (back.length !== wanted)
        found.push(`${name}: people were notified of ${missed.length} misses and ${back.length} returns`);
      for (const { content } of back) {
        const ended = missed.find((event) => event.content.dedupeKey === content.resolves);
        if (ended?.life.resolved === undefined) found.push(`${name}: a return resolved no miss`);
      }
      for (const { content, receivedAt } of missed) {
        const since = Math.max(Date.parse(content.heartbeat?.missedAt ?? ""), world.disturbedUntil());
        if (receivedAt > since + NOTIFIED_WITHIN_MS) found.push(`people were notified late of ${name}`);
      }
      if (name === "steady" && missed.length > 0) found.push("steady was missed, although it was called in time");
      if (name === "backup" && !missed.some(({ eventId }) => eventId === last?.eventId))
        found.push("nobody was notified of backup's last miss");
      if (name === "backup" && missed.length === 2) world.seen.add("a heartbeat missed again after its return");
      if (name === "edge" && missed.length === 0)
        world.seen.add("a heartbeat called at the last moment and was not missed");
    }
    if (heartbeats.some((one) => one.name !== "backup" && isMissed(one) && one.missed.calledAt === undefined))
      found.push("a heartbeat is missed, although it is called");
    return found;
  },
  faultyCalls: /^(?:take-call|sweeper|wake sweeper)/,
  expectsNoErrors: false,
};
