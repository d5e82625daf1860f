import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import {
  isSignedByKey,
  createReceiptToken,
  parseReceiptKeys,
  verifyReceiptToken,
  rotateReceiptKeys,
} from "../../../../core/domain/delivery/receipt.ts";
import { createReceiptKey } from "../../../support/phone.ts";

const HOUR = 3_600_000;
const now = Date.UTC(2026, 10, 21, 12);
const first = { key: "the first key, of more than 32 characters", since: 0 };
const second = "the second key, of more than 32 characters";
const about = { workspaceId: "ws_1" as const, userId: "usr_1", deviceId: "dev_1" as const, about: "ntf_1" };

describe("the receipt token of a push", () => {
  it("contains person, device, notification and expiry, followed by the HMAC-SHA256 of these in base64url", async () => {
    // echo -n 'ws_1.usr_1.dev_1.ntf_1.1795352400' | openssl dgst -sha256 -hmac '<first key>' -binary | basenc --base64url
    expect(await createReceiptToken(first, about, now)).toBe(
      "ws_1.usr_1.dev_1.ntf_1.1795352400.-J6KM-SfDuZods8wlYnzwDoIeBq5bpTrZjj9ukRd6hE",
    );
    expect(await createReceiptToken({ ...first, since: now + 1 }, about, now)).toBe(
      await createReceiptToken(first, about, now),
    );
  });

  it("is valid for 25 hours", async () => {
    const token = await createReceiptToken(first, about, now);

    expect(await verifyReceiptToken(first, token, now + 25 * HOUR - 1)).toEqual(about);
    expect(await verifyReceiptToken(first, token, now + 25 * HOUR)).toBeUndefined();
  });
});

describe("a receipt token", () => {
  /** Signs any text with the first key, as somebody who has stolen the key can. */
  const signToken = (payload: string) =>
    `${payload}.${createHmac("sha256", first.key).update(payload).digest("base64url")}`;
  const later = Math.floor(now / 1000) + 60;
  const good = signToken(`ws_1.usr_1.dev_1.ntf_1.${later}`);

  it.each([
    ["has no signature", "ws_1.usr_1.dev_1.ntf_1"],
    ["has a signature in another alphabet", `${good.slice(0, -1)}*`],
    ["has the signature of another token", good.replace("usr_1", "usr_2")],
    ["lacks the device", signToken(`ws_1.usr_1.${later}`)],
    ["lacks the notification", signToken("ws_1.usr_1.dev_1")],
    ["names no workspace", signToken(`team.usr_1.dev_1.ntf_1.${later}`)],
    ["names no device", signToken(`ws_1.usr_1.phone.ntf_1.${later}`)],
    ["lacks the expiry", signToken("ws_1.usr_1.dev_1.ntf_1")],
    ["is empty", ""],
    ["is an empty text with a signature", signToken("")],
  ])("is refused if it %s", async (_, token) => {
    expect(await verifyReceiptToken(first, token, now)).toBeUndefined();
    expect(await verifyReceiptToken(first, good, now)).toEqual(about);
  });
});

describe("the signature of a receipt", () => {
  it("is valid only for one token, status and time, and only from the device that the token names", async () => {
    const [phone, other] = [await createReceiptKey(), await createReceiptKey()];
    const receipt = { ...(await phone.sign("token", "DELIVERED", 5)), status: "DELIVERED" as const };

    expect(await isSignedByKey(phone.receiptKey, receipt)).toBe(true);
    expect(await isSignedByKey(other.receiptKey, receipt)).toBe(false);
    for (const changed of [{ token: "another" }, { status: "ACKNOWLEDGED" as const }, { at: 6 }, { signature: "*" }])
      expect(await isSignedByKey(phone.receiptKey, { ...receipt, ...changed })).toBe(false);
    expect(await isSignedByKey("*", receipt)).toBe(false);
  });
});

describe("a new receipt key", () => {
  const rotated = rotateReceiptKeys(first, second, now);

  it("signs tokens as soon as every function knows it; until then, the old key signs", async () => {
    const early = await createReceiptToken(rotated, about, now + 599_999);
    const late = await createReceiptToken(rotated, about, now + 600_000);

    expect(await verifyReceiptToken(first, early, now + 600_000)).toEqual(about);
    expect(await verifyReceiptToken(first, late, now + 600_000)).toBeUndefined();
    for (const token of [early, late]) expect(await verifyReceiptToken(rotated, token, now + 600_000)).toEqual(about);
  });

  it("lets the old key expire together with the last push that was signed with it", async () => {
    const end = rotated.before?.until ?? 0;
    // A token that an attacker forges with the stolen old key.
    const forged = await createReceiptToken(first, about, end - HOUR);

    expect(end - now).toBe(25 * HOUR + 1_200_000);
    expect(await verifyReceiptToken(rotated, forged, end - 1)).toEqual(about);
    expect(await verifyReceiptToken(rotated, forged, end)).toBeUndefined();
  });
});

it("a receipts secret without a key is refused", () => {
  for (const text of ["", "{}", '{"key":"short"}', "generated text"]) expect(parseReceiptKeys(text)).toBeUndefined();
  expect(parseReceiptKeys(JSON.stringify(first))).toEqual(first);
});
