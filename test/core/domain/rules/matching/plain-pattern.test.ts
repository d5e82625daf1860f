import { RE2JS } from "re2js";
import { expect, test } from "vitest";
import { createRandom } from "../../../../../tools/random.ts";
import { matchesPlainPattern, parsePlainPattern } from "../../../../../core/domain/rules/matching/plain-pattern.ts";

test.each(["", "^", "(?i)", "a.c", "a|b", "[a]", "a+", "\\d", "a\\.b", "(?s)a", "\\Ba", "a\ud83d", "(a)"])(
  "the pattern %j needs the RE2 engine",
  (pattern) => {
    expect(parsePlainPattern(pattern)).toBeUndefined();
  },
);

test("a character whose lower case has two characters shifts no positions when a pattern is matched without RE2", () => {
  const pattern = parsePlainPattern("(?i)\\bdisk\\b")!;
  expect(matchesPlainPattern(pattern, "\u0130 DISK")).toBe(true);
  expect(matchesPlainPattern(pattern, "DI\u017f\u212a is full")).toBe(false);
  expect(matchesPlainPattern(pattern, "a di\u017fk is full")).toBe(true);
});

test("a text that contains the pattern's word many times inside other words is left to the RE2 engine", () => {
  const pattern = parsePlainPattern("\\bdisk\\b")!;
  expect(matchesPlainPattern(pattern, `${"disks ".repeat(15)}disk`)).toBe(true);
  expect(matchesPlainPattern(pattern, `${"disks ".repeat(16)}disk`)).toBeUndefined();
});

test("matching without RE2 gives the same result as the RE2 engine for any text", () => {
  const random = createRandom(5);
  const pick = (items: readonly string[]) => items[Math.floor(random() * items.length)]!;
  const letters = [
    "a",
    "A",
    "k",
    "K",
    "\u212a",
    "s",
    "\u017f",
    "1",
    "_",
    " ",
    "-",
    "\u00e9",
    "\u00c9",
    "\u0130",
    "\n",
    "\u{1f600}",
  ];
  const word = (maxLength: number) =>
    Array.from({ length: 1 + Math.floor(random() * maxLength) }, () => pick(letters)).join("");
  const verdicts = { true: 0, false: 0 };

  for (let round = 0; round < 20_000; round += 1) {
    const pattern = pick(["", "(?i)"]) + pick(["", "\\b", "^"]) + word(3) + pick(["", "\\b", "$"]);
    const plain = parsePlainPattern(pattern);
    if (plain === undefined) expect.fail(`${JSON.stringify(pattern)} is plain`);
    const text = word(8);
    const verdict = matchesPlainPattern(plain, text);
    verdicts[verdict === true ? "true" : "false"] += 1;
    if (verdict !== RE2JS.compile(pattern).test(text))
      expect.fail(`${JSON.stringify(pattern)} on ${JSON.stringify(text)}: ${verdict}`);
  }

  expect(Math.min(...Object.values(verdicts))).toBeGreaterThan(500);
});
