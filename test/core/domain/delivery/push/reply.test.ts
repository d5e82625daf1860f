import { expect, test } from "vitest";
import { formatEventId } from "../../../../../core/domain/basics/ids.ts";
import { computeReplyDigit, readReply } from "../../../../../core/domain/delivery/push/reply.ts";

test.each([
  ["7", "the digit 7", { kind: "digit", digit: 7 }],
  [" 7. ", "the digit 7", { kind: "digit", digit: 7 }],
  ["STOP", "a request to stop", { kind: "stop" }],
  ["Unsubscribe!", "a request to stop", { kind: "stop" }],
] as const)("the text message reply %j is read as %s", (text, _, expected) => {
  expect(readReply(text)).toEqual(expected);
});

test.each(["0", "17", "7 please", "stop it", "st.op", ""])("the text message reply %j is not understood", (text) => {
  expect(readReply(text)).toBeUndefined();
});

test("nine successive events get nine different reply digits, whatever else their ids contain", () => {
  const digits = Array.from({ length: 9 }, (_, nr) =>
    computeReplyDigit(formatEventId({ seq: 100 + nr, nonce: "0123456789a" })),
  );

  expect(new Set(digits)).toEqual(new Set([1, 2, 3, 4, 5, 6, 7, 8, 9]));
});
