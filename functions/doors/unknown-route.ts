import type { Deps } from "../../core/deps.ts";
import { liveLog } from "../../core/live.ts";
import { createPipeline } from "../http/endpoint.ts";
import { refuseUnknownRoute } from "../http/route-hint.ts";

/** Creates the handler of requests that match no route. */
export const createUnknownRoute = (deps: Pick<Deps, "log">) =>
  createPipeline(deps).handler(({ method, rawPath }) => {
    throw refuseUnknownRoute(method, rawPath);
  });

export const handler = createUnknownRoute({ log: liveLog() });
