import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { measureCostsByChannel } from "../../bench/capacity/costs-by-channel.ts";
import { closeWorlds } from "../world/world.ts";

afterAll(closeWorlds);

const page = readFileSync(join(import.meta.dirname, "../../docs/scale.md"), "utf8");
const costs = await measureCostsByChannel();

test("notifying three people of an event by push costs the same, whichever other channels the service has", () => {
  // Eight writes cost one unit each, and an eventually consistent read costs half a unit.
  expect(costs[0]).toMatchObject({ sent: 6, units: 8.5 });
});

test("for three people, an email costs as much as a push, a text message two DynamoDB units more, and a call six more", () => {
  const [, push, ...others] = costs.map(({ units }) => units);

  expect(others.map((units) => units - (push ?? 0))).toEqual([0, 2, 6]);
  expect(costs.map(({ sent }) => sent)).toEqual([6, 6, 9, 9, 9]);
});

test("docs/scale.md shows the cost of each channel", () => {
  for (const { name, sent, units } of costs) expect(page).toContain(`| ${name} | ${sent} | ${units} | `);
});
