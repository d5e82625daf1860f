import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, it } from "vitest";

const pages = globSync(["*.md", "docs/**/*.md"]);
const readText = (page: string): string => readFileSync(page, "utf8").replaceAll(/^ *```[^]*?```$/gm, "");
const toAnchor = (heading: string): string =>
  heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, "")
    .replaceAll(" ", "-");
const listAnchors = (page: string): string[] =>
  [...readText(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => toAnchor(heading));
const ROOMS = "bench|conformance|console|core|docs|functions|interface|lib|local|scripts|setup|test";

it.each(pages)("the page %s links to files and headings that exist", (page) => {
  const broken = [...readText(page).matchAll(/\]\(([^)\s:]+)\)/g)].flatMap(([, link = ""]) => {
    const [path = "", anchor] = link.split("#");
    const target = path === "" ? page : normalize(join(dirname(page), path));
    const found = existsSync(target) && (anchor === undefined || listAnchors(target).includes(anchor));
    return found ? [] : [link];
  });
  expect(broken).toEqual([]);
});

// The changelog may name files that were removed since.
it.each(pages.filter((page) => page !== "CHANGELOG.md"))("the page %s names files that exist", (page) => {
  const named = [...readText(page).matchAll(new RegExp(`\`((?:${ROOMS})/[\\w./-]+)\``, "g"))].map(
    ([, path = ""]) => path,
  );
  expect(named.filter((path) => !existsSync(path))).toEqual([]);
});
