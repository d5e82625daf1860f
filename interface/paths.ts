import { routes } from "./routes.ts";

export type Paths = Readonly<Record<string, readonly string[]>>;

/** The routes of each operation. A bundle has a plain list instead of this file, so that it does not contain the contracts. */
export const paths: Paths = Object.fromEntries(
  [...Map.groupBy(routes, ({ entry }) => entry)].map(([entry, some]) => [
    entry,
    some.map(({ method, path }) => `${method} ${path}`),
  ]),
);
