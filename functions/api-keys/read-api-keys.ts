import { liveDeps } from "../../core/live.ts";
import { byRoute } from "../http/by-route.ts";
import { getApiKey } from "./get-api-key.ts";
import { listApiKeys } from "./list-api-keys.ts";

const deps = liveDeps();

export const handler = byRoute({
  "api-keys/list-api-keys": listApiKeys(deps),
  "api-keys/get-api-key": getApiKey(deps),
});
