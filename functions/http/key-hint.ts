import type { HttpRequest } from "./request.ts";

/* Explains mistakes that are visible in the text of a sent key. Reads no stored keys, so a hint reveals nothing about them. */

const texts: readonly (readonly [sign: RegExp, says: string])[] = [
  [/^$/, "The key is empty. Is its variable set?"],
  [/^(?:bearer|basic|token|geniekey|apikey|key)[ :=]/i, "Send only the key, without a prefix."],
  [/^["'`]|["'`]$/, "Send the key without quotes."],
  [/^[$<{%[]|[}>\]]$/, "The header has the name of a variable instead of its value."],
  [/,/, "The header has more than one key."],
  [/\s|\\n/, "The key has a space or a line break."],
  [/^key_/, "This is the id of a key. The key itself begins with eak_ and is shown once, when it is created."],
  [/^eyJ/, "This is a session token, for people; a key begins with eak_."],
  [/^(?!eak_)/, "A key begins with eak_."],
];

export const explainInvalidKey = (key: string): string =>
  texts.find(([sign]) => sign.test(key))?.[1] ??
  "The key is cut off or mistyped: its checksum is wrong. Copy the key again.";

const OTHER_HEADERS = [
  "authorization",
  "api-key",
  "apikey",
  "api_key",
  "x_api_key",
  "x-apikey",
  "x-auth-token",
  "x-token",
];
const IN_ADDRESS = /^(?:x[-_]?)?(?:api[-_]?)?key$|^token$/i;

export const explainMissingKey = ({ headers, query }: Pick<HttpRequest, "headers" | "query">): string => {
  const header = OTHER_HEADERS.find((name) => headers.has(name));
  if (header !== undefined) return `The header ${header} is not read.`;
  if ([...query.keys()].some((name) => IN_ADDRESS.test(name)))
    return "A key in the URL is not accepted, because URLs are logged.";
  return "The header is missing.";
};
