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
    answers: { 200: { shape: ["Device"], description: "The caller's devices, the oldest first." } },
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
      "The app registers its device whenever the app starts, with exactly one address. A browser sends `subscription`, from `pushManager.subscribe`, with an endpoint of a known push service. Other apps send FCM's `fid` or `token`. The " +
      "address is removed from any other user who has it. With `email`, or with `phone` and `ways`, a code is sent to the address or number, which gets no other message until the code verifies it. A repeated request sends another code, at most three a day. Returns " +
      "422 `way_not_configured` if the stage does not have the channel.",
    body: DeviceInput,
    answers: {
      201: { shape: "Device", description: "Registered." },
      200: { shape: "Device", description: "The device was already registered; its registration is renewed." },
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
      "Accepts the code that was sent to the email address or phone number. A code is valid for an hour and five tries; the 422 says how many tries are left. A repeated request gets the same answer.",
    body: CodeInput,
    answers: { 200: { shape: "Device", description: "The email address or number is verified and receives alerts." } },
    access: { table: [get, update] },
  },
  deleteDevice: {
    method: "DELETE",
    path: "/v1/workspaces/{workspaceId}/devices/{deviceId}",
    role: "viewer",
    forPeople: true,
    summary: "Delete a device",
    description: "Removes a device of the caller, or of a colleague, who is then notified.",
    query: [
      {
        name: "userId",
        description: "The user who has the device, if an owner removes a colleague's device.",
        schema: { type: "string" },
      },
    ],
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
      "Sends a push at once, through the channel that alerts use. The answer has the push service's result; `lastTest.shownAt` of the device says when the device confirmed that it showed the push. A device can be tested once every ten seconds.",
    query: [
      {
        name: "way",
        description: "The channel to test, if a phone number has two; by default its first.",
        schema: { type: "string", enum: ["sms", "voice"] },
      },
    ],
    answers: {
      200: { shape: "DeviceTestAnswer", description: "The push service answered, or did not answer in time." },
    },
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
      "The `applicationServerKey` for `pushManager.subscribe`. If a browser's subscription has another key, the browser must subscribe again. Returns 404 until the operator has created a key.",
    answers: { 200: { shape: "WebPushKey", description: "The public key, in base64url." } },
    refuses: ["not_found"],
    access: { table: [], readsSecrets: ["vapid"] },
    forPeople: true,
  },
} as const satisfies Operations;
