import { describe, expect, it } from "vitest";
import { parseHttpDate, fromIso, toIso, toUtcMs } from "../../../../core/domain/basics/time.ts";

describe("a time", () => {
  it("is written in UTC with milliseconds, and read back unchanged", () => {
    expect(toIso(1_795_262_400_007)).toBe("2026-11-21T12:00:00.007Z");
    expect(fromIso("2026-11-21T12:00:00.007Z")).toBe(1_795_262_400_007);
    expect(fromIso("soon")).toBeUndefined();
  });

  it("is computed from a date whose months are numbered from 1 to 12", () => {
    expect(toIso(toUtcMs(2026, 1, 31, 23, 59))).toBe("2026-01-31T23:59:00.000Z");
    expect(toIso(toUtcMs(2026, 12, 1))).toBe("2026-12-01T00:00:00.000Z");
  });

  it("is read from an HTTP date", () => {
    expect(parseHttpDate("Sun, 06 Nov 1994 08:49:37 GMT")).toBe(784_111_777_000);
  });

  it.each(["Sun, 06 Nov 1994 08:49:37 +0100", "1994-11-06T08:49:37Z", "120", "soon GMT"])(
    "is not read from %s, because that is not an HTTP date",
    (text) => {
      expect(parseHttpDate(text)).toBeUndefined();
    },
  );
});
