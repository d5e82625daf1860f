import type { RouteModel } from "../template/model.ts";

export type Match = { kind: "found"; route: RouteModel; parameters: Record<string, string> } | { kind: "missing" };

type Node = { literals: Map<string, Node>; parameter: Node | undefined; routes: Map<string, RouteModel> };

const newNode = (): Node => ({ literals: new Map(), parameter: undefined, routes: new Map() });
const segmentsOf = (path: string): string[] => path.split("/").slice(1);

/** Finds the route of a path: segments that are written out go before parameters, as API Gateway has it. */
export const createRouter = (routes: readonly RouteModel[]) => {
  const root = newNode();
  for (const route of routes) {
    let node = root;
    for (const segment of segmentsOf(route.path)) {
      if (segment.endsWith("+}")) throw new Error(`${route.path}: greedy parameters are not known here`);
      if (segment.startsWith("{")) node = node.parameter ??= newNode();
      else {
        const next = node.literals.get(segment) ?? newNode();
        node.literals.set(segment, next);
        node = next;
      }
    }
    node.routes.set(route.method, route);
  }

  const find = (node: Node, segments: readonly string[], method: string): RouteModel | undefined => {
    const [segment, ...rest] = segments;
    if (segment === undefined) return node.routes.get(method) ?? node.routes.get("ANY");
    const literal = node.literals.get(segment);
    const exact = literal === undefined ? undefined : find(literal, rest, method);
    if (exact !== undefined) return exact;
    return segment === "" || node.parameter === undefined ? undefined : find(node.parameter, rest, method);
  };

  return (method: string, path: string): Match => {
    const segments = segmentsOf(path);
    const route = find(root, segments, method);
    if (route === undefined) return { kind: "missing" };
    const parameters = segmentsOf(route.path).flatMap((name, index) =>
      name.startsWith("{") ? [[name.slice(1, -1), decodeURIComponent(segments[index] ?? "")] as const] : [],
    );
    return { kind: "found", route, parameters: Object.fromEntries(parameters) };
  };
};
