import * as v from "valibot";
import { describe, expect, it } from "vitest";
import {
  canonicalizeSiteAddress,
  toResolvedTitle,
  EventInput,
  listEventWarnings,
  listEventLinks,
  identifySender,
  addSender,
  readSite,
  addSiteName,
  webAddressSchema,
  addFieldSuggestion,
} from "../../../../core/domain/event/event.ts";

const event = { event: "order.failed", title: "Order failed", body: "No stock" };
const parseEvent = (more: object) => v.parse(EventInput, { ...event, ...more });
const faultsOf = (fields: object) => {
  const { issues = [] } = v.safeParse(EventInput, { ...event, ...fields });
  return issues.map((issue) => `${v.getDotPath(issue)}: ${issue.message}`);
};
const nested = (levels: number): object => (levels === 1 ? { leaf: 1 } : { in: nested(levels - 1) });

describe("a received event", () => {
  it("is stored as sent, under the field names of the API", () => {
    const more = {
      detail: "More",
      priority: "HIGH",
      url: "https://a.example/x",
      dedupeKey: "k",
      requiresAck: false,
      data: { a: "x", b: 1, c: true, d: { e: -0.5 } },
    };

    expect(parseEvent(more)).toEqual({ ...more, eventKey: "order.failed", title: "Order failed", body: "No stock" });
  });

  it("is stored with only the fields that were sent, and with a priority", () => {
    expect(parseEvent({})).toStrictEqual({
      eventKey: "order.failed",
      title: "Order failed",
      body: "No stock",
      priority: "NORMAL",
    });
  });

  it("with the priority CRITICAL is stored as URGENT", () => {
    expect(parseEvent({ priority: "CRITICAL" }).priority).toBe("URGENT");
  });

  it("is stored with its field link as url, unless the field url is sent, too", () => {
    expect(parseEvent({ link: "https://l.example" })).toMatchObject({ url: "https://l.example" });
    expect(parseEvent({ link: "https://l.example" })).not.toHaveProperty("link");
    expect(parseEvent({ link: "https://l.example", url: "https://u.example" })).toMatchObject({
      url: "https://u.example",
    });
  });

  it("uses the field link only if the field url is missing or invalid", () => {
    expect(parseEvent({ link: "nothing", url: "https://u.example" })).toMatchObject({ url: "https://u.example" });
    expect(faultsOf({ link: 5, url: "https://u.example" })).toEqual([]);
    expect(faultsOf({ link: 5 })).toEqual(["link: link must be a string."]);
    expect(parseEvent({ link: "https://l.example", url: "" })).toMatchObject({ url: "https://l.example" });
    expect(faultsOf({ link: 5, url: null })).toHaveLength(1);
  });

  it.each(["javascript:alert(1)", "grafana/d/1", "\tjava\nscript:alert(1)", "ftp://a.example"])(
    "is accepted with the url %j, which is not a link",
    (url) => {
      expect(parseEvent({ url })).toMatchObject({ url });
      expect(listEventWarnings({ ...event, url })).toMatchObject([{ field: "url", code: "no_link" }]);
      expect(listEventWarnings({ ...event, link: url })).toMatchObject([{ field: "link", code: "no_link" }]);
    },
  );

  it.each(["url", "link", "dedupeKey", "detail", "resolves"])(
    'with the field "%s" as an empty text is stored without that field, and gets a warning unless the field is link',
    (field) => {
      expect(parseEvent({ [field]: "" })).toEqual(parseEvent({}));
      expect(listEventWarnings({ ...event, [field]: "" })).toEqual(
        field === "link" ? [] : [{ field, code: "empty", message: `${field} is empty and was ignored.` }],
      );
    },
  );

  it("keeps the valid part of a faulty text, with a warning that names the field", () => {
    const bad = { title: "a\ud800", body: "\u0000b", data: { "k\u0000": "v\udc00", in: { deep: "\ud83d\ude42" } } };

    expect(parseEvent(bad)).toMatchObject({
      title: "a\ufffd",
      body: "\ufffdb",
      data: { "k\ufffd": "v\ufffd", in: { deep: "\ud83d\ude42" } },
    });
    expect(listEventWarnings({ ...event, ...bad }).map(({ field, code }) => `${code} ${field}`)).toEqual([
      "replaced title",
      "replaced body",
      "replaced data.k\ufffd",
      "replaced data.k\ufffd",
    ]);
  });

  it("may have null for an optional field, which counts as not sent", () => {
    const optional = ["priority", "detail", "data", "url", "link", "dedupeKey", "requiresAck", "resolves"];
    const nulls = Object.fromEntries(optional.map((name) => [name, null]));

    expect(parseEvent(nulls)).toEqual(parseEvent({}));
    expect(faultsOf({ title: null, body: null })).toHaveLength(2);
  });

  it("is stored without its unknown fields", () => {
    expect(parseEvent({ colour: "red", constructor: 1 })).not.toHaveProperty("colour");
  });
});

describe("unknown fields of an event", () => {
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
  ])("are reported with a suggestion: for %j, the suggestion is %j", (written, meant) => {
    expect(listEventWarnings({ ...event, [written]: "x" })).toEqual([
      {
        field: written,
        code: "unknown_field",
        message: `${written} is not a field of an event and was dropped: did you mean ${meant}?`,
      },
    ]);
  });

  it("are reported even if there is no suggestion, twenty at most", () => {
    expect(listEventWarnings({ ...event, colour: 1 })[0]?.message).toBe(
      "colour is not a field of an event and was dropped.",
    );
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`x${index}`.padEnd(500, "y"), 1]));

    expect(listEventWarnings(many)).toHaveLength(20);
    expect(listEventWarnings(many)[0]?.field).toHaveLength(100);
  });
});

describe("a required field that an event lacks", () => {
  const required = { field: "body", code: "required", message: "body is required." } as const;

  it.each<[string, object, string]>([
    [
      "with a suggestion for a field whose name is similar",
      { bdy: "x" },
      "body is required. bdy is unknown: did you mean body?",
    ],
    [
      "with a suggestion for a field name that other services use",
      { colour: 1, Message: "x" },
      "body is required. Message is unknown: did you mean body?",
    ],
    ["without a suggestion if the sent field is another field of an event", { detail: "x" }, "body is required."],
    [
      "without a suggestion if other services use the sent field name for a different field",
      { severity: "x" },
      "body is required.",
    ],
    ["without a suggestion if no other field was sent", {}, "body is required."],
  ])("is reported %s", (_what, input, message) => {
    expect(addFieldSuggestion(required, input)).toEqual({ ...required, message });
  });

  it("keeps its error message if that already has a suggestion, or reports an invalid value", () => {
    for (const fault of [
      { ...required, message: "Did you mean title?" },
      { ...required, code: "invalid" as const },
    ])
      expect(addFieldSuggestion(fault, { message: "x" })).toBe(fault);
  });

  it("is reported with at most a hundred characters of the name of a similar unknown field", () => {
    const long = `body${" ".repeat(200)}`;

    expect(addFieldSuggestion(required, { [long]: 1 }).message.length).toBeLessThan(170);
  });
});

describe("the warnings about a sent event", () => {
  it("name each text in which characters were replaced, but report an unknown field only as unknown", () => {
    expect(listEventWarnings({ ...event, title: "a\u0000", colour: "\u0000" })).toEqual([
      {
        field: "colour",
        code: "unknown_field",
        message: "colour is not a field of an event and was dropped.",
      },
      {
        field: "title",
        code: "replaced",
        message: "title contained NUL or half of a surrogate pair, which was replaced by U+FFFD.",
      },
    ]);
    expect(listEventWarnings({ ...event, data: { colour: "\u0000", "k\u0000": { x: 1 } } })).toMatchObject([
      { field: "data.colour" },
      { field: "data.k\ufffd" },
    ]);
  });

  it("cover nested data, down to the deepest allowed level", () => {
    const nestedFault = (levels: number): object =>
      levels === 1 ? { leaf: "\u0000" } : { in: nestedFault(levels - 1) };

    expect(listEventWarnings({ data: nestedFault(16) })).toHaveLength(1);
    expect(listEventWarnings({ data: nestedFault(17) })).toHaveLength(1);
    expect(listEventWarnings({ data: nestedFault(18) })).toHaveLength(0);
  });

  it("name at most twenty texts with replaced characters", () => {
    const data = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`k${index}`, "\u0000"]));

    expect(listEventWarnings({ data })).toHaveLength(20);
  });

  it("say that an invalid url is shown as text", () => {
    expect(listEventWarnings({ url: "nothing" })).toEqual([
      {
        field: "url",
        code: "no_link",
        message: "url is not an http or https URL: it is shown as text.",
      },
    ]);
    expect(listEventWarnings({ url: "", link: "nothing" })).toMatchObject([{ code: "empty" }, { field: "link" }]);
  });
});

describe("the sender of an event", () => {
  it.each([
    ["an empty text if there is no sender", undefined, ""],
    ["the name of an API key", { id: "key_1", name: "Shop" }, "key:Shop"],
    ["the id of a heartbeat", { id: "hb_1", name: "Shop" }, "hb_1"],
    ["the id of a heartbeat that contains key_", { id: "hb_key_", name: "Shop" }, "hb_key_"],
  ])("is identified by %s", (_what, sender, owner) => {
    expect(identifySender(sender)).toBe(owner);
  });

  it("is only a name, without an API key, for a simulated event", () => {
    const content = parseEvent({});

    expect(addSender(content, undefined)).toBe(content);
    expect(addSender(content, "Shop")).toEqual({ ...content, sender: { id: "", name: "Shop" } });
  });
});

it.each([
  ["https://Shop.example/", "https://shop.example"],
  ["https://shop.example/a//", "https://shop.example/a"],
  ["https://shop.example/?a/", "https://shop.example/?a/"],
  ["https://shop.example/a/#b/", "https://shop.example/a/#b/"],
  ["https://shop.example/a/b", "https://shop.example/a/b"],
  ["nothing/", "nothing/"],
])("the URL %s of an event's site is stored as %s", (address, one) => {
  expect(canonicalizeSiteAddress(address)).toBe(one);
});

describe("the data of an event", () => {
  it.each([
    ["an array", []],
    ["a text", "x"],
    ["a number", 5],
    ["a boolean", true],
  ])("must be an object, and not %s", (_what, data) => {
    expect(faultsOf({ data })).toEqual(["data: data must be an object."]);
  });

  it("may contain texts, numbers, booleans and nested objects; any other value is refused with its path", () => {
    const kinds = "must be a string, a number, a boolean or an object of these.";

    expect(faultsOf({ data: { a: null, b: [], in: { c: [1], d: "x", e: undefined } } }).sort()).toEqual([
      `data.a: a ${kinds}`,
      `data.b: b ${kinds}`,
      `data.in.c: c ${kinds}`,
      `data.in.e: e ${kinds}`,
    ]);
  });

  it("may be nested up to 16 levels deep", () => {
    expect(faultsOf({ data: nested(16) })).toEqual([]);
    expect(faultsOf({ data: nested(17) })).toEqual([
      `data.${"in.".repeat(15)}in: in must not be nested deeper than 16 levels.`,
    ]);
    expect(faultsOf({ data: { a: nested(16), b: nested(15) } })).toHaveLength(1);
  });

  it("may have up to 32 KiB of UTF-8 as JSON", () => {
    const eventWith = (text: string) => ({ data: { t: text } });

    expect(faultsOf(eventWith("x".repeat(32_768 - 8)))).toEqual([]);
    expect(faultsOf(eventWith("x".repeat(32_768 - 7)))).toEqual(["data: data must have at most 32768 bytes as JSON."]);
    expect(faultsOf(eventWith("ä".repeat(16_384 - 4)))).toEqual([]);
    expect(faultsOf(eventWith("ä".repeat(16_384 - 3)))).toHaveLength(1);
  });

  it("may not have the key __proto__", () => {
    expect(faultsOf({ data: JSON.parse('{"__proto__":1}') as unknown })).toEqual([
      "data.__proto__: __proto__ is not allowed as a key.",
    ]);
  });

  it.each([Infinity, Number.NaN, 1e126, 1e-131])("may not contain the number %d", (n) => {
    expect(faultsOf({ data: { n } })).toEqual([
      "data.n: n must be a number of at most 38 digits between 1e-130 and 9.99e125.",
    ]);
  });
});

describe("the url of an event", () => {
  const isAddress = (text: string) => v.is(webAddressSchema("url"), text);

  it.each(["http://a.example", "https://a.example/b?c#d", "HTTPS://A.EXAMPLE", "http://[::1]:8080/"])(
    "may be %s",
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
  ])("may not be %j", (text) => {
    expect(v.safeParse(webAddressSchema("url"), text).issues?.map(({ message }) => message)).toContain(
      "url must be an http or https URL.",
    );
  });
});

describe("the site that an event belongs to", () => {
  const site = { site: "https://shop.example", site_name: "Shop" };

  it("has its URL and name from the event's data", () => {
    expect(readSite(site)).toEqual({ site: "https://shop.example", name: "Shop" });
    expect(addSiteName({ title: "T" }, site)).toEqual({ title: "T", siteName: "Shop" });
    expect(addSiteName({ title: "T" }, {})).toEqual({ title: "T" });
  });

  it.each([
    ["the event has no data", undefined],
    ["the data are empty", {}],
    ["the data have no name of the site", { site: "https://shop.example" }],
    ["the data have no URL of the site", { site_name: "Shop" }],
    ["the URL is a number", { ...site, site: 5 }],
    ["the name is a boolean", { ...site, site_name: true }],
    ["the name is empty", { ...site, site_name: "" }],
    ["the URL has no https://", { ...site, site: "shop.example" }],
    ["the data only inherit URL and name from a prototype", Object.create(site) as typeof site],
  ])("is unknown if %s", (_when, data) => {
    expect(readSite(data)).toBeUndefined();
  });
});

it.each(["ж", "\u0001", "🙂"])(
  "an event with every field at its limit, filled with %j, fits into a queue message and a table item",
  (char) => {
    const data = {
      t: char.repeat(Math.floor(32_700 / new TextEncoder().encode(JSON.stringify(char).slice(1, -1)).length)),
    };
    const content = parseEvent({
      title: char.repeat(200),
      body: char.repeat(2_000),
      detail: char.repeat(10_000),
      url: `https://a.example/${"x".repeat(2_030)}`,
      dedupeKey: char.repeat(512),
      resolves: char.repeat(512),
      data,
    });

    // SQS accepts messages of 256 KiB, including ids and times, and DynamoDB accepts uncompressed items of 400 KB.
    expect(new TextEncoder().encode(JSON.stringify(content)).length).toBeLessThan(200_000);
  },
);

describe("the links of an event", () => {
  const runbook = "https://wiki.example/disk";
  const graph = "https://graphs.example/disk";

  it.each([
    ["are none without the field url and data", {}, []],
    ["do not contain an invalid url", { url: "nothing" }, []],
    ["contain the url, without a label", { url: graph }, [{ label: null, url: graph }]],
    [
      "contain the labelled URLs of the data, and each URL once",
      { url: graph, data: { "links.Graph": graph, "links.Runbook": runbook } },
      [
        { label: "Graph", url: graph },
        { label: "Runbook", url: runbook },
      ],
    ],
    [
      "contain only the valid URLs of the object links",
      { data: { links: { Runbook: runbook, Graph: 5, Note: "none" } } },
      [{ label: "Runbook", url: runbook }],
    ],
    [
      "contain a URL only once, with its first label",
      { data: { links: { Runbook: runbook, Again: runbook } } },
      [{ label: "Runbook", url: runbook }],
    ],
    ["do not contain a text in the field links or linksTo of the data", { data: { links: graph, linksTo: graph } }, []],
  ])("%s", (_what, content, links) => {
    expect(listEventLinks(content)).toEqual(links);
  });
});

it.each([
  ["Disk full", "Resolved: Disk full"],
  ["Resolved: Disk full", "Resolved: Disk full"],
  ["[RESOLVED] Disk full", "[RESOLVED] Disk full"],
  ["Resolver is down", "Resolved: Resolver is down"],
  ["The disk is resolved", "Resolved: The disk is resolved"],
])("the push that reports the end of %j has the title %j", (title, ended) => {
  expect(toResolvedTitle(title)).toBe(ended);
});
