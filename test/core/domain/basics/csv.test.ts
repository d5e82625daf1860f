import { expect, it } from "vitest";
import { toCsv } from "../../../../core/domain/basics/csv.ts";

it.each([
  [["Disks", 3, null], "Disks,3,\r\n"],
  [['Big, "fat" orders', 1.5], '"Big, ""fat"" orders",1.5\r\n'],
  [["=HYPERLINK(1)", -2], "'=HYPERLINK(1),-2\r\n"],
  [["a\nb"], '"a\nb"\r\n'],
])("the row %j is written to CSV as %j", (row, csv) => {
  expect(toCsv([row])).toBe(csv);
});
