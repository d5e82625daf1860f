import { describe, expect, it } from "vitest";
import * as v from "valibot";
import * as heartbeatForm from "../../console/pages/heartbeats/draft.ts";
import {
  toDraft as toRulesDraft,
  toRulesInput as fromRulesDraft,
} from "../../console/pages/notification-rules/draft.ts";
import { toSchedule, toScheduleDraft } from "../../console/pages/on-call/draft.ts";
import * as policyForm from "../../console/pages/policy/draft.ts";
import * as ruleForm from "../../console/pages/rule/draft.ts";
import * as settingsForm from "../../console/pages/settings/draft.ts";
import * as silenceForm from "../../console/pages/silence/draft.ts";
import { EscalationPolicyInput } from "../../core/domain/escalation/escalation-policy.ts";
import { NotificationRulesInput } from "../../core/domain/people/notification-rules.ts";
import { OnCallSchedule } from "../../core/domain/on-call/index.ts";
import { Pay } from "../../core/domain/shifts/pay.ts";
import { RuleInput } from "../../core/domain/rules/rule-input.ts";
import { SilenceInput } from "../../core/domain/rules/silence-input.ts";

/* A form that forgets a field would erase that field. */

const stored = {
  workspaceId: "ws_1" as const,
  version: 3,
  createdAt: "",
  updatedAt: "",
  createdBy: null,
  updatedBy: null,
};

describe("a silence that is read into the form and saved again", () => {
  const once = {
    name: "Deploy",
    eventKey: "order.*",
    conditions: [{ field: "sender", operator: "equals" as const, value: "Checkout", not: true }],
    conditionMatch: "any" as const,
    startsAt: "2026-11-21T22:00:00.000Z",
    endsAt: "2026-11-22T02:00:00.000Z",
    weekly: null,
    includeUrgent: true,
    afterwards: "drop" as const,
    everything: false,
  };
  const weekly = {
    ...once,
    endsAt: null,
    weekly: { days: ["sun" as const], from: "02:00", to: "04:00", timeZone: "Asia/Tokyo" },
    includeUrgent: false,
    afterwards: "tell" as const,
  };
  const overAll = { ...once, eventKey: "*", conditions: [], conditionMatch: "all" as const, everything: true };

  it.each([
    ["once", once],
    ["weekly, in its own time zone", weekly],
    ["to all events", overAll],
  ])("stays the same if it applies %s", (_how, silence) => {
    const view = { ...stored, id: "sil_1", active: false, until: null, warnings: [], ...silence };

    const sent = silenceForm.toSilenceInput(silenceForm.toDraft(view));

    expect(sent).toEqual(silence);
    expect(v.is(SilenceInput, sent)).toBe(true);
  });

  it("sets `everything`, the confirmation that it covers all events, only if it does so", () => {
    const draft = { ...silenceForm.toDraft({ ...stored, id: "sil_1", active: false, until: null, ...overAll }) };

    expect(silenceForm.toSilenceInput({ ...draft, eventKey: " * " }).everything).toBe(true);
    expect(silenceForm.toSilenceInput({ ...draft, eventKey: "order.*" }).everything).toBe(false);
  });
});

it.each([
  ["nothing more than its steps", { repeat: 0, confirmWithinSeconds: null, ackMinutes: null }],
  ["every field", { repeat: 5, confirmWithinSeconds: 90, ackMinutes: 45 }],
])("an escalation policy that has %s is the same after it was read into a draft and saved", (_what, fields) => {
  const policy = {
    name: "Ladder",
    ...fields,
    steps: [
      { delayMinutes: 5, targets: [{ type: "group" as const, groupId: "grp_1", onCallOnly: true }] },
      { delayMinutes: 15, targets: [{ type: "user" as const, userId: "usr_bob" }] },
    ],
  };

  const sent = policyForm.toPolicyInput(policyForm.toDraft({ ...stored, id: "pol_1", warnings: [], ...policy }));

  expect(sent).toEqual(policy);
  expect(v.is(EscalationPolicyInput, sent)).toBe(true);
});

it("a heartbeat is the same after it was read into a draft and saved", () => {
  const heartbeat = { name: "Backup", everySeconds: 3 * 86_400, graceSeconds: 90, priority: "URGENT" as const };
  const times = { lastCallAt: null, missedAfter: null, missedSince: null };

  const view = { ...stored, id: "hb_1", paused: false, status: "up" as const, ...times, ...heartbeat };

  expect(heartbeatForm.toHeartbeatInput(heartbeatForm.toDraft(view))).toEqual(heartbeat);
});

it("a rule is the same after it was read into a draft and saved", () => {
  const input = v.parse(RuleInput, {
    name: "Nights",
    eventKey: "disk.*",
    targets: [{ type: "group", groupId: "grp_1" }],
    conditions: [{ field: "sender", operator: "equals", value: "Checkout", not: true }],
    conditionMatch: "any",
    priorityOverride: "CRITICAL",
    escalationPolicyId: "pol_1",
    fallback: true,
    activeHours: [{ days: ["sat"], from: "22:00", to: "06:00" }],
    timeZone: "Europe/Berlin",
    groupBy: ["data.host", "priority"],
    groupMinutes: 45,
    atLeast: { count: 3, withinMinutes: 20 },
    chain: "checkout",
    position: 7,
  });
  const rule = { ...stored, id: "rule_1", probe: null, warnings: [], ...input };

  expect(v.parse(RuleInput, ruleForm.toRuleInput(ruleForm.toDraft(rule)))).toEqual(input);
  const always = { ...rule, activeHours: null, timeZone: null };
  expect(ruleForm.toRuleInput(ruleForm.toDraft(always))).toMatchObject({ activeHours: null, timeZone: null });
});

it("an on-call schedule with any rotations is the same after it was read into a draft and saved", () => {
  const schedule = {
    timeZone: "Europe/Berlin",
    layers: [
      {
        start: "2026-03-02T09:00",
        every: 2,
        unit: "week" as const,
        until: "2026-12-01T09:00",
        participants: ["usr_ann", ["usr_bob", "usr_cat"], []],
        turns: "duty" as const,
        restrictions: [{ days: ["mon" as const, "fri" as const], from: "09:00", to: "17:00" }],
      },
      { start: "2026-03-02T09:00", every: 1, unit: "month" as const, participants: ["usr_ann"], restrictions: [] },
    ],
  };

  const sent = toSchedule(toScheduleDraft({ ...stored, groupId: "grp_1", overrides: [], ...schedule }));

  expect(sent).toEqual(schedule);
  expect(v.is(OnCallSchedule, sent)).toBe(true);
});

it.each([
  ["without quiet hours", null],
  [
    "with quiet hours",
    { days: ["sat" as const], from: "22:00", to: "07:00", timeZone: "Asia/Tokyo", holdBelow: "HIGH" as const },
  ],
])("personal notification rules %s are the same after they were read into a draft and saved", (_how, quietHours) => {
  const rules = {
    rungs: {
      URGENT: [
        { afterMinutes: 0, ways: ["push" as const, "email" as const] },
        { afterMinutes: 5, ways: ["sms" as const] },
      ],
      HIGH: [{ afterMinutes: 1, ways: ["push" as const] }],
      NORMAL: [{ afterMinutes: 2, ways: ["email" as const] }],
      LOW: [],
    },
    quietHours,
  };

  const sent = fromRulesDraft(toRulesDraft({ userId: "usr_ann", version: 1, urgentFloor: null, ways: [], ...rules }));

  expect(sent).toEqual(rules);
  expect(v.is(NotificationRulesInput, sent)).toBe(true);
});

describe("workspace settings that are read into the form and saved again", () => {
  const rates = { weekday: 0, night: 900, weekend: 1200, holiday: 2000, nightPage: 1500 };
  const createWorkspace = (pay?: typeof rates | null) => ({
    id: "ws_1" as const,
    name: "Acme",
    version: 1,
    createdAt: "",
    plan: { monthlyEvents: 1, eventsPerMinute: 1, burst: 1, retentionDays: 1 },
    usage: { month: "2026-11", used: 0, limit: 1, resetAt: "" },
    ...(pay === undefined ? {} : { pay }),
  });
  const patchOf = (before: ReturnType<typeof createWorkspace>, typed: object) =>
    settingsForm.toPatch({ ...settingsForm.toDraft(before), ...typed }, before);

  it.each([
    ["rates of pay", rates],
    ["removed rates of pay", null],
    ["no rates of pay", undefined],
  ])("stay the same if the workspace has %s", (_how, pay) => {
    expect(patchOf(createWorkspace(pay), {})).toEqual({});
  });

  it.each([
    [
      "keep their values in cents",
      undefined,
      { paysOnCall: true, night: "900", holiday: "" },
      { ...rates, night: 900, weekend: 0, holiday: 0, nightPage: 0 },
    ],
    ["stay the same where nothing is typed", rates, { night: "950" }, { ...rates, night: 950 }],
    ["are removed as a whole", rates, { paysOnCall: false }, null],
  ])("have rates of pay that %s", (_how, before, typed, pay) => {
    expect(patchOf(createWorkspace(before), typed)).toEqual({ pay });
    expect(v.is(Pay, pay)).toBe(true);
  });

  it.each([
    ["are sent as NaN, which the API refuses, if the field is empty", "", Number.NaN],
    ["are 0 if 0 is typed", "0", 0],
  ])("have a time limit for URGENT whose minutes %s", (_, withinMinutes, minutes) => {
    const urgentFloor = { ways: ["push"], withinMinutes: minutes };

    expect(patchOf(createWorkspace(), { hasFloor: true, withinMinutes })).toEqual({ urgentFloor });
  });
});
