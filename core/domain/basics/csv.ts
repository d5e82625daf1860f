type Cell = string | number | null;

/** A spreadsheet executes a text that begins like a formula, unless the text has an apostrophe in front. */
const FORMULA = /^[=+\-@\t\r]/;

const formatCsvCell = (value: Cell): string => {
  if (typeof value !== "string") return String(value ?? "");
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** Formats rows of cells as CSV (RFC 4180). */
export const toCsv = (rows: readonly (readonly Cell[])[]): string =>
  rows.map((row) => `${row.map(formatCsvCell).join(",")}\r\n`).join("");
