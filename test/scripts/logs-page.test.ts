import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { listLogCodes, renderLogsPage } from "../../scripts/docs/logs-page.ts";

it("docs/logs.md matches the source (npm run docs:logs writes it)", () => {
  expect(readFileSync(join(import.meta.dirname, "../../docs/logs.md"), "utf8")).toBe(renderLogsPage());
});

it("a log code has two parts of lowercase letters with a dot between them", () => {
  expect(listLogCodes().filter(({ code }) => !/^[a-z]+\.[a-z_]+$/.test(code))).toEqual([]);
});
