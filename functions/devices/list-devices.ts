import type { Deps } from "../../core/deps.ts";
import { toDeviceView } from "../../core/domain/people/device.ts";
import { liveDeps } from "../../core/live.ts";
import * as devices from "../../core/store/devices.ts";
import { requireMember } from "../http/auth.ts";
import { route } from "../http/route.ts";

export const listDevices = (deps: Pick<Deps, "table" | "log">) =>
  route(deps, async (request) => {
    const { workspaceId, userId } = await requireMember(deps, request);
    const mine = await devices.listDevices(deps, workspaceId, userId);
    return { status: 200, body: mine.map(toDeviceView) };
  });

export const handler = listDevices(liveDeps());
