import { routes } from "./routes.ts";

/** The keys of each operation, such as `GET /v1/workspaces`. */
export type Paths = Readonly<Record<string, readonly string[]>>;

/** The paths of the interface, of which bundles hold this list alone: their builds put it in the place of this file. */
export const paths: Paths = Object.fromEntries(
  [...Map.groupBy(routes, ({ entry }) => entry)].map(([entry, some]) => [
    entry,
    some.map(({ method, path }) => `${method} ${path}`),
  ]),
);
