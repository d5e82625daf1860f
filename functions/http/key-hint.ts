import type { HttpRequest } from "./request.ts";

/*
 * What is seen to be wrong in how a key was sent, without asking whether a key is valid. Nobody learns anything from it
 * that is not in the request.
 */

const texts: readonly (readonly [sign: RegExp, says: string])[] = [
  [/^$/, "The key is empty: is the variable set that holds it?"],
  [/^(?:bearer|basic|token|geniekey|apikey|key)[ :=]/i, "The key stands there alone, with nothing in front of it."],
  [/^["'`]|["'`]$/, "The key stands there without quotes."],
  [/^[$<{%[]|[}>\]]$/, "There is the name of a variable, and not what it holds."],
  [/,/, "There is more than one key."],
  [/\s|\\n/, "There is a blank or a line break in the key."],
  [/^key_/, "This is the id of a key. The key itself begins with eak_ and is shown once, when it is made."],
  [/^eyJ/, "This is a session token, for people; a key begins with eak_."],
  [/^(?!eak_)/, "A key begins with eak_."],
];

/** About a text that cannot be a key. */
export const hintOfText = (text: string): string =>
  texts.find(([sign]) => sign.test(text))?.[1] ??
  "The key is cut off or mistyped: the check at its end is not its own. Copy it again.";

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

/** About a request without a key where one belongs. */
export const hintWithoutKey = ({ headers, query }: Pick<HttpRequest, "headers" | "query">): string => {
  const header = OTHER_HEADERS.find((name) => headers.has(name));
  if (header !== undefined) return `There is a header ${header}, which is not read here.`;
  if ([...query.keys()].some((name) => IN_ADDRESS.test(name)))
    return "A key in the address is not read: addresses are logged on their way.";
  return "There is none.";
};
