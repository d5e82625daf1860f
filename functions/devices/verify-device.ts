import type { Deps } from "../../core/deps.ts";
import { toDeviceView } from "../../core/domain/device/device.ts";
import { CodeInput } from "../../core/domain/device/verification.ts";
import { verifyContact } from "../../core/flow/admin/contacts.ts";
import { liveDeps } from "../../core/live.ts";
import { member } from "../http/auth.ts";
import { body } from "../http/body.ts";
import { endpoint, ok } from "../http/endpoint.ts";
import { pathId } from "../http/path.ts";

/** `POST .../devices/:deviceId/verify`: shows with a code that an address is the caller's. */
export const verifyDevice = (deps: Pick<Deps, "table" | "now" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .use(pathId("dev", "deviceId"))
    .use(body(CodeInput))
    .handler(async ({ workspaceId, caller, deviceId, body: input }) =>
      ok(toDeviceView(await verifyContact(deps, workspaceId, caller.userId, deviceId, input), deps.now())),
    );

export const handler = verifyDevice(liveDeps());
