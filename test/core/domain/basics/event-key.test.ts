import * as v from "valibot";
import { describe, expect, it } from "vitest";
import {
  EventKey,
  EventKeyFilter,
  EventKeyPattern,
  isReservedEventKey,
  matchesEventKey,
  suggestEventKey,
  parseEventKeyPattern,
  Resource,
  parseResource,
  SentEventKey,
} from "../../../../core/domain/basics/event-key.ts";

const messageFor = (schema: v.GenericSchema<unknown>, value: unknown): string | undefined =>
  v.safeParse(schema, value, { abortPipeEarly: true }).issues?.[0].message;

describe("the key of an event", () => {
  it.each<[string, string]>([
    ...["booking.created", "a.b", "9_.x_9", "service_desk.opened"].map((key): [string, string] => [key, key]),
    ["a key of 256 characters", `a.${"b".repeat(254)}`],
  ])("may be %s", (_, key) => {
    expect(messageFor(EventKey, key)).toBeUndefined();
    expect(messageFor(SentEventKey, key)).toBeUndefined();
    expect(messageFor(EventKeyPattern, key)).toBeUndefined();
  });

  it.each(["", "booking", "booking.", ".created", "a.b.c", "a.*", "*", " a.b", "a.b ", "a-b.c", "é.a"])(
    "may not be %j",
    (key) => {
      expect(messageFor(EventKey, key)).toMatch(/^An event key must be resource\.action in lowercase letters/u);
    },
  );

  it("may not be a number, nor a text of more than 256 characters", () => {
    expect(messageFor(EventKey, 5)).toMatch(/^An event key must be resource\.action/u);
    expect(messageFor(EventKey, `a.${"b".repeat(255)}`)).toBe("An event key has at most 256 characters.");
  });

  it("is refused with a suggestion if a valid key was probably meant", () => {
    expect(messageFor(EventKey, "Order-Payment.Failed")).toMatch(/ Did you mean order_payment\.failed\?$/);
    expect(messageFor(EventKey, "booking")).toMatch(/such as booking\.created\.$/);
  });

  it("may not begin with `service.`, and may begin with `heartbeat.` only in a rule", () => {
    expect(messageFor(EventKey, "service.dead")).toBe("The prefix service. is reserved: choose another resource.");
    expect(messageFor(EventKeyPattern, "service.*")).toBe("The prefix service. is reserved: choose another resource.");
    expect(messageFor(EventKeyFilter, "service.*")).toBeUndefined();
    expect(["service.dead", "service_desk.opened", "a.service."].map(isReservedEventKey)).toEqual([true, false, false]);
    expect(messageFor(EventKey, "heartbeat.missed")).toBeUndefined();
    expect(messageFor(SentEventKey, "heartbeat.missed")).toMatch(
      /^The prefix heartbeat\. is reserved for missed heartbeats/,
    );
    expect(messageFor(SentEventKey, "my.heartbeat.")).toMatch(/^An event key must be/);
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
])("for the invalid event key %j, the suggestion is %j", (written, meant) => {
  expect(suggestEventKey(written)).toBe(meant);
});

it.each(["order", "order.!", "", "Service.dead"])("for the invalid event key %j, no key is suggested", (written) => {
  expect(suggestEventKey(written)).toBeUndefined();
});

describe("the resource part of an event key", () => {
  it.each<[string, string]>([
    ...["datadog", "a_1", "services"].map((resource): [string, string] => [resource, resource]),
    ["a text of 100 characters", "x".repeat(100)],
  ])("may be %s", (_, resource) => {
    expect(messageFor(Resource, resource)).toBeUndefined();
  });

  it.each([
    ["service", "service", /^resource must not be service or heartbeat/],
    ["heartbeat", "heartbeat", /^resource must not be service or heartbeat/],
    ["an empty text", "", /^resource must be lowercase letters/],
    ["a.b", "a.b", /^resource must be lowercase letters/],
    ["Datadog", "Datadog", /^resource must be lowercase letters/],
    ["a text of 101 characters", "x".repeat(101), /^resource must have at most 100 characters\.$/],
    ["null", null, /^resource must be a string\.$/],
  ])("may not be %s", (_, resource, message) => {
    expect(messageFor(Resource, resource)).toMatch(message);
  });
});

describe("a pattern of event keys", () => {
  it.each([
    ["*", { kind: "all" }],
    ["order.*", { kind: "resource", resource: "order" }],
    ["order.failed", { kind: "exact", key: "order.failed" }],
  ])("is parsed into its kind and parts: %s", (pattern, kind) => {
    expect(messageFor(EventKeyPattern, pattern)).toBeUndefined();
    expect(parseEventKeyPattern(pattern)).toEqual(kind);
  });

  it.each(["", "**", "order", "order.", "*.failed", "order.fail*", "order.a.*", " *", "order.* ", "Order.*"])(
    "may not be %j",
    (pattern) => {
      expect(messageFor(EventKeyPattern, pattern)).toMatch(/^A pattern is an exact event key/);
    },
  );

  it.each([
    ["*", "order.failed", true, "matches"],
    ["order.*", "order.failed", true, "matches"],
    ["order.failed", "order.failed", true, "matches"],
    ["order.fail", "order.failed", false, "does not match"],
    ["order.failed", "order.fail", false, "does not match"],
    ["orde.*", "order.failed", false, "does not match"],
    ["order.*", "orders.failed", false, "does not match"],
    ["order.*", "order", false, "does not match"],
  ])("such as %s $3 the event key %s", (pattern, key, matches) => {
    expect(matchesEventKey(pattern, key)).toBe(matches);
  });
});

it("the resource of an event key is the part before the dot", () => {
  expect(["order.failed", "order", ".failed"].map(parseResource)).toEqual(["order", "order", ""]);
});
