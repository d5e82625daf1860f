import { DeviceInput } from "../../core/domain/device/device.ts";
import { CodeInput } from "../../core/domain/device/verification.ts";
import { get, gone, type Operations, put, query, remove, update } from "../contract.ts";

export const reads = {
  listDevices: {
    method: "GET",
    path: "/v1/workspaces/{workspaceId}/devices",
    role: "viewer",
    forPeople: true,
    summary: "List my devices",
    answers: { 200: { shape: ["Device"], description: "The caller's own, the oldest first." } },
    access: { table: [get] },
  },
} as const satisfies Operations;

export const writes = {
  registerDevice: {
    method: "POST",
    path: "/v1/workspaces/{workspaceId}/devices",
    role: "viewer",
    forPeople: true,
    summary: "Register my device",
    description:
      "Done by the app whenever it starts, with exactly one address: `subscription` (what a browser's " +
      "`pushManager.subscribe` gives; endpoints of the known push services only), `fid` or `token` (of FCM). The " +
      "address is taken from any other user who has it. With `email`, or with `phone` and `ways`, a code is sent there, and " +
      "nothing else before it is verified with the code; repeated, another code is sent, at most three a day. 422 " +
      "`way_not_configured` if the stage does not have that channel.",
    body: DeviceInput,
    answers: {
      201: { shape: "Device", description: "Registered." },
      200: { shape: "Device", description: "The address was known here; the registration is renewed." },
    },
    refuses: ["limit_reached"],
    access: { table: [get, query, put, update, remove], sendsTo: ["events"], sendsToContacts: true },
  },
  verifyDevice: {
    method: "POST",
    path: "/v1/workspaces/{workspaceId}/devices/{deviceId}/verify",
    role: "viewer",
    forPeople: true,
    summary: "Verify an email address or a phone number of mine",
    description:
      "With the code that was sent to it, within an hour, and with five tries; the 422 says what is left. Repeated, it is " +
      "answered the same.",
    body: CodeInput,
    answers: { 200: { shape: "Device", description: "The address is verified and receives alerts." } },
    access: { table: [get, update] },
  },
  deleteDevice: {
    method: "DELETE",
    path: "/v1/workspaces/{workspaceId}/devices/{deviceId}",
    role: "viewer",
    forPeople: true,
    summary: "Delete a device",
    description: "The caller's own, or a colleague's, who is notified of it.",
    query: [{ name: "userId", description: "Whose device it is, for owners.", schema: { type: "string" } }],
    answers: gone,
    refuses: ["role_required"],
    access: { table: [get, query, put, update, remove], sendsTo: ["events"] },
  },
} as const satisfies Operations;

export const testDevice = {
  testDevice: {
    method: "POST",
    path: "/v1/workspaces/{workspaceId}/devices/{deviceId}/test",
    role: "viewer",
    forPeople: true,
    summary: "Send a test to my device",
    description:
      "A push at once, by the channel that alerts use. The answer says what the push service said; `lastTest.shownAt` of the " +
      "device says when the device confirmed that it was shown. Once in ten seconds for each device.",
    query: [
      {
        name: "way",
        description: "Which channel to test of a phone number with two; default: its first.",
        schema: { type: "string", enum: ["sms", "voice"] },
      },
    ],
    answers: { 200: { shape: "DeviceTestAnswer", description: "The push service has answered, or not in time." } },
    refuses: ["rate_limited"],
    access: {
      table: [get, put, update, remove],
      readsSecrets: ["fcm", "vapid", "receipts"],
      sendsToContacts: true,
      knowsBaseUrl: true,
    },
  },
} as const satisfies Operations;

export const getWebPushKey = {
  getWebPushKey: {
    method: "GET",
    path: "/v1/web-push/key",
    summary: "Get the key that browsers subscribe with",
    description:
      "The `applicationServerKey` for `pushManager.subscribe`. When a subscription has another, the browser subscribes " +
      "again: the operator has replaced the key. 404 as long as the operator has made none.",
    answers: { 200: { shape: "WebPushKey", description: "The public key, in base64url." } },
    refuses: ["not_found"],
    access: { table: [], readsSecrets: ["vapid"] },
    forPeople: true,
  },
} as const satisfies Operations;
