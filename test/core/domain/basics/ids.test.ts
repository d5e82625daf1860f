import { describe, expect, it } from "vitest";
import {
  decodeBase32,
  encodeBase32,
  formatEventId,
  formatNotificationId,
  formatPackId,
  isActorId,
  isId,
  isSpread,
  formatNonce,
  parseEventId,
  parseNotificationId,
  parsePackId,
  toBase32Chars,
  parseSeq,
} from "../../../../core/domain/basics/ids.ts";

describe("an id", () => {
  it.each(["grp_0", "grp_5h1j8n4c2d7f9g0k", "grp_Az09", `grp_${"x".repeat(64)}`])("may be %s", (text) => {
    expect(isId("grp", text)).toBe(true);
  });

  it.each([
    "",
    "grp",
    "grp_",
    "grp_-",
    "grp_a#b",
    "grp_a/b",
    "grp_a b",
    "grp_a\n",
    "\ngrp_a",
    "grp_a\u0000",
    "grp_ä",
    "usr_a",
    "xgrp_a",
    "GRP_a",
    "grp__a",
    `grp_${"x".repeat(65)}`,
  ])("may not be %j", (text) => {
    expect(isId("grp", text)).toBe(false);
  });
});

it("the id of an actor is the id of a person or of a machine", () => {
  expect(["usr_a", "mch_a", "grp_a", "usr_", ""].map(isActorId)).toEqual([true, true, false, false, false]);
});

describe("a number that is encoded as text", () => {
  it.each([
    [0, 3, "000"],
    [31, 3, "00z"],
    [32, 3, "010"],
    [32 ** 3 - 1, 3, "zzz"],
    [Number.MAX_SAFE_INTEGER, 11, "7zzzzzzzzzz"],
  ])("is decoded to the same number: %d in %d characters is %s", (value, width, text) => {
    expect(encodeBase32(value, width)).toBe(text);
    expect(decodeBase32(text)).toBe(value);
  });

  it("sorts like the number itself", () => {
    const numbers = [0, 1, 9, 10, 31, 32, 33, 1023, 1024, 32_767];

    expect(numbers.map((one) => encodeBase32(one, 3)).sort()).toEqual(numbers.map((one) => encodeBase32(one, 3)));
  });

  it.each([
    [32, 1],
    [-1, 3],
    [-0.5, 3],
    [2 ** 53, 10],
  ])("is refused if it does not fit: %d into %d character(s)", (value, width) => {
    expect(() => encodeBase32(value, width)).toThrow(RangeError);
  });

  it.each(["i", "l", "o", "u", "A", "-", "0 ", "é"])("cannot be decoded from %j", (text) => {
    expect(decodeBase32(text)).toBeUndefined();
  });

  it("is refused if it is above the largest exact integer", () => {
    expect(decodeBase32("80000000000")).toBeUndefined();
  });
});

it("random bytes are encoded as eight characters for each five bytes", () => {
  expect(toBase32Chars(Uint8Array.of(0, 0, 0, 0, 0))).toBe("00000000");
  expect(toBase32Chars(Uint8Array.of(255, 255, 255, 255, 255))).toBe("zzzzzzzz");
  expect(toBase32Chars(Uint8Array.of(0x08, 0x86, 0x42, 0x98, 0xe8, 0x08, 0x86, 0x42, 0x98, 0xe8))).toBe(
    "1234567812345678",
  );
  expect(toBase32Chars(Uint8Array.of(0xff))).toBe("z");
});

describe("the id of an event", () => {
  const text = "evt_00000001a0123456789a";

  it("contains the event's number and a random part that cannot be guessed", () => {
    expect(formatEventId({ seq: 42, nonce: "0123456789a" })).toBe(text);
    expect(parseEventId(text)).toEqual({ seq: 42, nonce: "0123456789a" });
  });

  it.each([
    "evt_0",
    `${text}0`,
    text.slice(0, -1),
    text.replace("evt", "grp"),
    "evt_0000000i10123456789a",
    `${text}\n`,
  ])("may not be %j", (other) => {
    expect(parseEventId(other)).toBeUndefined();
  });

  it("takes eleven characters of the random id, and pads a shorter random id", () => {
    expect(formatNonce("evt_0123456789abcdef")).toBe("0123456789a");
    expect(formatNonce("evt_012")).toBe("01200000000");
  });

  it("contains the letter u if the event's items are spread over several partitions", () => {
    const spread = formatEventId({ seq: 7, nonce: formatNonce("evt_0123456789abcdef", true) });

    expect(spread).toBe("evt_000000007u0123456789");
    expect([text, spread, "evt_x"].map(parseSeq)).toEqual([42, 7, 0]);
    expect([text, spread, "evt_x", formatEventId({ seq: 7, nonce: "0123456789u" })].map(isSpread)).toEqual([
      false,
      true,
      false,
      false,
    ]);
  });
});

describe("a notification id", () => {
  const pack = { at: 1, seq: 2, spread: false, rule: 3, cursor: 4, pack: 5 };
  const packId = "00000000100000000203004005";
  const text = "ntf_00000000100000000203004005f";

  it("contains the id of its pack and its position in the pack", () => {
    expect(formatPackId(pack)).toBe(packId);
    expect(parsePackId(packId)).toEqual(pack);
    expect(formatNotificationId(packId, 15)).toBe(text);
    expect(parseNotificationId(text)).toEqual({ packId, position: 15 });
  });

  it.each([
    [1023, "000000001000000002zz004005"],
    [1024, "0000000010000000020100004005"],
    [9999, "00000000100000000209rf004005"],
  ])("contains the position of rule %d in its plan, in two digits, or in four if needed", (rule, id) => {
    expect(formatPackId({ ...pack, rule })).toBe(id);
    expect(parsePackId(id)).toEqual({ ...pack, rule });
    expect(parseNotificationId(`ntf_${id}f`)).toEqual({ packId: id, position: 15 });
  });

  it("contains the letter u in place of a digit if the event's items are spread over several partitions", () => {
    const spread = "000000001u0000000203004005";

    expect(formatPackId({ ...pack, spread: true })).toBe(spread);
    expect(parsePackId(spread)).toEqual({ ...pack, spread: true });
    expect(parseNotificationId(`ntf_${spread}f`)).toEqual({ packId: spread, position: 15 });
    expect(parsePackId(spread.replace("u0", "uu"))).toBeUndefined();
  });

  it("has only one form: a rule position that fits into two digits is refused in four digits", () => {
    expect(parsePackId("0000000010000000020003004005")).toBeUndefined();
  });

  it.each([`${text}0`, text.slice(0, -1), text.replace("ntf", "evt"), text.replace("2", "u"), text.replace(/f$/, "l")])(
    "may not be %j",
    (other) => {
      expect(parseNotificationId(other)).toBeUndefined();
    },
  );

  it.each([0, 9, 18, 20, 23])(
    "is invalid if its pack id is cut or has a wrong character at position %d",
    (position) => {
      expect(parsePackId(`${packId.slice(0, position)}l${packId.slice(position + 1)}`)).toBeUndefined();
      expect(parsePackId(packId.slice(0, position))).toBeUndefined();
    },
  );
});
