import { RE2JS } from "re2js";
import { expect, it } from "vitest";
import { foldCase, foldUnit } from "../../../../../core/domain/rules/matching/fold-case.ts";

/** Every character that has another upper or lower case, or that folding changes. */
const cased = Array.from({ length: 0x110000 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))
  .filter((char) => foldCase(char) !== char || char.toUpperCase() !== char || char.toLowerCase() !== char);

it("two characters are folded to the same character exactly if RE2 treats them as equal when ignoring case", () => {
  const text = cased.join("");
  const byFold = Map.groupBy(cased, foldCase);
  const different = [...byFold].filter(([folded, alike]) => {
    const matches = RE2JS.compile(`(?i)${RE2JS.quote(folded)}`).matcher(text);
    const found: string[] = [];
    while (matches.find()) found.push(matches.group() ?? "");
    return found.join() !== alike.join();
  });

  expect(cased.length).toBeGreaterThan(2_500);
  expect(different).toEqual([]);
});

it("case folding keeps the position of every character, alone and in a text", () => {
  const text = cased.join("");

  expect(foldCase(text)).toBe(cased.map(foldCase).join(""));
  expect(cased.filter((char) => foldCase(char).length !== char.length)).toEqual([]);
});

it("texts that are equal when ignoring case have equal folded code units", () => {
  const different = cased.filter((char) => {
    const [units, folded] = [char, foldCase(char)].map((text) =>
      text.split("").map((unit) => foldUnit(unit.charCodeAt(0))),
    );
    return units?.join() !== folded?.join();
  });

  expect(different).toEqual([]);
  expect(foldUnit("\u212a".charCodeAt(0))).toBe("k".charCodeAt(0));
});
