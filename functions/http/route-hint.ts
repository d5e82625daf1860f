import { Refusal } from "../../core/domain/basics/refusal.ts";
import { findNearest } from "../../core/domain/basics/nearest.ts";
import type { RouteKey } from "../../interface/contract.ts";
import { paths } from "#paths";

type Route = Pick<RouteKey, "path"> & { method: string };

const everyRoute: readonly Route[] = Object.values(paths)
  .flat()
  .map((key) => {
    const [method = "", path = ""] = key.split(" ");
    return { method, path };
  });

const splitPath = (path: string): string[] => path.split("/").filter((part) => part !== "");

const matchesTemplate = (template: string, path: string): boolean => {
  const names = splitPath(template);
  const parts = splitPath(path);
  return names.length === parts.length && names.every((name, index) => name.startsWith("{") || name === parts[index]);
};

const toDocumentedPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ":$1");

const joinMethods = (routes: readonly Route[]): string => [...new Set(routes.map(({ method }) => method))].join(", ");

/** Corrects common mistakes: slashes, capitals, a missing or wrong version, a stage name at the start. */
const correctPath = (path: string): string => {
  const parts = splitPath(path);
  const version = parts.findIndex((part) => /^v\d+$/i.test(part));
  const rest =
    version < 0 ? parts.filter((part, index) => index > 0 || part.toLowerCase() !== "api") : parts.slice(version + 1);
  return `/${["v1", ...rest].join("/")}`;
};

/** Lists what can follow a workspace's id in a path; undefined if nothing follows the id in this path. */
const explainWorkspacePaths = (routes: readonly Route[], path: string): string | undefined => {
  const [version, workspaces, id, name] = splitPath(path);
  if (version !== "v1" || workspaces !== "workspaces" || id === undefined || name === undefined) return undefined;
  const names = routes
    .filter((route) => route.path.startsWith("/v1/workspaces/"))
    .flatMap((route) => splitPath(route.path).slice(3, 4));
  return `This path does not exist. A workspace has ${[...new Set(names)].sort().join(", ")}.`;
};

/** Returns a hint if the path to send events was confused with the path to read events; otherwise an empty text. */
const explainEventPaths = (method: string, path: string): string => {
  if (method === "GET" && path === "/v1/events") return " To read events, use GET /v1/workspaces/:workspaceId/events.";
  return method === "POST" && /^\/v1\/workspaces\/[^/]+\/events$/.test(path)
    ? " To send events, use POST /v1/events with an API key."
    : "";
};

/** Returns whether a path has neither "//" nor "/" at its end. To API Gateway, a path with an extra slash is another path. */
const hasNoExtraSlash = (path: string): boolean => path === `/${splitPath(path).join("/")}`;

/** Returns the first route whose segments are all parameters or similar to the path's; undefined if no route is similar. */
const findSimilarRoute = (routes: readonly Route[], path: string): Route | undefined => {
  const parts = splitPath(path);
  return routes.find(({ path: template }) => {
    const names = splitPath(template);
    return (
      names.length === parts.length &&
      names.every((name, index) => name.startsWith("{") || findNearest(parts[index] ?? "", [name]) === name)
    );
  });
};

/** Returns the refusal of a request that matches no route, with the route that the caller probably means. */
export const refuseUnknownRoute = (method: string, path: string, routes: readonly Route[] = everyRoute): Refusal => {
  const here = hasNoExtraSlash(path) ? routes.filter((route) => matchesTemplate(route.path, path)) : [];
  if (here.length > 0)
    return new Refusal(
      "method_not_allowed",
      `${method} is not allowed here; use ${joinMethods(here)}.${explainEventPaths(method, path)}`,
      { allow: joinMethods(here) },
    );
  const right = correctPath(path);
  const meant = routes.filter((route) => matchesTemplate(route.path, right));
  if (meant.length > 0)
    return new Refusal("unknown_path", `This path does not exist. Did you mean ${right} (${joinMethods(meant)})?`);
  const like = findSimilarRoute(routes, right);
  if (like !== undefined)
    return new Refusal(
      "unknown_path",
      `This path does not exist. Did you mean ${like.method} ${toDocumentedPath(like.path)}?`,
    );
  return new Refusal(
    "unknown_path",
    explainWorkspacePaths(routes, right) ??
      "This path does not exist. To send events, use POST /v1/events; the API reference lists all paths.",
  );
};
