import { expect, it } from "vitest";
import { detectOnCallChanges } from "../../../core/flow/deliver/on-call-changes.ts";
import { removeDevices } from "../../../core/store/people/devices.ts";
import { deleteGroup } from "../../../core/store/people/groups.ts";
import { removeMember } from "../../../core/store/people/members.ts";
import { listOnCallTimelines } from "../../../core/store/schedules/on-call-timelines.ts";
import { addOverride } from "../../../core/store/schedules/on-call.ts";
import { callTo, createInterruption } from "../../world/interruption.ts";
import { NOON } from "../../world/clock.ts";
import { useWorld } from "../../world/use-world.ts";
import type { World, WorldOptions } from "../../world/world.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const dailyTurns = (participants: unknown[]) => ({
  timeZone: "UTC",
  layers: [{ start: "2026-11-20T13:00", every: 1, unit: "day", participants }],
});

/** At noon, Ann is on call until 13:00, and then Bob until 13:00 on the next day. One check of who is on call has run. */
const setUp = async (options: WorldOptions = {}) => {
  const world = await useWorld({ start: NOON, ...options });
  const group = await world.group("Duty", ["usr_ann", "usr_bob", "usr_cleo"]);
  await world.schedule(group, dailyTurns(["usr_ann", "usr_bob"]));
  const told: string[] = [];
  let from: number | undefined;
  const detect = async (notify: () => Promise<void> = async () => {}, since = from) => {
    const { at, next } = await detectOnCallChanges(world.deps, world.ws, since, async ({ name, untold }) => {
      await notify();
      told.push(
        ...untold.map(({ sequence, before, onCall }) => `${name} ${sequence} ${before.join()}>${onCall.join()}`),
      );
    });
    from = at;
    return next;
  };
  const next = await detect();
  return { world, group, told, detect, next };
};

const addOverrideFor = (world: World, group: string, userId: string, hours: number) =>
  addOverride(world.deps, world.ws, group, {
    userId,
    start: new Date(world.now()).toISOString(),
    end: new Date(world.now() + hours * HOUR).toISOString(),
  });

it("a shift that begins is detected once, and the next check is planned", async () => {
  const { world, told, detect, next } = await setUp();
  expect(told).toEqual([]);
  expect(next).toBe(world.start + HOUR);

  world.skip(HOUR);
  expect(await detect()).toBe(world.start + DAY + HOUR);
  await detect();

  expect(told).toEqual(["Duty 1 usr_ann>usr_bob"]);
});

it("the on-call check reports who is on call after an override, after a person leaves and after a group is deleted", async () => {
  const { world, group, told, detect } = await setUp();
  await addOverrideFor(world, group, "usr_bob", 0.5);
  await detect();
  await removeMember(world.deps, world.ws, "usr_bob");
  await detect();
  await deleteGroup(world.deps, world.ws, group);
  await detect();
  await detect();

  expect(told).toEqual(["Duty 1 usr_ann>usr_bob", "Duty 2 usr_bob>usr_ann", "Duty 3 usr_ann>"]);
});

it("an override that began and ended between two on-call checks is not reported if its person has no device", async () => {
  const { world, group, told, detect } = await setUp();
  await removeDevices(world.deps, world.ws, "usr_cleo");
  await addOverrideFor(world, group, "usr_cleo", 0.5);
  world.skip(0.75 * HOUR);

  await detect();

  expect(told).toEqual([]);
});

it("the on-call state of a deleted group is removed, even if nobody was on call in the group any more", async () => {
  const { world, group, detect } = await setUp();
  for (const userId of ["usr_ann", "usr_bob", "usr_cleo"]) await removeMember(world.deps, world.ws, userId);
  await detect();
  await deleteGroup(world.deps, world.ws, group);
  await detect();

  expect(await listOnCallTimelines(world.deps, world.ws)).toEqual([]);
});

it("twenty concurrent on-call checks report a change under the same number, even if a check died before its report", async () => {
  const { world, told, detect } = await setUp();
  world.skip(HOUR);
  const fail = () => Promise.reject(new Error("gone"));
  await expect(detect(fail)).rejects.toThrow("gone");
  expect(told).toEqual([]);

  await Promise.all(Array.from({ length: 20 }, () => detect()));

  expect(new Set(told)).toEqual(new Set(["Duty 1 usr_ann>usr_bob"]));
});

it("a slow on-call check that read people before an edit does not overwrite the result of a check after the edit", async () => {
  const { beforeCall, arm } = createInterruption(callTo("Put", "#DUTY"));
  const { world, group, told, detect } = await setUp({ beforeCall });
  world.skip(HOUR);
  arm(async () => {
    await addOverrideFor(world, group, "usr_cleo", 2);
    await detect();
  });
  await detect();
  await detect();

  expect(told).toEqual(["Duty 1 usr_ann>usr_cleo"]);
});
