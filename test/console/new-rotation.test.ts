import { expect, it } from "vitest";
import { formatDay } from "../../console/app/dates.ts";
import { createLayer } from "../../console/pages/on-call/draft.ts";

it.each([
  ["at night", 3, 1],
  ["just before nine", 8.99, 1],
  ["at nine", 9, 0],
  ["in the evening", 22, 0],
])("a rotation that is created %s has already begun, so that somebody is on call at once", (_, hour, daysAgo) => {
  const at = new Date(2026, 2, 4, 0, hour * 60).getTime();

  const { start, id } = createLayer([{ ...createLayer([], at), id: 2 }], at);

  expect(id).toBe(3);
  expect(start).toBe(`${formatDay(new Date(2026, 2, 4 - daysAgo, 12).getTime())}T09:00`);
  expect(Date.parse(start)).toBeLessThanOrEqual(at);
});
