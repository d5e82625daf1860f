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
  [0, false],
  [3_599_999, false],
  [3_600_000, true],
])("a verification code has expired %i ms after it was sent: %s", (after, expired) => {
  expect(isCodeExpired({ hash: "", sentAt: 1_000_000, tries: 0 }, 1_000_000 + after)).toBe(expired);
});

it.each([
  [{ code: "123456" }, "123456"],
  [{ code: " 123 456\n" }, "123456"],
  [{ code: "12345" }, undefined],
  [{ code: "1234567" }, undefined],
  [{ code: "12345a" }, undefined],
  [{ code: 123_456 }, undefined],
])("the request body %j is read as the verification code %s", (body, digits) => {
  const read = v.safeParse(CodeInput, body);

  expect(read.success ? read.output.code : undefined).toBe(digits);
});
