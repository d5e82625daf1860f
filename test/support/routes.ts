import { fillPath, type Route } from "../../interface/routes.ts";
import type { App, Ask } from "../world/app.ts";
import { createBodies } from "./bodies.ts";
import type { FilledWorkspace } from "./people.ts";

export const listNamedRoutes = (routes: readonly Route[]) =>
  routes.map((route) => [`${route.method} ${route.path}`, route] as const);

/** Sends a request to a route, with `ids` in its path, and in its body unless another body is given. */
export const askRoute = <Body = unknown>(
  app: Pick<App, "ask">,
  route: Route,
  caller: Pick<Ask, "as" | "apiKey">,
  ids: FilledWorkspace,
  body: object | undefined = createBodies(ids)[route.entry],
) => {
  const search = route.entry === "events/explain-event" ? `?userId=${ids.userId}` : "";
  return app.ask<Body>(fillPath(route.path, ids) + search, {
    method: route.method,
    ...caller,
    ...(body === undefined ? {} : { body }),
  });
};
