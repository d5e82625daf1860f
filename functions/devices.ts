import type { Deps } from "../core/deps.ts";
import { findSupportedLanguage } from "../core/domain/basics/language.ts";
import { Refusal } from "../core/domain/basics/refusal.ts";
import { toContact, toDeviceView } from "../core/domain/device/device.ts";
import type { WebPushKey } from "../core/domain/device/subscription.ts";
import { type ContactDeps, registerContact, verifyContact } from "../core/flow/admin/contacts.ts";
import type { RegisterDeps } from "../core/flow/admin/register-device.ts";
import { removeDevice } from "../core/flow/admin/remove-device.ts";
import * as testing from "../core/flow/admin/test-device.ts";
import * as flow from "../core/flow/notify/update-devices.ts";
import type { IngestDeps } from "../core/flow/ingest/ingest-event.ts";
import { liveMail, readMonthlyLimits, liveSms, liveVoice } from "../core/live-contacts.ts";
import { livePush, liveReceiptKeys, liveVapidKeys } from "../core/live-push.ts";
import { liveBaseUrl, liveDeps } from "../core/live.ts";
import * as devices from "../core/store/people/devices.ts";
import { requireRole } from "./http/auth.ts";
import { replyOk, reply } from "./http/endpoint.ts";
import { replyDeleted } from "./http/require-found.ts";
import { readPhoneChannel } from "./http/query.ts";
import * as contract from "../interface/contracts/devices.ts";
import { serve } from "./http/serve.ts";

/** Creates the handler of the requests that read the caller's devices. */
export const reads = (deps: Pick<Deps, "table" | "now" | "log"> = liveDeps()) =>
  serve(deps, contract.reads, {
    listDevices: async ({ workspaceId, caller }) => {
      const mine = await devices.listDevices(deps, workspaceId, caller.userId);
      return replyOk(mine.map((device) => toDeviceView(device, deps.now())));
    },
  });

/** Creates the handler of the requests that change devices. */
export const writes = (
  deps: Pick<Deps, "table" | "now" | "log"> & RegisterDeps & IngestDeps & ContactDeps = {
    ...liveDeps("events"),
    mail: liveMail(),
    sms: liveSms(),
    voice: liveVoice(),
    monthly: readMonthlyLimits(),
  },
) =>
  serve(deps, contract.writes, {
    registerDevice: async ({ workspaceId, caller, body: asked, headers }) => {
      const input = { ...asked, language: findSupportedLanguage(headers.get("accept-language") ?? "") };
      const contact = toContact(input);
      const { kind, device } =
        contact === undefined
          ? await flow.registerAndNotify(deps, workspaceId, caller.userId, input)
          : await registerContact(deps, workspaceId, caller.userId, { ...contact, input });
      return reply(kind === "created" ? 201 : 200, toDeviceView(device, deps.now()));
    },
    /** `POST .../devices/:deviceId/verify`: proves with a code that an address belongs to the caller. */
    verifyDevice: async ({ workspaceId, caller, deviceId, body: input }) =>
      replyOk(toDeviceView(await verifyContact(deps, workspaceId, caller.userId, deviceId, input), deps.now())),
    /** An owner can delete another member's device with `?userId=`. */
    deleteDevice: async (request) => {
      const { workspaceId, caller, deviceId } = request;
      const userId = request.query.get("userId") ?? caller.userId;
      if (userId !== caller.userId)
        await requireRole(deps, request, "owner", { action: "Removing a device of somebody else" });
      return replyDeleted(await removeDevice(request.as, workspaceId, userId, deviceId), "dev");
    },
  });

/** Creates the handler of requests that test a device. */
export const testDevice = (
  deps: testing.TestDeps = {
    ...liveDeps(),
    push: livePush(),
    monthly: readMonthlyLimits(),
    receiptKeys: liveReceiptKeys(),
    baseUrl: liveBaseUrl(),
  },
) =>
  serve(deps, contract.testDevice, {
    testDevice: async (request) => {
      const { workspaceId, caller, deviceId } = request;
      return replyOk(await testing.testDevice(deps, workspaceId, caller.userId, deviceId, readPhoneChannel(request)));
    },
  });

/** Creates the handler that returns the key for Web Push. */
export const getWebPushKey = (
  deps: Pick<Deps, "table" | "log"> & {
    getVapidKeys: () => Promise<{ current: { publicKey: string } } | undefined>;
  } = { ...liveDeps(), getVapidKeys: liveVapidKeys() },
) =>
  serve(deps, contract.getWebPushKey, {
    /** Returns the public key (`applicationServerKey`) for a browser's subscription, in base64url. */
    getWebPushKey: async () => {
      const keys = await deps.getVapidKeys();
      if (keys === undefined)
        throw new Refusal("not_found", "This service has no keys for Web Push yet. Ask its operator to create them.");
      const key: WebPushKey = { publicKey: keys.current.publicKey };
      return replyOk(key);
    },
  });
