import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const glossary = readFileSync("docs/glossary.md", "utf8");
const [terms = "", words = ""] = glossary.split("## Words to replace");
const readRows = (text: string): string[][] =>
  text
    .split("\n")
    .filter((line) => /^\| [^-]/.test(line) && !/^\| (?:Term|Instead of) /.test(line))
    .map((line) => line.split("|").map((cell) => cell.trim()));

const replaced = readRows(words).map(([, word = "", instead = ""]) => ({
  word,
  instead,
  found: new RegExp(String.raw`(?<!\p{L})${word}(?!\p{L})`, "iu"),
}));

/** Files that are not checked, because they list the replaced words. */
const exempt = ["docs/glossary.md"];
/** The checked texts: whole pages, and the texts that the console shows. */
const pages = globSync(["{README,CONTRIBUTING,SECURITY}.md", "console/README.md", "docs/**/*.md"]).filter(
  (page) => !exempt.includes(page),
);
const sources =
  "{bench,bin,client,conformance,console,core,functions,interface,lib,local,operator,scripts,setup,test,tools}/**/*.ts";
/** Not checked: tests, German texts, and two files whose quoted texts are stored names. */
const unchecked = [
  "test/**",
  "**/de{.ts,/**}",
  "lib/identity.ts",
  "core/store/delivery/pages.ts",
  "core/**/handoff.ts",
];
const texts = globSync(sources, { exclude: unchecked });
/** Allowed in comments and titles, whose readers know the code. */
const allowed = ["such a", "the one that"];
const COMMENT = /^\s*(?:\/\/|\/\*\*?|\*)\s(.*)/;
const TITLE = /\((["`])(.+?)\1, (?:\{.*?\}, )?(?:async )?\(/;

describe("the glossary", () => {
  it("has at most 60 terms, each once, in one sentence", () => {
    const names = readRows(terms).map(([, name = ""]) => name);
    expect(names.length).toBeLessThanOrEqual(60);
    expect(new Set(names).size).toBe(names.length);
    for (const [, , meaning = ""] of readRows(terms)) expect(meaning).toMatch(/^\S.{5,90}$/);
  });

  it.each([...pages, ...texts])("keeps replaced words out of %s", (file) => {
    const lines = readFileSync(file, "utf8").split("\n");
    const found = lines.flatMap((line, index) => {
      // In code, checks only the quoted texts (one word is often a stored name); in a page, everything except its `code`.
      const said = file.endsWith(".ts")
        ? (line.match(/"[^"]*"|`[^`]*`/g) ?? []).filter((text) => text.includes(" ")).join(" ")
        : line.replaceAll(/`[^`]*`/g, "");
      return replaced.flatMap((word) =>
        word.found.test(said) ? [`${index + 1}: write "${word.instead}": ${line.trim()}`] : [],
      );
    });
    expect(found).toEqual([]);
  });

  it("keeps replaced words out of comments and test titles", () => {
    const found = globSync(sources).flatMap((file) =>
      readFileSync(file, "utf8")
        .split("\n")
        .flatMap((line, index) => {
          const said = COMMENT.exec(line)?.[1] ?? (file.endsWith(".test.ts") ? TITLE.exec(line)?.[2] : undefined);
          if (said === undefined) return [];
          const plain = said.replaceAll(/`[^`]*`/g, "");
          return replaced.flatMap(({ word, instead, found }) =>
            !allowed.includes(word) && found.test(plain)
              ? [`${file}:${index + 1}: write "${instead}": ${line.trim()}`]
              : [],
          );
        }),
    );
    expect(found).toEqual([]);
  });

  it("finds each name that a comment quotes in the code or the docs", () => {
    const lines = globSync([sources, `${sources}x`]).flatMap((file) => readFileSync(file, "utf8").split("\n"));
    const others = [...pages, "package.json", ".oxlintrc.json"].map((file) => readFileSync(file, "utf8"));
    const known = new Set([...lines.filter((line) => !COMMENT.test(line)), ...others].join("\n").match(/\w+/g));
    const quoted = lines.flatMap((line) => COMMENT.exec(line)?.[1]?.match(/`[^`]+`/g) ?? []);
    // Only names in camel case or of constants, because other words may be examples.
    const names = quoted.flatMap((code) => code.match(/\w*(?:[a-z][A-Z]|[A-Z]_[A-Z])\w*/g) ?? []);

    expect(names.length).toBeGreaterThan(300);
    expect(names.filter((name) => !known.has(name))).toEqual([]);
  });

  it.each(pages)("allows no table cell of more than 120 characters in %s", (file) => {
    const table = readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => line.startsWith("|"));
    const cells = table.flatMap((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()));
    expect(cells.filter((cell) => cell.length > 120)).toEqual([]);
  });
});
