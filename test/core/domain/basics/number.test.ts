import * as v from "valibot";
import { expect, it } from "vitest";
import { Condition } from "../../../../core/domain/rules/matching/condition.ts";
import { isStorableNumber, wholeNumberSchema } from "../../../../core/domain/basics/number.ts";

it.each([0, -0, 1, -1.5, 1e-130, -1e-130, 9.99e125, -9.99e125, Number.MAX_SAFE_INTEGER])(
  "the number %d is stored exactly",
  (value) => {
    expect(isStorableNumber(value)).toBe(true);
  },
);

it.each([9.999e-131, -1e-131, 1e126, -1e126, Number.MIN_VALUE, Number.MAX_VALUE, Infinity, -Infinity, NaN])(
  "the number %d cannot be stored exactly, and no rule may compare a field with it",
  (value) => {
    expect(isStorableNumber(value)).toBe(false);
    for (const operator of ["equals", "greater_than"])
      expect(v.is(Condition, { field: "data.amount", operator, value })).toBe(false);
  },
);

it("a whole number may equal the lower or the upper limit, and a fault names both limits", () => {
  const messageFor = (schema: v.GenericSchema<unknown>, value: unknown) =>
    v.safeParse(schema, value).issues?.[0].message;
  const Limit = wholeNumberSchema("limit", 1, 3);

  expect([1, 3].map((value) => messageFor(Limit, value))).toEqual([undefined, undefined]);
  for (const value of [0, 4, 1.5, NaN, "2", null])
    expect(messageFor(Limit, value)).toBe("limit must be a whole number from 1 to 3.");
  expect(messageFor(wholeNumberSchema("limit", 1, 3, "no"), 0)).toBe("no");
});
