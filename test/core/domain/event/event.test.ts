import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { EventInput, siteOf, unknownFields, WebAddress } from "../../../../core/domain/event/event.ts";

const event = { event: "order.failed", title: "Order failed", body: "No stock" };
const read = (more: object) => v.parse(EventInput, { ...event, ...more });
const faults = (more: object) => {
  const { issues = [] } = v.safeParse(EventInput, { ...event, ...more });
  return issues.map((issue) => `${v.getDotPath(issue)}: ${issue.message}`);
};
const nested = (levels: number): object => (levels === 1 ? { leaf: 1 } : { in: nested(levels - 1) });

describe("an event", () => {
  it("is kept as it was sent, under the names of the interface", () => {
    const more = {
      detail: "",
      priority: "HIGH",
      url: "https://a.example/x",
      dedupeKey: "k",
      requiresAck: false,
      data: { a: "x", b: 1, c: true, d: { e: -0.5 } },
    };

    expect(read(more)).toEqual({ ...more, eventKey: "order.failed", title: "Order failed", body: "No stock" });
  });

  it("has nothing that was not sent but its priority", () => {
    expect(read({})).toStrictEqual({
      eventKey: "order.failed",
      title: "Order failed",
      body: "No stock",
      priority: "NORMAL",
    });
  });

  it("of CRITICAL is URGENT", () => {
    expect(read({ priority: "CRITICAL" }).priority).toBe("URGENT");
  });

  it("takes link for url, and url where both are there", () => {
    expect(read({ link: "https://l.example" })).toMatchObject({ url: "https://l.example" });
    expect(read({ link: "https://l.example" })).not.toHaveProperty("link");
    expect(read({ link: "https://l.example", url: "https://u.example" })).toMatchObject({ url: "https://u.example" });
  });

  it("does not look at link where url is good, and does where it is not", () => {
    expect(read({ link: "nothing", url: "https://u.example" })).toMatchObject({ url: "https://u.example" });
    expect(faults({ link: 5, url: "https://u.example" })).toEqual([]);
    expect(faults({ link: "nothing" })).toEqual(["link: link must be an http or https URL."]);
    expect(faults({ link: "nothing", url: null })).toHaveLength(1);
    expect(faults({ link: "nothing", url: "nothing", body: 5 })).toHaveLength(3);
  });

  it("takes null for a field that may be left out as no field", () => {
    const optional = ["priority", "detail", "data", "url", "link", "dedupeKey", "requiresAck", "resolves"];
    const nulls = Object.fromEntries(optional.map((name) => [name, null]));

    expect(read(nulls)).toEqual(read({}));
    expect(faults({ title: null, body: null })).toHaveLength(2);
  });

  it("loses fields that it does not name", () => {
    expect(read({ colour: "red", constructor: 1 })).not.toHaveProperty("colour");
  });
});

describe("fields that an event does not have", () => {
  it.each([
    ["dedupe_key", "dedupeKey"],
    ["requires_ack", "requiresAck"],
    ["requireAck", "requiresAck"],
    ["Priority", "priority"],
    ["prioirty", "priority"],
    ["severity", "priority"],
    ["message", "body"],
    ["details", "detail"],
    ["resolve", "resolves"],
  ])("are named with the one that was meant: %s for %s", (written, meant) => {
    expect(unknownFields({ ...event, [written]: "x" })).toEqual([
      {
        field: written,
        code: "unknown_field",
        message: `${written} is no field of an event and was not kept: did you mean ${meant}?`,
      },
    ]);
  });

  it("are named also where nothing is like them, twenty at most", () => {
    expect(unknownFields({ ...event, colour: 1 })[0]?.message).toBe("colour is no field of an event and was not kept.");
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`x${index}`.padEnd(500, "y"), 1]));

    expect(unknownFields(many)).toHaveLength(20);
    expect(unknownFields(many)[0]?.field).toHaveLength(100);
  });
});

describe("the data of an event", () => {
  it.each([[[]], ["x"], [5], [true]])("are an object, and not %j", (data) => {
    expect(faults({ data })).toEqual(["data: data must be an object."]);
  });

  it("hold texts, numbers and booleans, and objects of them: every other value is named", () => {
    const kinds = "must be a string, a number, a boolean or an object of those.";

    expect(faults({ data: { a: null, b: [], in: { c: [1], d: "x", e: undefined } } }).sort()).toEqual([
      `data.a: a ${kinds}`,
      `data.b: b ${kinds}`,
      `data.in.c: c ${kinds}`,
      `data.in.e: e ${kinds}`,
    ]);
  });

  it("are nested 16 levels deep, and no more", () => {
    expect(faults({ data: nested(16) })).toEqual([]);
    expect(faults({ data: nested(17) })).toEqual([
      `data.${"in.".repeat(15)}in: in must not be nested deeper than 16 levels.`,
    ]);
    expect(faults({ data: { a: nested(16), b: nested(15) } })).toHaveLength(1);
  });

  it("have 32 KiB of UTF-8 as JSON, and no more", () => {
    const of = (text: string) => ({ data: { t: text } });

    expect(faults(of("x".repeat(32_768 - 8)))).toEqual([]);
    expect(faults(of("x".repeat(32_768 - 7)))).toEqual(["data: data must have at most 32768 bytes as JSON."]);
    expect(faults(of("ä".repeat(16_384 - 4)))).toEqual([]);
    expect(faults(of("ä".repeat(16_384 - 3)))).toHaveLength(1);
  });

  it("have keys and texts of whole characters, without NUL and without __proto__", () => {
    const data: unknown = JSON.parse(
      '{"__proto__":1,"a\\u0000":1,"b\\ud800":1,"c":"\\u0000","d":"\\udc00","e":"\\ud83d\\ude42"}',
    );

    expect(faults({ data })).toEqual([
      "data.__proto__: __proto__ is not allowed as a key.",
      "data.a\u0000: a\u0000 must not hold the character NUL.",
      "data.b\ud800: b\ud800 must be well-formed Unicode: it holds half of a surrogate pair.",
      "data.c: c must not hold the character NUL.",
      "data.d: d must be well-formed Unicode: it holds half of a surrogate pair.",
    ]);
  });

  it.each([Infinity, Number.NaN, 1e126, 1e-131])("do not hold %d", (n) => {
    expect(faults({ data: { n } })).toEqual([
      "data.n: n must be a number of at most 38 digits between 1e-130 and 9.99e125.",
    ]);
  });
});

describe("a web address", () => {
  const isAddress = (text: string) => v.is(WebAddress("url"), text);

  it.each(["http://a.example", "https://a.example/b?c#d", "HTTPS://A.EXAMPLE", "http://[::1]:8080/"])(
    "is %s",
    (text) => {
      expect(isAddress(text)).toBe(true);
    },
  );

  it.each([
    "",
    "a.example",
    "//a.example",
    "/b",
    "https://",
    "javascript:alert(1)",
    "ftp://a.example",
    "data:,x",
    "file:///etc",
  ])("is not %j", (text) => {
    expect(isAddress(text)).toBe(false);
  });
});

describe("the site of an event", () => {
  const site = { site: "https://shop.example", site_name: "Shop" };

  it("is what its data name by address and name", () => {
    expect(siteOf(site)).toEqual({ site: "https://shop.example", name: "Shop" });
  });

  it.each([
    undefined,
    {},
    { site: "https://shop.example" },
    { site_name: "Shop" },
    { ...site, site: 5 },
    { ...site, site_name: true },
    { ...site, site_name: "" },
    { ...site, site: "shop.example" },
    Object.create(site) as typeof site,
  ])("is not in %j", (data) => {
    expect(siteOf(data)).toBeUndefined();
  });
});

it.each(["ж", "\u0001", "🙂"])(
  "an event with every field at its limit fits into a message and an item (%j)",
  (char) => {
    const data = {
      t: char.repeat(Math.floor(32_700 / new TextEncoder().encode(JSON.stringify(char).slice(1, -1)).length)),
    };
    const content = read({
      title: char.repeat(200),
      body: char.repeat(2_000),
      detail: char.repeat(10_000),
      url: `https://a.example/${"x".repeat(2_030)}`,
      dedupeKey: char.repeat(512),
      resolves: char.repeat(512),
      data,
    });

    // SQS takes 256 KiB, an item holds 400 KB even if not deflated; the message adds ids and times.
    expect(new TextEncoder().encode(JSON.stringify(content)).length).toBeLessThan(200_000);
  },
);
