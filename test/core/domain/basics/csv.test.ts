import { expect, it } from "vitest";
import { toCsv } from "../../../../core/domain/basics/csv.ts";

it.each([
  ["null becomes an empty field", ["Disks", 3, null], "Disks,3,\r\n"],
  ["a text with commas is quoted, with doubled quotes", ['Big, "fat" orders', 1.5], '"Big, ""fat"" orders",1.5\r\n'],
  ["a formula gets an apostrophe, and a number does not", ["=HYPERLINK(1)", -2], "'=HYPERLINK(1),-2\r\n"],
  ["a text with a line break is quoted", ["a\nb"], '"a\nb"\r\n'],
])("in a row of CSV, %s", (_, row, csv) => {
  expect(toCsv([row])).toBe(csv);
});
