import { describe, expect, it } from "vitest";
import { importExport } from "../../../setup/import/import-export.ts";
import { everybody, json, FROM, aShift, imported } from "./oncall.ts";

describe("what comes of the answers of Grafana OnCall", () => {
  it("adds up the waits of an escalation chain between the levels, and says which steps it leaves out", () => {
    const step = (position: number, type: string, more: Record<string, unknown> = {}) => ({
      id: `P${position}`,
      escalation_chain_id: "C1",
      position,
      type,
      ...more,
    });
    const { draft } = imported(
      [aShift("Main")],
      {},
      json("escalation_chains", [{ id: "C1", name: "First" }]),
      json("escalation_policies", [
        step(5, "repeat_escalation"),
        step(0, "notify_on_call_from_schedule", { notify_on_call_from_schedule: "S1" }),
        step(1, "wait", { duration: 300 }),
        step(2, "trigger_webhook"),
        step(3, "wait", { duration: 600 }),
        step(4, "notify_persons", { persons_to_notify: ["UD", "UE"] }),
      ]),
      json("integrations", [{ id: "I1", name: "Grafana Cloud", type: "grafana_alerting" }]),
      json("routes", [
        { id: "R1", integration_id: "I1", escalation_chain_id: "C1", position: 0, routing_regex: "severity.*critical" },
        { id: "R2", integration_id: "I1", escalation_chain_id: "C1", position: 1, is_the_last_route: true },
      ]),
    );

    expect(draft.setUp.policies).toMatchObject([
      {
        repeat: 5,
        steps: [
          { delayMinutes: 15, targets: [{ user: "d@acme.example" }, { user: "e@acme.example" }] },
          { delayMinutes: 1, targets: [{ group: "Web", onCallOnly: true }] },
        ],
      },
    ]);
    expect(draft.setUp.rules).toMatchObject([
      {
        eventKey: "grafana.firing",
        conditions: [{ field: "sender", operator: "equals", value: "Grafana Cloud" }],
        groups: ["Web"],
        onCallOnly: true,
        policy: "First",
      },
    ]);
    expect(draft.setUp.keys).toEqual([{ name: "Grafana Cloud", source: "grafana" }]);
    expect(draft.remarks.filter(({ kind }) => kind === "left").map(({ what }) => what)).toEqual([
      "Escalation First: a step trigger_webhook",
      "Route severity.*critical of Grafana Cloud",
    ]);
  });

  it.each<[string, string, string, string[] | null]>([
    ["one field", "webhook", "{{ payload.host }}", ["data.host"]],
    ["several, with text between", "webhook", "{{payload['site']}}-{{- payload.a.b -}}", ["data.site", "data.a.b"]],
    ["what events keep of a label", "grafana_alerting", "{{ payload.commonLabels.team }}", ["data.commonLabels.team"]],
    ["what events do not keep", "grafana_alerting", "{{ payload.groupKey }}", null],
    ["more than a field", "webhook", "{{ payload.host | lower }}", null],
    ["a field and a condition", "webhook", "{{ payload.host }}{% if payload.a %}x{% endif %}", null],
    ["four fields", "webhook", "{{payload.a}}{{payload.b}}{{payload.c}}{{payload.d}}", null],
    ["a text alone", "webhook", "everything", null],
  ])("groups by a template of %s, where a rule can", (_, type, template, groupBy) => {
    const { draft } = importExport(
      "oncall",
      [
        json("users", everybody),
        json("escalation_chains", [{ id: "C1", name: "First" }]),
        json("escalation_policies", [
          { id: "E1", escalation_chain_id: "C1", position: 0, type: "notify_persons", persons_to_notify: ["UA"] },
        ]),
        json("integrations", [{ id: "I1", name: "Shop", type, templates: { grouping_key: template } }]),
        json("routes", [{ id: "R1", integration_id: "I1", escalation_chain_id: "C1", is_the_last_route: true }]),
      ],
      FROM,
    );

    const kinds = draft.remarks.filter(({ what }) => what === "Integration Shop: its grouping").map(({ kind }) => kind);
    expect(draft.setUp.rules).toMatchObject([{ groupBy, groupMinutes: groupBy === null ? null : 1_440 }]);
    expect(kinds).toEqual(groupBy === null ? ["left"] : ["taken", "different"]);
  });
});
