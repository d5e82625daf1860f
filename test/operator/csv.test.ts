import { describe, expect, it } from "vitest";
import { readCsv } from "../../operator/csv.ts";
import { OperatorError } from "../../operator/stage.ts";

const columns = { needed: ["a"], known: ["a", "b", "c"] };
const readRows = (text: string) => readCsv(text, columns).map(({ line, fields }) => [line, ...Object.values(fields)]);

describe("a CSV table", () => {
  it.each([
    [
      "a,b\n1,2\n3,4\n",
      [
        [2, "1", "2"],
        [3, "3", "4"],
      ],
    ],
    [
      "a,b\r\n1,2\r\n3,4",
      [
        [2, "1", "2"],
        [3, "3", "4"],
      ],
    ],
    ["a;b\n1;2,5\n", [[2, "1", "2,5"]]],
    // If the first line has a comma, a semicolon is text.
    ["a,b\n1;2,3\n", [[2, "1;2", "3"]]],
    ["a\n1;2\n", [[2, "1;2"]]],
    ["\ufeffa,b\n1,2\n", [[2, "1", "2"]]],
    [" A , B\n 1 ,\t2 \n", [[2, "1", "2"]]],
    ["a,b\n1\n", [[2, "1", ""]]],
    [
      "a,b\n,\n1,\n \n\n,2\n",
      [
        [3, "1", ""],
        [6, "", "2"],
      ],
    ],
    ["a,b\n", []],
    ['a,b\n"1,5","a ""b"""\n', [[2, "1,5", 'a "b"']]],
    [
      'a,b\n"1\n2",3\n4,5\n',
      [
        [2, "1\n2", "3"],
        [4, "4", "5"],
      ],
    ],
    ['"a","b"\n  "1",2\n', [[2, "1", "2"]]],
    ['a\n""\n"x"\n', [[3, "x"]]],
    // A quotation mark inside a field without quotes is text.
    ['a,b\n5" pipe,2\n', [[2, '5" pipe', "2"]]],
  ])("with the text %j is read line by line", (text, rows) => {
    expect(readRows(text)).toEqual(rows);
  });

  it("can have its columns in any order, because fields are found by the names of the columns", () => {
    expect(readCsv("C,a\n1,2\n", columns)).toEqual([{ line: 2, fields: { c: "1", a: "2" } }]);
  });
});

it.each([
  ["", 'The first line must name columns out of a,b,c. Add "a", which is required.'],
  ["a,,b\n", 'The first line must name columns out of a,b,c, each once. Remove or correct "".'],
  ["b\n1\n", 'The first line must name columns out of a,b,c. Add "a", which is required.'],
  ["a,d\n", 'The first line must name columns out of a,b,c, each once. Remove or correct "d".'],
  ["a,b,a\n", 'The first line must name columns out of a,b,c, each once. Remove or correct "a".'],
  ["a,b\n1,2\n1,2,3\n", "Line 3: it has 3 fields, but the first line names 2 columns."],
  ['a\n1\n"2\n3\n', "Line 3: a quotation mark is not closed."],
])("the CSV table %j is refused with: %s", (text, message) => {
  expect(() => readCsv(text, columns)).toThrow(new OperatorError(message));
});
