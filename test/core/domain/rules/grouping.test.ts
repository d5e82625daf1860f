import { describe, expect, it } from "vitest";
import * as v from "valibot";
import {
  AtLeast,
  toGroupOrThreshold,
  GroupBy,
  findGroupingFaults,
  GroupMinutes,
  toGroupOfRule,
} from "../../../../core/domain/rules/grouping.ts";
import { aRule } from "../support.ts";

const event = {
  eventKey: "disk.full",
  title: "Disk full",
  body: "2 % left",
  priority: "HIGH" as const,
  data: { host: "db-1", nr: 5, flag: true },
};

describe("the grouping fields of a rule", () => {
  it.each([
    ["may be null", GroupBy, null, true],
    ["may be an empty list", GroupBy, [], true],
    ["may be three different fields", GroupBy, ["data.host", "title", "eventKey"], true],
    ["may not be four fields", GroupBy, ["data.a", "data.b", "data.c", "data.d"], false],
    ["may not be the same field twice", GroupBy, ["title", "title"], false],
    ["may not be a text", GroupBy, "title", false],
    ["may have 1 minute", GroupMinutes, 1, true],
    ["may have 1,440 minutes", GroupMinutes, 1_440, true],
    ["may not have 0 minutes", GroupMinutes, 0, false],
    ["may not have 1,441 minutes", GroupMinutes, 1_441, false],
    ["may not have 1.5 minutes", GroupMinutes, 1.5, false],
    ["may not have a text as minutes", GroupMinutes, "5", false],
    ["may have a threshold of 2 events in 1 minute", AtLeast, { count: 2, withinMinutes: 1 }, true],
    ["may have a threshold of 10,000 events in 1,440 minutes", AtLeast, { count: 10_000, withinMinutes: 1_440 }, true],
    ["may not have a threshold of 1 event", AtLeast, { count: 1, withinMinutes: 1 }, false],
    ["may not have a threshold of 10,001 events", AtLeast, { count: 10_001, withinMinutes: 1 }, false],
    ["may not have a threshold without minutes", AtLeast, { count: 2 }, false],
    ["may not have a threshold with an unknown field", AtLeast, { count: 2, withinMinutes: 1, per: "host" }, false],
  ])("%s", (_what, schema, value, good) => {
    expect(v.is(schema, value)).toBe(good);
  });

  it("are refused with a fault that names the field and the allowed values", () => {
    const messagesOf = (schema: v.GenericSchema, value: unknown) =>
      v.safeParse(schema, value).issues?.map(({ message }) => message);

    expect(messagesOf(GroupBy, "title")).toEqual(["groupBy must be an array of fields, or null."]);
    expect(messagesOf(GroupBy, ["title", "title"])).toEqual(["groupBy has this field twice."]);
    expect(messagesOf(GroupBy, ["data.a", "data.b", "data.c", "data.d"])).toEqual([
      "groupBy must have at most 3 fields.",
    ]);
    expect(messagesOf(GroupMinutes, 0)).toEqual(["groupMinutes must be a whole number from 1 to 1440."]);
    expect(messagesOf(AtLeast, { count: 1, withinMinutes: 0 })).toEqual([
      "atLeast.count must be a whole number from 2 to 10000.",
      "atLeast.withinMinutes must be a whole number from 1 to 1440.",
    ]);
    expect(messagesOf(AtLeast, 3)).toEqual(["atLeast must be an object: {count, withinMinutes}, or null."]);
  });

  it.each([
    ["accepted without fields and minutes", null, null, undefined],
    ["accepted with a list of fields and minutes", [], 5, undefined],
    ["refused with fields, but without minutes", [], null, '"groupMinutes" is required with "groupBy", such as 30.'],
    [
      "refused with minutes, but without fields",
      null,
      5,
      '"groupBy" is required with "groupMinutes"; [] makes one group for the whole rule.',
    ],
  ])("are %s", (_what, groupBy, groupMinutes, message) => {
    const faults = findGroupingFaults({ groupBy, groupMinutes, atLeast: null });

    const field = groupBy === null ? "groupBy" : "groupMinutes";
    expect(faults).toEqual(message === undefined ? [] : [{ field, code: "required", message }]);
  });
});

describe("the stored group or threshold of a rule", () => {
  const atLeast = { count: 3, withinMinutes: 10 };

  it.each([
    ["does not exist for a rule without a grouping or a threshold", {}, undefined],
    [
      "has the minutes of the rule's grouping",
      { groupBy: [], groupMinutes: 30 },
      { name: '["rule_1",3]', minutes: 30 },
    ],
    [
      "has the minutes of the threshold if the rule has no grouping",
      { atLeast },
      { name: '["rule_1",3]', minutes: 10, atLeast },
    ],
    [
      "has the minutes of the grouping if the rule has a grouping and a threshold",
      { groupBy: [], groupMinutes: 30, atLeast },
      { name: '["rule_1",3]', minutes: 30, atLeast },
    ],
    [
      "has a name made of the grouping values, with a number as text, and null for a missing value",
      { groupBy: ["data.host", "data.nr", "data.gone"], groupMinutes: 5 },
      { name: '["rule_1",3,"db-1","5",null]', minutes: 5 },
    ],
    [
      "has a name that contains a boolean value as text",
      { groupBy: ["data.flag"], groupMinutes: 5 },
      { name: '["rule_1",3,"true"]', minutes: 5 },
    ],
  ])("%s", (_, fields, gate) => {
    expect(toGroupOrThreshold(aRule(fields), event)).toEqual(gate && { atLeast: null, ...gate });
  });

  it.each([
    ["keeps events that resolve others apart from the other events", {}, '["rule_1",3,true]'],
    ["counts events that resolve others towards a threshold", { atLeast }, '["rule_1",3]'],
  ])("%s", (_, fields, name) => {
    const gate = toGroupOrThreshold(aRule({ groupBy: [], groupMinutes: 30, ...fields }), {
      ...event,
      resolves: "db-1",
    });
    expect(gate?.name).toBe(name);
  });
});

describe("the group that an event shows under a rule", () => {
  const rule = { groupBy: ["data.host"] };
  const values = [{ field: "data.host", value: "db-1" }];

  it.each([
    ["none if the rule has no group or threshold", undefined, rule, null],
    ["named by the values if the event paged", {}, rule, { values, into: null, below: null }],
    [
      "shown with the event that paged instead of this event",
      { into: "evt_0" },
      rule,
      { values, into: "evt_0", below: null },
    ],
    [
      "shown with the count if that was below the threshold",
      { below: { count: 1, of: 2 } },
      rule,
      { values, into: null, below: { count: 1, of: 2 } },
    ],
    [
      "the group of all events if the rule groups by no field",
      {},
      { groupBy: null },
      { values: [], into: null, below: null },
    ],
    [
      "shown without values if the rule was deleted",
      { into: "evt_0" },
      undefined,
      { values: [], into: "evt_0", below: null },
    ],
  ])("is %s", (_, grouped, of, group) => {
    expect(toGroupOfRule(grouped, of, event)).toEqual(group);
  });
});
