import { expect, it, vi } from "vitest";
import { aMessage, aPush } from "./support.ts";

const send = vi.fn<() => Promise<string>>(() => Promise.resolve("sent"));
let messaging: object;

vi.mock(import("firebase-admin/messaging"), async (original) => {
  const actual = await original();
  return { ...actual, getMessaging: (() => messaging) as unknown as typeof actual.getMessaging };
});

it.each([
  ["under another name", { httpClient: { retries: 4 } }],
  ["in another place", { httpClient: null }],
  ["outside an object", { httpClient: "client" }],
  ["null", null],
  ["missing", undefined],
])(
  "nothing is sent if the retries of firebase-admin cannot be switched off, because their setting is %s",
  async (_, handler) => {
    messaging = { send, messagingRequestHandler: handler };

    expect(await aPush().send(aMessage("phone-1"))).toEqual({ kind: "auth", code: "FIREBASE_ADMIN_CHANGED" });
    expect(send).not.toHaveBeenCalled();
  },
);
