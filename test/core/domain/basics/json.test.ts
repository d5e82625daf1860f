import { describe, expect, it } from "vitest";
import { parseJson } from "../../../../core/domain/basics/json.ts";

const digits = (count: number): string => "1234567890".repeat(5).slice(0, count);

describe("JSON", () => {
  it.each(['{"a":[1,"x",null,true]}', "5", '"text"', `"${digits(50)}"`, `{"${digits(50)}":1.5}`])(
    "is parsed in the same way as by JSON.parse: %s",
    (text) => {
      expect(parseJson(text)).toEqual(JSON.parse(text));
    },
  );

  it.each(["", "{", "{}{}", "NaN", `{"a":${digits(40)}`])("is refused if it is invalid: %j", (text) => {
    expect(() => parseJson(text)).toThrow(SyntaxError);
  });

  it("keeps __proto__ as an ordinary key, even in JSON with long numbers", () => {
    for (const text of ['{"__proto__":{"a":1}}', `{"__proto__":{"a":1},"n":${digits(40)}}`]) {
      expect(Object.keys(parseJson(text) as object)).toContain("__proto__");
      expect((parseJson(text) as { a?: number }).a).toBeUndefined();
    }
  });

  it("with a hundred thousand nested arrays is parsed, with or without a long number", () => {
    const nested = (inner: string) => "[".repeat(100_000) + inner + "]".repeat(100_000);

    expect(Array.isArray(parseJson(nested("")))).toBe(true);
    expect(Array.isArray(parseJson(nested(digits(40))))).toBe(true);
  });
});

describe("a number in JSON", () => {
  it.each([
    digits(38),
    `-${digits(38)}`,
    `0.${digits(38)}`,
    `${digits(19)}.${digits(19)}`,
    `0.${"0".repeat(60)}1`,
    `${digits(38)}e-20`,
    `0.${"0".repeat(10)}${digits(38)}e-20`,
    `${digits(10)}E+20`,
  ])("of up to 38 digits is kept exactly: %s", (literal) => {
    expect(parseJson(`{"n":${literal}}`)).toEqual({ n: Number(literal) });
  });

  it.each([
    digits(39),
    `-${digits(39)}`,
    `0.${digits(39)}`,
    `1.${digits(38)}`,
    `${digits(39)}e-20`,
    `1${"0".repeat(39)}`,
  ])("of more than 38 digits is refused as inexact: %s", (literal) => {
    expect(parseJson(`{"n":${literal},"m":1}`)).toEqual({ n: Number.NaN, m: 1 });
    expect(parseJson(`[[${literal}]]`)).toEqual([[Number.NaN]]);
  });
});
