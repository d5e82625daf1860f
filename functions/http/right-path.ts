import { Refusal } from "../../core/domain/basics/refusal.ts";
import { nearest } from "../../core/domain/basics/nearest.ts";
import { routes, type Route } from "../../lib/routes.ts";

type Known = Pick<Route, "method" | "path">;

const partsOf = (path: string): string[] => path.split("/").filter((part) => part !== "");

const fits = (template: string, path: string): boolean => {
  const names = partsOf(template);
  const parts = partsOf(path);
  return names.length === parts.length && names.every((name, index) => name.startsWith("{") || name === parts[index]);
};

/** In the documentation's notation. */
const shown = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ":$1");

const list = (known: readonly Known[]): string => [...new Set(known.map(({ method }) => method))].join(", ");

/** The path with its usual mistakes corrected: slashes, capitals, a missing version. */
const mended = (path: string): string => {
  const parts = partsOf(path);
  const [first] = parts;
  const version = first?.toLowerCase() === "v1" ? [] : ["v1"];
  return `/${[...version, ...parts].join("/")}`;
};

/** The template most like a path: the fixed parts are in their places, apart from typing errors. */
const mostLike = (known: readonly Known[], path: string): Known | undefined => {
  const parts = partsOf(path);
  return known.find(({ path: template }) => {
    const names = partsOf(template);
    return (
      names.length === parts.length &&
      names.every((name, index) => name.startsWith("{") || nearest(parts[index] ?? "", [name]) === name)
    );
  });
};

/** Why a request matched no route, and what would be right. */
export const refusalOfRoute = (method: string, path: string, known: readonly Known[] = routes): Refusal => {
  const here = known.filter((route) => fits(route.path, path) && !path.endsWith("/"));
  if (here.length > 0)
    return new Refusal("method_not_allowed", `${method} is not possible at this path; ${list(here)} is.`, {
      allow: list(here),
    });
  const right = mended(path);
  const meant = known.filter((route) => fits(route.path, right));
  if (meant.length > 0)
    return new Refusal("unknown_path", `There is no such path. Did you mean ${right} (${list(meant)})?`);
  const like = mostLike(known, right);
  if (like !== undefined)
    return new Refusal("unknown_path", `There is no such path. Did you mean ${like.method} ${shown(like.path)}?`);
  return new Refusal(
    "unknown_path",
    "There is no such path. Events are sent to POST /v1/events; the API reference has all paths.",
  );
};
