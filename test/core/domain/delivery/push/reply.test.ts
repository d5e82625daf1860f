import { expect, test } from "vitest";
import { formatEventId } from "../../../../../core/domain/basics/ids.ts";
import { computeReplyDigit, readReply } from "../../../../../core/domain/delivery/push/reply.ts";

test.each([
  ["7", { kind: "digit", digit: 7 }],
  [" 7. ", { kind: "digit", digit: 7 }],
  ["0", undefined],
  ["17", undefined],
  ["7 please", undefined],
  ["STOP", { kind: "stop" }],
  ["Unsubscribe!", { kind: "stop" }],
  ["stop it", undefined],
  ["st.op", undefined],
  ["", undefined],
] as const)("the text message reply %j is read as %j", (text, expected) => {
  expect(readReply(text)).toEqual(expected);
});

test("nine successive events get nine different reply digits, whatever else their ids contain", () => {
  const digits = Array.from({ length: 9 }, (_, nr) =>
    computeReplyDigit(formatEventId({ seq: 100 + nr, nonce: "0123456789a" })),
  );

  expect(new Set(digits)).toEqual(new Set([1, 2, 3, 4, 5, 6, 7, 8, 9]));
});
