import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { readJsonFile } from "../../local/files.ts";
import { BEGIN, END, PAGE, Scores, SCORES, formatTable } from "./scores.ts";

it("the published mutation scores are the scores that changes are compared with", () => {
  const page = readFileSync(PAGE, "utf8");
  const table = page.slice(page.indexOf(BEGIN) + BEGIN.length, page.indexOf(END)).trim();

  const listRows = (lines: readonly string[]) => lines.map((line) => line.replaceAll(/ +/g, " ")).slice(2);
  expect(listRows(table.split("\n"))).toEqual(listRows(formatTable(readJsonFile(SCORES, Scores)!)));
});
