import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { renderGrants } from "../../scripts/docs/permissions-page.ts";

it("docs/permissions.md lists the permissions of each function (npm run docs:permissions writes it)", () => {
  const page = readFileSync(join(import.meta.dirname, "../../docs/permissions.md"), "utf8");
  const lines = page.split("\n").filter((line) => line.startsWith("- "));

  expect(lines).toEqual(renderGrants());
});
