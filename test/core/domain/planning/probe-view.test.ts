import { describe, expect, it } from "vitest";
import { probeNotice } from "../../../../core/domain/event/notices.ts";
import { findFreshRed, type ProbeView } from "../../../../core/domain/planning/probe-view.ts";

const proven = { at: "2026-11-23T12:00:00.000Z", fault: null };
const link = (fault: string) => ({ at: null, fault });
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
  links: { ...green, sent: link("no_device"), confirmed: { at: null, fault: null } },
});
const unconfirmed = view({ status: "red", links: { ...green, confirmed: link("not_confirmed") } });
const policy = view({ type: "policy", id: "pol_1", name: "Ladder", status: "red", links: null });

describe("what has turned red", () => {
  it.each<[string, ProbeView[], string[], { fresh: string[]; marks: string[] }]>([
    ["is a rule, by its broken link", [unsent], [], { fresh: ["Orders sent no_device"], marks: ["rule_1 sent"] }],
    ["is an escalation policy, by its steps", [policy], [], { fresh: ["Ladder steps"], marks: ["pol_1 steps"] }],
    [
      "is nothing that stays red",
      [unsent, policy],
      ["rule_1 sent", "pol_1 steps"],
      { fresh: [], marks: ["rule_1 sent", "pol_1 steps"] },
    ],
    [
      "is a rule of which another link is broken",
      [unconfirmed],
      ["rule_1 sent"],
      { fresh: ["Orders confirmed not_confirmed"], marks: ["rule_1 confirmed"] },
    ],
    ["is nothing that is green, which may turn red again", [view({})], ["rule_1 sent"], { fresh: [], marks: [] }],
    [
      "is nothing while it is not decided",
      [view({ status: "pending" })],
      ["rule_1 sent"],
      { fresh: [], marks: ["rule_1 sent"] },
    ],
    [
      "is nothing after a change of the rule",
      [view({ status: "none", links: null })],
      ["rule_1 sent"],
      { fresh: [], marks: ["rule_1 sent"] },
    ],
    [
      "is no rule without an example",
      [view({ status: "red", links: { ...green, matched: link("no_example") } })],
      [],
      { fresh: [], marks: [] },
    ],
    ["is nothing of a deleted rule", [], ["rule_1 sent"], { fresh: [], marks: [] }],
  ])("%s", (_what, views, before, expected) => {
    const { fresh, marks } = findFreshRed(views, before);

    expect({
      fresh: fresh.map(({ name, link: broken, fault }) => [name, broken, fault].join(" ").trim()),
      marks,
    }).toEqual(expected);
  });
});

describe("the notice of what has turned red", () => {
  const red = (name: string) => ({ mark: "", name, link: "recipient" as const, fault: "group_empty" });

  it("names the rule, the broken link and the remedy", () => {
    expect(probeNotice(7, [red("Orders")])).toEqual({
      once: "probes:7",
      content: {
        eventKey: "service.probe",
        title: "A probe failed: Orders",
        body:
          "Orders: it has no recipient. Add people to its groups, or put somebody on call. (group_empty) " +
          "The rules' page shows each link.",
        priority: "NORMAL",
        data: { probes: 1 },
        notice: {},
      },
    });
  });

  it("is one for all, and names the first five", () => {
    const { title, body } = probeNotice(7, ["A", "B", "C", "D", "E", "F", "G"].map(red)).content;

    expect(title).toBe("7 probes failed");
    expect([...body.matchAll(/([A-G]): it has no recipient/g)].map(([, name]) => name)).toEqual([
      "A",
      "B",
      "C",
      "D",
      "E",
    ]);
    expect(body).toContain(" 2 more failed. ");
  });
});
