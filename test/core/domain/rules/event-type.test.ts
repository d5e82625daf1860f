import { describe, expect, it } from "vitest";
import type { EventData } from "../../../../core/domain/event/event.ts";
import { extendDataShape as learn, type DataShape } from "../../../../core/domain/rules/event-type.ts";

const learnShape = (known: DataShape | undefined, data: EventData | undefined) => learn(known, { data });

const known: DataShape = { "data.amount": { types: ["number"], samples: [5] } };

describe("the learned schema of an event type", () => {
  it("has each data path with its type and a value from the first event", () => {
    expect(
      learnShape(undefined, { amount: 5, paid: false, customer: { tier: "gold", address: { zip: "1" } } }),
    ).toEqual({
      "data.amount": { types: ["number"], samples: [5] },
      "data.paid": { types: ["boolean"], samples: [false] },
      "data.customer.tier": { types: ["string"], samples: ["gold"] },
      "data.customer.address.zip": { types: ["string"], samples: ["1"] },
    });
  });

  it("notes once that an event had no data", () => {
    expect(learnShape(undefined, undefined)).toEqual({});
    expect(learnShape({}, undefined)).toBeUndefined();
  });

  it.each([
    ["paths and types that it already has", { amount: 5 }],
    ["another value of a known path", { amount: 6 }],
    ["an event with fewer fields", {}],
  ])("does not change for %s", (_, data) => {
    expect(learnShape(known, data)).toBeUndefined();
  });

  it("adds another type at a known path, with its value", () => {
    expect(learnShape(known, { amount: "6" })).toEqual({
      "data.amount": { types: ["number", "string"], samples: [5, "6"] },
    });
  });

  it("adds a new path, and in the same update another value of a known path", () => {
    expect(learnShape(known, { amount: 6, paid: true })).toEqual({
      "data.amount": { types: ["number"], samples: [5, 6] },
      "data.paid": { types: ["boolean"], samples: [true] },
    });
  });

  it("keeps at most five values of a path, and notes further types without a value", () => {
    const full: DataShape = { "data.amount": { types: ["number"], samples: [1, 2, 3, 4] } };

    expect(learnShape(full, { amount: "5" })?.["data.amount"]?.samples).toEqual([1, 2, 3, 4, "5"]);
    expect(learnShape({ "data.amount": { types: ["number"], samples: [1, 2, 3, 4, 5] } }, { amount: "6" })).toEqual({
      "data.amount": { types: ["number", "string"], samples: [1, 2, 3, 4, 5] },
    });
  });

  it("keeps the first 64 characters of a text value", () => {
    expect(learnShape(undefined, { note: "🚨".repeat(65) })?.["data.note"]?.samples).toEqual(["🚨".repeat(64)]);
  });

  it("keeps paths that are as long as a condition's field may be", () => {
    const longest = "🚨".repeat(256 - "data.".length);

    expect(Object.keys(learnShape(undefined, { [longest]: 1, [`${longest}x`]: 1 }) ?? {})).toEqual([`data.${longest}`]);
  });

  it.each([
    ["is too long", { ["x".repeat(252)]: { in: 1 } }],
    ["has an empty key", { "": 1 }],
    ["has an empty key inside", { customer: { "": { tier: 1 } } }],
    ["has a key that ends with a dot", { "customer.": 1 }],
    ["has a reserved key", { "customer.__proto__": 1 }],
    ["is too deep", { [Array.from({ length: 17 }, () => "in").join(".")]: 1 }],
  ])("leaves out a path that no condition can name, because it %s", (_, data) => {
    expect(learnShape(undefined, data)).toEqual({});
  });

  it("keeps 200 paths, and continues to learn values for these paths", () => {
    const data = Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`f${index}`, index]));
    const shape = learnShape(undefined, data);

    expect(Object.keys(shape ?? {})).toHaveLength(200);
    expect(learnShape(shape, { f200: 1 })).toBeUndefined();
    expect(learnShape(shape, { f200: 1, f0: "text" })).toMatchObject({ "data.f0": { types: ["number", "string"] } });
  });

  it("never loses what it has learned", () => {
    learnShape(known, { amount: "6", paid: true });

    expect(known).toEqual({ "data.amount": { types: ["number"], samples: [5] } });
  });
});

it("the schema of an event type has the fields url, detail and sender with values that events had", () => {
  const sender = { id: "key_1", name: "Checkout" };
  const shape = learn(undefined, { url: "https://acme.example/", sender });

  expect(shape).toEqual({
    url: { types: ["string"], samples: ["https://acme.example/"] },
    sender: { types: ["string"], samples: ["Checkout"] },
  });
  expect(learn(shape, { url: "https://acme.example/", sender })).toBeUndefined();
  expect(learn(shape, { detail: "more", sender })).toMatchObject({ detail: { samples: ["more"] } });
});
