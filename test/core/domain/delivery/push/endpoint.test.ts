import { describe, expect, it } from "vitest";
import { isAllowedEndpoint } from "../../../../../core/domain/delivery/push/endpoint.ts";

const standIn = "http://127.0.0.1:3000/local/web-push/push/";

describe("the endpoint of a browser's push service", () => {
  it.each([
    "https://fcm.googleapis.com/fcm/send/abc",
    "https://jmt17.google.com/fcm/send/abc",
    "https://updates.push.services.mozilla.com/wpush/v2/abc",
    "https://wns2-par02p.notify.windows.com/w/?token=abc",
    "https://web.push.apple.com/abc",
  ])("is accepted: %s", (endpoint) => {
    expect(isAllowedEndpoint(endpoint, undefined)).toBe(true);
  });

  it.each([
    "http://fcm.googleapis.com/fcm/send/abc",
    "https://fcm.googleapis.com:8443/fcm/send/abc",
    "https://user@fcm.googleapis.com/fcm/send/abc",
    "https://:pw@fcm.googleapis.com/fcm/send/abc",
    "https://fcm.googleapis.com/fcm/send/abc#fragment",
    "https://fcm.googleapis.com@evil.example/",
    "https://fcm.googleapis.com.evil.example/",
    "https://evilfcm.googleapis.com/",
    "https://jmt17.google.com.evil.example/",
    "https://updates.push.services.mozilla.com.evil.example/",
    "https://wns2.notify.windows.com.evil.example/",
    "https://web.push.apple.com.evil.example/",
    "https://evilweb.push.apple.com/",
    "https://eviljmt17.google.com/",
    "https://evilpush.services.mozilla.com/",
    "https://evil.example/?web.push.apple.com",
    "https://169.254.169.254/latest/meta-data",
    "https://localhost/",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "",
    "no url",
    `${standIn}one`,
  ])("is refused: %j", (endpoint) => {
    expect(isAllowedEndpoint(endpoint, undefined)).toBe(false);
  });
});

describe("the endpoint of the local stand-in for a push service", () => {
  it("is accepted if the stage uses the stand-in; every other endpoint is then refused", () => {
    expect(isAllowedEndpoint(`${standIn}one`, standIn)).toBe(true);
    expect(isAllowedEndpoint(`${standIn}../inbox`, standIn)).toBe(false);
    expect(isAllowedEndpoint(`${standIn}%2e%2e/inbox`, standIn)).toBe(false);
    expect(isAllowedEndpoint("http://127.0.0.1:3000/v1/events", standIn)).toBe(false);
    expect(isAllowedEndpoint("https://evil.example/", standIn)).toBe(false);
    expect(isAllowedEndpoint("no url", standIn)).toBe(false);
  });
});
