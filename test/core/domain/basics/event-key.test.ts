import * as v from "valibot";
import { describe, expect, it } from "vitest";
import {
  EventKey,
  EventKeyFilter,
  EventKeyPattern,
  isReserved,
  keyMatches,
  keyMeant,
  patternKind,
  Resource,
  resourceOf,
  SentEventKey,
} from "../../../../core/domain/basics/event-key.ts";

const saidOf = (schema: v.GenericSchema<unknown>, value: unknown): string | undefined =>
  v.safeParse(schema, value, { abortPipeEarly: true }).issues?.[0].message;

describe("the key of an event", () => {
  it.each(["booking.created", "a.b", "9_.x_9", "service_desk.opened", `a.${"b".repeat(254)}`])("is %s", (key) => {
    expect(saidOf(EventKey, key)).toBeUndefined();
    expect(saidOf(SentEventKey, key)).toBeUndefined();
    expect(saidOf(EventKeyPattern, key)).toBeUndefined();
  });

  it.each(["", "booking", "booking.", ".created", "a.b.c", "a.*", "*", " a.b", "a.b ", "a-b.c", "é.a"])(
    "is not %j",
    (key) => {
      expect(saidOf(EventKey, key)).toMatch(/^An event key must be resource\.action in lowercase letters/u);
    },
  );

  it("is not a number, nor a text of more than 256 characters", () => {
    expect(saidOf(EventKey, 5)).toMatch(/^An event key must be resource\.action/u);
    expect(saidOf(EventKey, `a.${"b".repeat(255)}`)).toBe("An event key has at most 256 characters.");
  });

  it("suggests another key where one was probably meant, and only there", () => {
    expect(saidOf(EventKey, "Order-Payment.Failed")).toMatch(/ Did you mean order_payment\.failed\?$/);
    expect(saidOf(EventKey, "booking")).toMatch(/such as booking\.created\.$/);
  });

  it("of the service itself cannot be sent; that of a heartbeat can be named in rules only", () => {
    expect(saidOf(EventKey, "service.dead")).toBe("The prefix service. is reserved: choose another resource.");
    expect(saidOf(EventKeyPattern, "service.*")).toBe("The prefix service. is reserved: choose another resource.");
    expect(saidOf(EventKeyFilter, "service.*")).toBeUndefined();
    expect(["service.dead", "service_desk.opened", "a.service."].map(isReserved)).toEqual([true, false, false]);
    expect(saidOf(EventKey, "heartbeat.missed")).toBeUndefined();
    expect(saidOf(SentEventKey, "heartbeat.missed")).toMatch(
      /^The prefix heartbeat\. is reserved for missed heartbeats/,
    );
    expect(saidOf(SentEventKey, "my.heartbeat.")).toMatch(/^An event key must be/);
  });
});

it.each([
  ["Order-Payment.Failed", "order_payment.failed"],
  ["a.b.c", "a.b_c"],
  ["  order.failed\n", "order.failed"],
  ["order/failed", "order.failed"],
  ["order::failed", "order.failed"],
  ["..order...failed..", "order.failed"],
  ["order. --failed!! now-- ", "order.failed_now"],
  ["order.-.failed", "order.failed"],
  ["__order__.__failed__", "order.failed"],
  ["Été.x", "t.x"],
  ["order", undefined],
  ["order.!", undefined],
  ["", undefined],
  ["Service.dead", undefined],
])("%j suggests the key %j", (written, meant) => {
  expect(keyMeant(written)).toBe(meant);
});

describe("the resource part of a sent key", () => {
  it.each(["datadog", "a_1", "services", "x".repeat(100)])("is %s", (resource) => {
    expect(saidOf(Resource, resource)).toBeUndefined();
  });

  it.each([
    ["service", /^resource must not be service or heartbeat/],
    ["heartbeat", /^resource must not be service or heartbeat/],
    ["", /^resource is lowercase letters/],
    ["a.b", /^resource is lowercase letters/],
    ["Datadog", /^resource is lowercase letters/],
    ["x".repeat(101), /^resource must have at most 100 characters\.$/],
    [null, /^resource must be a string\.$/],
  ])("is not %j", (resource, message) => {
    expect(saidOf(Resource, resource)).toMatch(message);
  });
});

describe("a pattern of keys", () => {
  it.each([
    ["*", { kind: "all" }],
    ["order.*", { kind: "resource", resource: "order" }],
    ["order.failed", { kind: "exact", key: "order.failed" }],
  ])("%s is of its kind", (pattern, kind) => {
    expect(saidOf(EventKeyPattern, pattern)).toBeUndefined();
    expect(patternKind(pattern)).toEqual(kind);
  });

  it.each(["", "**", "order", "order.", "*.failed", "order.fail*", "order.a.*", " *", "order.* ", "Order.*"])(
    "is not %j",
    (pattern) => {
      expect(saidOf(EventKeyPattern, pattern)).toMatch(/^A pattern is an exact event key/);
    },
  );

  it.each([
    ["*", "order.failed", true],
    ["order.*", "order.failed", true],
    ["order.failed", "order.failed", true],
    ["order.fail", "order.failed", false],
    ["order.failed", "order.fail", false],
    ["orde.*", "order.failed", false],
    ["order.*", "orders.failed", false],
    ["order.*", "order", false],
  ])("%s matches %s: %j", (pattern, key, matches) => {
    expect(keyMatches(pattern, key)).toBe(matches);
  });
});

it("the resource of a key is the part before its dot", () => {
  expect(["order.failed", "order", ".failed"].map(resourceOf)).toEqual(["order", "order", ""]);
});
