import { describe, expect, it } from "vitest";
import { createProbeNotice } from "../../../../core/domain/event/notices.ts";
import {
  findNewlyFailedProbes,
  listProbeViews,
  type ProbeView,
  toPolicyProbe,
} from "../../../../core/domain/planning/probe-view.ts";
import { aPeople, aRule } from "../support.ts";

const proven = { at: "2026-11-23T12:00:00.000Z", fault: null };
const failedLink = (fault: string) => ({ at: null, fault });
const green = { accepted: proven, matched: proven, recipient: proven, sent: proven, confirmed: proven };
const view = (fields: Partial<ProbeView>): ProbeView => ({
  type: "rule",
  id: "rule_1",
  name: "Orders",
  status: "green",
  eventId: "evt_1",
  links: green,
  steps: [],
  ...fields,
});
const unsent = view({
  status: "red",
  links: { ...green, sent: failedLink("no_device"), confirmed: { at: null, fault: null } },
});
const unconfirmed = view({ status: "red", links: { ...green, confirmed: failedLink("not_confirmed") } });
const policy = view({ type: "policy", id: "pol_1", name: "Ladder", status: "red", links: null });

describe("the list of newly failed probes", () => {
  it.each<[string, ProbeView[], string[], { fresh: string[]; marks: string[] }]>([
    ["names a rule and its failed step", [unsent], [], { fresh: ["Orders sent no_device"], marks: ["rule_1 sent"] }],
    [
      "names an escalation policy, with its steps as the failed part",
      [policy],
      [],
      { fresh: ["Ladder steps"], marks: ["pol_1 steps"] },
    ],
    [
      "leaves out probes that had failed before",
      [unsent, policy],
      ["rule_1 sent", "pol_1 steps"],
      { fresh: [], marks: ["rule_1 sent", "pol_1 steps"] },
    ],
    [
      "names a rule again if another step has failed",
      [unconfirmed],
      ["rule_1 sent"],
      { fresh: ["Orders confirmed not_confirmed"], marks: ["rule_1 confirmed"] },
    ],
    ["leaves out a passed probe, which may fail again later", [view({})], ["rule_1 sent"], { fresh: [], marks: [] }],
    [
      "leaves out a probe that is not decided yet",
      [view({ status: "pending" })],
      ["rule_1 sent"],
      { fresh: [], marks: ["rule_1 sent"] },
    ],
    [
      "leaves out a probe after a change of the rule",
      [view({ status: "none", links: null })],
      ["rule_1 sent"],
      { fresh: [], marks: ["rule_1 sent"] },
    ],
    [
      "leaves out a rule without an example event",
      [view({ status: "red", links: { ...green, matched: failedLink("no_example") } })],
      [],
      { fresh: [], marks: [] },
    ],
    ["leaves out a deleted rule", [], ["rule_1 sent"], { fresh: [], marks: [] }],
  ])("%s", (_what, views, before, expected) => {
    const { fresh, marks } = findNewlyFailedProbes(views, before);

    expect({
      fresh: fresh.map(({ name, link: broken, fault }) => [name, broken, fault].join(" ").trim()),
      marks,
    }).toEqual(expected);
  });
});

describe("the probe of an escalation policy", () => {
  const NOW = Date.UTC(2026, 10, 23, 12);
  const step = (...groupIds: string[]) => ({
    delayMinutes: 5,
    targets: groupIds.map((groupId) => ({ type: "group" as const, groupId, onCallOnly: false })),
  });
  const people = aPeople({
    members: { usr_ann: "Ann", usr_bob: "Bob" },
    groups: { grp_ops: ["usr_ann", "usr_bob"], grp_empty: [] },
    policies: ["pol_1", "pol_2"].map((id) => ({ id, name: id, repeat: 0, steps: [] })),
  });
  const asked = { id: "prb_1", askedAt: NOW, sentAt: NOW };
  const confirmed = new Map([["usr_bob", { ...asked, userId: "usr_bob", confirmedAt: NOW }]]);

  it.each<[string, ReturnType<typeof step>[], number, Partial<ProbeView>]>([
    ["is red if the policy has no step", [], 0, { status: "red", steps: [] }],
    ["is red if its steps have no targets", [step()], 0, { status: "red", steps: [] }],
    [
      "is green if one person of each step that has targets has confirmed",
      [step("grp_ops"), step()],
      0,
      { status: "green", steps: [{ status: "green", people: 2, confirmed: 1 }] },
    ],
    [
      "is red if a step names an empty group",
      [step("grp_ops"), step("grp_empty")],
      0,
      {
        status: "red",
        steps: [
          { status: "green", people: 2, confirmed: 1 },
          { status: "red", people: 0, confirmed: 0 },
        ],
      },
    ],
    [
      "is pending once the confirmation is older than a week and a day, while nobody else has failed",
      [step("grp_ops")],
      8 * 24 * 3_600_000 + 1,
      { status: "pending", steps: [{ status: "pending", people: 2, confirmed: 0 }] },
    ],
  ])("%s", (_, steps, later, expected) => {
    expect(toPolicyProbe({ id: "pol_1", name: "Ladder", steps }, people, confirmed, NOW + later)).toMatchObject(
      expected,
    );
  });

  it.each([
    ["pending for two minutes", 0, "pending"],
    ["red after two minutes", 2 * 60_000, "red"],
  ])("is %s if people were asked and nobody has confirmed", (_, later, status) => {
    const probed = new Map(["usr_ann", "usr_bob"].map((userId) => [userId, { ...asked, userId }]));
    const steps = [step("grp_ops")];

    expect(toPolicyProbe({ id: "pol_1", name: "Ladder", steps }, people, probed, NOW + later)).toMatchObject({
      status,
      steps: [{ status, people: 2, confirmed: 0 }],
    });
  });

  it("is listed only if a rule names the policy", () => {
    const rules = [aRule({ escalationPolicyId: "pol_2" })];

    const views = listProbeViews(rules, people, { rules: new Map(), people: new Map() }, NOW);

    expect(views.map(({ id }) => id)).toEqual(["rule_1", "pol_2"]);
  });
});

describe("the notice about newly failed probes", () => {
  const newlyFailed = (name: string) => ({ mark: "", name, link: "recipient" as const, fault: "group_empty" });

  it("names the rule, the failed step and the remedy", () => {
    expect(createProbeNotice(7, [newlyFailed("Orders")])).toEqual({
      once: "probes:7",
      content: {
        eventKey: "service.probe",
        title: "A probe failed: Orders",
        body:
          "Orders: the rule has no recipient. Add people to the rule's groups, or put somebody on call. (group_empty) " +
          "Each rule's page shows the result of its probe.",
        priority: "NORMAL",
        data: { probes: 1 },
        notice: {},
      },
    });
  });

  it("is one notice for all probes, and names the first five", () => {
    const { title, body } = createProbeNotice(7, ["A", "B", "C", "D", "E", "F", "G"].map(newlyFailed)).content;

    expect(title).toBe("7 probes failed");
    expect([...body.matchAll(/([A-G]): the rule has no recipient/g)].map(([, name]) => name)).toEqual([
      "A",
      "B",
      "C",
      "D",
      "E",
    ]);
    expect(body).toContain(" 2 more failed. ");
  });
});
