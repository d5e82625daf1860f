import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { checks } from "../../conformance/run.ts";

it("each section of the conformance checks is named like a heading of the API reference, and has checks", () => {
  const page = readFileSync(new URL("../../docs/api.md", import.meta.url), "utf8");
  const headings = [...page.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);

  expect(new Set(checks.map(({ section }) => section))).toEqual(new Set(headings));
});
