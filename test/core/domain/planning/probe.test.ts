import { describe, expect, it } from "vitest";
import type { ProbedPerson, StoredProbe } from "../../../../core/domain/event/probe.ts";
import { planProbe } from "../../../../core/domain/planning/plan-probe.ts";
import {
  composeEvent,
  isProbeRecent,
  judgeLinks,
  mayBeUnmatched,
  mustSendPush,
  listProbedPeople,
  toProbeContent,
} from "../../../../core/domain/planning/probe.ts";
import { compileRules, type Condition } from "../../../../core/domain/rules/matching/index.ts";
import { toRuleSet } from "../../../../core/domain/rules/rule-set.ts";
import { aPeople, aRule, to } from "../support.ts";

const MINUTE = 60_000;
const ACCEPTED = Date.UTC(2026, 10, 23, 12, 7, 23, 456);
const MATCHED = ACCEPTED + 2_000;
const iso = (at: number) => new Date(at).toISOString();
const probe = (fields: Partial<StoredProbe> = {}): StoredProbe => ({
  ruleId: "rule_1",
  eventId: "evt_1",
  acceptedAt: ACCEPTED,
  matchedAt: MATCHED,
  applies: true,
  recipients: ["usr_ann", "usr_bob"],
  ...fields,
});
const person = (fields: Partial<ProbedPerson> = {}): ProbedPerson => ({
  userId: "usr_ann",
  id: "prb_1",
  askedAt: MATCHED,
  ...fields,
});

describe("an event composed from a rule's conditions", () => {
  it.each<[string, Partial<Condition>, object]>([
    ["equals and a text", { operator: "equals", value: "Berlin" }, { data: { size: "Berlin" } }],
    ["equals and a boolean", { operator: "equals", value: true }, { data: { size: "true" } }],
    ["one_of", { operator: "one_of", value: ["Bonn", "Berlin"] }, { data: { size: "Bonn" } }],
    ["between", { operator: "between", value: [3, 9] }, { data: { size: 3 } }],
    ["starts_with", { operator: "starts_with", value: "Ber" }, { data: { size: "Ber" } }],
    ["greater_than", { operator: "greater_than", value: 5 }, { data: { size: 6 } }],
    ["less_than", { operator: "less_than", value: 5 }, { data: { size: 4 } }],
    ["equals, negated", { operator: "equals", value: "Berlin", not: true }, {}],
    ["not_equals", { operator: "not_equals", value: "Berlin" }, {}],
    ["is_empty", { operator: "is_empty" }, {}],
    [
      "one_of on the priority",
      { field: "priority", operator: "one_of", value: ["URGENT", "HIGH"] },
      { priority: "URGENT" },
    ],
    ["contains on the title", { field: "title", operator: "contains", value: "full" }, { title: "full" }],
    [
      "equals on the sender",
      { field: "sender", operator: "equals", value: "shop" },
      { sender: { id: "", name: "shop" } },
    ],
  ])("meets a condition with the operator %s", (_what, fields, expected) => {
    const condition: Condition = { field: "data.size", operator: "equals", ...fields };

    const composed = composeEvent({ eventKey: "disk.*", conditions: [condition] });

    expect(composed).toEqual({
      eventKey: "disk.probe",
      title: "Probe",
      body: "Probe",
      priority: "NORMAL",
      ...expected,
    });
    expect(compileRules([{ id: "rule_1", eventKey: "disk.*", conditions: [condition] }])(composed)).toHaveLength(1);
  });

  it.each([
    ["*", "rule.probe"],
    ["disk.full", "disk.full"],
  ])('if the rule has the pattern "%s", has the event key "%s"', (pattern, eventKey) => {
    expect(composeEvent({ eventKey: pattern, conditions: [] }).eventKey).toBe(eventKey);
  });
});

describe("a probe", () => {
  it("has the content of the composed event, but nothing that would affect other events", () => {
    const shown = {
      eventKey: "disk.full",
      title: "Disk full",
      body: "98 %",
      priority: "HIGH" as const,
      detail: "Clean up",
      data: { host: "db1" },
      url: "https://wiki.example/disk",
      sender: { id: "key_1", name: "shop" },
      requiresAck: true,
    };
    const example = { ...shown, dedupeKey: "disk-1", resolves: "disk-2", silentUntil: 1 };

    expect(toProbeContent(example, { ruleId: "rule_1" })).toEqual({ ...shown, probe: { ruleId: "rule_1" } });
  });

  it("matches its rule if the rule was active when the probe was accepted, even if matching happens later", () => {
    const activeHours = [{ days: ["mon" as const], from: "12:07", to: "12:08" }];
    const rules = toRuleSet([aRule({ activeHours, timeZone: "UTC" })], []);
    const content = { eventKey: "order.failed", title: "t", body: "b", priority: "NORMAL" as const };
    const planAt = (receivedAt: number, at: number) =>
      planProbe(rules, aPeople({ members: {}, groups: {} }), { content, probe: { ruleId: "rule_1" }, receivedAt }, at);

    expect(planAt(ACCEPTED, ACCEPTED + MINUTE).applies).toBe(true);
    expect(planAt(ACCEPTED + MINUTE, ACCEPTED + MINUTE).applies).toBe(false);
  });

  it("reaches at most twenty recipients of its rule, and five people of each step of its policy", () => {
    const userIds = Array.from({ length: 30 }, (_, nr) => `usr_${nr}`);
    const policies = [
      {
        id: "pol_1",
        name: "P",
        repeat: 0,
        steps: ["grp_all", "grp_lead"].map((group) => ({
          delayMinutes: 5,
          targets: to(group).map((target) => ({ ...target, onCallOnly: false })),
        })),
      },
    ];
    const people = aPeople({
      members: Object.fromEntries([...userIds, "usr_lead"].map((userId) => [userId, userId])),
      groups: { grp_all: userIds, grp_lead: ["usr_lead"] },
      policies,
    });
    const rules = toRuleSet([aRule({ targets: to("grp_all") })], []);
    const content = { eventKey: "order.failed", title: "t", body: "b", priority: "NORMAL" as const };

    const planned = planProbe(rules, people, { content, probe: { ruleId: "rule_1" }, receivedAt: ACCEPTED }, MATCHED);

    expect(planned.recipients).toEqual(userIds.slice(0, 20));
    const reached = listProbedPeople({ recipients: ["usr_9"], policyId: "pol_1" }, people, MATCHED);
    expect(reached).toEqual(["usr_9", ...userIds.slice(0, 5), "usr_lead"]);
  });
});

describe("the push for a probe", () => {
  it.each<[string, ProbedPerson | undefined, number, boolean]>([
    ["is sent to a person who never got one", undefined, MATCHED, true],
    [
      "is sent again although it was sent for an earlier probe",
      person({ askedAt: MATCHED - 1, sentAt: MATCHED }),
      MATCHED,
      true,
    ],
    ["is not sent again if it was sent when the probe matched", person({ sentAt: MATCHED }), MATCHED + MINUTE, false],
    ["is sent again if no push service has accepted it", person(), MATCHED + 4 * MINUTE - 1, true],
    ["is given up if no push service has accepted it for four minutes", person(), MATCHED + 4 * MINUTE, false],
  ])("%s", (_, asked, now, sends) => {
    expect(mustSendPush(probe(), asked, now)).toBe(sends);
  });

  it("is sent only if the probe matched at most an hour ago", () => {
    expect([60 * MINUTE, 60 * MINUTE + 1].map((age) => isProbeRecent(probe(), MATCHED + age))).toEqual([true, false]);
  });

  it("waits up to two minutes for the probe to be matched", () => {
    const accepted = probe({ matchedAt: undefined });

    expect([2 * MINUTE - 1, 2 * MINUTE].map((age) => mayBeUnmatched(accepted, ACCEPTED + age))).toEqual([true, false]);
    expect(mayBeUnmatched(probe(), ACCEPTED)).toBe(false);
  });
});

describe("the steps `sent` and `confirmed` of a probe with two recipients", () => {
  const sentAt = MATCHED + MINUTE;
  const sent = { sent: { at: iso(sentAt), fault: null } };
  const waiting = { at: null, fault: null };
  const failedLink = (fault: string) => ({ at: null, fault });
  it.each<[string, Partial<ProbedPerson> | undefined, Partial<ProbedPerson> | undefined, number, object]>([
    ["wait while nobody was asked", undefined, undefined, 0, { sent: waiting, confirmed: waiting }],
    ["fail if nobody is asked for two minutes", undefined, undefined, 2, { sent: failedLink("not_sent") }],
    ["wait while the pushes are on their way", {}, {}, 1, { sent: waiting }],
    ["fail if no push is accepted for two minutes", {}, {}, 2, { sent: failedLink("not_sent") }],
    ["wait while only one of the two people has a fault", { fault: "no_device" }, {}, 1, { sent: waiting }],
    [
      "fail once both people have a fault",
      { fault: "no_device" },
      { fault: "GONE" },
      1,
      { sent: failedLink("no_device") },
    ],
    ["pass with the first accepted push", { sentAt: sentAt + 5 }, { sentAt }, 1, sent],
    ["wait for a confirmation for two minutes", { sentAt }, {}, 2.99, { ...sent, confirmed: waiting }],
    [
      "wait although the person has confirmed an earlier push",
      { askedAt: MATCHED - 1, sentAt: MATCHED, confirmedAt: MATCHED },
      undefined,
      1,
      { sent: waiting, confirmed: waiting },
    ],
    ["fail without a confirmation", { sentAt }, {}, 3, { ...sent, confirmed: failedLink("not_confirmed") }],
    [
      "pass with the first confirmation",
      { sentAt, confirmedAt: sentAt + 9 },
      { sentAt, confirmedAt: sentAt + 7 },
      3,
      { ...sent, confirmed: { at: iso(sentAt + 7), fault: null } },
    ],
  ])("%s", (_, ann, bob, minutes, expected) => {
    const people = new Map(
      Object.entries({ usr_ann: ann, usr_bob: bob }).flatMap(([userId, fields]) =>
        fields === undefined ? [] : [[userId, person({ userId, ...fields })] as const],
      ),
    );

    const links = judgeLinks(probe(), people, MATCHED + minutes * MINUTE, () => "no_match");

    expect(links).toMatchObject({ matched: { at: iso(MATCHED), fault: null }, ...expected });
  });
});
