import { expect, it } from "vitest";
import { parseRetryAfter } from "../../../../core/domain/basics/retry-after.ts";

const NOW = Date.UTC(2023, 10, 14, 22, 13, 20);

it.each([
  ["7", 7000],
  ["0", 0],
  ["120", 120_000],
  ["999999999", 999_999_999_000],
  ["9999999999", undefined],
  ["Tue, 14 Nov 2023 22:13:30 GMT", 10_000],
  ["Sun, 06 Nov 1994 08:49:37 GMT", 0],
  ["soon", undefined],
  ["in 7", undefined],
  ["7 seconds", undefined],
  [7, undefined],
  [undefined, undefined],
])("the header Retry-After: %j means %j ms", (header, expected) => {
  expect(parseRetryAfter(header, NOW)).toBe(expected);
});
