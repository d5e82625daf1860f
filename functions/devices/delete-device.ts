import type { Deps } from "../../core/deps.ts";
import { liveDeps } from "../../core/live.ts";
import * as devices from "../../core/store/devices.ts";
import { requireMember } from "../http/auth.ts";
import { deleted } from "../http/found.ts";
import { pathId } from "../http/path.ts";
import { route } from "../http/route.ts";

export const deleteDevice = (deps: Pick<Deps, "table" | "log">) =>
  route(deps, async (request) => {
    const { workspaceId, userId } = await requireMember(deps, request);
    const id = pathId("dev", request, "deviceId");
    return deleted(await devices.deleteDevice(deps, workspaceId, userId, id), "dev");
  });

export const handler = deleteDevice(liveDeps());
