import { assert, constantFrom, json, nat, property } from "fast-check";
import { expect, it } from "vitest";
import { findJsonFault } from "../../../../core/domain/basics/json-fault.ts";
import { isJson } from "./is-json.ts";

it("the JSON fault finder reports a fault at the place where JSON.parse fails, and only there", () => {
  assert(
    property(json(), nat(), constantFrom("", ",", '"', "}", "\\", "0", "\u0001", "e"), (text, number, more) => {
      const at = number % (text.length + 1);
      const broken = text.slice(0, at) + more + text.slice(at + (number % 2));
      expect(findJsonFault(text)).toBeUndefined();
      expect(findJsonFault(broken) === undefined).toBe(isJson(broken));
    }),
    { numRuns: 2_000 },
  );
});

it("the JSON fault finder reads long texts, and nesting that is too deep for a recursive parser", () => {
  expect(findJsonFault("[".repeat(100_000))).toMatchObject({ column: 100_001 });
  expect(findJsonFault(`"${"x".repeat(262_000)}`)).toMatchObject({ column: 1 });
  expect(findJsonFault(`"${"\\u0041".repeat(40_000)}"`)).toBeUndefined();
});
