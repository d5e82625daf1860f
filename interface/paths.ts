import { type Route, routes } from "./routes.ts";

export type Paths = Readonly<Record<string, readonly string[]>>;

const listPaths = (routes: readonly Route[]): Paths =>
  Object.fromEntries(
    [...Map.groupBy(routes, ({ entry }) => entry)].map(([entry, own]) => [
      entry,
      own.map(({ method, path }) => `${method} ${path}`),
    ]),
  );

/** The routes of each operation. `people`: only the routes that a person's session may call, for the console. */
export const pathsOf = {
  everybody: listPaths(routes),
  people: listPaths(routes.filter(({ auth }) => auth === "session")),
};

/** A bundle has a plain list instead of this file, so that the bundle does not contain the contracts. */
export const paths = pathsOf.everybody;
