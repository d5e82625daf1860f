import * as v from "valibot";
import { expect, it } from "vitest";
import { CodeInput, hashCode, deriveCode, isCodeExpired } from "../../../../core/domain/device/verification.ts";

it("a verification code has six digits", async () => {
  const codes = await Promise.all(Array.from({ length: 100 }, (_, nr) => deriveCode(`secret ${nr}`)));

  for (const code of codes) expect(code).toMatch(/^\d{6}$/);
  expect(codes.some((code) => code.startsWith("0"))).toBe(true);
  expect(new Set(codes).size).toBeGreaterThan(95);
  expect(await deriveCode("secret 1")).toBe(codes[1]);
});

it("the hash of a verification code differs for every device and every code", async () => {
  const hashes = await Promise.all([
    hashCode("dev_1", "123456"),
    hashCode("dev_2", "123456"),
    hashCode("dev_1", "123457"),
  ]);

  for (const hash of hashes) expect(hash).toMatch(/^[0-9a-f]{64}$/);
  expect(new Set(hashes).size).toBe(3);
});

it.each([
  ["has not expired", 0, false],
  ["has not expired", 3_599_999, false],
  ["has expired", 3_600_000, true],
])("a verification code %s %i ms after it was sent", (_what, after, expired) => {
  expect(isCodeExpired({ hash: "", sentAt: 1_000_000, tries: 0 }, 1_000_000 + after)).toBe(expired);
});

it.each(["123456", " 123 456\n"])("a request with the verification code %j is read as the code 123456", (code) => {
  expect(v.parse(CodeInput, { code }).code).toBe("123456");
});

it.each([
  ["of five digits", "12345"],
  ["of seven digits", "1234567"],
  ["that contains a letter", "12345a"],
  ["that is a number instead of a text", 123_456],
])("a request with a verification code %s is refused", (_what, code) => {
  expect(v.is(CodeInput, { code })).toBe(false);
});
