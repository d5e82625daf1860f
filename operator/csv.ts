import { OperatorError } from "./stage.ts";

/** A row of a file. `fields`: the row's values by column name. */
export type CsvRow = { line: number; fields: Readonly<Record<string, string>> };

type CsvRecord = { line: number; fields: string[] };

/** Splits a CSV text into records (RFC 4180). A quoted field may contain separators, quotes and line breaks. */
const parseRecords = (text: string, separator: string): CsvRecord[] => {
  const records: CsvRecord[] = [];
  let [line, field, quoted] = [1, "", false];
  let record: CsvRecord = { line, fields: [] };
  const endField = (): void => {
    record.fields.push(field);
    field = "";
  };
  const endRecord = (): void => {
    endField();
    if (record.fields.some((one) => one.trim() !== "")) records.push(record);
    record = { line, fields: [] };
  };
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === "\n") line += 1;
    if (quoted) {
      if (char !== '"') field += char;
      else if (text.charAt(at + 1) === '"') [field, at] = [`${field}"`, at + 1];
      else quoted = false;
    } else if (char === '"' && field.trim() === "") [field, quoted] = ["", true];
    else if (char === separator) endField();
    else if (char === "\n") endRecord();
    else if (char !== "\r") field += char;
  }
  if (quoted) throw new OperatorError(`Line ${record.line}: a quotation mark is not closed.`);
  endRecord();
  return records;
};

/**
 * Returns the rows of a CSV file. The separator is a comma, or a semicolon if the first line has no comma. Column names become
 * lower case. Throws OperatorError if a column is unknown or a required column is missing.
 */
export const readCsv = (
  text: string,
  { needed, known }: { needed: readonly string[]; known: readonly string[] },
): CsvRow[] => {
  const [firstLine = ""] = text.split("\n", 1);
  const separator = firstLine.includes(",") || !firstLine.includes(";") ? "," : ";";
  const [head, ...records] = parseRecords(text, separator);
  // `trim` also removes the byte order mark of spreadsheets.
  const names = (head?.fields ?? []).map((name) => name.trim().toLowerCase());
  const expected = `The first line must name columns out of ${known.join(",")}`;
  const odd = names.find((name, at) => !known.includes(name) || names.indexOf(name) !== at);
  if (odd !== undefined) throw new OperatorError(`${expected}, each once. Remove or correct "${odd}".`);
  const missing = needed.find((name) => !names.includes(name));
  if (missing !== undefined) throw new OperatorError(`${expected}. Add "${missing}", which is required.`);
  return records.map(({ line, fields }) => {
    if (fields.length > names.length)
      throw new OperatorError(
        `Line ${line}: it has ${fields.length} fields, but the first line names ${names.length} columns.`,
      );
    return { line, fields: Object.fromEntries(names.map((name, at) => [name, (fields[at] ?? "").trim()])) };
  });
};
