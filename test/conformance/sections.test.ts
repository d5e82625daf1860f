import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { checks } from "../../conformance/run.ts";

it("the sections of the conformance checks have the names of the headings of the API reference", () => {
  const page = readFileSync(new URL("../../docs/api.md", import.meta.url), "utf8");
  const headings = [...page.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);

  expect(new Set(checks.map(({ section }) => section))).toEqual(new Set(headings));
});
