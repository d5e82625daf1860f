import { describe, expect, it } from "vitest";
import { importExport } from "../../../setup/import/import-export.ts";
import { differencesOf, remarksOf } from "./proof.ts";

/* Opsgenie's words, ours for each, and what is left out and said so. */

const FROM = Date.parse("2026-03-16T00:00:00Z");

const users = ["a@x", "B@x", "c@x"].map((username) => ({ id: `u-${username[0]}`, username }));
const nobody = { id: "u-n", username: "no address" };
type Files = Readonly<Record<string, unknown>>;
const imported = (files: Files) =>
  importExport(
    "opsgenie",
    Object.entries({ users: [...users, nobody], ...files }).map(([path, value]) => ({
      path: `backup/${path}.json`,
      text: JSON.stringify(value),
    })),
    FROM,
  );
type Imported = ReturnType<typeof imported>;

const user = (username: string) => ({ type: "user", username });
const rotation = (more: object = {}) => ({
  name: "Main",
  startDate: "2026-01-05T09:00:00Z",
  type: "weekly",
  length: 1,
  participants: [user("a@x"), user("b@X")],
  ...more,
});
const schedule = (rotations: object[], more: object = {}) => ({
  id: "s-1",
  name: "Web",
  timezone: "UTC",
  rotations,
  ...more,
});
const scheduled = (rotations: object[], more: object = {}, files: Files = {}) =>
  imported({ "schedules/Web": schedule(rotations, more), ...files });
const layersOf = ({ draft }: Imported) => draft.setUp.schedules.map(({ group, layers }) => ({ group, layers }));

describe("a rotation", () => {
  const base = { start: "2026-01-05T09:00", every: 1, unit: "week", participants: ["a@x", "b@x"] };
  const hours = (startHour: number, startMin: number, endHour: number, endMin: number) => ({
    startHour,
    startMin,
    endHour,
    endMin,
  });
  const daily = (...of: Parameters<typeof hours>) => ({
    timeRestriction: { type: "time-of-day", restriction: hours(...of) },
  });
  const weekly = (...some: object[]) => ({ timeRestriction: { type: "WEEKDAY_AND_TIME_OF_DAY", restrictions: some } });
  const week = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

  it.each<[string, object, object[]]>([
    ["weekly", {}, [base]],
    ["of two days", { type: "DAILY", length: 2 }, [{ ...base, every: 2, unit: "day" }]],
    ["of hours, where no length is said", { type: "hourly", length: null }, [{ ...base, unit: "hour" }]],
    [
      "of some hours a day",
      daily(9, 0, 17, 30),
      [{ ...base, restrictions: [{ days: week, from: "09:00", to: "17:30" }] }],
    ],
    ["of a night", daily(22, 15, 6, 0), [{ ...base, restrictions: [{ days: week, from: "22:15", to: "06:00" }] }]],
    ["of a day from hour to the same hour", daily(9, 0, 9, 0), [base]],
    [
      "of some hours a week",
      weekly(
        { startDay: "Monday", endDay: "TUESDAY", ...hours(9, 5, 17, 0) },
        { startDay: "sunday", endDay: "monday", ...hours(22, 0, 6, 0) },
      ),
      [
        {
          ...base,
          restrictions: [
            { days: ["mon"], from: "09:05", to: "09:05" },
            { days: ["tue"], from: "09:05", to: "17:00" },
            { days: ["sun"], from: "22:00", to: "06:00" },
          ],
        },
      ],
    ],
    [
      "of hours that are not said",
      {
        timeRestriction: {
          type: "weekday-and-time-of-day",
          restrictionList: [{ startDay: "monday", endDay: "tuesday" }],
        },
      },
      [{ ...base, restrictions: [{ days: ["mon"], from: "00:00", to: "24:00" }] }],
    ],
    ["with a time to end", { endDate: "2026-04-01T09:00:00Z" }, [{ ...base, until: "2026-04-01T09:00" }]],
    ["with times in milliseconds", { startDate: Date.parse("2026-01-05T09:00:00Z") }, [base]],
    [
      "with a turn of a team and one of nobody",
      { participants: [{ type: "team", name: "Ops" }, { type: "none" }, { type: "User", id: "U-C" }] },
      [{ ...base, participants: [["a@x", "b@x"], [], "c@x"] }],
    ],
    ["to begin soon", { startDate: "2026-03-20T09:00:00Z" }, [{ ...base, start: "2026-03-20T09:00" }]],
  ])("%s is a layer, with the same people at the same times", (_, more, layers) => {
    const team = { name: "Ops", members: [{ user: { username: "a@x" } }, { user: { id: "u-B" } }] };
    const moved = scheduled([rotation(more)], {}, { "teams/Ops": team, "teamRoutingRules/Ops/x": { isDefault: true } });

    expect(layersOf(moved)).toEqual([{ group: "Web", layers }]);
    expect([remarksOf(moved, "left"), differencesOf(moved)]).toEqual([[], 0]);
    expect(remarksOf(moved, "taken")[0]).toBe("Schedule Web: group Web");
    expect(moved.compared[0]).toMatchObject({
      schedule: "Web",
      groups: ["Web"],
      source: "its rotations, read by Opsgenie's rules",
    });
  });

  it.each([
    ["over", { endDate: "2026-03-16T00:00:00Z" }, "Schedule Web, Main: It is over."],
    ["of nobody", { participants: [] }, "Schedule Web, Main: It has nobody."],
    [
      "of 101 turns",
      { participants: Array.from({ length: 101 }, () => user("a@x")) },
      "Schedule Web, Main: It cannot be written: it has 101 turns, and a layer has at most 100.",
    ],
    [
      "of strangers",
      { participants: [user("z@x"), { type: "user", name: "Zoe" }, { type: "user", id: "u-n" }, { type: "user" }] },
      "Person z@x: The export has no user of that name who has an e-mail address and is not blocked: their turns are turns of nobody.",
    ],
    [
      "of a team that is not there",
      { participants: [{ type: "team", name: "Gone" }] },
      "A turn of the team Gone: The export has no such team: it is a turn of nobody.",
    ],
    [
      "of an escalation",
      { participants: [{ type: "escalation", id: "e-1" }] },
      "A turn of the escalation e-1: It is a turn of nobody here.",
    ],
  ])("%s is named", (_, more, left) => {
    expect(remarksOf(scheduled([rotation(more)]), "left")[0]).toBe(left);
  });

  it("of strangers shows each by a name that the export has", () => {
    const strangers = [
      user("z@x"),
      { type: "user", name: "Zoe" },
      { type: "user", id: "u-n" },
      { type: "user" },
      { type: "team", name: "Gone" },
    ];
    const moved = scheduled([rotation({ participants: strangers, type: "daily" })]);

    expect(remarksOf(moved, "left").map((line) => line.split(":")[0])).toEqual([
      "Person z@x",
      "Person Zoe",
      "Person u-n",
      "Person without a name",
      "A turn of the team Gone",
    ]);
    expect(new Set(moved.compared[0]?.differences.flatMap(({ theirs }) => theirs))).toEqual(
      new Set(
        ["user z@x", "user Zoe", "user u-n", "user without a name", "team Gone"].map(
          (name) => `${name} (not in the export)`,
        ),
      ),
    );
  });

  it("without a name is called by its place", () => {
    expect(remarksOf(scheduled([rotation(), rotation({ name: null, participants: [] })]), "left")).toEqual([
      "Schedule Web, rotation 2: It has nobody.",
    ]);
  });
});

describe("the rotations of a schedule", () => {
  const override = (more: object = {}) => ({
    user: user("c@x"),
    startDate: "2026-03-17T09:00:00Z",
    endDate: "2026-03-18T09:00:00Z",
    ...more,
  });
  const both = [rotation(), rotation({ id: "r-2", name: "Second", participants: [user("b@x")] })];
  const shown = (moved: Imported) =>
    layersOf(moved).map(({ group, layers }) => [
      group,
      ...layers.map(
        ({ participants, until }) => `${participants.flat().join(" ")}${until === undefined ? "" : ` until ${until}`}`,
      ),
    ]);

  it("add up: each that can be on call along with another has a group, and whoever tells the schedule tells all", () => {
    const rules = [{ recipient: { type: "schedule", id: "s-1" } }];
    const moved = scheduled(both, {}, { "escalations/First": { name: "First", rules } });

    expect(shown(moved)).toEqual([
      ["Web: Main", "a@x b@x"],
      ["Web: Second", "b@x"],
    ]);
    expect(moved.draft.setUp.rules.map(({ name, onCallOnly, groups }) => [name, onCallOnly, ...groups])).toEqual([
      ["To the escalation First", true, "Web: Main", "Web: Second"],
      ["To the schedule Web", true, "Web: Main", "Web: Second"],
    ]);
    expect(remarksOf(moved, "taken")[0]).toBe("Schedule Web: groups Web: Main, Web: Second");
    expect(differencesOf(moved)).toBe(0);
  });

  it.each<[string, object, string[][]]>([
    [
      "of all",
      {},
      [
        ["Web: Main", "a@x b@x", "c@x until 2026-03-18T09:00"],
        ["Web: Second", "b@x", "c@x until 2026-03-18T09:00"],
      ],
    ],
    [
      "of one by its name",
      { rotations: [{ name: "Main" }] },
      [
        ["Web: Main", "a@x b@x", "c@x until 2026-03-18T09:00"],
        ["Web: Second", "b@x"],
      ],
    ],
    [
      "of one by its id",
      { rotations: [{ id: "r-2" }] },
      [
        ["Web: Main", "a@x b@x"],
        ["Web: Second", "b@x", "c@x until 2026-03-18T09:00"],
      ],
    ],
    [
      "that is over",
      { endDate: "2026-03-16T00:00:00Z", startDate: "2026-03-15T00:00:00Z" },
      [
        ["Web: Main", "a@x b@x"],
        ["Web: Second", "b@x"],
      ],
    ],
    [
      "of none that there is",
      { rotations: [{ name: "Gone" }] },
      [
        ["Web: Main", "a@x b@x"],
        ["Web: Second", "b@x"],
      ],
    ],
  ])("are replaced by an override %s", (_, more, expected) => {
    const moved = scheduled(both, {}, { "scheduleOverrides/Web/one": override(more) });
    const nested = scheduled(both, { scheduleOverrideList: [override(more)] });

    expect([shown(moved), shown(nested)]).toEqual([expected, expected]);
    expect([differencesOf(moved), differencesOf(nested)]).toEqual([0, 0]);
  });

  it("take part in one override each, where that is of one of two that share their hours", () => {
    const hours = (startHour: number, endHour: number) => ({
      timeRestriction: { type: "time-of-day", restriction: { startHour, endHour } },
    });
    const apart = [rotation(hours(8, 16)), rotation({ id: "r-2", name: "Second", ...hours(16, 8) })];

    expect(shown(scheduled(apart)).map(([group]) => group)).toEqual(["Web"]);
    expect(
      shown(scheduled(apart, { overrides: [override({ rotations: [{ id: "r-2" }] })] })).map(([group]) => group),
    ).toEqual(["Web: Main", "Web: Second"]);
    expect(differencesOf(scheduled(apart, { overrides: [override()] }))).toBe(0);
  });

  it("that are over may be taken over all the same, in a group of its own", () => {
    const fields = [
      rotation({ endDate: "2026-02-01T00:00:00Z" }),
      rotation({ id: "r-2", name: "Second", participants: [user("b@x")] }),
    ];
    const moved = scheduled(fields, {}, { "scheduleOverrides/Web/one": override({ rotations: [{ name: "Main" }] }) });

    expect(shown(moved)).toEqual([
      ["Web: Second", "b@x"],
      ["Web: overrides", "c@x until 2026-03-18T09:00"],
    ]);
    expect(differencesOf(moved)).toBe(0);
    expect(remarksOf(moved, "taken")).toContain("Schedule Web: 1 overrides ahead: layers that end with them");
  });

  it("are none: nobody is on call by the schedule", () => {
    const moved = scheduled([rotation({ endDate: "2026-02-01T00:00:00Z" })]);

    expect(remarksOf(moved, "left")).toContain("Schedule Web: It has no rotation that puts anybody on call.");
    expect(remarksOf(moved, "taken")).toEqual([]);
  });

  it("are taken from any of the shapes that backups have", () => {
    for (const value of [
      { schedule: schedule([rotation()]) },
      { data: schedule([rotation()]) },
      [schedule([rotation()])],
    ])
      expect(shown(imported({ "schedules/Web": value }))).toEqual([["Web", "a@x b@x"]]);
  });
});

const api = { name: "API", type: "API", ownerTeam: { name: "Ops" } };
const ops = (more: object = {}) => ({
  id: "t-1",
  name: "Ops",
  members: [{ user: { id: "u-c" }, role: "Admin" }, { user: { username: "a@x" } }],
  ...more,
});

describe("an escalation", () => {
  const rule = (delay: unknown, recipient: object, more: object = {}) => ({ delay, recipient, ...more });
  const web = { type: "schedule", id: "s-1" };
  const escalated = (rules: object[], more: object = {}) =>
    scheduled(
      [rotation()],
      {},
      {
        "escalations/First": { id: "e-1", name: "First", rules, ...more },
        "teams/Ops": ops(),
        "teamRoutingRules/Ops/x": { isDefault: true, notify: { type: "escalation", name: "First" } },
        integrations: [api],
      },
    );
  const notified = ({ draft }: Imported) => {
    const [ruled] = draft.setUp.rules;
    const [policy] = draft.setUp.policies;
    return [
      `${ruled?.groups.join(", ")}${ruled?.onCallOnly === true ? " on call" : ""}`,
      ...(policy?.steps ?? []).map(({ delayMinutes, targets }) =>
        [
          delayMinutes,
          ...targets.map((target) =>
            "user" in target ? target.user : `${target.group}${target.onCallOnly ? " on call" : ""}`,
          ),
        ].join(" "),
      ),
    ];
  };

  it.each([
    [
      [rule(0, web), rule({ timeAmount: 5 }, user("a@x"))],
      ["Web on call", "5 a@x"],
    ],
    [
      [rule(0, { type: "schedule", name: "Web" }), rule({ timeAmount: 1, timeUnit: "HOURS" }, user("a@x"))],
      ["Web on call", "60 a@x"],
    ],
    [
      [rule(0, web), rule({ timeAmount: 120, timeUnit: "seconds" }, user("a@x"))],
      ["Web on call", "2 a@x"],
    ],
    [
      [rule(0, web), rule({ timeAmount: 1, timeUnit: "days" }, user("a@x"))],
      ["Web on call", "1440 a@x"],
    ],
    [
      [rule(7, user("a@x")), rule({}, web), rule(3, user("c@x"))],
      ["Web on call", "3 c@x", "4 a@x"],
    ],
    [[rule(0, web, { notifyType: "all" })], ["Web"]],
    [
      [rule(0, web), rule(5, { type: "team", id: "t-1" }, { notifyType: "all" })],
      ["Web on call", "5 Ops"],
    ],
    [
      [rule(0, web), rule(5, { type: "team", name: "Ops" }, { notifyType: "ADMINS" })],
      ["Web on call", "5 c@x"],
    ],
    [
      [rule(0, web), rule(5, { type: "team", name: "Ops" }, { notifyType: "users" })],
      ["Web on call", "5 a@x"],
    ],
    [
      [rule(0, web), rule(5, { username: "c@x" })],
      ["Web on call", "5 c@x"],
    ],
  ])("tells whom it told, as late (%#)", (rules, expected) => {
    const moved = escalated(rules);

    expect(notified(moved)).toEqual(expected);
    expect(remarksOf(moved, "left")).toEqual([]);
  });

  it.each([
    [{ waitInterval: 10, count: 2 }, 2, 10],
    [{ waitInterval: 10 }, 1, 10],
    [{ waitInterval: 0, count: 3 }, 0, undefined],
    [null, 0, undefined],
  ])("repeats: %j", (repeat, times, delay) => {
    const [policy] = escalated([rule(0, web), rule(5, user("a@x"))], { repeat }).draft.setUp.policies;

    expect([policy?.repeat, policy?.steps[1]?.delayMinutes]).toEqual([times, delay]);
  });

  it("that begins later waits as long before it repeats", () => {
    const [policy] = escalated([rule(3, web), rule(5, user("a@x"))], { repeat: { waitInterval: 10, count: 1 } }).draft
      .setUp.policies;

    expect(policy?.steps.map(({ delayMinutes }) => delayMinutes)).toEqual([2, 13]);
  });

  it("says what differs of each level, and what is left out", () => {
    const moved = escalated([
      rule(0, web, { condition: "if-not-closed" }),
      rule(1, web, { notifyType: "next" }),
      rule(2, web, { notifyType: "previous" }),
      rule(3, { type: "schedule", name: "Gone" }),
      rule(3, { type: "schedule", id: "s-9" }),
      rule(3, { type: "schedule" }),
      rule(4, { type: "team", name: "Gone" }),
      rule(4, { type: "team", id: "t-9" }),
      rule(5, { type: "team", name: "Ops" }),
      rule(6, user("z@x")),
    ]);

    expect(remarksOf(moved, "different").slice(0, 4)).toEqual([
      "Escalation First: An acknowledgement ends it; a level that waits for the alert to be closed does not go on.",
      "Schedule Web: For a step that notifies the next person it has groups in which each rotation is turned by one, without overrides.",
      "Schedule Web: For a step that notifies the previous person it has groups in which each rotation is turned by one, without overrides.",
      "Escalation First: Team Ops: everybody in it is told, not whom its routing rules choose.",
    ]);
    expect(remarksOf(moved, "left")).toEqual([
      "Escalation First: schedule Gone: The export has no such schedule.",
      "Escalation First: schedule s-9: The export has no such schedule.",
      "Escalation First: schedule : The export has no such schedule.",
      "Escalation First: team Gone: The export has no such team.",
      "Escalation First: team t-9: The export has no such team.",
      "Person z@x: The export has no user of that name who has an e-mail address and is not blocked: their turns are turns of nobody.",
    ]);
  });
});

describe("a team", () => {
  it("is a group of its members, and those who are strangers are counted", () => {
    const moved = imported({
      "teams/Ops": ops({ members: [{ user: { id: "U-C" } }, { user: { username: "z@x" } }, { user: { id: "u-n" } }] }),
    });

    expect(moved.draft.setUp.groups).toEqual([{ name: "Ops", members: ["c@x"] }]);
    expect(remarksOf(moved, "left")).toEqual(["Team Ops: 2 members: The export has no such users."]);
    expect(remarksOf(moved, "taken")[0]).toBe("Team Ops: group Ops");
  });

  it("without routing rules is told at once, unless nobody is in it", () => {
    const moved = imported({ "teams/Ops": ops(), integrations: [api] });
    const empty = imported({ "teams/Ops": ops({ members: [] }), integrations: [api] });

    expect(moved.draft.setUp.rules).toMatchObject([
      {
        name: "Ops",
        eventKey: "opsgenie.firing",
        groups: ["Ops"],
        onCallOnly: false,
        policy: null,
        conditions: [{ field: "sender", value: "API" }],
      },
    ]);
    expect(remarksOf(moved, "missing")).toEqual([
      "Team Ops: its routing rules: The export has none: everybody in the team is told at once.",
    ]);
    expect(remarksOf(moved, "taken")).toContain("Alerts for the team Ops: rule Ops");
    expect([empty.draft.setUp.rules, remarksOf(empty, "missing")]).toEqual([[], []]);
  });

  it("that is not there has no rules", () => {
    const moved = imported({
      "teamRoutingRules/Gone/x": { isDefault: true },
      "teams/Ops": ops(),
      "teamRoutingRules/Ops/x": { isDefault: true },
    });

    expect(remarksOf(moved, "left")).toContain("Routing rules of Gone: The export has no such team.");
    expect(remarksOf(moved, "left").join()).not.toContain("Routing rules of Ops");
  });
});

describe("a routing rule", () => {
  const web = { type: "schedule", id: "s-1" };
  const routed = (...rules: object[]) =>
    scheduled([rotation()], {}, { "teams/Ops": { team: ops(), teamRoutingRules: rules }, integrations: [api] });
  const criteria = (...conditions: object[]) => ({ type: "match-all-conditions", conditions });
  const when = (condition: object) => ({ name: "R", criteria: criteria(condition), notify: web });
  const conditionsOf = ({ draft }: Imported) =>
    draft.setUp.rules.filter(({ name }) => name.startsWith("Ops: ")).map(({ conditions }) => conditions.slice(1));
  const condition = (field: string, operation: string, expectedValue?: string, more: object = {}) => ({
    field,
    operation,
    expectedValue,
    ...more,
  });

  it.each([
    [condition("message", "equals", "x"), { field: "title", operator: "equals", value: "x" }],
    [condition("alias", "contains", "x"), { field: "data.alias", operator: "contains", value: "x" }],
    [condition("DESCRIPTION", "starts_with", "x"), { field: "data.description", operator: "starts_with", value: "x" }],
    [condition("entity", "ends-with", "x"), { field: "data.entity", operator: "ends_with", value: "x" }],
    [condition("source", "matches", "x+"), { field: "data.source", operator: "matches_regex", value: "x+" }],
    [condition("message", "is-empty"), { field: "title", operator: "is_empty" }],
    [condition("message", "equals", "x", { not: true }), { field: "title", operator: "equals", value: "x", not: true }],
    [
      condition("extra-properties", "greater-than", "5", { key: "load" }),
      { field: "data.details.load", operator: "greater_than", value: "5" },
    ],
    [
      condition("details", "less-than", "5", { key: "load" }),
      { field: "data.details.load", operator: "less_than", value: "5" },
    ],
    [
      condition("extra-properties", "contains-key", "region"),
      { field: "data.details.region", operator: "is_not_empty" },
    ],
    [
      condition("details", "contains-key", "region", { not: true }),
      { field: "data.details.region", operator: "is_not_empty", not: true },
    ],
    [condition("priority", "equals", "P2"), { field: "data.priority", operator: "equals", value: "P2" }],
    [condition("priority", "greater-than", "P3"), { field: "data.priority", operator: "one_of", value: ["P1", "P2"] }],
    [condition("priority", "less-than", "P3"), { field: "data.priority", operator: "one_of", value: ["P4", "P5"] }],
    [
      condition("tags", "contains", "a.b"),
      { field: "data.tags", operator: "matches_regex", value: String.raw`(?:^|, )(?:a\.b)(?:, |$)` },
    ],
    [
      condition("tags", "equals", "a"),
      { field: "data.tags", operator: "matches_regex", value: "(?:^|, )(?:a)(?:, |$)" },
    ],
    [condition("tags", "is-empty"), { field: "data.tags", operator: "is_empty" }],
  ])("with the condition %j", (theirs, ours) => {
    expect(conditionsOf(routed(when(theirs)))).toEqual([[ours]]);
  });

  it.each([
    [condition("actions", "contains", "x"), "actions contains x"],
    [condition("message", "sounds-like", "x", { not: true }), "message not sounds-like x"],
    [condition("priority", "equals", "P9"), "priority equals P9"],
    [condition("priority", "contains", "P1"), "priority contains P1"],
    [condition("tags", "matches", "x"), "tags matches x"],
    [condition("details", "equals", "x"), "details equals x"],
    [condition("details", "sounds-like", "x", { key: "k" }), "details k sounds-like x"],
  ])("with the condition %j is left out", (theirs, why) => {
    const moved = routed(when(theirs));

    expect(conditionsOf(moved)).toEqual([]);
    expect(remarksOf(moved, "left")).toEqual([
      `Routing rule Ops: R: Its condition cannot be written as one of ours: ${why}`,
    ]);
  });

  it("with several names those that cannot be said", () => {
    const two = criteria(
      condition("actions", "contains", "x"),
      condition("message", "equals", "y"),
      condition("teams", "equals", "z"),
    );

    expect(remarksOf(routed({ name: "R", criteria: two, notify: web }), "left")[0]).toMatch(
      /: actions contains x; teams equals z$/,
    );
  });

  it.each([
    [
      "any of its conditions",
      {
        type: "MATCH_ANY_CONDITION",
        conditions: [condition("message", "equals", "x"), condition("message", "equals", "y")],
      },
      [[{ field: "title", operator: "one_of", value: ["x", "y"] }]],
    ],
    [
      "all of its conditions",
      criteria(condition("message", "equals", "x"), condition("alias", "equals", "y")),
      [
        [
          { field: "title", operator: "equals", value: "x" },
          { field: "data.alias", operator: "equals", value: "y" },
        ],
      ],
    ],
    [
      "all alerts, whatever conditions it has",
      { type: "match-all", conditions: [condition("message", "equals", "x")] },
      [[]],
    ],
    ["all alerts, where nothing else is said", { conditions: [condition("actions", "contains", "x")] }, [[]]],
    ["all alerts, by no conditions", { type: "match-any-condition", conditions: [] }, [[]]],
    ["all alerts, without criteria", null, [[]]],
  ])("for %s", (_, of, expected) => {
    expect(conditionsOf(routed({ name: "R", criteria: of, notify: web }))).toEqual(expected);
  });

  it("has hours in its zone, and is left out where that is not said", () => {
    const restricted = {
      name: "R",
      notify: web,
      timeRestriction: { type: "time-of-day", restriction: { startHour: 8, endHour: 18 } },
    };
    const moved = routed({ ...restricted, timezone: "Europe/Berlin" });

    expect(moved.draft.setUp.rules[0]).toMatchObject({
      activeHours: [{ days: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"], from: "08:00", to: "18:00" }],
      timeZone: "Europe/Berlin",
    });
    expect(remarksOf(routed(restricted), "left")).toEqual([
      "Routing rule Ops: R: Its condition cannot be written as one of ours: its hours have no time zone.",
    ]);
  });

  it("comes in its order, the default last", () => {
    const named = (name: string, order: number, more: object = {}) => ({
      name,
      order,
      criteria: criteria(condition("message", "equals", name)),
      notify: web,
      ...more,
    });
    const moved = routed({ isDefault: true, order: 0, notify: web }, named("Two", 2), named("One", 1));

    expect(moved.draft.setUp.rules.map(({ name }) => name).slice(0, 3)).toEqual([
      "Ops: One",
      "Ops: Two",
      "Ops: default",
    ]);
    expect(remarksOf(moved, "taken")).toContain("Routing rule Ops: One: rule Ops: One");
  });

  it("may tell nobody, by what it says, or since nobody is there to be told", () => {
    const moved = routed(
      { name: "Quiet", order: 1, criteria: criteria(condition("message", "equals", "q")), notify: { type: "none" } },
      { order: 2, criteria: criteria(condition("message", "equals", "r")), notify: null },
      {
        name: "Gone",
        order: 3,
        criteria: criteria(condition("message", "equals", "s")),
        notify: { type: "escalation", name: "Gone" },
      },
      {
        name: "Lost",
        order: 4,
        criteria: criteria(condition("message", "equals", "t")),
        notify: { type: "schedule", id: "s-9" },
      },
      { isDefault: true, notify: web },
    );

    expect(remarksOf(moved, "taken")).toEqual(
      expect.arrayContaining([
        "Routing rule Ops: Quiet: rule Ops: Quiet, notifying nobody",
        "Routing rule Ops: without a name: rule Ops: without a name, notifying nobody",
      ]),
    );
    expect(remarksOf(moved, "left")).toEqual([]);
    expect(remarksOf(moved, "different")).toEqual(
      expect.arrayContaining([
        "Routing rule Ops: Gone: The export has no escalation Gone that notifies anybody.",
        "Routing rule Ops: Lost: The export has no schedule s-9 that notifies anybody.",
      ]),
    );
    // A rule for nobody ends the chain, and asks for no acknowledgement.
    const chain = moved.draft.setUp.rules.filter((rule) => rule.chain === "Ops");
    expect(chain.map(({ groups, requiresAck }) => [groups, requiresAck])).toEqual([
      ...Array.from({ length: 4 }, () => [["Nobody"], false]),
      [["Web"], true],
    ]);
  });
});

describe("an integration", () => {
  const asked = (...integrations: object[]) =>
    scheduled(
      [rotation()],
      {},
      {
        "teams/Ops": ops(),
        "teamRoutingRules/Ops/x": { isDefault: true, notify: { type: "schedule", id: "s-1" } },
        "escalations/First": { id: "e-1", name: "First", rules: [{ recipient: user("a@x") }] },
        integrations,
      },
    );
  const whenOf = ({ draft }: Imported) =>
    draft.setUp.rules.map(({ name, conditions }) => [
      name,
      ...conditions.map(({ field, operator, value, not = false }) =>
        [field, not ? "not" : "", operator, value].filter((part) => part !== "" && part !== undefined).join(" "),
      ),
    ]);
  const named = (who: string) => `data.responders matches_regex (?:^|, )(?:${who})(?:, |$)`;
  const team = "team:Ops|team:t-1";
  const escalation = "escalation:First|escalation:e-1";
  const web = "schedule:Web|schedule:s-1";

  it.each<[string, object, string[][]]>([
    ["of a team asks that team", api, [["Ops: default", "sender equals API"]]],
    [
      "of a team by its id asks that team",
      { ...api, ownerTeam: { id: "t-1" } },
      [["Ops: default", "sender equals API"]],
    ],
    ["of another team asks nobody", { ...api, ownerTeam: { name: "Gone" } }, []],
    [
      "of no team asks whom an alert names",
      { name: "API" },
      [
        ["Ops: default", "sender equals API", named(team)],
        ["To the escalation First", "sender equals API", named(escalation)],
        ["To the schedule Web", "sender equals API", named(web)],
      ],
    ],
    [
      "of no team with responders asks these where an alert names nobody",
      {
        name: "API",
        responders: [
          { type: "escalation", id: "e-1" },
          { type: "team", name: "Ops" },
        ],
      },
      [
        ["Ops: default, 1 of 2", "sender equals API", named(team)],
        ["Ops: default, 2 of 2", "sender equals API", "data.responders is_empty"],
        ["To the escalation First, 1 of 2", "sender equals API", named(escalation)],
        ["To the escalation First, 2 of 2", "sender equals API", "data.responders is_empty"],
        ["To the schedule Web", "sender equals API", named(web)],
      ],
    ],
    [
      "that does not ask the alert asks its responders",
      { name: "API", ignoreRespondersFromPayload: true, responders: [{ type: "schedule", username: "Web" }] },
      [["To the schedule Web", "sender equals API"]],
    ],
    [
      "that does not ask the alert for teams asks its responders",
      {
        name: "API",
        ignoreTeamsFromPayload: true,
        responders: [
          { type: "schedule", name: "Web" },
          { type: "user", name: "Ops" },
        ],
      },
      [["To the schedule Web", "sender equals API"]],
    ],
  ])("%s", (_, integration, rules) => {
    expect(whenOf(asked(integration))).toEqual(rules);
  });

  it("has a key where it speaks Opsgenie's own interface, and is named where it does not, or is disabled", () => {
    const moved = asked(
      { name: "Own" },
      { integration: { name: "Prom", type: "Prometheus" } },
      { name: "Std", type: "Default" },
      { name: "Ping", type: "Pingdom" },
      { name: "Off", enabled: false },
    );

    expect(moved.draft.setUp.keys).toEqual(["Own", "Prom", "Std"].map((name) => ({ name, source: "opsgenie" })));
    expect(remarksOf(moved, "taken")).toEqual(
      expect.arrayContaining(["Integration Own: key Own", "Integration Prom: key Prom", "Integration Std: key Std"]),
    );
    expect(remarksOf(moved, "left")).toEqual([
      "Integration Ping: Its tool (Pingdom) does not call Opsgenie's alert API: give it a key of its own as docs/sources.md says, and write a rule on its name.",
      "Integration Off: It is disabled.",
    ]);
    expect(whenOf(moved)[0]).toEqual(["Ops: default", "sender one_of Own,Prom,Std", named(team)]);
  });

  it("takes the place of all, where the export has none", () => {
    const moved = asked();

    expect(moved.draft.setUp.keys).toEqual([{ name: "Opsgenie", source: "opsgenie" }]);
    expect(remarksOf(moved, "missing")).toEqual([
      "Integrations: The export has none: one key takes the place of all, and alerts go to whom they name.",
    ]);
    expect(whenOf(moved)[0]).toEqual(["Ops: default", "sender equals Opsgenie", named(team)]);
  });

  it("asks no schedule that is disabled, or of nobody", () => {
    for (const more of [{ enabled: false }, { rotations: [] }])
      expect(whenOf(scheduled([rotation()], more, { integrations: [{ name: "API" }] }))).toEqual([]);
    const disabled = scheduled([rotation()], { enabled: false });
    expect(remarksOf(disabled, "left")).toContain(
      "Schedule Web: It is disabled: nobody whom it would put on call is notified.",
    );
    expect(disabled.draft.setUp.schedules).toEqual([]);
  });
});

describe("a step for who is next", () => {
  it("notifies a group in which each rotation is turned by one, made once", () => {
    const next = (delay: number) => ({ delay, notifyType: "next", recipient: { type: "schedule", id: "s-1" } });
    const moved = scheduled(
      [rotation()],
      {},
      {
        "escalations/First": {
          id: "e-1",
          name: "First",
          rules: [next(0), { delay: 5, recipient: user("c@x") }, next(9)],
        },
      },
    );

    const { schedules, policies } = moved.draft.setUp;
    expect(schedules.map(({ group, layers }) => [group, layers[0]?.participants])).toEqual([
      ["Web", ["a@x", "b@x"]],
      ["Web: next", ["b@x", "a@x"]],
    ]);
    expect(policies[0]?.steps.map(({ targets }) => targets)).toEqual([
      [{ user: "c@x" }],
      [{ group: "Web: next", onCallOnly: true }],
    ]);
    expect(remarksOf(moved, "warning")).toEqual([]);
  });
});

describe("an integration of a tool", () => {
  const toolOf = (integration: object, ...rules: object[]) =>
    imported({
      "schedules/Web": schedule([rotation()]),
      "teams/Ops": ops(),
      "teamRoutingRules/Ops/rules": rules.map((one) => ({ ...one, notify: { type: "schedule", id: "s-1" } })),
      integrations: [{ name: "Watch", type: "CloudWatch", ownerTeam: { name: "Ops" }, ...integration }],
    });
  const asks = (field: string, operation: string, expectedValue: string) => ({
    criteria: { type: "match-all-conditions", conditions: [{ field, operation, expectedValue }] },
  });

  it("has a key of its source, and the rules ask for what the tool says", () => {
    const moved = toolOf(
      {},
      { name: "Title", ...asks("message", "contains", "db") },
      { name: "Urgent", ...asks("priority", "less-than", "P3") },
      { name: "Tag", ...asks("tags", "contains", "x") },
      { isDefault: true },
    );

    expect(moved.draft.setUp.keys).toEqual([{ name: "Watch", source: "cloudwatch" }]);
    expect(
      moved.draft.setUp.rules.map(({ eventKey, conditions }) => [
        eventKey,
        ...conditions.map(({ field, operator, value }) => [field, operator, value].join(" ")),
      ]),
    ).toEqual([
      ["cloudwatch.firing", "sender equals Watch", "title contains db"],
      ["cloudwatch.firing", "sender equals Watch", "priority equals LOW"],
      ["cloudwatch.firing", "sender equals Watch"],
    ]);
    expect(remarksOf(moved, "left")).toEqual([
      "Routing rule Ops: Tag: Its condition cannot be written as one of ours: it asks for what its tools do not send.",
    ]);
  });

  it("that suppresses notifications has a rule that notifies nobody", () => {
    const { rules } = toolOf({ suppressNotifications: true }, { isDefault: true }).draft.setUp;

    expect(rules).toMatchObject([{ eventKey: "cloudwatch.firing", groups: ["Nobody"], requiresAck: false }]);
  });
});

describe("what this service has not", () => {
  it("is counted by its kind, with what to do", () => {
    const moved = imported({
      "policiesV2/a": { name: "x" },
      "alertPolicies/b": { name: "x" },
      "integrationActions/c": { name: "x" },
      "heartbeats/d": { name: "x" },
      "maintenance/e": { name: "x" },
      "services/f": { name: "x" },
    });

    expect(remarksOf(moved, "left")).toEqual([
      "2 files of policies: Policies change alerts before they are told of. Silences, priorityOverride and conditions of rules do some of that: write those that matter.",
      "1 files of actions: Filters and actions of integrations change alerts, or pass over them. Conditions of rules do some of that: write those that matter.",
      "1 files of heartbeats: Heartbeats are made with POST /heartbeats, which answers the URL to call.",
      "2 files of others: This service has none of these.",
    ]);
    expect(remarksOf(moved, "different")).toEqual([
      "Alerts that name a person among their responders: Rules here tell groups: whoever is to be told of such alerts needs a group, and a rule with a condition on data.responders.",
    ]);
    expect(moved.report).toMatch(/^# What was moved in from Opsgenie\n/);
    expect(remarksOf(imported({ "odd/x": 5 }), "left")).toEqual([
      "backup/odd/x.json: Nothing that is known of Opsgenie's backup is in it.",
    ]);
  });
});

describe("a backup that cannot be read", () => {
  it.each<[object, string]>([
    [{ name: "" }, "name: name must not be empty."],
    [{ name: 5 }, "name: name must be a text."],
    [{ rotations: {} }, "rotations: must be a list."],
    [{ rotations: [rotation({ type: "monthly" })] }, "rotations[0].type: type must be hourly, daily or weekly."],
    [{ rotations: [rotation({ type: 5 })] }, "rotations[0].type: must be a text."],
    [{ rotations: [rotation({ length: 0 })] }, "rotations[0].length: length must be a whole number from 1."],
    [
      { rotations: [rotation({ startDate: "2026-01-05" })] },
      "rotations[0].startDate: must be a time with Z or an offset, such as 2026-03-02T09:00:00Z.",
    ],
    [
      { rotations: [rotation({ timeRestriction: { type: "x" } })] },
      "rotations[0].timeRestriction.type: type must be time-of-day or weekday-and-time-of-day.",
    ],
    [
      { rotations: [rotation({ timeRestriction: { type: "time-of-day", restriction: { startHour: 24 } } })] },
      "rotations[0].timeRestriction.restriction.startHour: an hour must be from 0 to 23.",
    ],
    [
      { rotations: [rotation({ timeRestriction: { type: "time-of-day", restriction: { endMin: 60 } } })] },
      "rotations[0].timeRestriction.restriction.endMin: a minute must be from 0 to 59.",
    ],
    [
      {
        rotations: [
          rotation({
            timeRestriction: { type: "weekday-and-time-of-day", restrictions: [{ startDay: "x", endDay: "monday" }] },
          }),
        ],
      },
      "rotations[0].timeRestriction.restrictions[0].startDay: a day must be one of monday, tuesday, wednesday, thursday, friday, saturday, sunday.",
    ],
  ])("is named and left out where it is wrong (%#)", (more, fault) => {
    expect(remarksOf(scheduled([rotation()], more), "left")).toContainEqual(
      expect.stringContaining(`backup/schedules/Web.json: It cannot be read: ${fault}`),
    );
  });
});
