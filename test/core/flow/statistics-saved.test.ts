import { expect, it } from "vitest";
import * as v from "valibot";
import { toIso } from "../../../core/domain/basics/time.ts";
import { SilenceInput } from "../../../core/domain/rules/silence-input.ts";
import { toStatisticsView } from "../../../core/domain/statistics/statistics.ts";
import { acknowledgeEvents, resolveEvent } from "../../../core/flow/respond/lifecycle.ts";
import { countStatistics } from "../../../core/flow/sweep/count-statistics.ts";
import { runSweep } from "../../../core/flow/sweep/sweep.ts";
import { listStatisticsRows, type SubjectKind } from "../../../core/store/events/statistics.ts";
import { NOON } from "../../world/clock.ts";
import { createSilence } from "../../../core/store/rules/silences.ts";
import { callWith, createInterruption } from "../../world/interruption.ts";
import { useWorld } from "../../world/use-world.ts";
import { stepTo } from "../../world/world.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const bob = { id: "usr_bob", name: "Bob" };

it("the notifications that groups of events and thresholds prevent are counted: one for each person and event", async () => {
  const world = await useWorld();
  const { deps, ws } = world;
  const ops = await world.group("Ops", ["usr_ann", "usr_bob"]);
  await world.rule([ops], { name: "By host", eventKey: "disk.*", groupBy: ["data.host"], groupMinutes: 60 });
  await world.rule([ops], { name: "Third", eventKey: "login.*", atLeast: { count: 3, withinMinutes: 60 } });

  for (const host of ["a", "a", "b", "a"]) await world.post({ data: { host } });
  for (let index = 0; index < 3; index += 1) await world.post({ event: "login.failed" });
  await world.runFor(4 * HOUR);
  await runSweep(deps, Infinity);
  await world.runFor(4 * HOUR);

  const rowsOf = async (kind: SubjectKind) =>
    (await listStatisticsRows(deps, ws, kind, { from: "2026-11-16", to: "2026-11-16" })).map(toStatisticsView);
  expect(await rowsOf("workspace")).toMatchObject([{ events: 7, notifications: 6, notificationsSaved: 8 }]);
  expect((await rowsOf("rule")).toSorted((one, other) => (one.rule!.name < other.rule!.name ? -1 : 1))).toMatchObject([
    { rule: { name: "By host" }, events: 4, notifications: 4, notificationsSaved: 4 },
    { rule: { name: "Third" }, events: 3, notifications: 2, notificationsSaved: 4 },
  ]);
  expect(await rowsOf("group")).toMatchObject([{ notifications: 6, notificationsSaved: 0 }]);
});

it("an alert that ends while it is held as flapping counts as prevented notifications, and has no time to acknowledge", async () => {
  const world = await useWorld({ start: NOON });
  const ops = await world.group("Ops", ["usr_ann", "usr_bob"]);
  await world.rule([ops], { name: "Disks", eventKey: "disk.*", requiresAck: true });
  for (let round = 0; round < 4; round += 1) {
    await world.post({ dedupeKey: "db-1" });
    // In the last round, the alert stays open until people were notified after ten minutes.
    await world.runFor(round === 3 ? 15 * MINUTE : MINUTE);
    if (round === 3) await world.acknowledgeNewest();
    await world.post({ event: "site.up", resolves: "db-1" });
    await world.runFor(MINUTE);
  }
  for (let hours = 0; hours < 2; hours += 1) {
    await world.runFor(4 * HOUR);
    await runSweep(world.deps, Infinity);
  }

  const rows = await listStatisticsRows(world.deps, world.ws, "workspace", { from: "2026-11-16", to: "2026-11-16" });
  const acknowledged = { count: 1, mean: 300 };
  expect(rows.map(toStatisticsView)).toMatchObject([
    { events: 8, notifications: 6, notificationsSaved: 2, acknowledged },
  ]);
});

it("the time during which a silence holds an event back does not count as time to acknowledge", async () => {
  const world = await useWorld({ start: NOON, sweepAtSecond: 0 });
  await world.rule([await world.group("Ops", ["usr_ann"])], { requiresAck: true });
  const silence = { name: "Release", everything: true, eventKey: "*", endsAt: toIso(NOON + 10 * MINUTE) };
  await createSilence(world.deps, world.ws, v.parse(SilenceInput, silence));
  await world.post();
  await world.runFor(15 * MINUTE);
  await world.acknowledgeNewest();
  await world.runFor(4 * HOUR);
  await runSweep(world.deps, Infinity);

  const rows = await listStatisticsRows(world.deps, world.ws, "workspace", { from: "2026-11-16", to: "2026-11-16" });
  expect(rows.map(toStatisticsView)).toMatchObject([{ acknowledged: { count: 1, mean: 300 } }]);
});

it("the time to acknowledge ends at the first acknowledgement, even if that acknowledgement has ended when the event is counted", async () => {
  const world = await useWorld({ start: NOON });
  const ops = await world.group("Ops", ["usr_ann"]);
  const escalationPolicyId = await world.policy([stepTo(ops, 5)], { ackMinutes: 10 });
  await world.rule([ops], { requiresAck: true, escalationPolicyId });
  for (const by of [{ id: "usr_ann", name: "Ann" }, bob]) {
    const { eventId } = await world.post();
    await world.runFor(2 * MINUTE);
    await acknowledgeEvents(world.deps, world.ws, [eventId], by);
    await world.runFor(12 * MINUTE);
    await resolveEvent(world.deps, world.ws, eventId, bob, undefined);
  }
  await world.runFor(4 * HOUR);

  const rows = await listStatisticsRows(world.deps, world.ws, "workspace", { from: "2026-11-16", to: "2026-11-16" });
  expect(rows.map(toStatisticsView)).toMatchObject([{ toAcknowledge: 2, acknowledged: { count: 2, mean: 120 } }]);
});

it("a resolution is counted once, even if it is stored during a count and the sender also ends the alert later", async () => {
  const { beforeCall, arm } = createInterruption(callWith(":deed"));
  const world = await useWorld({ beforeCall });
  const { deps, ws } = world;
  const count = () => countStatistics(deps, ws, { events: [], upTo: 0, keptDays: 400 });
  await world.rule([await world.group("Ops", ["usr_ann"])], { requiresAck: true });
  const { eventId } = await world.post({ dedupeKey: "db-1" });
  await world.runFor(4 * HOUR);
  arm(count);
  await resolveEvent(deps, ws, eventId, { id: "usr_ann", name: "Ann" }, undefined);
  await count();
  await world.post({ event: "site.up", resolves: "db-1", requiresAck: false });
  await world.runFor(8 * HOUR);

  const rows = await listStatisticsRows(deps, ws, "workspace", { from: "2026-11-16", to: "2026-11-16" });
  expect(rows.map(toStatisticsView)).toMatchObject([{ resolved: { count: 1 } }]);
});
