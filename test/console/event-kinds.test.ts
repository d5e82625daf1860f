import { describe, expect, it } from "vitest";
import { listOfferedPatterns, parsePattern } from "../../console/pages/events/kinds.ts";

const createTypes = (...keys: string[]) => keys.map((eventKey) => ({ eventKey }));

describe("the kinds of events offered in the event filter", () => {
  it("are the kinds of the events seen so far, each kind once, six at most", () => {
    expect(listOfferedPatterns(createTypes("order.failed", "order.made", "disk.full"), "")).toEqual([
      "order.*",
      "disk.*",
    ]);
    expect(listOfferedPatterns(createTypes("a.x", "b.x", "c.x", "d.x", "e.x", "f.x", "g.x"), "")).toHaveLength(6);
  });

  it("include the kind that the URL contains, if the API accepts this kind", () => {
    const types = createTypes("order.failed");

    expect(listOfferedPatterns(types, "order.*")).toEqual(["order.*"]);
    expect(listOfferedPatterns(types, "order.failed")).toEqual(["order.*", "order.failed"]);
    expect(listOfferedPatterns(types, "ord")).toEqual(["order.*"]);
  });
});

it.each(["order.failed", "order.*", "*"])("the typed kind of events %j is used as a filter unchanged", (typed) => {
  expect(parsePattern(typed)).toBe(typed);
});

it.each(["order", "order.", "Order.failed", ""])(
  "the typed text %j is not used as a filter, because it names no kind of events",
  (typed) => {
    expect(parsePattern(typed)).toBeUndefined();
  },
);
