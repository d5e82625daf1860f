import { describe, expect, it } from "vitest";
import type { Draft } from "../../../../core/domain/sources/draft.ts";
import { fitDraft } from "../../../../core/domain/sources/fit.ts";

const fit = (draft: Partial<Draft>) => fitDraft("my-tool", { action: "firing", title: "T", body: "B", ...draft });
const eventOf = (draft: Partial<Draft>) => fit(draft).event;
const warningsOf = (draft: Partial<Draft>) => fit(draft).warnings.map(({ field, message }) => [field, message]);

it("an event from a tool's message has only the required fields by default", () => {
  expect(fit({})).toStrictEqual({
    event: { eventKey: "my_tool.firing", title: "T", body: "B", priority: "NORMAL" },
    changedAt: undefined,
    formerKey: undefined,
    once: undefined,
    untitled: false,
    warnings: [],
  });
});

describe("a text in a tool's message", () => {
  it.each([
    ["title", 200],
    ["body", 2_000],
    ["detail", 10_000],
  ] as const)("that is used as %s is cut to %i characters, with an ellipsis and a warning", (field, max) => {
    const cut = `${field} was shortened to ${max} characters.`;

    expect(eventOf({ [field]: "🙂".repeat(max) })[field]).toBe("🙂".repeat(max));
    expect(warningsOf({ [field]: "🙂".repeat(max) })).toEqual([]);
    expect(eventOf({ [field]: "🙂".repeat(max + 1) })[field]).toBe(`${"🙂".repeat(max - 1)}…`);
    expect(warningsOf({ [field]: "🙂".repeat(max + 1) })).toEqual([[field, cut]]);
  });

  it("loses characters that change the writing direction", () => {
    expect(eventOf({ title: "a\u202eb", data: { "x\u2066": "\u202ac" } })).toMatchObject({
      title: "ab",
      data: { x: "c" },
    });
  });

  it("loses characters that cannot be stored", () => {
    expect(eventOf({ title: "a\u0000b", body: "c\ud800" })).toMatchObject({ title: "ab", body: "c\ufffd" });
    expect(eventOf({ title: "\u202e\u2066", body: "a\u202eb", data: { a: "\u202ab" } })).toMatchObject({
      title: "my-tool: firing",
      body: "ab",
      data: { a: "b" },
    });
    expect(warningsOf({ title: "a\u0000b" })).toEqual([["title", "title was shortened to 200 characters."]]);
  });

  it("is replaced by the next best text if it is blank", () => {
    expect(eventOf({ title: "", body: "" })).toMatchObject({ title: "my-tool: firing", body: "my-tool: firing" });
    expect(eventOf({ body: "\u0000" })).toMatchObject({ body: "T" });
    expect(eventOf({ detail: "\u0000" })).not.toHaveProperty("detail");
  });

  it("is also stored as detail if it is too long for a body and the message has no detail", () => {
    const body = "b".repeat(2_001);

    expect(eventOf({ body }).detail).toBe(body);
    expect(eventOf({ body, detail: "D" }).detail).toBe("D");
    expect(eventOf({ body: "b".repeat(2_000) })).not.toHaveProperty("detail");
  });
});

describe("the data in a tool's message", () => {
  const dataOf = (data: object) => eventOf({ data: { ...data } }).data;

  it("is stored flat, with texts, booleans and exact numbers", () => {
    expect(dataOf({ a: { b: ["x", true, 1.5] }, big: 1e200, none: null, f: () => 1 })).toStrictEqual({
      "a.b.0": "x",
      "a.b.1": true,
      "a.b.2": 1.5,
      big: "1e+200",
    });
    expect(eventOf({ data: { none: null } })).not.toHaveProperty("data");
  });

  it("is read seven levels deep", () => {
    const nest = (levels: number): unknown => (levels === 0 ? "x" : { a: nest(levels - 1) });

    expect(dataOf({ a: nest(7) })).toStrictEqual({ "a.a.a.a.a.a.a.a": "x" });
    expect(dataOf({ a: nest(8) })).toBeUndefined();
    const text = '{"a":"x"}';
    expect(dataOf({ a: { a: { a: { a: { a: { a: { a: text } } } } } } })).toStrictEqual({ "a.a.a.a.a.a.a.a": "x" });
    expect(dataOf({ a: { a: { a: { a: { a: { a: { a: { a: text } } } } } } } })).toStrictEqual({
      "a.a.a.a.a.a.a.a": text,
    });
    expect(warningsOf({ data: { a: nest(8) } })).toEqual([
      ["data.a.a.a.a.a.a.a.a", "data.a.a.a.a.a.a.a.a was dropped: the value is nested deeper than 8 levels."],
    ]);
  });

  it("loses fields whose names are blank, duplicate or dangerous", () => {
    const data = JSON.parse(
      '{"": "blank", "__proto__": "danger", "a.b": "first", "a": {"b": "second"}, "z": 1}',
    ) as object;

    expect(dataOf(data)).toStrictEqual({ "a.b": "first", z: 1 });
    expect(warningsOf({ data: { ...data } })).toEqual([
      ["data.", "data. was dropped: this name is not allowed."],
      ["data.__proto__", "data.__proto__ was dropped: this name is not allowed."],
      ["data.a.b", "data.a.b was dropped: another value has this name."],
    ]);
    expect(dataOf({ "\u0000": 1, a: { "": 2 } })).toStrictEqual({ "a.": 2 });
  });

  it("loses the end of a long name silently, and the end of a long text with a warning", () => {
    expect(dataOf({ ["k".repeat(201)]: 1 })).toStrictEqual({ [`${"k".repeat(199)}…`]: 1 });
    expect(dataOf({ a: "x".repeat(2_000) })).toStrictEqual({ a: "x".repeat(2_000) });
    expect(dataOf({ a: "x".repeat(2_001) })).toStrictEqual({ a: `${"x".repeat(1_999)}…` });
    expect(warningsOf({ data: { a: "x".repeat(2_001) } })).toEqual([
      ["data.a", "data.a was shortened to 2000 characters."],
    ]);
  });

  it("is cut after 500 fields", () => {
    const data = Object.fromEntries(Array.from({ length: 502 }, (_, index) => [`k${index}`, 1]));

    expect(Object.keys(dataOf(data) ?? {})).toHaveLength(500);
    expect(warningsOf({ data })).toEqual([["data", "data is too large: k500 and all later fields were dropped."]]);
  });

  it("is cut after 32,768 bytes of JSON", () => {
    // In {"k0":"x…","k1":…}, each field adds four quotes, a colon and a comma, and the object adds two braces.
    const texts = Array.from({ length: 16 }, (_, index) => [`k${index.toString(16)}`, "x".repeat(2_000)] as const);
    const rest = 32_768 - 2 - 16 * (2_000 + 4 + 4);
    const dataOfBytes = (bytes: number) => ({ ...Object.fromEntries(texts), z: "x".repeat(bytes - 7) });

    expect(warningsOf({ data: dataOfBytes(rest) })).toEqual([]);
    expect(warningsOf({ data: dataOfBytes(rest + 1) })).toEqual([
      ["data", "data is too large: z and all later fields were dropped."],
    ]);
    expect(Object.keys(dataOf(dataOfBytes(rest + 1)) ?? {})).toHaveLength(16);
  });

  it("causes at most 20 warnings", () => {
    const data = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`k${index}`, "x".repeat(2_001)]));

    expect(fit({ title: "t".repeat(201), data }).warnings).toHaveLength(10);
    expect(fit({ data: { long: Array.from({ length: 30 }, () => "\u0000") } }).warnings).toHaveLength(20);
  });
});

it.each([
  ["an https link", "https://a.example/b", "https://a.example/b"],
  ["an http link, from which a NUL character is removed,", "http://a.example/\u0000b", "http://a.example/b"],
  ["a link of 2,048 characters", `https://a.example/${"x".repeat(2_030)}`, `https://a.example/${"x".repeat(2_030)}`],
])("%s in a tool's message is kept", (_, url, kept) => {
  expect(fit({ url })).toMatchObject({ event: { url: kept }, warnings: [] });
});

it.each([
  ["a link with the scheme javascript", "javascript:alert(1)"],
  ["a link with the scheme xhttps", "xhttps:a"],
  ["a link with the scheme httpsx", "httpsx:a"],
  ["a link without a scheme", "nothing"],
  ["an empty link", ""],
  ["a link of 2,049 characters", `https://a.example/${"x".repeat(2_031)}`],
])("%s in a tool's message is left out, with a warning", (_, url) => {
  expect(eventOf({ url })).not.toHaveProperty("url");
  expect(warningsOf({ url })).toEqual([
    ["url", "url was dropped: it is not an http or https URL of at most 2048 characters."],
  ]);
});

describe("JSON inside a text of a tool's message", () => {
  it.each([
    ["becomes fields if it is an object", '{"b": {"c": 1}}', { "a.b.c": 1 }],
    ["becomes fields if it is a list", ' ["x"]', { "a.0": "x" }],
    ["stays a text if it is an empty list", "[]", { a: "[]" }],
    ["stays a text if it is an empty object", "{}", { a: "{}" }],
    ["stays a text if it is a number", "5", { a: "5" }],
    ["stays a text if words precede it", 'so: {"b": 1}', { a: 'so: {"b": 1}' }],
    ["is not assumed in a text such as [firing] disk", "[firing] disk", { a: "[firing] disk" }],
  ])("%s", (_title, a, data) => {
    expect(eventOf({ data: { a } }).data).toStrictEqual(data);
  });
});

describe("the links in a tool's message", () => {
  const [one, other] = ["https://a.example/1", "https://a.example/2"];

  it("are kept with their labels, a runbook first, each URL once", () => {
    const links = { Graph: one, Blank: " ", None: undefined, Again: one, "Run book": other };

    expect(fit({ links })).toMatchObject({ event: { url: other }, warnings: [] });
    expect(eventOf({ links }).data).toStrictEqual({ "links.Run book": other, "links.Graph": one });
    expect(eventOf({ url: one, links }).url).toBe(one);
  });

  it("that cannot be used are left out with a warning, and the first usable link becomes the url", () => {
    expect(fit({ url: "/relative", links: { Graph: "httpsx:a", Panel: one } })).toMatchObject({
      event: { url: one, data: { "links.Panel": one } },
      warnings: [
        { field: "data.links.Graph", code: "cut" },
        { field: "url", code: "cut" },
      ],
    });
    expect(eventOf({ links: { Graph: "nothing" } })).not.toHaveProperty("data");
  });
});

it.each([
  ["with a known severity word gets its priority", ["critical"], "URGENT", []],
  ["with a known severity number gets its priority", [2], "HIGH", []],
  ["with an unknown and a known severity gets the priority of the known one", ["odd", "P1"], "URGENT", []],
  ["without a severity keeps its priority", [undefined, " ", null], "LOW", []],
  ["with an unknown severity keeps its priority", ["odd"], "LOW", ["priority is LOW: odd is not a known severity."]],
  ["with an unknown severity number keeps its priority", [9], "LOW", ["priority is LOW: 9 is not a known severity."]],
  [
    "with an unknown severity of 101 characters keeps its priority",
    ["x".repeat(101)],
    "LOW",
    [`priority is LOW: ${"x".repeat(99)}… is not a known severity.`],
  ],
])("a tool's message %s, and only an unknown severity causes a warning", (_, severity, priority, said) => {
  const { event, warnings } = fit({ severity, priority: "LOW" });

  expect(event.priority).toBe(priority);
  expect(warnings).toEqual(said.map((message) => ({ field: "priority", code: "replaced", message })));
  expect(fit({ action: "info", severity }).warnings).toEqual([]);
});

it("an event from a message without a title of its own is marked as untitled", () => {
  expect([fit({ untitled: true }).untitled, fit({ untitled: false }).untitled]).toEqual([true, false]);
});

describe("an event that is made from a tool's message", () => {
  it("has the dedupeKey of the message only if the message reports the start or the end of an alert", () => {
    expect(eventOf({ key: "k" })).toMatchObject({ dedupeKey: "my-tool:k" });
    expect(eventOf({ key: "k", action: "resolved" })).toMatchObject({ resolves: "my-tool:k", priority: "LOW" });
    for (const draft of [{ key: "k", action: "test" }, { key: "k", action: "info" }, { key: "" }, {}] as const) {
      expect(eventOf(draft)).not.toHaveProperty("dedupeKey");
      expect(eventOf(draft)).not.toHaveProperty("resolves");
    }
  });

  it("gets a shortened dedupeKey instead of a long one: the same for equal keys, and different for other keys", () => {
    const dedupeKeyOf = (text: string) => eventOf({ key: text }).dedupeKey ?? "";
    const [one, other] = [dedupeKeyOf(`${"k".repeat(600)}1`), dedupeKeyOf(`${"k".repeat(600)}2`)];

    expect(dedupeKeyOf("k".repeat(504))).toBe(`my-tool:${"k".repeat(504)}`);
    expect(one).toMatch(/^my-tool:k{470,}~[0-9a-z]+~[0-9a-z]+$/);
    expect(one).toHaveLength(512);
    expect(other).not.toBe(one);
    expect(dedupeKeyOf(`${"k".repeat(600)}1`)).toBe(one);
  });

  it.each([
    ["firing", "no priority", "NORMAL", undefined],
    ["firing", "the priority URGENT", "URGENT", "URGENT"],
    ["info", "no priority", "LOW", undefined],
    ["info", "the priority NORMAL", "NORMAL", "NORMAL"],
    ["info", "the priority URGENT", "LOW", "URGENT"],
    ["resolved", "the priority URGENT", "LOW", "URGENT"],
    ["test", "the priority URGENT", "LOW", "URGENT"],
  ] as const)("with the state %s and %s gets the priority %s", (action, _priority, expected, priority) => {
    expect(eventOf({ action, priority }).priority).toBe(expected);
  });

  it("is deduplicated by the tool's name and the message id, such as my-tool:m-1", () => {
    expect(fit({ once: "m-1" }).once).toBe("my-tool:m-1");
    expect(fit({ once: "m".repeat(500) }).once).toHaveLength(255);
  });
});
