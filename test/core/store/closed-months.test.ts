import { expect, it } from "vitest";
import type { Recorded } from "../../../core/domain/shifts/report.ts";
import { closeMonth, listClosedMonths } from "../../../core/store/schedules/closed-months.ts";
import { testClock } from "../../world/clock.ts";
import { useTable } from "../../world/use-table.ts";

const stand = await useTable();
const { deps: clock } = testClock();
const deps = () => ({ ...clock, table: stand.table });
const recorded = (name: string): Recorded => ({
  people: [{ userId: "usr_1", name }],
  pay: null,
  groups: [],
  pages: [],
});

it("a month that is closed twice, also at the same moment, keeps its first record", async () => {
  const close = (id: string, name: string) =>
    closeMonth(deps(), "ws_1", "2026-10", { id, digest: name, recorded: recorded(name) });
  const closed = async () =>
    (await listClosedMonths(deps(), "ws_1", { from: "2026-10", to: "2026-10" })).map(({ digest }) => digest);

  await Promise.all([close("req_1", "Ann"), close("req_2", "Bob")]);
  const first = await closed();
  await close("req_3", "Cyd");

  expect(first).toHaveLength(1);
  expect(await closed()).toEqual(first);
});
