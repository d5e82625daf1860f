import { describe, expect, it } from "vitest";
import { importExport } from "../../../setup/import/import-export.ts";

/* What an export says does not page, and what it does not say at all. */

const FROM = Date.parse("2026-03-16T00:00:00Z");

const imported = (source: string, files: Readonly<Record<string, unknown>>) =>
  importExport(
    source,
    Object.entries(files).map(([path, value]) => ({ path: `${path}.json`, text: JSON.stringify(value) })),
    FROM,
  );

const remarksOf = ({ draft }: ReturnType<typeof imported>, kind: string) =>
  draft.remarks.filter((remark) => remark.kind === kind).map(({ what, why }) => ({ what, why }));

describe("an export of PagerDuty", () => {
  const base = {
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
  };
  const service = (more: object = {}) => ({
    id: "PSVC",
    name: "Checkout API",
    escalation_policy: { id: "PPOL" },
    ...more,
  });
  const page = (more: boolean, offset: number) => ({ services: [service()], limit: 1, offset, more });

  it("with a disabled service pages nobody for it, also where an orchestration routes to it", () => {
    const rules = [{ label: "All", conditions: [], actions: { route_to: "PSVC" } }];
    const moved = imported("pagerduty", {
      ...base,
      services: { services: [service({ status: "disabled" })] },
      router: { orchestration_path: { type: "router", sets: [{ id: "start", rules }] } },
    });

    expect(moved.draft.setUp.rules.map(({ name, enabled }) => [name, enabled])).toEqual([["Checkout API", false]]);
    expect(remarksOf(moved, "different")).toContainEqual({
      what: "Service Checkout API",
      why: "It is disabled, and so is its rule.",
    });
  });

  it("with a disabled rule of an orchestration has none for it", () => {
    const all = { conditions: [], actions: { route_to: "PSVC" } };
    const rules = [
      { ...all, label: "Old", disabled: true },
      { ...all, disabled: true },
      { ...all, label: "All" },
    ];
    const moved = imported("pagerduty", {
      ...base,
      services: { services: [service()] },
      router: { orchestration_path: { type: "router", parent: { id: "PORC" }, sets: [{ id: "start", rules }] } },
      orchestrations: { orchestrations: [{ id: "PORC", name: "Platform" }] },
    });

    expect(moved.draft.setUp.rules.map(({ name }) => name)).toEqual(["Checkout API", "Platform: All"]);
    expect(remarksOf(moved, "left")).toEqual([
      { what: "Event orchestration Platform, rule Old", why: "It is disabled." },
      { what: "Event orchestration Platform, rule 2", why: "It is disabled." },
    ]);
  });

  it("that lacks pages names the last one that it has", () => {
    const missing = (pages: object) => remarksOf(imported("pagerduty", { ...base, ...pages }), "missing");

    expect(missing({ "services-1": page(true, 0) })).toEqual([
      { what: "services-1.json", why: "It is a page after which there are more, which the export has not." },
    ]);
    expect(missing({ "services-1": page(true, 0), "services-2": page(false, 1) })).toEqual([]);
    expect(missing({ "services-1": page(true, 0), "services-3": page(false, 2) })).toHaveLength(1);
  });

  it("with two things of one name gives the second a number, and says so", () => {
    const moved = imported("pagerduty", { ...base, services: { services: [service(), service({ id: "PSVC2" })] } });

    expect(moved.draft.setUp.keys.map(({ name }) => name)).toEqual(["Checkout API", "Checkout API (2)"]);
    expect(moved.draft.setUp.rules.map(({ name, conditions }) => [name, conditions[0]?.value])).toEqual([
      ["Checkout API", "Checkout API"],
      ["Checkout API (2)", "Checkout API (2)"],
    ]);
    expect(remarksOf(moved, "different")).toContainEqual({
      what: "Key Checkout API (2)",
      why: "There is one called Checkout API already, so this one gets a number.",
    });
  });

  it("with more services than a workspace has keys names those that have none", () => {
    const services = Array.from({ length: 102 }, (_, index) => service({ id: `P${index}`, name: `Service ${index}` }));
    const moved = imported("pagerduty", { ...base, services: { services } });

    expect(moved.draft.setUp.keys).toHaveLength(100);
    expect(moved.draft.setUp.rules).toHaveLength(100);
    expect(remarksOf(moved, "left").map(({ what }) => what)).toEqual(["Key Service 100", "Key Service 101"]);
  });

  it("with other rules than a router's names them", () => {
    const moved = imported("pagerduty", {
      ...base,
      global: { orchestration_path: { type: "global", parent: { id: "PORC" }, sets: [] } },
      orchestrations: { orchestrations: [{ id: "PORC", name: "Platform" }] },
    });

    expect(remarksOf(moved, "left").map(({ what }) => what)).toEqual([
      "Event orchestration Platform: its global rules",
    ]);
  });
});

describe("an export of Opsgenie", () => {
  const user = { id: "u-1", username: "a@acme.example" };
  const rotation = {
    name: "Main",
    startDate: "2026-01-05T00:00:00Z",
    type: "weekly",
    participants: [{ type: "user", ...user }],
  };
  const schedule = (enabled: boolean) => ({ id: "s-1", name: "Web", timezone: "UTC", enabled, rotations: [rotation] });
  const team = { id: "t-1", name: "Platform", members: [{ user }] };
  const routed = { name: "Default", isDefault: true, notify: { type: "schedule", id: "s-1" } };
  const base = {
    users: { users: [user] },
    integrations: { integrations: [{ name: "API", ownerTeam: { id: "t-1" } }] },
  };

  it("with a disabled schedule puts nobody on call by it, and tells nobody whom it would have", () => {
    const moved = imported("opsgenie", {
      ...base,
      "schedules/Web": schedule(false),
      "teams/Platform": { ...team, routingRules: [routed] },
    });

    expect(moved.draft.setUp.schedules).toEqual([]);
    expect(moved.draft.setUp.rules).toEqual([]);
    expect(remarksOf(moved, "left")).toContainEqual({
      what: "Schedule Web",
      why: "It is disabled: whoever it would put on call is told nothing.",
    });
  });

  it("without the routing rules of a team tells the team, and says what is missing", () => {
    const moved = imported("opsgenie", { ...base, "teams/Platform": team });

    expect(moved.draft.setUp.rules.map(({ name, groups }) => [name, groups])).toEqual([["Platform", ["Platform"]]]);
    expect(remarksOf(moved, "missing").map(({ what }) => what)).toEqual(["Team Platform: its routing rules"]);
  });

  it("with a disabled integration has no key for it", () => {
    const integrations = [{ name: "API", enabled: false }];
    const moved = imported("opsgenie", { ...base, integrations: { integrations } });

    expect(moved.draft.setUp.keys).toEqual([]);
    expect(remarksOf(moved, "left")).toContainEqual({ what: "Integration API", why: "It is disabled." });
  });
});

describe("an export of Grafana OnCall", () => {
  const page = (count: number, next: string | null, id: string) => ({ count, next, results: [{ id, name: id }] });
  const NEXT = "https://oncall.example/?page=2";

  it("that lacks pages names the last one that it has, with how much is missing", () => {
    const missing = (...pages: object[]) =>
      remarksOf(
        imported("oncall", Object.fromEntries(pages.map((answer, index) => [`integrations-${index + 1}`, answer]))),
        "missing",
      ).filter(({ what }) => what.startsWith("integrations"));

    expect(missing(page(3, NEXT, "I1"))).toEqual([
      {
        what: "integrations-1.json",
        why: "It is a page after which there are more, which the export has not. 2 of 3 are missing.",
      },
    ]);
    expect(missing(page(2, NEXT, "I1"), page(2, null, "I2"))).toEqual([]);
    expect(missing(page(3, NEXT, "I1"), page(3, null, "I3"))).toHaveLength(1);
  });
});
