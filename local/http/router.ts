/** API Gateway's key of a route: a method (or `ANY` or `$default`) and a path. */
type RouteKey = { method: string; path: string };
type Parameters = Record<string, string>;
/** The result of a search for a route. `malformed`: a parameter has an invalid escape. */
type RouteMatch<Route> =
  | { kind: "found"; route: Route; parameters: Parameters }
  | { kind: "missing" }
  | { kind: "malformed" };

type Routes<Route> = Map<string, Route>;
/** A segment in the tree of routes. `greedy`: routes whose last segment, `{name+}`, matches all remaining segments. */
type RouteNode<Route> = {
  literals: Map<string, RouteNode<Route>>;
  parameter: RouteNode<Route> | undefined;
  routes: Routes<Route>;
  greedy: Routes<Route>;
};

const createRouteNode = <Route>(): RouteNode<Route> => ({
  literals: new Map(),
  parameter: undefined,
  routes: new Map(),
  greedy: new Map(),
});
const isGreedy = (segment: string): boolean => segment.endsWith("+}");
const splitPath = (path: string): string[] => path.split("/").slice(1);

const buildRouteTree = <Route extends RouteKey>(routes: readonly Route[]): RouteNode<Route> => {
  const root = createRouteNode<Route>();
  for (const route of routes) {
    let node = root;
    for (const segment of splitPath(route.path)) {
      if (isGreedy(segment)) break;
      if (segment.startsWith("{")) node = node.parameter ??= createRouteNode();
      else {
        const next = node.literals.get(segment) ?? createRouteNode<Route>();
        node.literals.set(segment, next);
        node = next;
      }
    }
    (isGreedy(route.path) ? node.greedy : node.routes).set(route.method, route);
  }
  return root;
};

const findRouteForMethod = <Route>(routes: Routes<Route>, method: string): Route | undefined =>
  routes.get(method) ?? routes.get("ANY");

/** Returns a path's route, if any. As in API Gateway, literal segments precede parameters, and greedy parameters come last. */
const findRoute = <Route>(node: RouteNode<Route>, segments: readonly string[], method: string): Route | undefined => {
  const [segment, ...rest] = segments;
  if (segment === undefined) return findRouteForMethod(node.routes, method);
  const literal = node.literals.get(segment);
  const exact = literal === undefined ? undefined : findRoute(literal, rest, method);
  if (exact !== undefined) return exact;
  const one = segment === "" || node.parameter === undefined ? undefined : findRoute(node.parameter, rest, method);
  return one ?? findRouteForMethod(node.greedy, method);
};

/** Returns the parameters of a path, or undefined if a parameter has an invalid escape. */
const decodeParameters = (route: RouteKey, segments: readonly string[]): Parameters | undefined => {
  try {
    const parameters = splitPath(route.path).flatMap((name, index) => {
      if (!name.startsWith("{")) return [];
      if (isGreedy(name)) return [[name.slice(1, -2), decodeURIComponent(segments.slice(index).join("/"))] as const];
      return [[name.slice(1, -1), decodeURIComponent(segments[index] ?? "")] as const];
    });
    return Object.fromEntries(parameters);
  } catch {
    return undefined;
  }
};

/** Returns a function that finds a route like API Gateway: only greedy parameters match extra slashes, and HEAD is not GET. */
export const createRouter = <Route extends RouteKey>(routes: readonly Route[]) => {
  const fallback = routes.find(({ method }) => method === "$default");
  const root = buildRouteTree(routes.filter((route) => route !== fallback));
  return (method: string, path: string): RouteMatch<Route> => {
    const segments = splitPath(path);
    const route = findRoute(root, segments, method) ?? fallback;
    if (route === undefined) return { kind: "missing" };
    const parameters = decodeParameters(route, segments);
    return parameters === undefined ? { kind: "malformed" } : { kind: "found", route, parameters };
  };
};
