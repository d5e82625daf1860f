import { afterEach, expect, it } from "vitest";
import { readMemberDetail } from "../../../../core/flow/read/read-member.ts";
import { addOverride } from "../../../../core/store/schedules/on-call.ts";
import { closeWorlds, createWorld } from "../../../world/world.ts";

afterEach(closeWorlds);

const HOUR = 3_600_000;

it("a member's details list a schedule with an override for the member until that override has ended", async () => {
  const world = await createWorld();
  const { deps, ws } = world;
  const group = await world.group("Ops", ["usr_ann", "usr_bob"], 1);
  const hoursLater = (hours: number) => new Date(world.start + hours * HOUR).toISOString();
  await addOverride(deps, ws, group, { userId: "usr_bob", start: hoursLater(1), end: hoursLater(2) });
  const schedulesOf = async () => (await readMemberDetail(deps, ws, "usr_bob"))?.schedules;

  expect(await schedulesOf()).toEqual([{ id: group, name: "Ops", onCallNow: false }]);
  await world.runFor(HOUR);
  expect(await schedulesOf()).toEqual([{ id: group, name: "Ops", onCallNow: true }]);
  await world.runFor(HOUR);
  expect(await schedulesOf()).toEqual([]);
});
