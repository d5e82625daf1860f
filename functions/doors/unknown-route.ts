import type { Deps } from "../../core/deps.ts";
import { liveLog } from "../../core/live.ts";
import { endpoint } from "../http/endpoint.ts";
import { refusalOfRoute } from "../http/route-hint.ts";

/** Answers requests that match no route. */
export const createUnknownRoute = (deps: Pick<Deps, "log">) =>
  endpoint(deps).handler(({ method, rawPath }) => {
    throw refusalOfRoute(method, rawPath);
  });

export const handler = createUnknownRoute({ log: liveLog() });
