import { describe, expect, it } from "vitest";
import { importExport } from "../../../setup/import/import-export.ts";

/* How a service groups its alerts, as far as a rule can say the same. */

const FROM = Date.parse("2026-03-16T00:00:00Z");

const imported = (source: string, files: Readonly<Record<string, unknown>>) => {
  const { draft } = importExport(
    source,
    Object.entries(files).map(([path, value]) => ({ path: `${path}.json`, text: JSON.stringify(value) })),
    FROM,
  );
  return {
    groups: draft.setUp.rules.map(({ name, groupBy, groupMinutes }) => [name, groupBy, groupMinutes]),
    /** What is said of groups and of policies, by kind. */
    said: draft.remarks.flatMap(({ kind, what, why }) =>
      /: its (?:alert )?grouping$|^Policy One/.test(what) || why.endsWith("groups of its own.") ? [[kind, why]] : [],
    ),
  };
};

describe("alert grouping of PagerDuty", () => {
  const service = (id: string, more: object = {}) => ({ id, name: id, escalation_policy: { id: "PPOL" }, ...more });
  const moved = (services: object[], more: Readonly<Record<string, unknown>> = {}) =>
    imported("pagerduty", {
      users: { users: [{ id: "PA", email: "a@acme.example" }] },
      policies: {
        escalation_policies: [
          {
            id: "PPOL",
            name: "First",
            escalation_rules: [{ escalation_delay_in_minutes: 10, targets: [{ id: "PA", type: "user_reference" }] }],
          },
        ],
      },
      services: { services },
      ...more,
    });
  const own = (type: string | null, config: object | null = null) =>
    moved([service("Web", { alert_grouping_parameters: { type, config } })]);
  const content = (config: object) =>
    own("content_based", { aggregate: "all", fields: ["source"], time_window: 600, ...config });

  it("by time is one group of the service's rule, for as many minutes", () => {
    const { groups, said } = own("time", { timeout: 15 });
    expect(groups).toEqual([["Web", [], 15]]);
    expect(said).toEqual([["taken", "one group for all of its alerts, for 15 minutes from the first"]]);
  });

  it("by time without an end lasts for a day, which is said", () => {
    const { groups, said } = own("time", { timeout: 0 });
    expect(groups).toEqual([["Web", [], 1_440]]);
    expect(said[1]).toEqual([
      "different",
      "It groups until the incident is resolved; here a group lasts for 24 hours at most.",
    ]);
    expect(own("time", { timeout: 3_000 }).said[1]).toEqual(["different", "A group lasts 1440 minutes, not 3000."]);
  });

  it("by content groups by the same fields, from the first alert on", () => {
    const { groups, said } = content({ fields: ["summary", "component", "custom_details.host"] });
    expect(groups).toEqual([["Web", ["title", "data.component", "data.details.host"], 10]]);
    expect(said.map(([kind]) => kind)).toEqual(["taken", "different"]);
    expect(content({ aggregate: "any" }).groups).toEqual([["Web", ["data.source"], 10]]);
  });

  it.each([
    [content({ aggregate: "any", fields: ["source", "class"] }), /any field is equal/],
    [content({ fields: ["source", "class", "group", "severity"] }), /it names 4 fields/],
    [content({ fields: [] }), /it names 0 fields/],
    [content({ fields: ["source", "client"] }), /do not keep client/],
    [content({ time_window: 0 }), /PagerDuty recommends/],
    [own("intelligent", { time_window: 600 }), /Its type is intelligent/],
    [own("content_based_intelligent", { fields: ["source"] }), /Its type is content_based_intelligent/],
  ])("is left out where a rule cannot say it", ({ groups, said }, why) => {
    expect(groups).toEqual([["Web", null, null]]);
    expect(said).toEqual([["left", expect.stringMatching(why)]]);
  });

  it("is nothing where the service groups nothing", () => {
    expect(own(null)).toEqual({ groups: [["Web", null, null]], said: [] });
    expect(moved([service("Web")])).toEqual({ groups: [["Web", null, null]], said: [] });
  });

  it("may be a setting of several services, whose time is in seconds", () => {
    const setting = { type: "time", config: { timeout: 900 }, services: [{ id: "Web" }, { id: "Shop" }] };
    const { groups, said } = moved([service("Web"), service("Shop"), service("Mail")], {
      settings: { alert_grouping_settings: [{ id: "PGRP", name: "All", ...setting }] },
    });
    expect(groups).toEqual([
      ["Web", [], 15],
      ["Shop", [], 15],
      ["Mail", null, null],
    ]);
    expect(said.filter(([kind]) => kind === "different")).toEqual([
      ["different", expect.stringMatching(/spans several services/)],
      ["different", expect.stringMatching(/spans several services/)],
    ]);
  });

  it("holds for what an orchestration routes to the service, by rules with groups of their own", () => {
    const conditions = [{ expression: "event.source matches 'a'" }, { expression: "event.class matches 'b'" }];
    const rules = [{ label: "Web", conditions, actions: { route_to: "Web" } }];
    const { groups, said } = moved(
      [service("Web", { alert_grouping_parameters: { type: "time", config: { timeout: 5 } } })],
      {
        router: { orchestration_path: { type: "router", parent: { id: "E" }, sets: [{ id: "start", rules }] } },
      },
    );
    expect(groups).toEqual([
      ["Web", [], 5],
      ["E: Web, 1 of 2", [], 5],
      ["E: Web, 2 of 2", [], 5],
    ]);
    expect(said.at(-1)).toEqual(["different", "It became 2 rules, each of which has groups of its own."]);
  });
});

describe("the grouping of Grafana OnCall", () => {
  const moved = (type: string, templates?: object | null) =>
    imported("oncall", {
      users: { results: [{ id: "UA", username: "a", email: "a@x" }] },
      escalation_chains: { results: [{ id: "C1", name: "First" }] },
      escalation_policies: {
        results: [
          { id: "P1", escalation_chain_id: "C1", position: 0, type: "notify_persons", persons_to_notify: ["UA"] },
        ],
      },
      integrations: { results: [{ id: "I1", name: "In", type, ...(templates === undefined ? {} : { templates }) }] },
      routes: { results: [{ id: "R1", integration_id: "I1", escalation_chain_id: "C1", is_the_last_route: true }] },
    });
  const by = (grouping_key: string | null, type = "alertmanager") => moved(type, { grouping_key });

  it.each([
    ["{{ payload.commonLabels.host }}", "alertmanager", ["data.commonLabels.host"]],
    ["{{ payload.labels.host }}/{{- payload['labels']['job'] -}}", "grafana", ["data.labels.host", "data.labels.job"]],
    ["{{ payload.receiver }}", "alertmanager", ["data.receiver"]],
    ["{{ payload.host }} {{ payload.host }}", "webhook", ["data.host"]],
    ["everything", "webhook", []],
  ])("%s of %s groups by fields, for a day at most", (template, type, groupBy) => {
    const { groups, said } = by(template, type);
    expect(groups).toEqual([["In: default", groupBy, 1_440]]);
    expect(said.map(([kind]) => kind)).toEqual(["taken", "different"]);
    expect(said[1]![1]).toMatch(/24 hours/);
  });

  it.each([
    ["{{ payload.groupKey }}", "alertmanager"],
    ["{{ payload.groupLabels }}", "alertmanager"],
    ["{{ payload.alerts[0].labels.host }}", "grafana"],
    ["{{ payload.host | lower }}", "webhook"],
    ["{% if payload.host %}a{% endif %}", "webhook"],
    ["{{ payload.a }}{{ payload.b }}{{ payload.c }}{{ payload.d }}", "webhook"],
  ])("%s of %s is left out", (template, type) => {
    const { groups, said } = by(template, type);
    expect(groups).toEqual([["In: default", null, null]]);
    expect(said).toEqual([["left", expect.stringContaining(template)]]);
  });

  it("that OnCall has for a type is not known", () => {
    expect(by(null).groups).toEqual([["In: default", null, null]]);
    expect(by(null).said).toEqual([["different", expect.stringMatching(/the export does not say/)]]);
    expect(moved("webhook").said).toEqual([]);
    expect(moved("webhook", null).said).toEqual([]);
  });
});

it("what a policy of Opsgenie says of notifications is left out, each with its reason", () => {
  const policy = {
    name: "One",
    type: "notification",
    deduplicationAction: { deduplicationActionType: "frequency-based", count: 3, duration: { timeAmount: 5 } },
    delayAction: { delayOption: "for-duration" },
    autoCloseAction: { duration: { timeAmount: 5 } },
    autoRestartAction: null,
    suppress: false,
  };
  const { said } = imported("opsgenie", {
    users: [{ username: "a@x" }],
    "policies/One": policy,
    "policies/Two": { policy: { name: "One", suppress: true, autoRestartAction: {} } },
    policyOrders: ["One", 7],
  });
  expect(said).toEqual([
    ["left", expect.stringMatching(/repeats of one alert/)],
    ["left", expect.stringMatching(/held back/)],
    ["left", expect.stringMatching(/stays open/)],
    ["left", expect.stringMatching(/repeat says/)],
    ["left", expect.stringMatching(/silence/)],
  ]);
});
