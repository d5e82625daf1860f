type Cell = string | number | null;

/** Spreadsheets execute a text that begins like a formula, unless an apostrophe precedes it. */
const FORMULA = /^[=+\-@\t\r]/;

const toCell = (cell: Cell): string => {
  if (typeof cell !== "string") return String(cell ?? "");
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** Formats rows as CSV (RFC 4180). */
export const toCsv = (rows: readonly (readonly Cell[])[]): string =>
  rows.map((row) => `${row.map(toCell).join(",")}\r\n`).join("");
