type Cell = string | number | null;

/** Spreadsheets execute a text that begins like a formula, unless an apostrophe precedes it. */
const FORMULA = /^[=+\-@\t\r]/;

const formatCell = (value: Cell): string => {
  if (typeof value !== "string") return String(value ?? "");
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** RFC 4180. */
export const toCsv = (rows: readonly (readonly Cell[])[]): string =>
  rows.map((row) => `${row.map(formatCell).join(",")}\r\n`).join("");
