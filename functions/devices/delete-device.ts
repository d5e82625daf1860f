import type { Deps } from "../../core/deps.ts";
import { liveDeps } from "../../core/live.ts";
import * as devices from "../../core/store/devices.ts";
import { deleted } from "../http/found.ts";
import { endpoint } from "../http/endpoint.ts";
import { member } from "../http/auth.ts";
import { pathId } from "../http/path.ts";

export const deleteDevice = (deps: Pick<Deps, "table" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .use(pathId("dev", "deviceId"))
    .handler(async ({ workspaceId, caller, deviceId }) =>
      deleted(await devices.deleteDevice(deps, workspaceId, caller.userId, deviceId), "dev"),
    );

export const handler = deleteDevice(liveDeps());
