import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { deflatedSchema, deflate, deflatedOrPlain, inflateToText } from "../../../core/store/codec.ts";
import { detectFlappingOfAlert, toHolder, buildOpeningUpdate } from "../../../core/store/episodes.ts";

describe("the content of an item", () => {
  const Content = v.object({ title: v.string() });
  /** The content that an earlier version stored, with a dictionary that must not be removed. */
  const STORED = "01ab86270d97cce26c85b4d29c1cd494014e1158c2a31600";

  it("can be read if an earlier version compressed it; new content begins with its compression dictionary's number", () => {
    const content = { title: "Disk full", priority: "HIGH", requiresAck: true };

    expect(inflateToText(Buffer.from(STORED, "hex"))).toBe(JSON.stringify(content));
    expect([deflate(content)[0], deflate(content).length]).toEqual([1, 24]);
  });

  it("can be read compressed or plain, and is refused if its compression dictionary is unknown", () => {
    const unknown = Uint8Array.of(9, 1, 2);

    expect(v.parse(deflatedOrPlain(Content), { title: "T" })).toEqual({ title: "T" });
    expect(v.parse(deflatedOrPlain(Content), deflate({ title: "T" }))).toEqual({ title: "T" });
    expect(v.safeParse(deflatedSchema(Content), "text").success).toBe(false);
    expect(() => v.parse(deflatedSchema(Content), unknown)).toThrow("compressed with the unknown dictionary 9");
    expect([inflateToText(unknown), inflateToText(Uint8Array.of(1, 255))]).toEqual([undefined, undefined]);
  });
});

describe("the stored times at which an alert last opened and ended", () => {
  const MINUTE = 60_000;
  const none = { opened: 0, closed: 0, opened1: 0, closed1: 0, opened2: 0, closed2: 0, opened3: 0, closed3: 0 };
  /** The alert opened at minutes 1, 5 and 9, and ended two minutes after each opening. */
  const often = {
    ...none,
    opened: 9 * MINUTE,
    closed: 11 * MINUTE,
    opened1: 5 * MINUTE,
    closed1: 7 * MINUTE,
    opened2: MINUTE,
    closed2: 3 * MINUTE,
  };

  it("say whether the alert counts as flapping if it opens once more now", () => {
    expect(detectFlappingOfAlert(often, 13 * MINUTE)).toEqual({ until: 23 * MINUTE, first: false });
    expect(detectFlappingOfAlert({ ...often, opened2: 0 }, 13 * MINUTE)).toEqual({ until: 23 * MINUTE, first: true });
    expect(detectFlappingOfAlert({ ...often, closed: 0, opened2: 0 }, 13 * MINUTE)).toBeUndefined();
    expect(detectFlappingOfAlert({ ...often, closed: 0, opened3: 1, closed3: 2 }, 20 * MINUTE)).toBeUndefined();
    expect(detectFlappingOfAlert(none, MINUTE)).toBeUndefined();
  });

  it("say whether the alert was flapping when its current event opened", () => {
    const item = { ...often, eventId: "evt_1", expires: 99, changed: 98 };

    expect(toHolder(item)).toEqual({
      eventId: "evt_1",
      until: 99,
      changed: 98,
      flapping: { until: 19 * MINUTE, first: true },
    });
    expect(toHolder({ ...item, opened3: 7, closed3: 8 }).flapping).toEqual({ until: 19 * MINUTE, first: false });
    expect(toHolder({ ...item, closed2: 0 }).flapping).toBeUndefined();
  });

  it("gain the latest opening and lose the oldest one when the alert opens again", () => {
    const { set, remove, values } = buildOpeningUpdate(5);

    expect([...set.matchAll(/(\w+) = (?:if_not_exists\()?(:?\w+)/g)].map(([, to, from]) => `${from} ${to}`)).toEqual([
      "opened2 opened3",
      "closed2 closed3",
      "opened1 opened2",
      "closed1 closed2",
      "opened opened1",
      "closed closed1",
      ":opened opened",
    ]);
    expect([remove, values]).toEqual(["closed", { ":unknown": 0, ":opened": 5 }]);
  });
});
