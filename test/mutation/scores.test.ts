import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { readJsonFile } from "../../local/files.ts";
import { BEGIN, END, PAGE, Scores, SCORES, formatList } from "./scores.ts";

it("the published mutation scores are the scores that changes are compared with", () => {
  const page = readFileSync(PAGE, "utf8");
  const list = page.slice(page.indexOf(BEGIN) + BEGIN.length, page.indexOf(END)).trim();

  expect(list.split("\n")).toEqual(formatList(readJsonFile(SCORES, Scores)!));
});
