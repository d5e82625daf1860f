import { expect, test } from "vitest";
import { createRegexPool, regexFault } from "../../../../core/domain/matching/regex.ts";

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

test("a plain pattern costs the length of its text, and nothing when the text is the same", () => {
  const pool = createRegexPool();
  const regex = pool.find("time(out|d out) after \\d+");

  expect(pool.search(regex, "the query timed out after 30 s")).toBe(31);
  expect(pool.search(regex, "the query timed out after 30 s")).toBe(0);
  expect(regex.verdict).toBe(true);
  expect(regex.compiled).toBeDefined();
});

test.each([
  ["a".repeat(512), undefined],
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
