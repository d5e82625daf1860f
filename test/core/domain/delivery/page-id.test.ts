import { expect, it } from "vitest";
import { formatPageId } from "../../../../core/domain/delivery/attempts.ts";
import type { DeviceAttempt } from "../../../../core/domain/delivery/notification.ts";
import { aPack, aRecipient, NOON } from "../support.ts";

const MINUTE = 60_000;
const pages = [
  { at: NOON, ways: ["voice" as const] },
  { at: NOON + MINUTE, ways: ["voice" as const, "sms" as const] },
  { at: NOON + 2 * MINUTE, ways: ["sms" as const] },
];

/** Returns the id of the page that is due `minutes` after noon, for its attempt with the number `tries`. */
const pageIdAt = (minutes: number, tries: number, channel: "voice" | "sms" = "voice"): string => {
  const key = channel === "voice" ? "dev_1.voice" : "dev_1";
  const attempt: DeviceAttempt = { outcome: "sending", tries, unknowns: 0, way: channel };
  const recipients = [aRecipient({ status: "QUEUED", attempts: { [key]: attempt }, rings: pages })];
  return formatPageId(aPack({ recipients, rangAt: NOON + minutes * MINUTE }), { position: 0, key, way: channel });
};

it("all attempts of one page on a channel have the same page id", () => {
  expect(new Set([1, 2, 3].map((tries) => pageIdAt(0, tries))).size).toBe(1);
});

it("each page by phone call has its own page id, which a later page by text message does not change", () => {
  const [first, second, third] = [0, 1, 2].map((minutes) => pageIdAt(minutes, 1));

  expect(second).not.toBe(first);
  expect(third).toBe(second);
});

it("the two channels of one phone number have different page ids", () => {
  expect(pageIdAt(1, 1, "sms")).not.toBe(pageIdAt(1, 1));
});

it("the page id is made of notification and channel, and counts the pages on that channel", () => {
  const recipients = [aRecipient({ rings: [{ at: NOON, ways: ["push"] }] })];
  const pageIdOf = (position: number, rangAt?: number) =>
    formatPageId(aPack({ recipients, rangAt }), { position, key: "app", way: undefined });

  expect(pageIdOf(0, NOON)).toBe("ntf_1.app.1");
  expect(pageIdOf(0)).toBe("ntf_1.app.0");
  expect(pageIdOf(1)).toBe(".app.0");
});
