import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readThreats } from "../../scripts/docs/threats.ts";

const root = join(import.meta.dirname, "../..");
const page = readFileSync(join(root, "SECURITY.md"), "utf8");
const threats = readThreats(page);

it("every threat in SECURITY.md is read, so that its tests are checked", () => {
  const [, section = ""] = page.split("## Threats");
  const entries = section
    .split("\n## ")[0]!
    .split("\n")
    .filter((line) => line.startsWith("- "));

  expect(threats).toHaveLength(entries.length);
  expect(threats.length).toBeGreaterThan(10);
});

it.each(threats.map(({ threat, files }) => [threat.replaceAll(/\[(.+?)\]\(.+?\)/g, "$1"), files] as const))(
  'the threat "%s" names existing tests',
  (_, files) => {
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  },
);
