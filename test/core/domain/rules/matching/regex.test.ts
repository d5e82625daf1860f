import { expect, test } from "vitest";
import { createRegexPool, regexFault } from "../../../../../core/domain/rules/matching/regex.ts";

const randomLooking = (length: number, salt: number): string =>
  Array.from({ length }, (_, index) => "ab"[(Math.imul(index * index + salt, 2_654_435_761) >>> 13) & 1]).join("");

test("a pattern that built too many states is let go, and found again with the same verdicts", () => {
  const pool = createRegexPool();
  const regex = pool.find("a.{100}b$");

  const cost = pool.search(regex, `${randomLooking(2_000, 1)}a${"b".repeat(101)}`);

  expect(regex).toMatchObject({ verdict: true, compiled: undefined, bytes: 0 });
  expect(cost).toBeGreaterThan(500_000);
  pool.search(regex, "b".repeat(102));
  expect(regex.verdict).toBe(false);
});

test("what a pattern builds for a text is paid for once, beyond what any pattern builds", () => {
  const pool = createRegexPool();
  const regex = pool.find("a.{8}b$");

  const first = pool.search(regex, randomLooking(300, 1));
  const built = regex.states;
  const second = pool.search(regex, randomLooking(1_000, 5));

  expect(built).toBeGreaterThan(32_768);
  expect(first).toBe(301 + 1.5 * (built - 32_768));
  expect(second).toBe(1_001 + 1.5 * (regex.states - built));
  expect(regex.bytes).toBe(3_000 + 100 * 13 + regex.states);
  expect(pool.search(regex, randomLooking(300, 1))).toBe(301);
});

test("patterns that hold too much together are let go together, and room is there again", () => {
  const pool = createRegexPool(12_000);
  const held = (patterns: readonly string[], text: string) => {
    for (const pattern of patterns) pool.search(pool.find(pattern), text);
    return patterns.filter((pattern) => pool.find(pattern).compiled !== undefined);
  };

  // Each holds 3,500 bytes.
  for (const round of ["1", "2", "3"]) {
    expect(held(["^[a]$", "^[b]$", "^[c]$"], `a${round}`)).toEqual(["^[a]$", "^[b]$", "^[c]$"]);
    expect(held(["^[a]$", "^[b]$", "^[c]$"], `b${round}`)).toEqual(["^[a]$", "^[b]$", "^[c]$"]);
    expect(held(["^[a]$", "^[b]$", "^[c]$", "^[d]$"], `c${round}`)).toEqual([]);
  }
});

test("a plain pattern costs the length of its text, and nothing when the text is the same", () => {
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
])("the characters that stand for themselves are free: %s.{300} compiles to %i steps", (pattern, steps) => {
  expect(regexFault(`${pattern}.{300}`)).toContain(`this one to ${steps}:`);
});

test.each([
  ["a".repeat(512), undefined],
  [".{254}", undefined],
  [".{255}", expect.stringContaining("this one to 257:")],
  ["error.{0,100}timeout", undefined],
  [Array.from({ length: 40 }, (_, index) => `failure${index}`).join("|"), undefined],
  ["^(a+)+$", undefined],
  ["😀".repeat(300), undefined],
  [`${"😀".repeat(300)}.{400}`, expect.stringContaining("at most 256 steps")],
  ["(abc){200}", expect.stringContaining("at most 256 steps")],
  [".{1000}", expect.stringContaining("at most 256 steps")],
  ["a**", expect.stringContaining("RE2 syntax")],
  ["[b-a]", expect.stringContaining("RE2 syntax")],
  ["\\8", expect.stringContaining("RE2 syntax")],
])("%s: fault %s", (pattern, fault) => {
  expect(regexFault(pattern)).toEqual(fault);
});
