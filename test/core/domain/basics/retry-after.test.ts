import { expect, it } from "vitest";
import { parseRetryAfter } from "../../../../core/domain/basics/retry-after.ts";

const NOW = Date.UTC(2023, 10, 14, 22, 13, 20);

it.each([
  ["7", 7000],
  ["0", 0],
  ["120", 120_000],
  ["999999999", 999_999_999_000],
  ["Tue, 14 Nov 2023 22:13:30 GMT", 10_000],
  ["Sun, 06 Nov 1994 08:49:37 GMT", 0],
])("the header Retry-After: %s gives a pause of %d ms", (header, expected) => {
  expect(parseRetryAfter(header, NOW)).toBe(expected);
});

it.each<[string, unknown]>([
  ["that is missing", undefined],
  ["that is a number instead of a text", 7],
  ...["9999999999", "soon", "in 7", "7 seconds"].map((header): [string, string] => [JSON.stringify(header), header]),
])("the header Retry-After %s gives no pause", (_, header) => {
  expect(parseRetryAfter(header, NOW)).toBeUndefined();
});
