import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import { afterAll, expect, it } from "vitest";
import { SiteIndex } from "../../../functions/http/site.ts";
import { buildConsole } from "../../../console/build/build.ts";

const dir = mkdtempSync(join(tmpdir(), "console-"));
afterAll(() => rmSync(dir, { recursive: true }));

it("the console's build is whole: what the shell and the index name is there, as its policy says, within the budget", () => {
  const { first, budget } = buildConsole(dir);
  const site = v.parse(SiteIndex, JSON.parse(readFileSync(join(dir, "site.json"), "utf8")));

  const [, style = ""] = /<style>(.*?)<\/style>/s.exec(site.shell) ?? [];
  expect(createHash("sha256").update(style).digest("base64")).toBe(site.style);
  expect(site.shell).toContain("{{setting}}");
  for (const [, asset] of site.shell.matchAll(/(?:src|href)="(\/(?:assets|icons)[^"]+|\/manifest[^"]+)"/g))
    expect(site.files).toHaveProperty([asset!]);
  for (const { name, encodings } of Object.values(site.files))
    for (const encoding of encodings)
      expect(existsSync(join(dir, encoding === "identity" ? name : `${name}.${encoding}`))).toBe(true);
  expect(first).toBeLessThanOrEqual(budget);
});
