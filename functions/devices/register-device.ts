import type { Deps } from "../../core/deps.ts";
import { DeviceInput, toDeviceView } from "../../core/domain/people/device.ts";
import * as flow from "../../core/flow/admin/register-device.ts";
import type { RegisterDeps } from "../../core/flow/admin/register-device.ts";
import { liveDeps } from "../../core/live.ts";
import { body } from "../http/body.ts";
import { endpoint, reply } from "../http/endpoint.ts";
import { member } from "../http/auth.ts";

export const registerDevice = (deps: RegisterDeps & Pick<Deps, "log">) =>
  endpoint(deps)
    .use(member(deps))
    .use(body(DeviceInput))
    .handler(async ({ workspaceId, caller, body: input }) => {
      const { kind, device } = await flow.registerDevice(deps, workspaceId, caller.userId, input);
      return reply(kind === "created" ? 201 : 200, toDeviceView(device, deps.now()));
    });

export const handler = registerDevice(liveDeps());
