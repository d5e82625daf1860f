import type { Deps } from "../../core/deps.ts";
import { DeviceInput, toDeviceView } from "../../core/domain/people/device.ts";
import * as flow from "../../core/flow/register-device.ts";
import { liveDeps } from "../../core/live.ts";
import { requireMember } from "../http/auth.ts";
import { readBody } from "../http/body.ts";
import { route } from "../http/route.ts";

export const registerDevice = (deps: Pick<Deps, "table" | "now" | "newId" | "log">) =>
  route(deps, async (request) => {
    const { workspaceId, userId } = await requireMember(deps, request);
    const input = readBody(DeviceInput, request);
    const { kind, device } = await flow.registerDevice(deps, workspaceId, userId, input);
    return { status: kind === "created" ? 201 : 200, body: toDeviceView(device) };
  });

export const handler = registerDevice(liveDeps());
