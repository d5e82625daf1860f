import { describe, expect, it } from "vitest";
import type { DeviceId } from "../../../../core/domain/basics/ids.ts";
import {
  readChannelAddress,
  toAddressId,
  toContact,
  parseDeviceId,
  listDeviceChannels,
  listChannels,
  toDeviceView,
  toChannel,
  type Device,
} from "../../../../core/domain/device/device.ts";

const aDevice = (id: string, fields: Partial<Device>): Device => ({
  id: id as DeviceId,
  platform: "web",
  name: null,
  createdAt: "2026-11-20T12:00:00.000Z",
  registeredAt: "2026-11-20T12:00:00.000Z",
  ...fields,
});
const app = aDevice("dev_app", { token: "t" });
const mail = aDevice("dev_mail", { email: "ann@acme.example" });
const phone = "+4930123456";
const aPhone = (...channels: ("sms" | "voice")[]) => aDevice("dev_phone", { phone, ways: channels });

describe("the channels of a person's devices", () => {
  it.each<[string, Device, [key: string, way: string | undefined, address: object][]]>([
    ["an app", app, [["dev_app", undefined, { token: "t" }]]],
    ["an email address", mail, [["dev_mail", "email", { email: "ann@acme.example" }]]],
    ["a phone number for text messages", aPhone("sms"), [["dev_phone", "sms", { phone }]]],
    ["a phone number without chosen channels", aDevice("dev_phone", { phone }), [["dev_phone", "sms", { phone }]]],
    ["a phone number for calls", aPhone("voice"), [["dev_phone.voice", "voice", { call: phone }]]],
    [
      "a phone number for text messages and calls",
      aPhone("voice", "sms"),
      [
        ["dev_phone", "sms", { phone }],
        ["dev_phone.voice", "voice", { call: phone }],
      ],
    ],
  ])("are listed with their addresses, if the only device is %s", (_, device, lines) => {
    const found = listDeviceChannels([device]);

    expect(found.map((line) => [line.key, line.way, readChannelAddress(line)])).toEqual(lines);
    for (const line of found) {
      expect(line.device).toBe(device);
      expect(parseDeviceId(line.key)).toBe(device.id);
    }
  });

  it("are listed for all devices together, in the order of the devices", () => {
    expect(listDeviceChannels([mail, aPhone("sms", "voice"), app]).map(({ key }) => key)).toEqual([
      "dev_mail",
      "dev_phone",
      "dev_phone.voice",
      "dev_app",
    ]);
    expect(listDeviceChannels([])).toEqual([]);
  });
});

it("a phone number has two channels, phone calls and text messages, with the same address", () => {
  expect(toAddressId({ call: phone })).toBe(toAddressId({ phone }));
  expect(toChannel({ call: phone })).toBe("voice");
  expect(listChannels({ call: phone })).toEqual(["voice"]);
});

it.each([
  ["an app without a key for receipts", "push", false, app, undefined, "cannot"],
  ["an email address", "email", true, mail, { field: "email", address: "ann@acme.example" }, "can"],
  ["a phone number for text messages", "sms", false, aPhone("sms"), { field: "phone", address: phone }, "cannot"],
  ["a phone number for calls", "voice", true, aPhone("voice"), { field: "phone", address: phone }, "can"],
  [
    "a phone number for text messages and calls",
    "sms and voice",
    true,
    aPhone("voice", "sms"),
    { field: "phone", address: phone },
    "can",
  ],
])("as a device, %s has the channels %s, and $5 confirm receipt", (_, channels, sends, device, contact, _verb) => {
  const ways = channels.split(" and ");

  expect(listChannels(device)).toEqual(ways);
  expect(toContact(device)).toEqual(contact);
  expect(toDeviceView(device, 0)).toMatchObject({ ways, sendsReceipts: sends });
});
