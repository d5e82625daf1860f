import { expect, it } from "vitest";
import { listPersonShifts } from "../../console/pages/on-call/person-lines.ts";

const shift = (start: number, ...userIds: string[]) => ({ start, end: start + 1, userIds, isOverride: false });

it("each person on call has one row for each of their groups, sorted by name, with former members last", () => {
  const [first, both, night, gap] = [shift(1, "ann"), shift(2, "ann", "bob"), shift(1, "cyd"), shift(3)];

  expect(
    listPersonShifts(
      [
        { id: "a", name: "Days", shifts: [first, both, gap] },
        { id: "b", name: "Nights", shifts: [night, both] },
      ],
      ["dan", "bob", "ann"],
    ),
  ).toEqual([
    {
      userId: "bob",
      groups: [
        { id: "a", name: "Days", shifts: [both] },
        { id: "b", name: "Nights", shifts: [both] },
      ],
    },
    {
      userId: "ann",
      groups: [
        { id: "a", name: "Days", shifts: [first, both] },
        { id: "b", name: "Nights", shifts: [both] },
      ],
    },
    { userId: "cyd", groups: [{ id: "b", name: "Nights", shifts: [night] }] },
  ]);
});
