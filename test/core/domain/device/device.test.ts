import * as v from "valibot";
import { describe, expect, it } from "vitest";
import {
  toAddress,
  toAddressId,
  areAllLongUnseen,
  DeviceInput,
  judgeReachability,
  filterReachableDevices,
  toDeviceView,
  toChannel,
} from "../../../../core/domain/device/device.ts";
import { parseInput } from "../../../../core/domain/basics/faults.ts";
import { createBrowser } from "../../../support/web-push.ts";

describe("a device registration", () => {
  const isAccepted = (fields: object) => v.is(DeviceInput, { token: "fcm-token", platform: "ios", ...fields });

  it.each(["ios", "android", "web"])("may have the platform %s", (platform) => {
    expect(isAccepted({ platform })).toBe(true);
  });

  it.each([
    ["a name", { name: "Ann's phone" }],
    ["a token of all printable characters", { token: "!~:_-azAZ09" }],
    ["a token of 4,096 characters", { token: "x".repeat(4_096) }],
  ])("may have %s", (_, fields) => {
    expect(isAccepted(fields)).toBe(true);
  });

  it.each([
    ["another platform", { platform: "windows" }],
    ["an empty name", { name: "" }],
    ["an empty token", { token: "" }],
    ["a token of 4,097 characters", { token: "x".repeat(4_097) }],
    ["a token that starts with a space", { token: " token" }],
    ["a token that ends with a space", { token: "token " }],
    ["a token with a letter that is not ASCII", { token: "tokén" }],
    ["a token with a control character", { token: "token\u007f" }],
  ])("may not have %s", (_, fields) => {
    expect(isAccepted(fields)).toBe(false);
  });
});

describe("the address of a device", () => {
  const { subscription } = createBrowser();
  const faultsOf = (input: object) =>
    parseInput(DeviceInput, structuredClone(input)).faults.map(({ field, code }) => `${field} ${code}`);

  it.each([
    ["a registration token", { token: "t", platform: "ios" }],
    ["an installation id", { fid: "f", platform: "android" }],
    ["a subscription", { subscription, platform: "web" }],
    ["a browser's subscription without a platform", { subscription }],
    ["a subscription as browsers write it", { subscription: { ...subscription, expirationTime: null } }],
  ])("may be %s", (_, input) => {
    expect(faultsOf(input)).toEqual([]);
  });

  it.each([
    ["no address", { platform: "ios" }, ["token required"]],
    ["no address and no platform", {}, ["token required", "platform required"]],
    ["two addresses", { token: "t", fid: "f", platform: "ios" }, ["fid invalid"]],
    [
      "three addresses",
      { token: "t", fid: "f", subscription, platform: "ios" },
      ["fid invalid", "subscription invalid"],
    ],
    ["a token without a platform", { token: "t" }, ["platform required"]],
    ["a token that is not a text, and no platform", { token: 5 }, ["token wrong_type"]],
    ["a phone number without channels", { phone: "+4930123456" }, ["ways required"]],
    ["an app with channels", { token: "t", platform: "ios", ways: ["sms"] }, ["ways invalid"]],
    ["a subscription that is a text", { subscription: "s" }, ["subscription wrong_type"]],
    [
      "a subscription without keys",
      { subscription: { endpoint: subscription.endpoint } },
      ["subscription.keys required"],
    ],
    [
      "invalid keys",
      { subscription: { ...subscription, keys: { p256dh: "AAAA", auth: "AAAA" } } },
      ["subscription.keys.p256dh invalid", "subscription.keys.auth invalid"],
    ],
    [
      "a key that is not on the curve",
      { subscription: { ...subscription, keys: { ...subscription.keys, p256dh: `BA${"A".repeat(85)}` } } },
      ["subscription.keys.p256dh invalid"],
    ],
  ])("is refused with faults that name each wrong field: %s", (_, input, faults) => {
    expect(faultsOf(input)).toEqual(faults);
  });

  it.each([
    ["no address", { platform: "ios" }, 'One of "token", "fid", "subscription", "email" and "phone" is required.'],
    [
      "a token and another address",
      { token: "t", email: "ann@acme.example", platform: "ios" },
      '"email" must not be given together with "token": a device has one address.',
    ],
    [
      "an email address and a platform",
      { email: "ann@acme.example", platform: "ios" },
      '"platform" is only for apps and browsers, not for an email address or a phone number.',
    ],
    [
      "an email address and a key",
      { email: "ann@acme.example", receiptKey: subscription.keys.p256dh },
      '"receiptKey" is only for apps and browsers, not for an email address or a phone number.',
    ],
    ["a token without a platform", { token: "t" }, "platform is required."],
    [
      "a phone number without channels",
      { phone: "+4930123456" },
      '"ways" is required with "phone": ["sms"], ["voice"] or both.',
    ],
    [
      "a phone number with one channel twice",
      { phone: "+4930123456", ways: ["sms", "sms"] },
      "ways must contain each channel once.",
    ],
    [
      "a phone number with an empty list of channels",
      { phone: "+4930123456", ways: [] },
      "ways must contain sms or voice.",
    ],
    [
      "an email address with channels",
      { email: "ann@acme.example", ways: ["sms"] },
      '"ways" is allowed only with "phone".',
    ],
    ...["030 123456", "+49 30 123456", "+0301234567", "+493012", "+4930123456789012"].map(
      (phone): [string, object, string] => [
        `the phone number ${phone}`,
        { phone, ways: ["sms"] },
        "phone must be a number with its country's code (E.164), such as +4930123456.",
      ],
    ),
  ])("is refused with one sentence that says why: %s", (_, input, message) => {
    expect(parseInput(DeviceInput, input).faults.map((fault) => fault.message)).toEqual([message]);
  });

  it("may be an email address without a platform", () => {
    expect(faultsOf({ email: "ann@acme.example", name: "Work" })).toEqual([]);
  });

  // The browser's random keys are not in the titles, because a title must not change.
  it.each([
    ["email", "mail ann@acme.example", { email: "Ann@Acme.example" }],
    ["sms", "phone +4930123456", { phone: "+4930123456" }],
    ["web-push", `web ${subscription.endpoint}`, { subscription }],
    ["fcm", "fid f", { fid: "f" }],
    ["fcm", "t", { token: "t" }],
  ] as const)('of the channel "%s" has the id "%s"', (channel, text, address) => {
    expect(toAddress(address)).toEqual(address);
    expect(toChannel(address)).toBe(channel);
    expect(toAddressId(address)).toBe(text);
  });

  it("must be in the stored item of the device, because an item without an address cannot be read", () => {
    expect(() => toAddress({})).toThrow("a device has no address");
  });

  it("is still recognised after the keys of a browser's subscription were renewed", () => {
    const other = createBrowser().subscription;

    expect(toAddressId({ subscription: other })).toBe(toAddressId({ subscription }));
    expect(new Set([toAddressId({ token: "a" }), toAddressId({ fid: "a" })]).size).toBe(2);
  });
});

describe("a device in the API", () => {
  const stored = {
    id: "dev_1" as const,
    platform: "ios" as const,
    name: null,
    createdAt: "2026-11-01T00:00:00.000Z",
    registeredAt: "2026-11-20T12:00:00.000Z",
    token: "fcm-token",
  };

  it("is shown without its address", () => {
    const { token: _token, ...shown } = stored;

    expect(toDeviceView({ ...stored, receiptKey: "key" }, Date.UTC(2026, 10, 21))).toEqual({
      ...shown,
      ways: ["push"],
      email: null,
      phone: null,
      verified: true,
      stopped: false,
      lastSeenAt: stored.registeredAt,
      lastDeliveredAt: null,
      lastFailure: null,
      mustRenew: false,
      failing: null,
      silent: false,
      sendsReceipts: true,
      lastTest: null,
    });
  });

  it("is silent if it has not been seen for 30 days", () => {
    const isSilent = (now: number, lastDeliveredAt?: string) =>
      toDeviceView({ ...stored, lastDeliveredAt }, now).silent;

    expect(isSilent(Date.UTC(2026, 11, 20, 12))).toBe(false);
    expect(isSilent(Date.UTC(2026, 11, 20, 12) + 1)).toBe(true);
    expect(isSilent(Date.UTC(2026, 11, 21), "2026-11-30T00:00:00.000Z")).toBe(false);
  });

  it("was last seen when it registered or when it confirmed a push, whichever is later", () => {
    const lastSeenAt = (lastDeliveredAt: string) => toDeviceView({ ...stored, lastDeliveredAt }, 0).lastSeenAt;

    expect(lastSeenAt("2026-11-21T12:00:00.000Z")).toBe("2026-11-21T12:00:00.000Z");
    expect(lastSeenAt("2026-11-19T12:00:00.000Z")).toBe(stored.registeredAt);
  });

  it("has the channel email if it is an email address, and receives nothing until it is verified", () => {
    const { token: _token, ...rest } = stored;
    const mail = { ...rest, platform: "email" as const, email: "ann@acme.example" };
    const now = Date.UTC(2026, 10, 21);

    expect(toDeviceView(mail, now)).toMatchObject({
      ways: ["email"],
      email: "ann@acme.example",
      verified: false,
      sendsReceipts: true,
    });
    const verified = { ...mail, verifiedAt: "2026-11-20T12:01:00.000Z" };
    expect(toDeviceView(verified, now).verified).toBe(true);
    expect(filterReachableDevices([stored, mail, verified])).toEqual([stored, verified]);
    expect(judgeReachability([mail], now)).toBe("no");
    expect(judgeReachability([verified], now)).toBe("unproven");
  });

  it("is shown as unreachable while its messages bounce, until a message arrives", () => {
    const { token: _token, ...rest } = stored;
    const failing = { since: "2026-11-20T13:00:00.000Z", code: "TEXT_INVALID" };
    const verifiedAt = "2026-11-20T12:01:00.000Z";
    const phone = { ...rest, platform: "phone" as const, phone: "+4930123456", verifiedAt, failing };

    expect(toDeviceView(phone, 0)).toMatchObject({ verified: true, failing });
    expect(judgeReachability([phone], 0)).toBe("no");
    expect(filterReachableDevices([phone, stored])).toEqual([stored]);
  });

  it("is shown as stopped if its owner replied STOP", () => {
    expect(toDeviceView({ ...stored, stoppedAt: "2026-11-20T13:00:00.000Z" }, 0)).toMatchObject({ stopped: true });
  });

  it("is shown as unreachable if it was registered with another FCM sender, until it registers again", () => {
    const foreign = { ...stored, foreignSince: "2026-11-20T13:00:00.000Z" };

    expect(toDeviceView(foreign, 0)).toMatchObject({ mustRenew: true, sendsReceipts: false });
    expect(judgeReachability([foreign], 0)).toBe("no");
  });

  it("shows its last test message without the id of that test", () => {
    const lastTest = { id: "tst_1", sentAt: "2026-11-20T13:00:00.000Z", shownAt: null };

    expect(toDeviceView({ ...stored, lastTest }, 0).lastTest).toEqual({ sentAt: lastTest.sentAt, shownAt: null });
  });

  it("makes its owner count as silent only if all of the owner's devices are silent", () => {
    const now = Date.UTC(2027, 0, 1);
    const heard = { ...stored, lastDeliveredAt: "2026-12-31T00:00:00.000Z" };

    expect(areAllLongUnseen([], now)).toBe(false);
    expect(areAllLongUnseen([stored], now)).toBe(true);
    expect(areAllLongUnseen([stored, heard], now)).toBe(false);
  });

  it("proves that its owner is reachable, for 30 days after the last answer", () => {
    const now = Date.UTC(2026, 10, 30);
    const confirmed = { ...stored, lastDeliveredAt: "2026-11-01T00:00:00.000Z" };

    expect(judgeReachability([], now)).toBe("no");
    expect(judgeReachability([stored], now)).toBe("unproven");
    expect(judgeReachability([stored, confirmed], now)).toBe("proven");
    expect(judgeReachability([confirmed], Date.UTC(2026, 11, 2))).toBe("unproven");
  });
});
