import { type Access, tableActions } from "./access.ts";
import { type Auth, type Operation, type Operations, listPathParameters, put, remove, update } from "./contract.ts";
import { contracts } from "./contracts/index.ts";

export type Route = Operation & {
  auth: Auth;
  entry: string;
  function: string;
  exported: string;
};

const toKebabCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const composeFunctionName = (resource: string, exported: string): string =>
  exported === "reads" || exported === "writes" ? `${exported.slice(0, -1)}-${resource}` : toKebabCase(exported);

const sortExports = <Exported>(module: Readonly<Record<string, Exported>>): [name: string, exported: Exported][] =>
  Object.entries(module).toSorted(([one], [other]) => (one < other ? -1 : 1));

const listRoutes = (resource: string, functions: Readonly<Record<string, Operations>>): Route[] =>
  sortExports(functions).flatMap(([name, operations]) =>
    Object.entries(operations).flatMap(([operationName, operation]) =>
      [operation, ...(operation.also ?? [])].map((key) => ({
        ...operation,
        besides: key === operation ? (operation.besides ?? []) : [],
        method: key.method,
        path: key.path,
        auth: key.auth ?? "session",
        entry: `${resource}/${toKebabCase(operationName)}`,
        function: composeFunctionName(resource, name),
        exported: name,
      })),
    ),
  );

export const routes: readonly Route[] = Object.entries(contracts).flatMap(([resource, functions]) =>
  listRoutes(resource, functions),
);

export const fillPath = (path: string, values: Readonly<Record<string, string | undefined>>): string =>
  listPathParameters(path).reduce(
    (filled, name) => filled.replace(`{${name}}`, () => encodeURIComponent(values[name] ?? "")),
    path,
  );

const WRITES: Access["table"] = [put, update, remove];

/** Returns whether the route's function may write to the table. */
export const isWriting = ({ access }: Pick<Route, "access">): boolean =>
  access.table.some((action) => WRITES.includes(action));

/** Returns whether a failed request to a route loses data: its callers are programs or devices that may not repeat a request. */
export const losesDataOnFailure = (route: Pick<Route, "access" | "auth">): boolean =>
  route.auth !== "session" && isWriting(route);

/** The function for requests that match no route. `path`: a route for GETs that would otherwise get the console. */
export const fallback: Pick<Route, "entry" | "access" | "path"> = {
  path: "/v1/{path+}",
  entry: "doors/unknown-route",
  access: { table: [] },
};

/** Returns further routes of a function, which the API reference does not list. */
export const listOtherRoutes = ({ besides = [], ...route }: Route): Route[] =>
  besides.map(({ method, path }) => ({ ...route, method, path }));

export const otherKeys: readonly Route[] = routes.flatMap(listOtherRoutes);

export type ApiFunction = {
  name: string;
  resource: string;
  exported: string;
  access: Access;
  routes: readonly Route[];
};

const mergeLists = <Name extends string>(lists: readonly (readonly Name[] | undefined)[]): Name[] => [
  ...new Set(lists.flatMap((list) => list ?? [])),
];

/** Returns the permissions of a function: the permissions of all its routes. */
const mergeAccess = (all: readonly Access[]): Access => {
  const [first, ...others] = all;
  if (first === undefined) throw new Error("a function has no route");
  if (others.length === 0) return first;
  if (all.some(({ keys }) => keys !== undefined))
    throw new Error("a function that is open to the public must serve exactly one endpoint");
  const sends = { sendsTo: mergeLists(all.map(({ sendsTo }) => sendsTo)) };
  const secrets = { readsSecrets: mergeLists(all.map(({ readsSecrets }) => readsSecrets)) };
  return {
    ...Object.assign({}, ...all),
    table: tableActions.filter((action) => all.some(({ table }) => table.includes(action))),
    ...(sends.sendsTo.length === 0 ? {} : sends),
    ...(secrets.readsSecrets.length === 0 ? {} : secrets),
  };
};

export const groupByFunction = (routesToGroup: readonly Route[]): ApiFunction[] =>
  [...Map.groupBy(routesToGroup, (route) => route.function)].map(([name, some]) => ({
    name,
    resource: some[0]?.entry.split("/")[0] ?? "",
    exported: some[0]?.exported ?? "",
    access: mergeAccess([...new Map(some.map((route) => [route.entry, route.access])).values()]),
    routes: some,
  }));

/** The route for HEAD requests of monitors and scripts to all paths: repeats the request as a GET, and drops the body. */
export const head = { path: "/v1/{path+}", below: "/v1/{path}" } as const;

/** The console's route, for all paths that are not the API's. The console's function reads only its own files. */
export const site = {
  paths: ["/", "/{path+}"],
  /** The opening paths have their own routes, so that a flood of requests for other paths cannot throttle them. */
  opening: ["/inbox", "/login", "/signed-in", "/worker.js", "/assets/{file}"],
  entry: "doors/serve-console",
  access: { table: [] },
} as const satisfies { paths: readonly string[]; opening: readonly string[]; entry: string; access: Access };
