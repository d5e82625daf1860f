import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { readJsonFile } from "../../local/files.ts";
import { BEGIN, END, PAGE, Scores, SCORES, formatList } from "./scores.ts";

it("changes are compared with the published mutation scores", () => {
  const page = readFileSync(PAGE, "utf8");
  const list = page.slice(page.indexOf(BEGIN) + BEGIN.length, page.indexOf(END)).trim();

  expect(list.split("\n")).toEqual(formatList(readJsonFile(SCORES, Scores)!));
});
