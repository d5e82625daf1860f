import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const readFile = (file: string): string => readFileSync(join(import.meta.dirname, "../..", file), "utf8");

test("the changelog has the current version with its number and date, below the unreleased changes", () => {
  const { version } = JSON.parse(readFile("package.json")) as { version: string };
  const headings = [...readFile("CHANGELOG.md").matchAll(/^## (.+)$/gm)].map(([, heading = ""]) => heading);

  expect(headings[0]).toBe("[Unreleased]");
  const [number, date] = headings[1]?.split(" - ") ?? [];
  expect(number).toBe(`[${version}]`);
  expect(date).toMatch(/^\d{4}-\d\d-\d\d$/);
});
