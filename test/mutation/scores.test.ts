import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { readJsonFile } from "../../local/files.ts";
import { BEGIN, END, PAGE, Scores, SCORES, tableOf } from "./scores.ts";

it("the published mutation scores are the scores that changes are compared with", () => {
  const page = readFileSync(PAGE, "utf8");
  const table = page.slice(page.indexOf(BEGIN) + BEGIN.length, page.indexOf(END)).trim();

  const rows = (lines: readonly string[]) => lines.map((line) => line.replaceAll(/ +/g, " ")).slice(2);
  expect(rows(table.split("\n"))).toEqual(rows(tableOf(readJsonFile(SCORES, Scores)!)));
});
