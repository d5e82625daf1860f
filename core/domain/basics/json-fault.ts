const SPACE = /[\t\n\r ]*/y;
const TEXT = /"[^"\\\p{Cc}]*(?:(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})|[\x7f-\x9f])[^"\\\p{Cc}]*)*"/uy;
const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;

type Expected = "value" | "value or ]" | "name" | "name or }" | "colon" | "comma or ]" | "comma or }" | "end";

const wanted: Readonly<Record<Expected, string>> = {
  value: "a value",
  "value or ]": "a value or ]",
  name: "a name in double quotes",
  "name or }": "a name in double quotes or }",
  colon: "a colon",
  "comma or ]": "a comma or ]",
  "comma or }": "a comma or }",
  end: "the end of the body",
};

/** Where a text is not JSON; `line` and `column` start at 1. `hint`: a space and a sentence on the usual mistake, or empty. */
export type JsonFault = { line: number; column: number; expected: string; found: string; hint: string };

/** Texts of other languages, shells and templates that are not JSON, each with a hint. */
const hints: readonly (readonly [sign: RegExp, hint: string])[] = [
  [/^(?:True|False|None|nil|undefined)\b/, "JSON has true, false and null."],
  [/^-?(?:NaN|Inf)/, "JSON has no NaN or Infinity. Leave the field out."],
  [/^(?:\/\/|\/\*|#)/, "JSON has no comments."],
  [/^'/, "JSON needs double quotes."],
  [/^[$<]|^\{\{/, "Is this an unset variable?"],
  [/^@/, "To send a file with curl, use --data @file.json."],
];

const describeJsonFault = (text: string, offset: number, expected: string): JsonFault => {
  const before = text.slice(0, offset).split("\n");
  const [found] = text.slice(offset, offset + 2);
  // In `{{`, the first brace begins a valid object, so the fault is at the second brace.
  const from = text.startsWith("{{", offset - 1) ? offset - 1 : offset;
  return {
    line: before.length,
    column: Array.from(before.at(-1) ?? "").length + 1,
    expected,
    found: found === undefined ? "the end" : JSON.stringify(found),
    hint: hints.flatMap(([sign, hint]) => (sign.test(text.slice(from, from + 16)) ? [` ${hint}`] : []))[0] ?? "",
  };
};

/** Returns the first fault of the text; undefined if it is JSON. Does not recurse. */
export const findJsonFault = (text: string): JsonFault | undefined => {
  const open: ("]" | "}")[] = [];
  let at = 0;
  let next: Expected = "value";
  const skipIfPresent = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const isThere = pattern.test(text);
    if (isThere) at = pattern.lastIndex;
    return isThere;
  };
  const expectAfterValue = (): Expected => {
    const inner = open.at(-1);
    return inner === undefined ? "end" : `comma or ${inner}`;
  };
  for (;;) {
    skipIfPresent(SPACE);
    const char = text[at];
    if (next === "end") return char === undefined ? undefined : describeJsonFault(text, at, wanted.end);
    const start = at;
    at += 1;
    if (char === open.at(-1) && next.endsWith(`or ${char}`)) {
      open.pop();
      next = expectAfterValue();
    } else if (next.startsWith("comma") && char === ",") next = open.at(-1) === "}" ? "name" : "value";
    else if (next === "colon" && char === ":") next = "value";
    else if (next.startsWith("value") && (char === "{" || char === "[")) {
      open.push(char === "{" ? "}" : "]");
      next = char === "{" ? "name or }" : "value or ]";
    } else {
      at = start;
      const isText = skipIfPresent(TEXT);
      if (isText && next.startsWith("name")) next = "colon";
      else if (next.startsWith("value") && (isText || skipIfPresent(SCALAR))) next = expectAfterValue();
      else if (char === '"' && !isText)
        return describeJsonFault(text, start, "a closed string, with line breaks, quotes and backslashes escaped");
      else return describeJsonFault(text, start, wanted[next]);
    }
  }
};
