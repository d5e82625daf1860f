import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { runSweep } from "../../core/flow/sweep/sweep.ts";
import { renderCeilingTable, renderFleetTable, renderEventSizes } from "../../bench/capacity/fleet.ts";
import { renderBill, idle, listIdleCosts, sumDollars } from "../../bench/capacity/bill.ts";
import { closeWorlds, createWorld } from "../world/world.ts";

afterAll(closeWorlds);

const readPage = (file: string): string => readFileSync(join(import.meta.dirname, "../..", file), "utf8");

test("an idle stage costs less than twelve dollars a month, as the guides say", () => {
  expect(sumDollars(listIdleCosts())).toBeLessThan(12);
  expect(readPage("README.md")).toContain("an idle service costs less than twelve dollars a month");
  expect(readPage("docs/deploy.md")).toContain("less than twelve USD per month and stage");
});

test("docs/scale.md shows the bill that npm run bench:capacity writes", () => {
  // The cost of the synthetic option comes from a measured run, not from the calculation.
  const lines = renderBill(0).filter((line) => !line.includes("`synthetic`"));

  expect(readPage("docs/scale.md").split("\n")).toEqual(expect.arrayContaining(lines));
});

test.each([
  ["fleets", renderFleetTable],
  ["ceilings", renderCeilingTable],
  ["events by their size", renderEventSizes],
])("docs/scale.md shows the table of %s that npm run bench:capacity writes", (_, table) => {
  expect(readPage("docs/scale.md").split("\n")).toEqual(expect.arrayContaining(table()));
});

test("without any events, the sweeper sends exactly as many metrics as the bill for an idle stage counts", async () => {
  const world = await createWorld();
  world.deps.log.metric.mockClear();

  await runSweep(world.deps, Infinity);

  const sent = world.deps.log.metric.mock.calls.map(([name]) => name);
  expect(new Set(sent).size).toBe(idle.metrics);
});
