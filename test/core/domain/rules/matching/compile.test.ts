import * as v from "valibot";
import { describe, expect, test } from "vitest";
import {
  canonicalizePriority,
  compileRules,
  EventKey,
  EventKeyPattern,
  type MatchableRule,
} from "../../../../../core/domain/rules/matching/index.ts";

import { collectMatches, createBucket, prepareBucket } from "../../../../../core/domain/rules/matching/bucket.ts";
import { createEngine } from "../../../../../core/domain/rules/matching/engine.ts";
import { setCurrentEvent } from "../../../../../core/domain/rules/matching/event-slots.ts";

const anEvent = { eventKey: "booking.created", title: "t", body: "b", priority: "NORMAL", data: { tier: "gold" } };
const aRule = (id: string, more: Partial<MatchableRule> = {}): MatchableRule => ({ id, eventKey: "*", ...more });

test("the only event key patterns are an exact key, a resource with any action, and all events", () => {
  const rules = compileRules([
    aRule("exact", { eventKey: "booking.created" }),
    aRule("other", { eventKey: "booking.failed" }),
    aRule("resource", { eventKey: "booking.*" }),
    aRule("longer", { eventKey: "bookings.*" }),
    aRule("shorter", { eventKey: "book.*" }),
    aRule("all", { eventKey: "*" }),
  ]);

  expect(rules(anEvent).toSorted()).toEqual(["all", "exact", "resource"]);
});

test("rules are compiled from the shape that the API returns, and additional fields are ignored", () => {
  const stored = {
    id: "rule_1",
    workspaceId: "ws_1",
    name: "n",
    eventKey: "booking.*",
    targets: [{ type: "group", groupId: "grp_1" }],
    requiresAck: true,
    priorityOverride: null,
    conditions: [{ field: "data.tier", operator: "equals" as const, value: "gold" }],
    conditionMatch: "all" as const,
    enabled: true,
    createdAt: "2026-11-21T00:00:00.000Z",
  };

  expect(compileRules([stored])(anEvent)).toEqual(["rule_1"]);
  expect(compileRules([{ ...stored, enabled: false }])(anEvent)).toEqual([]);
  expect(compileRules([])(anEvent)).toEqual([]);
});

test("a rule that could never have been saved matches nothing and does not affect other rules", () => {
  const broken = [
    { field: "title", operator: "sounds_like", value: "t" },
    { field: "title", operator: "matches_regex", value: "(" },
    { field: "title", operator: "between", value: "t" },
    { field: "title", operator: "contains", value: 5 },
    { field: "data.tier", operator: "equals", value: Number.NaN },
    { field: "nowhere", operator: "equals", value: "t" },
  ] as unknown as NonNullable<MatchableRule["conditions"]>;
  const few = [...broken.map((condition, index) => aRule(`rule_${index}`, { conditions: [condition] })), aRule("good")];
  const above = [1, Number.NaN, 2].map((n) =>
    aRule(`above_${n}`, { conditions: [{ field: "data.n", operator: "greater_than", value: n }] }),
  );
  const event = { ...anEvent, data: { n: 3 } };

  expect(compileRules(few)(event)).toEqual(["good"]);
  expect(compileRules([...few, ...above])(event)).toEqual(["good", "above_1", "above_2"]);
});

test("rules with equal conditions for different event keys (exact, resource.* and *) all match the events of their keys", () => {
  const gold = [{ field: "data.tier", operator: "equals", value: "gold" }] as const;
  const createManyRules = (eventKey: string) =>
    Array.from({ length: 10 }, (_, index) => aRule(`${eventKey}${index}`, { eventKey, conditions: gold }));
  const rules = compileRules([
    ...createManyRules("booking.created"),
    ...createManyRules("booking.*"),
    ...createManyRules("*"),
  ]);

  expect(rules({ ...anEvent, eventKey: "other.created" })).toHaveLength(10);
  expect(rules(anEvent)).toHaveLength(30);
  expect(rules({ ...anEvent, data: { tier: "silver" } })).toEqual([]);
});

test("a field that some rules compare with texts and other rules with numbers matches rules of both kinds", () => {
  const createManyConditionRules = (eventKey: string, value: string | number) =>
    Array.from({ length: 10 }, (_, index) =>
      aRule(`${eventKey}${index}`, { eventKey, conditions: [{ field: "data.tier", operator: "equals", value }] }),
    );
  const rules = compileRules([
    ...createManyConditionRules("booking.created", "gold"),
    ...createManyConditionRules("*", 5),
  ]);

  expect(rules(anEvent)).toHaveLength(10);
  expect(rules({ ...anEvent, data: { tier: 5 } })).toHaveLength(10);
});

test("a number below every limit matches all rules with an upper limit, and no rule that requires an equal value", () => {
  const rules = compileRules([
    aRule("gold", { conditions: [{ field: "data.tier", operator: "equals", value: "gold" }] }),
    ...Array.from({ length: 10 }, (_, index) =>
      aRule(`below_${index}`, { conditions: [{ field: "data.n", operator: "less_than", value: 5 }] }),
    ),
  ]);

  expect(rules({ ...anEvent, data: { tier: "silver", n: -1 } })).toHaveLength(10);
});

test("among rules on 300 different fields, an event matches exactly the rules whose conditions it meets", () => {
  const fields = Array.from({ length: 300 }, (_, index) => `data.group_${index % 100}.field_${index}`);
  const rules = compileRules([
    ...fields.map((field, index) =>
      aRule(`rule_${index}`, { conditions: [{ field, operator: "equals", value: index }] }),
    ),
    aRule("empty", { conditions: [{ field: "data.nothing", operator: "is_empty" }] }),
    aRule("title", { conditions: [{ field: "title", operator: "equals", value: "t" }] }),
  ]);

  const matched = rules({
    ...anEvent,
    data: { group_7: { field_107: 107, field_7: 8 }, "group_9.field_9": "9", group_10: 10, nobody_asks: 1 },
  });

  expect(matched.toSorted()).toEqual(["empty", "rule_107", "rule_9", "title"]);
});

test("of a hundred case-insensitive patterns, a text matches exactly the patterns that it contains", () => {
  const words = Array.from({ length: 100 }, (_, index) => `Sk${String.fromCodePoint(97 + (index % 26))}d${index}x`);
  const rules = compileRules(
    words.map((word, index) =>
      aRule(`rule_${index}`, { conditions: [{ field: "body", operator: "matches_regex", value: `(?i)${word}` }] }),
    ),
  );

  expect(rules({ ...anEvent, body: "it says SKAD0X and skzd25x here" }).toSorted()).toEqual(["rule_0", "rule_25"]);
  expect(rules({ ...anEvent, body: "it says \u017f\u212aad0x and SKZD25X here" }).toSorted()).toEqual([
    "rule_0",
    "rule_25",
  ]);
  // The lower-case form of this İ has two characters, which would shift all later positions.
  expect(rules({ ...anEvent, body: "\u0130t says SKAD0X" })).toEqual(["rule_0"]);
});

test("an event matches a rule only if it contains the whole search text, even if many search texts begin alike", () => {
  const rules = compileRules(
    Array.from({ length: 60 }, (_, index) =>
      aRule(`rule_${index}`, {
        conditions: [{ field: "body", operator: "contains", value: `abab${"cd".repeat(index)}!` }],
      }),
    ),
  );
  const almost = "ababcdcdcd? ".repeat(100);

  expect(rules({ ...anEvent, body: `${almost}ababcdcd! ${almost}abab!` }).toSorted()).toEqual(["rule_0", "rule_2"]);
  expect(rules({ ...anEvent, body: almost })).toEqual([]);
});

test("a rule that the index finds by two conditions is matched once per event, even after two billion events", () => {
  const engine = createEngine();
  const bucket = createBucket();
  const conditions = (["tier", "plan"] as const).map((key) => ({
    field: `data.${key}`,
    operator: "equals" as const,
    value: "gold",
  }));
  for (let rule = 0; rule < 20; rule += 1)
    bucket.rules.push(aRule(`rule_${rule}`, { conditions, conditionMatch: "any" }));
  prepareBucket(bucket, engine);
  engine.slots.turn = 0x7ffffffd;

  for (let event = 0; event < 5; event += 1) {
    const found = { matched: [], overBudget: [] };
    setCurrentEvent(engine.slots, { ...anEvent, data: { tier: "gold", plan: "gold" } });
    collectMatches(bucket, engine, found);

    expect(found.matched).toHaveLength(20);
  }
});

test("each text operator finds exactly its own matches among many rules, ignoring case only for a pattern with (?i)", () => {
  const words = Array.from({ length: 60 }, (_, index) => `Needle${index}`.slice(index % 5));
  const rules = compileRules(
    words.flatMap((word, index) => [
      aRule(`contains_${index}`, { conditions: [{ field: "body", operator: "contains", value: word }] }),
      aRule(`starts_${index}`, { conditions: [{ field: "body", operator: "starts_with", value: word }] }),
      aRule(`ends_${index}`, { conditions: [{ field: "body", operator: "ends_with", value: word }] }),
      aRule(`pattern_${index}`, {
        conditions: [{ field: "body", operator: "matches_regex", value: `(?i)\\b${word}\\b` }],
      }),
    ]),
  );

  expect(rules({ ...anEvent, body: "Needle15 NEEDLE20" }).toSorted()).toEqual([
    "contains_1",
    "contains_15",
    "pattern_15",
    "pattern_20",
    "starts_15",
  ]);
});

test("the priority CRITICAL in a rule matches URGENT events", () => {
  expect(canonicalizePriority("CRITICAL")).toBe("URGENT");
  expect(canonicalizePriority("LOW")).toBe("LOW");
});

describe("the syntax of event keys", () => {
  test.each(["booking.created", "a_1.b_2", "service_desk.opened", "services.x"])(
    "allows %s as a key and as a pattern",
    (key) => {
      expect(v.is(EventKey, key)).toBe(true);
      expect(v.is(EventKeyPattern, key)).toBe(true);
    },
  );

  test.each(["*", "booking.*"])("allows %s as a pattern and not as a key", (pattern) => {
    expect(v.is(EventKeyPattern, pattern)).toBe(true);
    expect(v.is(EventKey, pattern)).toBe(false);
  });

  test.each([
    "service.x",
    "service.*",
    "Service.x",
    " service.x",
    "a.b.c",
    "a.b.*",
    "a",
    "a.",
    ".a",
    "*.a",
    "a*",
    "a.b*",
    "**",
    "",
    "é.a",
    "a.b\n",
    5,
    null,
  ])("allows %j neither as a key nor as a pattern", (key) => {
    expect(v.is(EventKey, key)).toBe(false);
    expect(v.is(EventKeyPattern, key)).toBe(false);
  });
});
