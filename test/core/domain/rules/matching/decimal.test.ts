import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  compareDecimals,
  toDecimalKey,
  isDecimal,
  parseDecimal,
} from "../../../../../core/domain/rules/matching/decimal.ts";

const compare = (left: string, right: string): number =>
  Math.sign(compareDecimals(parseDecimal(left)!, parseDecimal(right)!));
const areOneKey = (left: string, right: string): boolean =>
  toDecimalKey(parseDecimal(left)!) === toDecimalKey(parseDecimal(right)!);

describe("a decimal number in a condition", () => {
  it.each(["0", "5", "-5", "+5", "0.5", ".5", "-.5", "007", "5e3", "5E-3", "5e+3", "1e999999"])("may be %s", (text) => {
    expect(isDecimal(text)).toBe(true);
  });

  it("may have 400 digits", () => {
    expect(isDecimal("1".repeat(400))).toBe(true);
  });

  it.each([
    "",
    " ",
    " 5",
    "5 ",
    "5.",
    ".",
    "-",
    "+-5",
    "--5",
    "e5",
    "5e",
    "5e1.5",
    "5e1234567",
    "0x10",
    "1_000",
    "1,5",
    "٥",
    "NaN",
    "Infinity",
    "5\n",
    "a5",
  ])("may not be %j", (text) => {
    expect(isDecimal(text)).toBe(false);
    expect(parseDecimal(text)).toBeUndefined();
  });
});

/** Numbers in ascending order. The numbers on one line are equal. As doubles, the long numbers are indistinguishable. */
const ladder = [
  ["-1e400"],
  ["-9007199254740993", "-9007199254740993.0"],
  ["-9007199254740992", "-9007199254740992.000", "-9.007199254740992e15"],
  ["-2", "-2.0", "-20e-1"],
  ["-1.9999999999999999999"],
  ["-1e-400"],
  ["0", "-0", "0.000", "00", "0e5", "-0e-5", "0.0000000000000000000"],
  ["1e-400", "10e-401", "0.1e-399"],
  ["2e-400"],
  ["0.1", ".1", "+0.1", "0.10000000000000000000", "1e-1", "000.1"],
  ["0.10000000000000000001"],
  ["1", "1.0", "10e-1", "0.1e1", "1.00000000000000000000"],
  ["5", "005", "+5", "5e0", "50E-1"],
  ["9007199254740992", "9007199254740992.0"],
  ["9007199254740992.5"],
  ["9007199254740993"],
  ["10000000000000000000000000000000000001"],
  ["10000000000000000000000000000000000002", "1.0000000000000000000000000000000000002e37"],
  ["1e400", "10e399", "0.01e402"],
  ["1.1e400"],
  ["1e401"],
];

describe("comparing decimal numbers", () => {
  it("is exact to the last digit, for both signs", () => {
    const wrong = ladder.flatMap((left, low) =>
      ladder.flatMap((right, high) =>
        left.flatMap((a) =>
          right.flatMap((b) => {
            const expected = Math.sign(low - high);
            const found = { order: compare(a, b), oneKey: areOneKey(a, b) };
            return found.order === expected && found.oneKey === (low === high) ? [] : [{ a, b, expected, ...found }];
          }),
        ),
      ),
    );

    expect(wrong).toEqual([]);
  });

  it("gives the same result as comparing big integers, for numbers of any length", () => {
    const part = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n });
    const close = fc.tuple(part, fc.bigInt({ min: -2n, max: 2n })).map(([one, more]) => [one, one + more] as const);
    const scale = fc.integer({ min: 0, max: 40 });

    fc.assert(
      fc.property(fc.oneof(fc.tuple(part, part), close), scale, ([left, right], digits) => {
        const expected = left < right ? -1 : Number(left > right);
        const [a, b] = [`${left}e-${digits}`, `${right}e-${digits}`];
        expect([compare(a, b), compare(b, a), areOneKey(a, b)]).toEqual([expected, 0 - expected, expected === 0]);
      }),
      { seed: 7 },
    );
  });
});
