import { expect, test, vi } from "vitest";
import { compileRules } from "../../../../../core/domain/rules/matching/index.ts";
import { findRegexFault } from "../../../../../core/domain/rules/matching/regex.ts";

// Simulates a bundle that lacks the RE2 engine: each access to the engine throws.
vi.mock("re2js", () => ({
  get RE2JS() {
    throw new Error("Cannot find module './re2js.js'");
  },
}));

test("if the RE2 engine cannot be loaded, matching fails for each event, and no pattern is reported as faulty", () => {
  const conditions = [{ field: "title", operator: "matches_regex" as const, value: "^[a-c]{2}$" }];
  const match = compileRules([{ id: "rul_1", eventKey: "*", conditions }]);
  const event = { eventKey: "a.b", title: "ab", body: "", priority: "NORMAL", data: {} };

  for (const time of ["first", "second"]) expect(() => match(event), time).toThrow("Cannot find module");
  expect(() => findRegexFault("[a")).toThrow("Cannot find module");
});
