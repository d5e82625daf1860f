import * as v from "valibot";
import { toIso } from "../../../core/domain/basics/time.ts";
import { noticeRule } from "../../../core/domain/event/notice.ts";
import { OnCallSchedule } from "../../../core/domain/on-call/index.ts";
import { listCovers } from "../../../core/store/schedules/covers.ts";
import { listEventsBetween } from "../../../core/store/events/events.ts";
import { listOverrides, putSchedule } from "../../../core/store/schedules/on-call.ts";
import { START } from "../engine/world.ts";
import { buildWorkspace } from "../fixtures.ts";
import type { Play, Scenario } from "../scenario.ts";

const MINUTE_MS = 60_000;
const BEGIN = START + 20 * MINUTE_MS;

/** A person's attempt to take the shift, with the status of the answer. */
type CoverAttempt = { id: string; by: string | undefined; status: number; isInTime: boolean };
const attemptsOfRun = new WeakMap<Play["world"], CoverAttempt[]>();

export const cover: Scenario = {
  name: "cover",
  about:
    "two colleagues accept a request for cover at once: one gets the shift, both are notified, and nobody is paged",
  setup: async (deps) => {
    const acme = await buildWorkspace(deps, {
      people: { alice: ["alice-phone"], bob: ["bob-phone"], carol: ["carol-phone"] },
      groups: { ops: ["alice", "bob", "carol"] },
      rules: { orders: { eventKey: "order.*" } },
    });
    const layer = { start: toIso(START - MINUTE_MS), every: 1, unit: "week", participants: [acme.users["alice"]] };
    const schedule = v.parse(OnCallSchedule, { timeZone: "UTC", layers: [layer], remindHours: 0 });
    await putSchedule(deps, acme.ws, acme.groups["ops"] ?? "", () => schedule);
    return [acme];
  },
  play: async ({ world, clients, fixtures: [acme] }) => {
    const body = { start: toIso(BEGIN), end: toIso(BEGIN + 60 * MINUTE_MS) };
    const asked = await clients.call(acme!, "alice", "ask-for-cover", {
      path: { groupId: acme!.groups["ops"]! },
      body,
    });
    if (asked.status >= 400) clients.failures.push(`the request for cover was answered ${asked.status}`);
    await world.kernel.sleep(MINUTE_MS);
    const takes: CoverAttempt[] = [];
    for (const { id } of await world.outside((deps) => listCovers(deps, acme!.ws)))
      await Promise.all(
        ["bob", "carol"].map(async (name) => {
          const { status } = await clients.call(acme!, name, "take-cover", { path: { coverId: id } });
          takes.push({ id, by: acme!.users[name], status, isInTime: world.kernel.now() < BEGIN });
        }),
      );
    attemptsOfRun.set(world, takes);
  },
  expectNotified: ({ title }, [acme]) => {
    const to = title.startsWith("Can you")
      ? ["bob", "carol"]
      : title.startsWith("Nobody covers")
        ? Object.keys(acme?.users ?? {})
        : ["alice"];
    return [to.map((name) => `${noticeRule.name}|${name}`)];
  },
  check: async ({ world, fixtures: [acme] }) => {
    const { ws, groups } = acme!;
    const { covers, overrides, events } = await world.outside(async (deps) => ({
      covers: await listCovers(deps, ws),
      overrides: await listOverrides(deps, ws, groups["ops"] ?? ""),
      events: await listEventsBetween(deps, ws, { from: 0, to: 1_000_000 }),
    }));
    const found: string[] = [];
    const taken = covers.filter(({ state }) => state === "taken");
    const takes = attemptsOfRun.get(world) ?? [];
    if (taken.length === 0 && takes.every(({ status, isInTime }) => status < 500 && isInTime))
      found.push("nobody got the shift");
    for (const { id, by, status } of takes)
      if (status === 200 && taken.find((one) => one.id === id)?.takenBy !== by)
        found.push("the API answered that somebody got the shift, but another person has it");
    for (const { id, state, takenBy, overrideIds } of covers) {
      const own = overrides.filter(({ coverId }) => coverId === id);
      const isWhole = own.every((override) => override.userId === takenBy && overrideIds.includes(override.id));
      if (own.length !== (state === "taken" ? 1 : 0) || !isWhole)
        found.push(`a cover is ${state}, but has ${own.length} overrides`);
    }
    const notices = events.filter(({ content }) => / covers for alice /.test(content.title));
    if (notices.length !== taken.length)
      found.push(`${notices.length} notices exist for ${taken.length} accepted covers`);
    if (events.some(({ content }) => content.priority !== "LOW")) found.push("somebody was paged for a cover");
    return found;
  },
  expectsNoErrors: false,
};
