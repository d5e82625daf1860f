import { liveBaseUrl, liveDeps } from "../../core/live.ts";
import { liveMonthly } from "../../core/live-contacts.ts";
import { livePush, liveReceiptKeys } from "../../core/live-push.ts";
import * as flow from "../../core/flow/admin/test-device.ts";
import { member } from "../http/auth.ts";
import { endpoint, ok } from "../http/endpoint.ts";
import { readPhoneWay } from "../http/query.ts";
import { pathId } from "../http/path.ts";

/** `POST .../devices/:deviceId/test`: sends a push to the caller's own device at once. */
export const testDevice = (deps: flow.TestDeps) =>
  endpoint(deps)
    .use(member(deps))
    .use(pathId("dev", "deviceId"))
    .handler(async (request) => {
      const { workspaceId, caller, deviceId } = request;
      return ok(await flow.testDevice(deps, workspaceId, caller.userId, deviceId, readPhoneWay(request)));
    });

export const handler = testDevice({
  ...liveDeps(),
  push: livePush(),
  monthly: liveMonthly(),
  receiptKeys: liveReceiptKeys(),
  baseUrl: liveBaseUrl(),
});
