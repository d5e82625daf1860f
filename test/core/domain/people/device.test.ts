import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { DeviceInput, toDeviceView } from "../../../../core/domain/people/device.ts";

describe("a device that is registered", () => {
  const read = (over: object) => v.is(DeviceInput, { token: "fcm-token", platform: "ios", ...over });

  it.each(["ios", "android", "web"])("is for %s", (platform) => {
    expect(read({ platform })).toBe(true);
  });

  it.each([
    ["a name", { name: "Ann's phone" }],
    ["a token of all printable characters", { token: "!~:_-azAZ09" }],
    ["a token of 4,096 characters", { token: "x".repeat(4_096) }],
  ])("can have %s", (_, over) => {
    expect(read(over)).toBe(true);
  });

  it.each([
    ["another platform", { platform: "windows" }],
    ["an empty name", { name: "" }],
    ["an empty token", { token: "" }],
    ["a token of 4,097 characters", { token: "x".repeat(4_097) }],
    ["a token with a space before it", { token: " token" }],
    ["a token with a space after it", { token: "token " }],
    ["a token with a letter that is not ASCII", { token: "tokén" }],
    ["a token with a control character", { token: "token\u007f" }],
  ])("cannot have %s", (_, over) => {
    expect(read(over)).toBe(false);
  });
});

it("shows a device without its token", () => {
  const shown = {
    id: "dev_1",
    platform: "ios" as const,
    name: null,
    createdAt: "2026-11-01T00:00:00.000Z",
    registeredAt: "2026-11-21T12:00:00.000Z",
  };

  expect(toDeviceView({ ...shown, token: "fcm-token" })).toEqual(shown);
});
