import { describe, expect, it } from "vitest";
import { layerOf, imported, aSchedule, users, aPolicy, aService, SCHEDULE, user } from "./pagerduty.ts";

describe("what comes of an export of PagerDuty", () => {
  it("tells the first level at once, and each later one by the delay that stands at the level before", () => {
    const { draft } = imported([
      users,
      aSchedule([layerOf("One", ["PA"])]),
      aPolicy([[SCHEDULE], [user("PB")], [user("PC")]]),
      aService(),
    ]);

    expect(draft.setUp.rules).toMatchObject([
      {
        name: "Checkout API",
        eventKey: "pagerduty.firing",
        conditions: [{ field: "sender", operator: "equals", value: "Checkout API" }],
        groups: ["Web"],
        onCallOnly: true,
        requiresAck: true,
        policy: "Web first",
      },
    ]);
    expect(draft.setUp.policies).toEqual([
      {
        ackMinutes: null,
        name: "Web first",
        repeat: 0,
        confirmWithinSeconds: null,
        steps: [
          { delayMinutes: 10, targets: [{ user: "b@acme.example" }] },
          { delayMinutes: 20, targets: [{ user: "c@acme.example" }] },
        ],
      },
    ]);
  });

  it("repeats with the first level after the last one's delay", () => {
    const { draft } = imported([
      users,
      aSchedule([layerOf("One", ["PA"])]),
      aPolicy([[SCHEDULE], [user("PB")]], 2),
      aService(),
    ]);

    expect(draft.setUp.policies[0]).toMatchObject({
      repeat: 2,
      steps: [
        { delayMinutes: 10, targets: [{ user: "b@acme.example" }] },
        { delayMinutes: 20, targets: [{ group: "Web", onCallOnly: true }] },
      ],
    });
    expect(draft.remarks).toContainEqual(expect.objectContaining({ kind: "different", what: "Escalation Web first" }));
  });

  it("tells a person along with whoever is on call, by a group in which that person always is", () => {
    const { draft } = imported([
      users,
      aSchedule([layerOf("One", ["PA"])]),
      aPolicy([[SCHEDULE, user("PC")]]),
      aService(),
    ]);

    expect(draft.setUp.rules[0]).toMatchObject({ groups: ["Web", "Web first: first"], onCallOnly: true, policy: null });
    expect(draft.setUp.schedules[1]).toMatchObject({
      group: "Web first: first",
      layers: [{ participants: [["c@acme.example"]] }],
    });
  });

  const grouped = (type: string | null, config: object) => {
    const { draft } = imported([
      users,
      aPolicy([[user("PA")]]),
      aService({ alert_grouping_parameters: { type, config } }),
    ]);
    const { groupBy, groupMinutes } = draft.setUp.rules[0]!;
    const of = draft.remarks.filter(({ what }) => what === "Service Checkout API: its alert grouping");
    return { groups: [groupBy, groupMinutes], kinds: of.map(({ kind }) => kind), why: of.map(({ why }) => why).join() };
  };
  const asSaid = ["taken", "different"];
  const withTime = ["taken", "different", "different"];
  const content = (fields: string[], more: object = {}) => ({ aggregate: "all", fields, time_window: 300, ...more });

  it.each<[string, string | null, object, [string[] | null, number | null], string[]]>([
    ["by time", "time", { timeout: 90 }, [[], 90], asSaid],
    ["until it is resolved", "time", { timeout: 0 }, [[], 1_440], withTime],
    ["by time, longer than a day", "time", { timeout: 2_000 }, [[], 1_440], withTime],
    ["by fields", "content_based", content(["summary", "component"]), [["title", "data.component"], 5], withTime],
    ["by a detail", "content_based", content(["custom_details.host"]), [["data.details.host"], 5], withTime],
    [
      "by any of one field, for the recommended time",
      "content_based",
      content(["class"], { aggregate: "any", time_window: 0, recommended_time_window: 901 }),
      [["data.class"], 16],
      withTime,
    ],
    [
      "by any of two fields",
      "content_based",
      content(["class", "group"], { aggregate: "any" }),
      [null, null],
      ["left"],
    ],
    ["by four fields", "content_based", content(["class", "group", "source", "summary"]), [null, null], ["left"]],
    ["by what events do not keep", "content_based", content(["class", "odd"]), [null, null], ["left"]],
    ["by no field", "content_based", content([]), [null, null], ["left"]],
    ["without a time", "content_based", content(["class"], { time_window: null }), [null, null], ["left"]],
    ["by what it has learned", "intelligent", { time_window: 300 }, [null, null], ["left"]],
    ["not at all", null, {}, [null, null], []],
  ])("groups alerts as the service did: %s", (_, type, config, groups, kinds) => {
    expect(grouped(type, config)).toMatchObject({ groups, kinds });
  });

  it("says which field of a group events do not keep, and that an acknowledgement ended", () => {
    expect(grouped("content_based", content(["class", "odd"])).why).toContain("do not keep odd. Each alert rings.");
    const { draft } = imported([users, aPolicy([[user("PA")]]), aService({ acknowledgement_timeout: 1_800 })]);
    expect(draft.remarks).toContainEqual({
      kind: "different",
      what: "Service Checkout API",
      why: "There an acknowledgement ends after 30 minutes, here where its policy has ackMinutes.",
    });
  });

  it("takes the rules of an event orchestration as far as ours can say the same", () => {
    const rule = (label: string, expressions: string[]) => ({
      label,
      conditions: expressions.map((expression) => ({ expression })),
      actions: { route_to: "PSVC" },
    });
    const { draft } = imported([
      users,
      aPolicy([[user("PA")]]),
      aService({ alert_grouping_parameters: { type: "time", config: { timeout: 5 } } }),
      {
        orchestration_path: {
          type: "router",
          parent: { id: "PORC" },
          sets: [
            {
              id: "start",
              rules: [
                rule("Database", [
                  "event.summary matches part 'db and more' and event.custom_details.region matches 'eu'",
                ]),
                rule("Odd", ["event.summary matches part 'a' and trigger_count over 5 in 1 hours"]),
                rule("Night", ["now in Mon,Tue 22:00:00 to 06:00:00 Europe/Berlin or event.source matches 'b'"]),
              ],
            },
          ],
          catch_all: { actions: { route_to: "unrouted" } },
        },
      },
    ]);

    const sender = { field: "sender", operator: "equals", value: "PORC" };
    expect(draft.setUp.rules.find(({ name }) => name === "PORC: Database")).toMatchObject({
      eventKey: "pagerduty.firing",
      groupBy: [],
      groupMinutes: 5,
      conditions: [
        sender,
        { field: "title", operator: "contains", value: "db and more" },
        { field: "data.details.region", operator: "equals", value: "eu" },
      ],
    });
    expect(
      draft.setUp.rules
        .filter(({ name }) => name.startsWith("PORC: Night"))
        .map(({ activeHours, timeZone, conditions }) => [activeHours === null, timeZone, conditions.length]),
    ).toEqual([
      [true, null, 3],
      [true, null, 4],
      // In those hours only from another source, so that one rule alone tells of an event.
      [false, "Europe/Berlin", 3],
      [false, "Europe/Berlin", 4],
    ]);
    expect(draft.remarks.filter(({ kind }) => kind === "left")).toEqual([
      {
        kind: "left",
        what: "Event orchestration PORC, rule Odd",
        why: "Its condition cannot be written as one of ours: event.summary matches part 'a' and trigger_count over 5 in 1 hours",
      },
    ]);
  });
});
