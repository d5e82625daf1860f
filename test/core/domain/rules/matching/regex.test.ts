import { expect, test } from "vitest";
import { estimateMaxCompiledBytes } from "../../../../../core/domain/rules/matching/price.ts";
import { createRegexPool, findRegexFault } from "../../../../../core/domain/rules/matching/regex.ts";

const pseudoRandomText = (length: number, salt: number): string =>
  Array.from({ length }, (_, index) => "ab"[(Math.imul(index * index + salt, 2_654_435_761) >>> 13) & 1]).join("");

test("a regex that has built too many states is freed after the event, and compiled again when it is next used", () => {
  const pool = createRegexPool();
  const regex = pool.find("a.{100}b$");

  const cost = pool.search(regex, `${pseudoRandomText(2_000, 1)}a${"b".repeat(101)}`);

  expect(regex.verdict).toBe(true);
  expect(regex.compiled).toBeDefined();
  expect(cost).toBeGreaterThan(500_000);
  pool.tidy();
  expect(regex).toMatchObject({ compiled: undefined, bytes: 0 });
  pool.search(regex, "b".repeat(102));
  expect(regex.verdict).toBe(false);
});

test("the first 32,768 states of a regex are free; each further state costs matching budget once, when it is built", () => {
  const pool = createRegexPool();
  const regex = pool.find("a.{8}b$");

  const first = pool.search(regex, pseudoRandomText(300, 1));
  const built = regex.states;
  const second = pool.search(regex, pseudoRandomText(1_000, 5));

  expect(built).toBeGreaterThan(32_768);
  expect(first).toBe(301 + 1.5 * (built - 32_768));
  expect(second).toBe(1_001 + 1.5 * (regex.states - built));
  expect(regex.bytes).toBe(estimateMaxCompiledBytes(regex.pattern) + regex.states);
  expect(pool.estimateBytes()).toBe(regex.bytes);
  expect(pool.search(regex, pseudoRandomText(300, 1))).toBe(301);
});

test("compiled patterns that together take too much memory are freed between events, and never during an event", () => {
  const pool = createRegexPool({ maxBytes: 12_000 });
  const search = (patterns: readonly string[], text: string) => {
    for (const pattern of patterns) pool.search(pool.find(pattern), text);
  };
  const listCompiled = () =>
    ["^[a]$", "^[b]$", "^[c]$", "^[d]$"].filter((pattern) => pool.find(pattern).compiled !== undefined);

  // A compiled pattern takes about 3,500 bytes, so four patterns exceed the limit.
  for (const text of ["first", "second", "third"]) {
    pool.tidy();
    search(["^[a]$", "^[b]$"], text);
    pool.tidy();
    search(["^[c]$", "^[d]$"], text);
    expect(listCompiled()).toEqual(["^[a]$", "^[b]$", "^[c]$", "^[d]$"]);

    pool.tidy();
    expect(listCompiled()).not.toContain("^[a]$");
    expect(listCompiled()).not.toContain("^[b]$");
    expect(listCompiled()).toContain("^[d]$");
    expect(pool.estimateBytes()).toBeLessThan(12_000);
  }
});

test("only the patterns within the rule set's budget are compiled", () => {
  const beyond = new Set(["a{3}|b"]);
  const pool = createRegexPool({ beyond: () => beyond });

  expect(pool.isBeyond(pool.find("a{3}|b"))).toBe(true);
  expect(pool.isBeyond(pool.find("a{3}|c"))).toBe(false);
});

test("searching for a plain pattern costs the length of the text, and nothing if the same text is searched again", () => {
  const pool = createRegexPool();
  const regex = pool.find("time(out|d out) after \\d+");

  expect(pool.search(regex, "the query timed out after 30 s")).toBe(31);
  expect(pool.search(regex, "the query timed out after 30 s")).toBe(0);
  expect(regex.verdict).toBe(true);
  expect(regex.compiled).toBeDefined();
});

test.each([
  ["", 302],
  ["abc", 302],
  ["]abcd", 303],
  ["\\dabc", 303],
  ["[def]abc", 303],
  ["[[:digit:]x]abc", 303],
  ["d{2}abc", 303],
  ["^abc", 303],
  ["(abc)", 304],
  ["d?abc", 303],
  ["a+b*c", 304],
])(
  "letters at the start of a regex add no steps, and other parts do: %s.{300} compiles to %i steps",
  (pattern, steps) => {
    expect(findRegexFault(`${pattern}.{300}`)).toContain(`compiles to ${steps} steps`);
  },
);

test.each([
  ["512 letters", "a".repeat(512)],
  ["254 repeats of any character", ".{254}"],
  ["up to 100 characters between two words", "error.{0,100}timeout"],
  ["40 alternative words", Array.from({ length: 40 }, (_, index) => `failure${index}`).join("|")],
  ["a repeat inside a repeat", "^(a+)+$"],
  ["300 emoji", "😀".repeat(300)],
  ["120 repeats of each of two classes of Unicode characters", "[^\\pL]{120}\\pL{120}[N]"],
])("a regex with %s has no fault", (_, pattern) => {
  expect(findRegexFault(pattern)).toBeUndefined();
});

test.each([
  ["255 repeats of any character", "compiles to 257 steps", ".{255}"],
  ["300 emoji and 400 repeats", "the limit is 256", `${"😀".repeat(300)}.{400}`],
  ["200 repeats of a group", "the limit is 256", "(abc){200}"],
  ["1,000 repeats of any character", "the limit is 256", ".{1000}"],
  ["40 parts of 1,000 letters each", "units to compile", "\\pL{1000}".repeat(40)],
  ["two repeat operators in a row", "RE2 syntax", "a**"],
  ["a range of letters in reverse order", "RE2 syntax", "[b-a]"],
  ["a reference to a group", "RE2 syntax", "\\8"],
])('a regex with %s has a fault whose message contains "%s"', (_, fault, pattern) => {
  expect(findRegexFault(pattern)).toContain(fault);
});
