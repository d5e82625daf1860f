import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import { afterAll, expect, it } from "vitest";
import { SiteIndex } from "../../../functions/http/site.ts";
import { pages } from "../../../console/app/paths.ts";
import { buildConsole, readPageModules } from "../../../console/build/build.ts";
import { writePathsFile } from "../../../lib/build.ts";

const dir = mkdtempSync(join(tmpdir(), "console-"));
afterAll(() => rmSync(dir, { recursive: true }));

const { first, budget, parts, importer } = buildConsole(dir, writePathsFile("people"));

it("the console's build contains every file that its start page or file list refers to, and the first load is within the size budget", () => {
  const site = v.parse(SiteIndex, JSON.parse(readFileSync(join(dir, "site.json"), "utf8")));

  const [, style = ""] = /<style>(.*?)<\/style>/s.exec(site.shell) ?? [];
  expect(createHash("sha256").update(style).digest("base64")).toBe(site.style);
  expect(site.shell).toContain("{{setting}}");
  expect(site.shell).toContain('<link rel="modulepreload" href="{{texts}}">');
  for (const texts of Object.values(site.texts)) expect(site.files).toHaveProperty([texts]);
  for (const [, asset] of site.shell.matchAll(/(?:src|href)="(\/(?:assets|icons)[^"]+|\/manifest[^"]+)"/g))
    expect(site.files).toHaveProperty([asset!]);
  for (const { name, encodings } of Object.values(site.files))
    for (const encoding of encodings)
      expect(existsSync(join(dir, encoding === "identity" ? name : `${name}.${encoding}`))).toBe(true);
  expect(first).toBeLessThanOrEqual(budget);
  const bare = Object.entries(site.pages).flatMap(([path, scripts]) => (scripts.length === 0 ? [path] : []));
  expect(bare).toEqual(["/inbox", "/", "/login", "/press", "/signed-in", "/sources", "/statistics", "/what-if"]);
  for (const script of Object.values(site.pages).flat()) expect(site.files).toHaveProperty([script]);
});

const modules = readPageModules();

it.each(pages.filter(({ name }) => modules.has(name)))(
  "the page at $path loads at most 20 KB beyond the first load, and declares the texts that it needs",
  ({ name, path }) => {
    const { bytes, texts } = parts.get(modules.get(name) ?? "") ?? { bytes: Infinity, texts: [] };

    expect(bytes).toBeLessThanOrEqual(20 * 1024);
    expect(texts).toEqual([path.split("/")[1]]);
  },
);

it("the importers are in a separate file of at most 192 KB, which no page loads when it opens", () => {
  const names = readdirSync(join(dir, "assets")).filter((name) => /^importer-.*\.js\.gzip$/.test(name));
  const page = readFileSync(join(dir, "site.json"), "utf8");

  expect(names).toHaveLength(1);
  expect(importer).toBeLessThanOrEqual(192 * 1024);
  expect(v.parse(SiteIndex, JSON.parse(page)).shell).not.toContain("importer");
});

it("each script that the console loads later than its page declares the texts that it needs", () => {
  const others = [...parts].filter(([file]) => ![...modules.values()].includes(file));

  expect(Object.fromEntries(others.map(([file, { texts }]) => [file, texts]))).toEqual({
    "app/browser-push": [],
    "app/check-devices": [],
    "app/focus": [],
    "pages/first-workspace": ["frame"],
    "texts/api/de": [],
    "pages/inbox/guide": ["guide"],
    "pages/keys/try-mapping": [],
    "pages/on-call/calendar": ["calendar"],
    "pages/on-call/covers": ["covers", "on-call"],
    "pages/on-call/load": ["load"],
    "pages/on-call/month": ["month", "on-call"],
    "pages/on-call/override": ["on-call"],
    "pages/on-call/people": ["on-call"],
    "pages/on-call/preview": ["preview", "on-call"],
    "pages/rule/probe-panel": ["rules"],
    "parts/group-members": [],
    "parts/invitations": ["frame"],
    "parts/keys-help": ["frame"],
    "parts/palette": [],
    "parts/shadow-banner": ["frame"],
    "parts/unreached": ["frame"],
    "parts/wrong-clock": ["frame"],
  });
});
