import { describe, expect, it } from "vitest";
import * as v from "valibot";
import type { FrozenPolicy } from "../../../../core/domain/escalation/escalation-policy.ts";
import type { EventContent } from "../../../../core/domain/event/event.ts";
import type { Device } from "../../../../core/domain/device/device.ts";
import type { People } from "../../../../core/domain/people/people.ts";
import { mergeDraftRules } from "../../../../core/domain/planning/draft.ts";
import type { RoutingRule } from "../../../../core/domain/rules/routing-rule.ts";
import type { Silence } from "../../../../core/domain/rules/silence.ts";
import { createGroupingSimulator } from "../../../../core/domain/planning/storm.ts";
import { planSimulation, SimulationInput, toSimulation } from "../../../../core/domain/planning/simulation.ts";
import { listPeopleToReach, SIMULATED_PEOPLE_MAX } from "../../../../core/domain/planning/timeline.ts";
import { aPeople, aRule, aSilence, ladder, NOON, people as few, to } from "../support.ts";

const phone: Device = {
  id: "dev_1",
  platform: "ios",
  name: null,
  token: "token",
  createdAt: "2026-11-20T00:00:00.000Z",
  registeredAt: "2026-11-20T00:00:00.000Z",
};
const browser: Device = {
  ...phone,
  id: "dev_2",
  platform: "web",
  subscription: { endpoint: "https://push.example", keys: { p256dh: "key", auth: "secret" } },
};
const proven: Device = { ...phone, lastDeliveredAt: "2026-11-21T11:00:00.000Z" };

const event: EventContent = { eventKey: "order.failed", title: "Order failed", body: "No stock", priority: "HIGH" };

type Over = {
  saved?: RoutingRule[];
  drafts?: object[];
  silences?: Silence[];
  people?: People;
  devices?: Readonly<Record<string, readonly Device[]>>;
  content?: Partial<EventContent>;
  /** The event that opened the groups of all rules; by default, no group is open. */
  into?: string;
};

const simulate = (fields: Over = {}) => {
  const { saved = [aRule()], drafts = [], silences = [], people = few, devices = {}, into } = fields;
  const { rules } = v.parse(SimulationInput, { eventId: "evt_1", rules: drafts });
  const setting = { people, drafted: mergeDraftRules(saved, rules), silences, now: NOON };
  const { gates, ...plan } = planSimulation(setting, { ...event, ...fields.content }, NOON);
  const open = { first: into ?? "", top: into ?? "", at: 0, until: NOON + 1, priority: "URGENT" as const };
  const known = new Map(
    gates.map(({ gate: { name } }) => [name, { group: into === undefined ? undefined : open, times: [] }]),
  );
  const gated = createGroupingSimulator(known)({ ...plan, gates }, { eventId: "", seq: 0, receivedAt: NOON });
  return toSimulation(setting, { ...plan, ...gated, ringsKnown: false }, new Map(Object.entries(devices)));
};
const bare = { groupId: "grp_ops", onCallLayer: null, overrideId: null, rings: null };
const ann = { userId: "usr_ann", name: "Ann", email: "ann@acme.example" };
const bob = { userId: "usr_bob", name: "Bob", email: "bob@acme.example" };

describe("a simulation of an event", () => {
  it("contains everything that the event would lead to", () => {
    const saved = [aRule({ escalationPolicyId: "pol_ladder", requiresAck: true, priorityOverride: "LOW" })];

    expect(simulate({ saved, devices: { usr_ann: [phone, browser] } })).toEqual({
      at: "2026-11-21T12:00:00.000Z",
      outcome: "partial",
      matchedRules: 1,
      recipients: 2,
      ringsKnown: false,
      silence: null,
      flapping: null,
      notice: null,
      rules: [
        {
          id: "rule_1",
          name: "Orders",
          matches: true,
          enabled: true,
          eventKey: { expected: "order.failed", actual: "order.failed", verdict: true },
          conditionMatch: "all",
          conditions: [],
          activeHours: null,
          fallback: null,
          chain: null,
          draft: null,
          undecided: false,
          group: null,
          requiresAck: true,
          priority: "LOW",
          recipients: [
            { ...ann, ...bare, quiet: null },
            { ...bob, ...bare, quiet: null },
          ],
          recipientsNotListed: 0,
          unreached: [],
        },
      ],
      omittedRules: 0,
      escalations: [
        {
          ruleId: "rule_1",
          policy: { id: "pol_ladder", name: "Ladder" },
          ackMinutes: null,
          steps: [
            {
              step: 1,
              steps: 1,
              round: 1,
              rounds: 1,
              delayMinutes: 5,
              at: "2026-11-21T12:05:00.000Z",
              because: "delay",
              recipients: [{ ...bare, userId: "usr_cat", name: "Cat", email: "cat@acme.example", groupId: "grp_lead" }],
              unreached: [],
            },
          ],
          stepsIfUnconfirmed: null,
        },
      ],
      escalationsNotListed: 0,
      people: [
        {
          ...ann,
          firstToldAt: "2026-11-21T12:00:00.000Z",
          reachable: "unproven",
          devices: [
            { id: "dev_1", platform: "ios", by: "fcm" },
            { id: "dev_2", platform: "web", by: "web-push" },
          ],
        },
        { ...bob, firstToldAt: "2026-11-21T12:00:00.000Z", reachable: "no", devices: [] },
        {
          userId: "usr_cat",
          name: "Cat",
          email: "cat@acme.example",
          firstToldAt: "2026-11-21T12:05:00.000Z",
          reachable: "no",
          devices: [],
        },
      ],
      peopleNotListed: 0,
      warnings: [expect.objectContaining({ code: "no_device", id: "usr_bob" })],
    });
  });

  it.each<[string, string, Over]>([
    ["no_match", "no rule matches", { saved: [] }],
    ["no_recipient", "the group is empty", { saved: [aRule({ targets: to("grp_empty") })] }],
    ["silenced", "a silence is active", { silences: [aSilence()] }],
    ["all_failed", "nobody has a device", {}],
    ["partial", "one of two people has a device", { devices: { usr_ann: [phone] } }],
    ["delivered", "both people have a device", { devices: { usr_ann: [phone], usr_bob: [phone] } }],
    ["grouped", "it joins a group", { saved: [aRule({ groupBy: [], groupMinutes: 5 })], into: "evt_0" }],
    ["below_threshold", "it is below a threshold", { saved: [aRule({ atLeast: { count: 2, withinMinutes: 5 } })] }],
  ])("has the outcome %s if %s", (outcome, _, fields) => {
    expect(simulate(fields).outcome).toBe(outcome);
  });

  it("marks drafts, and shows rules that do not match", () => {
    const draft = { eventKey: "order.*", targets: to("grp_lead") };
    const { rules, matchedRules } = simulate({
      saved: [aRule(), aRule({ id: "rule_2", eventKey: "order.paid", priorityOverride: "LOW" })],
      drafts: [{ ...draft, id: "rule_1", name: "Mine" }, draft],
    });

    expect(matchedRules).toBe(2);
    expect(
      rules.map(({ id, name, draft: kind, matches, priority, recipients }) => [
        id,
        name,
        kind,
        matches,
        priority,
        recipients.map(({ userId }) => userId),
      ]),
    ).toEqual([
      ["rule_1", "Mine", "replaced", true, "HIGH", ["usr_cat"]],
      [null, "Draft", "added", true, "HIGH", ["usr_cat"]],
      ["rule_2", "Orders", null, false, "LOW", []],
    ]);
  });

  it("shows the group that the event would join, and which event paged for that group", () => {
    const saved = [aRule(), aRule({ id: "rule_2", groupBy: ["title"], groupMinutes: 5 })];
    const groups = (into?: string) =>
      simulate({ saved, ...(into === undefined ? {} : { into }) }).rules.map(({ group }) => group);

    const values = [{ field: "title", value: "Order failed" }];
    expect(groups()).toEqual([null, { values, into: null, below: null }]);
    expect(groups("evt_0")).toEqual([null, { values, into: "evt_0", below: null }]);
  });

  it("names the rule that makes a fallback rule unnecessary", () => {
    const [, fallback] = simulate({ saved: [aRule(), aRule({ id: "rule_2", fallback: true })] }).rules;

    expect(fallback).toMatchObject({ matches: false, fallback: { matched: { id: "rule_1", name: "Orders" } } });
    expect(simulate({ saved: [aRule({ fallback: true })] }).rules).toMatchObject([{ matches: true }]);
  });

  it("names the earlier rule of a chain that prevents a rule from applying", () => {
    const inChain = (position: number) => ({ chain: "checkout", position });
    const [, second] = simulate({ saved: [aRule(inChain(1)), aRule({ id: "rule_2", ...inChain(2) })] }).rules;

    expect(second).toMatchObject({ matches: false, chain: { matched: { id: "rule_1", name: "Orders" } } });
  });

  it("that is a notice shows the recipients of the notice, and no matched rule", () => {
    const notice = { to: ["usr_cat"] };

    expect(simulate({ content: { notice } })).toMatchObject({
      matchedRules: 0,
      recipients: 1,
      notice: { to: "people" },
      people: [{ userId: "usr_cat" }],
    });
  });

  it("counts each person once, and names people who have left by id", () => {
    const members = new Map([...few.members].filter(([id]) => id !== "usr_bob"));
    const { recipients, people } = simulate({
      saved: [aRule(), aRule({ id: "rule_2" })],
      people: { ...few, members },
    });

    expect(recipients).toBe(2);
    expect(people.map(({ userId, name, email }) => [userId, name, email])).toEqual([
      ["usr_ann", "Ann", "ann@acme.example"],
      ["usr_bob", "", ""],
    ]);
  });

  it("says how reachable each person is", () => {
    const { people, warnings } = simulate({ devices: { usr_ann: [proven], usr_bob: [phone] } });

    expect(people.map(({ reachable }) => reachable)).toEqual(["proven", "unproven"]);
    expect(warnings).toEqual([]);
  });
});

describe("a simulation of an escalation", () => {
  const rulesWithPolicies = (policies: Record<string, FrozenPolicy>): Over => ({
    saved: Object.keys(policies).map((id, nr) =>
      aRule({ id: `rule_${nr}`, requiresAck: true, escalationPolicyId: id }),
    ),
    people: { ...few, policies: new Map(Object.entries(policies)) },
    devices: { usr_ann: [phone], usr_bob: [phone], usr_cat: [phone] },
  });
  const confirming = { ...ladder, confirmWithinSeconds: 60, ackMinutes: 20 };

  it("also shows how the escalation continues without confirmations, if the policy waits for confirmations", () => {
    const [escalation] = simulate(rulesWithPolicies({ pol_ladder: confirming })).escalations;

    expect(escalation?.ackMinutes).toBe(20);
    expect(escalation?.steps).toMatchObject([{ at: "2026-11-21T12:05:00.000Z", because: "delay" }]);
    expect(escalation?.stepsIfUnconfirmed).toMatchObject([
      { at: "2026-11-21T12:01:00.000Z", because: "not_confirmed", recipients: [{ userId: "usr_cat" }] },
    ]);
  });

  it("notifies a person by the first of several policies that name them", () => {
    const late = { ...ladder, id: "pol_late", steps: [{ ...ladder.steps[0]!, delayMinutes: 30 }] };
    const { escalations, people } = simulate(rulesWithPolicies({ pol_late: late, pol_ladder: ladder }));

    expect(escalations.map(({ ruleId, policy }) => [ruleId, policy.id])).toEqual([
      ["rule_0", "pol_late"],
      ["rule_1", "pol_ladder"],
    ]);
    expect(people.at(-1)).toMatchObject({ userId: "usr_cat", firstToldAt: "2026-11-21T12:05:00.000Z" });
  });

  it("continues at once if nobody has a device", () => {
    const fields = rulesWithPolicies({ pol_ladder: ladder });

    expect(simulate({ ...fields, devices: {} }).escalations[0]?.steps[0]).toMatchObject({
      at: "2026-11-21T12:00:00.000Z",
      because: "nobody_reached",
    });
  });

  it("names for each step the people whom it does not reach", () => {
    const policy = {
      ...ladder,
      repeat: 1,
      steps: [{ delayMinutes: 5, targets: [{ ...to("grp_empty")[0]!, onCallOnly: false }] }],
    };
    const [escalation] = simulate(rulesWithPolicies({ pol_ladder: policy })).escalations;

    expect(escalation?.steps).toMatchObject([
      { round: 1, rounds: 2, recipients: [], unreached: [{ groupId: "grp_empty", because: "group_empty" }] },
      { round: 2, rounds: 2 },
    ]);
  });
});

describe("the people whose devices a simulation reads", () => {
  it("are the recipients, and then the people of escalation steps, each once", () => {
    const policy = {
      ...ladder,
      steps: [
        { delayMinutes: 5, targets: [{ type: "user" as const, userId: "usr_dan" }, ...ladder.steps[0]!.targets] },
        {
          delayMinutes: 5,
          targets: [
            { ...to("grp_ops")[0]!, onCallOnly: true },
            { ...to("grp_gone")[0]!, onCallOnly: false },
          ],
        },
      ],
    };
    const people = { ...few, policies: new Map([["pol_ladder", policy]]) };
    const rule = aRule({ requiresAck: true, escalationPolicyId: "pol_ladder", onCallOnly: true });
    const planned = planSimulation({ people, drafted: mergeDraftRules([rule], []), silences: [] }, event, NOON);

    expect(listPeopleToReach(planned, people)).toEqual(["usr_bob", "usr_dan", "usr_cat", "usr_ann"]);
  });

  it(`are ${SIMULATED_PEOPLE_MAX} at most: further people count as having a device, and at most 200 warnings are given`, () => {
    const ids = Array.from({ length: SIMULATED_PEOPLE_MAX + 1 }, (_, nr) => `usr_${String(nr).padStart(3, "0")}`);
    const people = aPeople({ members: Object.fromEntries(ids.map((id) => [id, id])), groups: { grp_ops: ids } });
    const answer = simulate({ people });

    expect(answer.outcome).toBe("partial");
    expect(answer.people.map(({ reachable }) => reachable).slice(-2)).toEqual(["no", "unproven"]);
    expect(answer.warnings).toHaveLength(200);
  });
});

describe("the answer of a simulation with very many rules or people", () => {
  const createManyRules = (count: number, eventKey: string) =>
    Array.from({ length: count }, (_, nr) =>
      aRule({ id: `rule_${eventKey}_${nr}`, eventKey, targets: to("grp_lead") }),
    );

  it("leaves out the rules for other event keys", () => {
    const one = aRule();
    const few99 = simulate({ saved: [...createManyRules(99, "order.paid"), one] });
    const lots = simulate({ saved: [...createManyRules(2_000, "order.paid"), one] });

    expect([few99.rules.length, few99.omittedRules]).toEqual([100, 0]);
    expect([lots.rules.map(({ id }) => id), lots.omittedRules]).toEqual([["rule_1"], 2_000]);
  });

  it("counts the people and escalations that do not fit", () => {
    const ids = Array.from({ length: 400 }, (_, nr) => `usr_${nr}`);
    const people = aPeople({
      members: Object.fromEntries(ids.map((id) => [id, id.padEnd(5_000, "n")])),
      groups: { grp_ops: ids, grp_lead: ids },
      policies: [ladder],
    });
    const answer = simulate({ people, saved: [aRule({ requiresAck: true, escalationPolicyId: "pol_ladder" })] });

    expect(answer.people.length).toBeGreaterThan(0);
    expect(answer.people.length + answer.peopleNotListed).toBe(400);
    expect(answer.peopleNotListed).toBeGreaterThan(0);
    expect([answer.escalations.length, answer.escalationsNotListed]).toEqual([0, 1]);
  });
});

describe("a request for a simulation", () => {
  const tried = { event: "order.failed", title: "Order failed", body: "No stock" };

  it.each<[string, object, string, string]>([
    ["neither an event nor the id of an event", {}, "event", 'Exactly one of "event" and "eventId" is required.'],
    [
      "both an event and an event id",
      { event: tried, eventId: "evt_1" },
      "eventId",
      '"eventId" must not be given together with "event".',
    ],
    ["an invalid event id", { eventId: 7 }, "eventId", "eventId must be the id of an event of this workspace."],
  ])("is refused if it has %s", (_, input, field, message) => {
    const { issues = [] } = v.safeParse(SimulationInput, input);

    expect(issues.map((issue) => [v.getDotPath(issue), issue.message])).toEqual([[field, message]]);
  });

  it("has an event or the id of an event, and optional drafts", () => {
    expect(v.parse(SimulationInput, { eventId: "evt_1" })).toEqual({ eventId: "evt_1", rules: [], policies: [] });
    expect(v.is(SimulationInput, { event: tried })).toBe(true);
  });
});
