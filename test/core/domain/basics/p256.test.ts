import { describe, expect, it } from "vitest";
import { decodeBase64url, isP256PublicKey, toBase64url } from "../../../../core/domain/basics/p256.ts";

/* The curve's base point (FIPS 186-4, D.1.2.3), and invalid points near it. */
const X = "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296";
const Y = "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5";
const P = "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff";
/** The y coordinate of the point with x = 0: the square root of the curve's constant b. */
const Y_OF_0 = "66485c780e2f83d72433bd5d84a06bb6541c2af31dae871728bf856a174f93f4";
const NOUGHT = "00".repeat(32);
const key = (hex: string): string => Buffer.from(hex, "hex").toString("base64url");

describe("a P-256 public key", () => {
  it.each([
    ["the base point", `04${X}${Y}`],
    ["the point with x = 0", `04${NOUGHT}${Y_OF_0}`],
  ])("may be %s", (_, hex) => {
    expect(isP256PublicKey(key(hex))).toBe(true);
    expect(isP256PublicKey(`${key(hex)}=`)).toBe(true);
  });

  it.each([
    ["empty", ""],
    ["compressed", `03${X}`],
    ["marked with the first byte of another format", `06${X}${Y}`],
    ["a point beside the curve", `04${X}${Y.slice(0, -1)}4`],
    ["a point with x and y swapped", `04${Y}${X}`],
    ["the point (0, 0)", `04${NOUGHT}${NOUGHT}`],
    ["one byte too short", `04${X}${Y.slice(2)}`],
    ["one byte too long", `04${X}${Y}00`],
    // The point with x = 0, but with x written as p, which equals 0 modulo p.
    ["a point with x outside the field", `04${P}${Y_OF_0}`],
    ["a point with y outside the field", `04${NOUGHT}${(BigInt(`0x${P}`) + 1n).toString(16)}`],
  ])("may not be %s", (_, hex) => {
    expect(isP256PublicKey(key(hex))).toBe(false);
  });

  it("must be encoded as base64url, not as base64", () => {
    expect(isP256PublicKey(Buffer.from(`04${X}${Y}`, "hex").toString("base64").replace(/=/g, "+"))).toBe(false);
  });
});

describe("a base64url text", () => {
  it.each([
    ["-_8", [0xfb, 0xff]],
    ["-_8=", [0xfb, 0xff]],
    ["AA==", [0]],
    ["-__-", [0xfb, 0xff, 0xfe]],
  ])("%s is decoded, and encoded again without padding", (text, bytes) => {
    expect(decodeBase64url(text)).toEqual(Uint8Array.from(bytes));
    expect(toBase64url(Uint8Array.from(bytes))).toBe(text.replace(/=+$/, ""));
  });

  it.each(["", "+/8", "-_8===", "=AA", "A A", "AA\n", "A", "ä"])("%j is refused", (text) => {
    expect(decodeBase64url(text)).toBeUndefined();
  });
});
