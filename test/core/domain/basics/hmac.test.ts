import { expect, it } from "vitest";
import { hmacSha256, isSameSecret } from "../../../../core/domain/basics/hmac.ts";

// RFC 4231, test cases 1, 2 and 6.
it.each([
  [
    Uint8Array.from({ length: 20 }, () => 0x0b),
    "Hi There",
    "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
  ],
  ["Jefe", "what do ya want for nothing?", "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"],
  [
    Uint8Array.from({ length: 131 }, () => 0xaa),
    "Test Using Larger Than Block-Size Key - Hash Key First",
    "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
  ],
])("HMAC-SHA256 matches the test vectors of the standard", async (secret, message, hex) => {
  expect((await hmacSha256(secret, message)).toString("hex")).toBe(hex);
  expect((await hmacSha256(secret, new TextEncoder().encode(message))).toString("hex")).toBe(hex);
});

it.each([
  ["", "", true],
  ["a", "a", true],
  ["sha256=ab12", "sha256=ab12", true],
  ["sha256=ab12", "sha256=ab13", false],
  ["bb12", "ab12", false],
  ["ab", "ba", false],
  ["ab", "a", false],
  ["a", "ab", false],
  ["abab", "ab", false],
  ["ab", "abab", false],
  ["a", "", false],
  ["", "a", false],
  ["\u0000", "", false],
])("comparing %j with %j in constant time returns %j", (one, other, same) => {
  expect(isSameSecret(one, other)).toBe(same);
});
