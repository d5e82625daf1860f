import { routes } from "./routes.ts";

export type Paths = Readonly<Record<string, readonly string[]>>;

/** When a bundle is built, a plain list replaces this file, so that the bundle does not contain the contracts. */
export const paths: Paths = Object.fromEntries(
  [...Map.groupBy(routes, ({ entry }) => entry)].map(([entry, some]) => [
    entry,
    some.map(({ method, path }) => `${method} ${path}`),
  ]),
);
