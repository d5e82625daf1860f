import { RE2JS } from "re2js";
import { expect, test } from "vitest";
import { createRandom } from "../../../../../tools/random.ts";
import { findLongestRequiredText } from "../../../../../core/domain/rules/matching/regex-literal.ts";
import { foldCase } from "../../../../../core/domain/rules/matching/fold-case.ts";

test.each([
  ["payment failed", "payment failed"],
  ["^ERR-\\d+: timeout$", ": timeout"],
  ["a\\.b\\.c", "a.b.c"],
  ["colou?r", "colo"],
  ["ab*c", "a"],
  ["ab{2}cde", "cde"],
  ["ab{x|y}", ""],
  ["abc{x}", "abc"],
  ["ab{12}cd", "cd"],
  ["ab{0,12}cd", "cd"],
  ["kiosk", "kiosk"],
  ["foo(x|y)bar", "foo"],
  ["foo\\dbar", "foo"],
  ["ab+cd", "ab"],
  ["(foo|bar)baz", "baz"],
  ["foo|bar", ""],
  ["[abc]def[^]g]h", "def"],
  ["[^]g]h", "h"],
  ["[a]]b|c]def", ""],
  ["[\\]a]bcd", "bcd"],
  ["[ab", ""],
  ["[[:alpha:]]+xyz", "xyz"],
  ["[[:alpha:]_-]xyz", "xyz"],
  ["[[:a]bcd", ""],
  ["(\\)a)bcd", "bcd"],
  ["([)]a)bcd", "bcd"],
  ["(?i)Database", "Database"],
  ["(?i)task é force", "task é force"],
  ["(?s)foo.bar", "foo"],
  ["(?-i)foo", ""],
  ["\\Qa|b\\E", ""],
  ["(\\Q)abc(\\E|x)", ""],
  ["\\x41bc", ""],
  ["\\bword\\b", "word"],
])("every match of the pattern %s contains %j", (pattern, literal) => {
  expect(findLongestRequiredText(pattern).text).toBe(literal);
});

test("every text that matches a pattern contains the literal that the pattern requires, ignoring case if the pattern does", () => {
  const random = createRandom(3);
  const pick = (items: readonly string[]) => items[Math.floor(random() * items.length)]!;
  const parts = [
    "a",
    "b",
    "k",
    "S",
    "ab",
    ".",
    "\\.",
    "\\d",
    "[ab]",
    "[^a]",
    "(a|b)",
    "(?:ab)",
    "(?i)",
    "(?i:b)",
    "^",
    "$",
    "|",
    "\\b",
    "é",
    "\\\\",
    "{",
    "1",
    "(?s)",
    "[]a]",
  ];
  const quantifiers = ["", "", "", "", "*", "+", "?", "{0}", "{2}", "{0,1}", "+?"];
  const letters = [
    "a",
    "b",
    "A",
    "B",
    "k",
    "K",
    "\u212a",
    "s",
    "S",
    "\u017f",
    ".",
    "1",
    "é",
    "É",
    "{",
    "\\",
    "\n",
    "|",
  ];
  let matched = 0;

  for (let round = 0; round < 20_000; round += 1) {
    const pattern = Array.from({ length: 1 + Math.floor(random() * 5) }, () => pick(parts) + pick(quantifiers)).join(
      "",
    );
    const text = Array.from({ length: Math.floor(random() * 8) }, () => pick(letters)).join("");
    let regex: RE2JS;
    try {
      regex = RE2JS.compile(pattern);
    } catch {
      continue;
    }
    if (!regex.test(text)) continue;
    matched += 1;
    const { text: literal, ignoresCase } = findLongestRequiredText(pattern);
    const holds = ignoresCase ? foldCase(text).includes(foldCase(literal)) : text.includes(literal);
    if (!holds) expect.fail(`${pattern} on ${text}: ${literal}`);
  }

  expect(matched).toBeGreaterThan(3_000);
});
