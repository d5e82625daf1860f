import type { Deps } from "../../core/deps.ts";
import { toDeviceView } from "../../core/domain/device/device.ts";
import { liveDeps } from "../../core/live.ts";
import * as devices from "../../core/store/devices.ts";
import { endpoint, ok } from "../http/endpoint.ts";
import { member } from "../http/auth.ts";

export const listDevices = (deps: Pick<Deps, "table" | "now" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .handler(async ({ workspaceId, caller }) => {
      const mine = await devices.listDevices(deps, workspaceId, caller.userId);
      return ok(mine.map((device) => toDeviceView(device, deps.now())));
    });

export const handler = listDevices(liveDeps());
