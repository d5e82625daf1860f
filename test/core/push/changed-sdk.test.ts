import { expect, it, vi } from "vitest";
import { aMessage, aPush } from "./support.ts";

const send = vi.fn<() => Promise<string>>(() => Promise.resolve("sent"));

vi.mock(import("firebase-admin/messaging"), async (original) => {
  const actual = await original();
  const getMessaging = () => ({ send, messagingRequestHandler: { httpClient: { retries: 4 } } });
  return { ...actual, getMessaging: getMessaging as unknown as typeof actual.getMessaging };
});

it("sends nothing through a firebase-admin whose retries cannot be switched off", async () => {
  expect(await aPush().send(aMessage("phone-1"))).toEqual({ kind: "auth", code: "FIREBASE_ADMIN_CHANGED" });
  expect(send).not.toHaveBeenCalled();
});
