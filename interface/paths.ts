import { routes } from "./routes.ts";

/** The routes of each operation, such as `GET /v1/workspaces`. */
export type Paths = Readonly<Record<string, readonly string[]>>;

/** The routes of the API. The build of a bundle replaces this file by the list, to leave out the contracts. */
export const paths: Paths = Object.fromEntries(
  [...Map.groupBy(routes, ({ entry }) => entry)].map(([entry, some]) => [
    entry,
    some.map(({ method, path }) => `${method} ${path}`),
  ]),
);
