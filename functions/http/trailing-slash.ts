import { REST } from "../../interface/contract.ts";
import type { Middleware } from "./endpoint.ts";
import { refuseUnknownRoute } from "./route-hint.ts";

/** Returns the parameters of a template such as `v2/{call}`; undefined if the path does not match. */
const matchTemplate = (template: string, parts: readonly string[]): [string, string][] | undefined => {
  const names = template === "" ? [] : template.split("/");
  if (names.length !== parts.length || parts.includes("")) return undefined;
  const values: [string, string][] = [];
  for (const [index, name] of names.entries()) {
    const part = parts[index] ?? "";
    if (name.startsWith("{")) values.push([name.slice(1, -1), part]);
    else if (name !== part) return undefined;
  }
  return values;
};

/**
 * A step that accepts an extra slash at the end of the route's path, also if one of `tails` follows the path. A tail is a
 * template such as `v2/{call}`, whose parameters become parameters of the request. Refuses all other paths.
 */
export const allowSlashAtEnd = (...tails: readonly string[]): Middleware => ({
  before: ({ event }) => {
    const rest = event.path.get(REST);
    if (rest === undefined) return;
    const parts = rest.split("/");
    const values = parts.pop() === "" ? tails.map((tail) => matchTemplate(tail, parts)).find(Boolean) : undefined;
    if (values === undefined) throw refuseUnknownRoute(event.method, event.rawPath);
    event.path = new Map([...event.path, ...values]);
  },
});
