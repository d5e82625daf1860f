import { expect, it } from "vitest";
import { parseDataPath, readField } from "../../../../../core/domain/rules/matching/field.ts";

const event = (data?: Record<string, unknown> | null) => ({
  eventKey: "order.failed",
  title: "T",
  body: "B",
  priority: "CRITICAL",
  detail: "D",
  url: "https://acme.example/",
  sender: { id: "key_1", name: "Checkout" },
  data,
});
const read = (field: string, data?: Record<string, unknown> | null): unknown => readField(field, event(data));

it("each text field of an event and its priority can be read by name, and CRITICAL is read as URGENT", () => {
  expect(["title", "body", "priority", "detail", "eventKey", "url", "sender"].map((field) => read(field))).toEqual([
    "T",
    "B",
    "URGENT",
    "D",
    "order.failed",
    "https://acme.example/",
    "Checkout",
  ]);
  expect(["datax", "sender.id"].map((field) => read(field, { x: 1 }))).toEqual([undefined, undefined]);
});

it("detail, url and sender have no value if the event lacks them", () => {
  const bare = { eventKey: "order.failed", title: "T", body: "B", priority: "LOW" };

  expect(["detail", "url", "sender"].map((field) => readField(field, bare))).toEqual([undefined, undefined, undefined]);
  expect(readField("sender", { ...bare, sender: null })).toBeUndefined();
});

it.each(["constructor", "toString", "hasOwnProperty", "valueOf", "__proto__", "length"])(
  "data.%s is read if it was sent, and inherited properties are ignored",
  (key) => {
    const own = JSON.parse(`{"${key}":"sent","in":{"${key}":"deep"}}`) as Record<string, unknown>;

    expect([read(`data.${key}`, {}), read(`data.${key}`), read(`data.${key}`, null)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(read(`data.in.${key}`, { in: {} })).toBeUndefined();
    expect(read(`data.in.${key}`, { in: "text" })).toBeUndefined();
    expect(read(`data.${key}`, own)).toBe("sent");
    expect(read(`data.in.${key}`, own)).toBe("deep");
  },
);

it("list items are not readable as fields", () => {
  expect(read("data.0", ["x"] as never)).toBeUndefined();
  expect(read("data.a.0", { a: ["x"] })).toBeUndefined();
  expect(read("data.a.length", { a: ["x"] })).toBeUndefined();
});

it('the path data.a.b.c reads the first of these that has a value: a > b > c, a > "b.c", "a.b" > c, "a.b.c"', () => {
  expect(read("data.a.b.c", { "a.b.c": 1, "a.b": { c: 2 }, a: { "b.c": 3, b: { c: 4 } } })).toBe(4);
  expect(read("data.a.b.c", { "a.b.c": 1, "a.b": { c: 2 }, a: { "b.c": 3, b: { c: null } } })).toBe(3);
  expect(read("data.a.b.c", { "a.b.c": 1, "a.b": { c: 2 }, a: { b: {} } })).toBe(2);
  expect(read("data.a.b.c", { "a.b.c": 1, a: 5 })).toBe(1);
});

it("only fields under data can have a path", () => {
  expect(["data.a", "data.a.b", "data..a", "title", "metadata.a"].map(parseDataPath)).toEqual([
    ["a"],
    ["a", "b"],
    ["", "a"],
    undefined,
    undefined,
  ]);
});
