import { liveBaseUrl, liveDeps } from "../../core/live.ts";
import { liveSmsMonthly } from "../../core/live-contacts.ts";
import { livePush, liveReceiptKeys } from "../../core/live-push.ts";
import * as flow from "../../core/flow/admin/test-device.ts";
import { member } from "../http/auth.ts";
import { endpoint, ok } from "../http/endpoint.ts";
import { pathId } from "../http/path.ts";

/** `POST .../devices/:deviceId/test`: sends a push to the caller's own device at once. */
export const testDevice = (deps: flow.TestDeps) =>
  endpoint(deps)
    .use(member(deps))
    .use(pathId("dev", "deviceId"))
    .handler(async ({ workspaceId, caller, deviceId }) =>
      ok(await flow.testDevice(deps, workspaceId, caller.userId, deviceId)),
    );

export const handler = testDevice({
  ...liveDeps(),
  push: livePush(),
  smsMonthly: liveSmsMonthly(),
  receiptKeys: liveReceiptKeys(),
  baseUrl: liveBaseUrl(),
});
