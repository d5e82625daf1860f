import { describe, expect, it } from "vitest";
import {
  createVapidKeys,
  parseVapidKeys,
  createVapidAuthorization,
  createVapidClaims,
} from "../../../../core/push/web/vapid.ts";
import { checkVapid } from "../../../../local/web-push/check.ts";
import { vapidKeys } from "../../../support/web-push.ts";

/** RFC 8292, section 2.4. */
const example =
  "vapid t=eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9.eyJhdWQiOiJodHRwczovL3B1c2guZXhhbXBsZS5uZXQiLCJleHAiOjE0NTM1MjM3NjgsInN1" +
  "YiI6Im1haWx0bzpwdXNoQGV4YW1wbGUuY29tIn0.i3CYb7t4xfxCDquptFOepC9GAu_HLGkMlMuCGSK2rpiUfnK9ojFwDXb1JrErtmysazNjjvW2L9OkS" +
  "SHzvoD1oA, k=BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2EmClBPs";
const EXPIRES_MS = 1_453_523_768_000;
const HOUR_MS = 3_600_000;

describe("a VAPID signature", () => {
  it("contains the claims of the example in RFC 8292", () => {
    const claims = createVapidClaims(
      "https://push.example.net/p/JzLQ3raZ",
      "mailto:push@example.com",
      EXPIRES_MS - 12 * HOUR_MS,
    );

    expect(example).toContain(`t=${claims}.`);
  });

  it("is accepted by a push service, for that service's origin, for at most 24 hours", () => {
    const endpoint = "https://web.push.apple.com/QGuQyavXutnMH";
    const now = Date.UTC(2026, 10, 22);
    const authorization = createVapidAuthorization(createVapidKeys("mailto:ops@acme.example"), endpoint, now);

    expect(checkVapid(authorization, endpoint, now)).toMatchObject({ key: expect.stringMatching(/^B/) as string });
    expect(checkVapid(authorization, "https://fcm.googleapis.com/x", now)).toEqual({
      status: 403,
      reason: "BadAudience",
    });
    expect(checkVapid(authorization, endpoint, now + 13 * HOUR_MS)).toEqual({ status: 403, reason: "ExpiredJwt" });
    expect(checkVapid(authorization, endpoint, now - 13 * HOUR_MS)).toEqual({ status: 403, reason: "JwtLivesTooLong" });
  });

  it("can be made with every newly created key pair, even if a number of the key has a leading zero byte", () => {
    const some = Array.from({ length: 2_000 }, () => createVapidKeys("mailto:ops@acme.example"));

    expect(some.filter(({ privateKey }) => Buffer.from(privateKey, "base64url").length !== 32)).toEqual([]);
    const short = some.find(({ privateKey }) => privateKey.startsWith("AA")) ?? some[0];
    expect(parseVapidKeys(JSON.stringify(short))).toEqual(short);
  });

  it.each([
    ["they are not JSON", "x"],
    ["their subject names this machine", JSON.stringify({ ...vapidKeys, subject: "mailto:me@localhost" })],
    [
      "their public key is not on the curve",
      JSON.stringify({ ...vapidKeys, publicKey: `BB${vapidKeys.publicKey.slice(2)}` }),
    ],
    ["their private key is too short", JSON.stringify({ ...vapidKeys, privateKey: "AAAA" })],
    ["their private key is not base64url", JSON.stringify({ ...vapidKeys, privateKey: "?" })],
  ])("cannot be made with stored keys if %s", (_, text) => {
    expect(parseVapidKeys(text)).toBeUndefined();
  });
});

describe("the VAPID check of the stand-in", () => {
  it("accepts the example in RFC 8292, and refuses a changed signature or scheme", () => {
    const check = (text: string) => checkVapid(text, "https://push.example.net/p", EXPIRES_MS - HOUR_MS);

    expect(check(example)).toMatchObject({ key: expect.stringMatching(/^BA1H/) as string });
    expect(check(example.replace("i3CY", "i3CZ"))).toEqual({ status: 403, reason: "BadJwtSignature" });
    expect(check(example.replace("vapid", "Bearer"))).toEqual({ status: 401, reason: "BadAuthorization" });
  });
});
