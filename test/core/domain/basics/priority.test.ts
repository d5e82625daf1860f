import * as v from "valibot";
import { expect, it } from "vitest";
import { canonicalPriority, Priority, PrioritySpelling } from "../../../../core/domain/basics/priority.ts";

it("the priority CRITICAL is another spelling of URGENT, and is stored as URGENT", () => {
  expect(["CRITICAL", "URGENT", "LOW", "critical", ""].map(canonicalPriority)).toEqual([
    "URGENT",
    "URGENT",
    "LOW",
    "critical",
    "",
  ]);
  expect([v.is(PrioritySpelling, "CRITICAL"), v.is(Priority, "CRITICAL")]).toEqual([true, false]);
});
