import { describe, expect, it } from "vitest";
import { fitText, countJsonBytes } from "../../../../../core/domain/delivery/push/fit-text.ts";

const bytesOf = (text: string): number => Buffer.byteLength(JSON.stringify(text)) - 2;

describe("the bytes of a text in JSON", () => {
  it("are counted as JSON.stringify writes them, for each character up to U+11000", () => {
    const wrong: number[] = [];
    for (let codePoint = 0; codePoint <= 0x1_10_00; codePoint += 1) {
      if (codePoint >= 0xd800 && codePoint <= 0xdfff) continue;
      const text = `${String.fromCodePoint(codePoint)}a`;
      if (countJsonBytes(text) !== bytesOf(text)) wrong.push(codePoint);
    }

    expect(wrong).toEqual([]);
    expect(countJsonBytes("\u{10ffff}")).toBe(4);
  });

  it("are the sum over all of its characters", () => {
    expect(countJsonBytes("")).toBe(0);
    expect(countJsonBytes('a"ä€🙂\n')).toBe(1 + 2 + 2 + 3 + 4 + 2);
  });
});

describe("a text that must fit into a number of bytes", () => {
  it.each(["", "abc", "🙂🙂", 'a "quoted" line\n'])("is not changed if it fits exactly: %j", (text) => {
    expect(fitText(text, bytesOf(text))).toBe(text);
  });

  it("ends with an ellipsis and fits if it was one byte too long", () => {
    expect(fitText("abcdefgh", 7)).toBe("abcd…");
    expect(fitText("🙂🙂🙂", 11)).toBe("🙂🙂…");
    expect(fitText("🙂🙂🙂", 10)).toBe("🙂…");
  });

  it("loses the space before its ellipsis, and no other space", () => {
    expect(fitText(" ab cdef", 7)).toBe(" ab…");
  });

  it("is cut between grapheme clusters", () => {
    expect(fitText("ab👩‍👩‍👧‍👦c", 27)).toBe("ab…");
    expect(fitText("ae\u0301xyz", 6)).toBe("a…");
    expect(fitText("ae\u0301wxyz", 7)).toBe("ae\u0301…");
  });

  it("becomes only an ellipsis if nothing else fits, and empty if the ellipsis does not fit", () => {
    expect(fitText("🙂🙂", 6)).toBe("…");
    expect(fitText("abcd", 3)).toBe("…");
    expect(fitText("abcd", 2)).toBe("");
    expect(fitText("abcd", 0)).toBe("");
  });

  it("never exceeds its limit", () => {
    const text = '🙂 a"b\\c ä€\u0001 e\u0301 👩‍👩‍👧‍👦 end';

    for (let max = 0; max <= bytesOf(text); max += 1) expect(bytesOf(fitText(text, max))).toBeLessThanOrEqual(max);
  });
});
