import { describe, expect, it } from "vitest";
import type { WorkspaceId } from "../../../core/domain/basics/ids.ts";
import { defaultUsagePlan } from "../../../core/domain/workspace/usage-plan.ts";
import { COVERS_MAX } from "../../../core/domain/on-call/limits.ts";
import type { Cover } from "../../../core/domain/shifts/cover.ts";
import type { RecordedMonth } from "../../../core/domain/shifts/report.ts";
import { createControl } from "../../../core/store/events/control.ts";
import { closeMonth, listClosedMonths } from "../../../core/store/schedules/closed-months.ts";
import { addCover, listCovers, takeCover, withdrawCover } from "../../../core/store/schedules/covers.ts";
import { deleteOverride } from "../../../core/store/schedules/on-call.ts";
import { reserveTurns } from "../../../core/store/delivery/paces.ts";
import { createTestClock } from "../../world/clock.ts";
import { useTable } from "../../world/use-table.ts";
import { aCover } from "../domain/support.ts";

const stand = await useTable();
const deps = { ...createTestClock().deps, table: stand.table };

const cover = (groupId: string, id: number) =>
  aCover({ groupId, userId: `usr_${id}`, start: "2027-05-01T00:00:00.000Z", end: "2027-05-02T00:00:00.000Z" });

it("each group has a limited number of covers, which are kept for four weeks after their end", async () => {
  for (let id = 0; id < COVERS_MAX; id += 1) await addCover(deps, "ws_a", cover("grp_one", id));

  await expect(addCover(deps, "ws_a", cover("grp_one", COVERS_MAX))).rejects.toMatchObject({ kind: "limit_reached" });
  await addCover(deps, "ws_a", cover("grp_other", COVERS_MAX + 1));

  const inReturn = { start: "2027-05-09T00:00:00.000Z", end: "2027-05-10T00:00:00.000Z" };
  await addCover(deps, "ws_a", { ...cover("grp_third", -1), inReturn });
  const ttlOf = async (id: string) =>
    (await stand.listItems()).flatMap(({ userId, ttl }) => (userId === id && ttl !== undefined ? [ttl] : []));
  expect(await ttlOf("usr_0")).toEqual([Date.UTC(2027, 4, 2 + 28 + 1) / 1000]);
  expect(await ttlOf("usr_-1")).toEqual([Date.UTC(2027, 4, 10 + 28 + 1) / 1000]);
});

describe("a cover that was read before somebody else changed it", () => {
  const duty = { schedule: { timeZone: "UTC", layers: [] }, overrides: [] };
  const takeBy = (by: string) => (ws: WorkspaceId, read: Cover) => takeCover(deps, ws, read, by, duty);
  const withdraw = (ws: WorkspaceId, read: Cover) => withdrawCover(deps, ws, read, duty);

  it.each([
    ["cannot be taken after it was withdrawn", "ws_c", withdraw, takeBy("usr_bob"), { state: "withdrawn" }],
    ["cannot be taken by a second person", "ws_d", takeBy("usr_bob"), takeBy("usr_cyd"), { takenBy: "usr_bob" }],
    ["cannot be withdrawn after it was taken", "ws_e", takeBy("usr_bob"), withdraw, { state: "taken" }],
  ] as const)("accepts only the first of two changes: the cover %s", async (_, ws, first, second, left) => {
    await createControl(deps, ws, defaultUsagePlan);
    const { cover: read } = await addCover(deps, ws, cover("grp_one", 1));

    expect(await first(ws, read)).toBeDefined();
    expect(await second(ws, read)).toBeUndefined();

    expect(await listCovers(deps, ws)).toMatchObject([left]);
  });
});

it("a cover that has begun stays accepted when its override is deleted", async () => {
  await createControl(deps, "ws_f", defaultUsagePlan);
  const { cover: open } = await addCover(deps, "ws_f", cover("grp_one", 1));
  const duty = { schedule: { timeZone: "UTC", layers: [] }, overrides: [] };
  const taken = await takeCover(deps, "ws_f", open, "usr_bob", duty);
  const later = { ...deps, now: () => Date.parse(open.start) };

  expect(await deleteOverride(later, "ws_f", "grp_one", taken!.cover.overrideIds[0]!)).toBe(true);
  expect(await listCovers(deps, "ws_f")).toMatchObject([{ state: "taken" }]);
});

it("if two requests close the same month of the on-call report, the first request's result is kept", async () => {
  const page = { groupId: "", userId: "usr_ann", date: "2026-10-01", pages: 1, atNight: 0, resolved: 0, resolvedMs: 0 };
  const aRecord = (count: number): RecordedMonth => ({
    people: [],
    pay: null,
    groups: [],
    pages: Array.from({ length: count }, () => page),
  });
  const MANY = 20_000;

  await closeMonth(deps, "ws_a", "2026-10", { id: "req_1", digest: "first", recorded: aRecord(1) });
  await closeMonth(deps, "ws_a", "2026-10", { id: "req_2", digest: "second", recorded: aRecord(MANY) });
  await closeMonth(deps, "ws_b", "2026-10", { id: "req_3", digest: "third", recorded: aRecord(MANY) });

  const listMonths = async (ws: WorkspaceId) =>
    (await listClosedMonths(deps, ws, { from: "2026-10", to: "2026-10" })).map((month) => [
      month.digest,
      month.recorded.pages.length,
    ]);
  expect([await listMonths("ws_a"), await listMonths("ws_b")]).toEqual([[["first", 1]], [["third", MANY]]]);
});

it("on a rate-limited channel, an URGENT message is sent before waiting messages of other priorities", async () => {
  const reserve = (urgent: boolean, count: number) =>
    reserveTurns(deps, "sms", { urgent, count, from: 1_000_000, step: 1_000 });

  expect([await reserve(true, 5), await reserve(false, 2), await reserve(false, 1), await reserve(true, 1)]).toEqual(
    [1_000_000, 1_005_000, 1_007_000, 1_005_000].map((first) => ({ first, step: 1_000 })),
  );
});
