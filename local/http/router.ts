import type { RouteModel } from "../template/model.ts";

type Parameters = Record<string, string>;
/** `malformed`: a parameter has invalid escapes. */
type Match = { kind: "found"; route: RouteModel; parameters: Parameters } | { kind: "missing" } | { kind: "malformed" };

type Routes = Map<string, RouteModel>;
/** `greedy`: the routes whose last segment, `{name+}`, matches the rest of the path. */
type Node = { literals: Map<string, Node>; parameter: Node | undefined; routes: Routes; greedy: Routes };

const newNode = (): Node => ({ literals: new Map(), parameter: undefined, routes: new Map(), greedy: new Map() });
const isGreedy = (segment: string): boolean => segment.endsWith("+}");
const segmentsOf = (path: string): string[] => path.split("/").slice(1);

const toTree = (routes: readonly RouteModel[]): Node => {
  const root = newNode();
  for (const route of routes) {
    let node = root;
    for (const segment of segmentsOf(route.path)) {
      if (isGreedy(segment)) break;
      if (segment.startsWith("{")) node = node.parameter ??= newNode();
      else {
        const next = node.literals.get(segment) ?? newNode();
        node.literals.set(segment, next);
        node = next;
      }
    }
    (isGreedy(route.path) ? node.greedy : node.routes).set(route.method, route);
  }
  return root;
};

const of = (routes: Routes, method: string): RouteModel | undefined => routes.get(method) ?? routes.get("ANY");

/** Literal segments win over parameters, and both over a greedy parameter, as in API Gateway. */
const find = (node: Node, segments: readonly string[], method: string): RouteModel | undefined => {
  const [segment, ...rest] = segments;
  if (segment === undefined) return of(node.routes, method);
  const literal = node.literals.get(segment);
  const exact = literal === undefined ? undefined : find(literal, rest, method);
  if (exact !== undefined) return exact;
  const one = segment === "" || node.parameter === undefined ? undefined : find(node.parameter, rest, method);
  return one ?? of(node.greedy, method);
};

const parametersOf = (route: RouteModel, segments: readonly string[]): Parameters | undefined => {
  try {
    const parameters = segmentsOf(route.path).flatMap((name, index) => {
      if (!name.startsWith("{")) return [];
      if (isGreedy(name)) return [[name.slice(1, -2), decodeURIComponent(segments.slice(index).join("/"))] as const];
      return [[name.slice(1, -1), decodeURIComponent(segments[index] ?? "")] as const];
    });
    return Object.fromEntries(parameters);
  } catch {
    return undefined;
  }
};

/** Finds the route of a path. */
export const createRouter = (routes: readonly RouteModel[]) => {
  const fallback = routes.find(({ method }) => method === "$default");
  const root = toTree(routes.filter((route) => route !== fallback));
  return (method: string, path: string): Match => {
    const segments = segmentsOf(path);
    const route = find(root, segments, method) ?? fallback;
    if (route === undefined) return { kind: "missing" };
    const parameters = parametersOf(route, segments);
    return parameters === undefined ? { kind: "malformed" } : { kind: "found", route, parameters };
  };
};
