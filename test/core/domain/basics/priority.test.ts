import * as v from "valibot";
import { expect, it } from "vitest";
import { canonicalizePriority, Priority, PrioritySpelling } from "../../../../core/domain/basics/priority.ts";

it("the priority CRITICAL is another spelling of URGENT, and is stored as URGENT", () => {
  expect(["CRITICAL", "URGENT", "LOW", "critical", ""].map(canonicalizePriority)).toEqual([
    "URGENT",
    "URGENT",
    "LOW",
    "critical",
    "",
  ]);
  expect([v.is(PrioritySpelling, "CRITICAL"), v.is(Priority, "CRITICAL")]).toEqual([true, false]);
});
