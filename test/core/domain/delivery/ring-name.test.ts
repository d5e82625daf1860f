import { expect, it } from "vitest";
import { stepName } from "../../../../core/domain/delivery/attempts.ts";
import type { DeviceAttempt } from "../../../../core/domain/delivery/notification.ts";
import { aPack, aRecipient, NOON } from "../support.ts";

const MINUTE = 60_000;
const pages = [
  { at: NOON, ways: ["voice" as const] },
  { at: NOON + MINUTE, ways: ["voice" as const, "sms" as const] },
  { at: NOON + 2 * MINUTE, ways: ["sms" as const] },
];

/** The name of a call to a phone, after a number of tries, when steps have begun up to some minutes. */
const nameAt = (minutes: number, tries: number, way: "voice" | "sms" = "voice"): string => {
  const key = way === "voice" ? "dev_1.voice" : "dev_1";
  const attempt: DeviceAttempt = { outcome: "sending", tries, unknowns: 0, way };
  const recipients = [aRecipient({ status: "QUEUED", attempts: { [key]: attempt }, rings: pages })];
  return stepName(aPack({ recipients, rangAt: NOON + minutes * MINUTE }), { position: 0, key, way });
};

it("gives all tries of a page one name", () => {
  expect(new Set([1, 2, 3].map((tries) => nameAt(0, tries))).size).toBe(1);
});

it("gives the next page on a channel another name, although the previous call may still ring, and no name on other channels", () => {
  const [first, second, third] = [0, 1, 2].map((minutes) => nameAt(minutes, 1));

  expect(second).not.toBe(first);
  expect(third).toBe(second);
});

it("gives the two channels of a number different names", () => {
  expect(nameAt(1, 1, "sms")).not.toBe(nameAt(1, 1));
});

it("is made of the notification and the channel, and counts the pages of that channel", () => {
  const recipients = [aRecipient({ rings: [{ at: NOON, ways: ["push"] }] })];
  const nameOf = (position: number, rangAt?: number) =>
    stepName(aPack({ recipients, rangAt }), { position, key: "app", way: undefined });

  expect(nameOf(0, NOON)).toBe("ntf_1.app.1");
  expect(nameOf(0)).toBe("ntf_1.app.0");
  expect(nameOf(1)).toBe(".app.0");
});
