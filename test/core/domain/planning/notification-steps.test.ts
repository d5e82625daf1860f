import { describe, expect, it } from "vitest";
import type { Device } from "../../../../core/domain/device/device.ts";
import type { Channel } from "../../../../core/domain/device/channel.ts";
import type { FrozenPolicy } from "../../../../core/domain/escalation/escalation-policy.ts";
import type { People } from "../../../../core/domain/people/people.ts";
import {
  createEmptyRules,
  type NotificationStep,
  type UrgentFloor,
} from "../../../../core/domain/people/notification-rules.ts";
import {
  findFloorFaults,
  checkPolicySteps,
  checkNotificationSteps,
  findChannelFaults,
} from "../../../../core/domain/planning/notification-steps.ts";
import { aPeople, aRule, NOON, to } from "../support.ts";

const none = createEmptyRules("usr_ann").rungs;
const notificationStep = (afterMinutes: number, ...channels: Channel[]): NotificationStep => ({
  afterMinutes,
  ways: channels,
});
const rules = (steps: Partial<typeof none>) => ({ ...createEmptyRules("usr_ann"), rungs: { ...none, ...steps } });

const ops = { type: "group" as const, groupId: "grp_ops", onCallOnly: false };
const lead = { type: "group" as const, groupId: "grp_lead", onCallOnly: false };
const ann = { type: "user" as const, userId: "usr_ann" };
const policy = (repeat: number, ...steps: FrozenPolicy["steps"][number][]): FrozenPolicy => ({
  id: "pol_1",
  name: "Ladder",
  repeat,
  steps,
});
const step = (delayMinutes: number, ...targets: FrozenPolicy["steps"][number]["targets"]) => ({
  delayMinutes,
  targets,
});

/** Ann is in the group Ops, and Bob is in Lead. */
const peopleWith = (policies: FrozenPolicy[], fields: Partial<People> = {}): People => ({
  ...aPeople({
    members: { usr_ann: "Ann", usr_bob: "Bob" },
    groups: { grp_ops: ["usr_ann"], grp_lead: ["usr_bob"] },
    policies,
  }),
  ...fields,
});
const asking = aRule({ targets: to("grp_ops"), requiresAck: true, escalationPolicyId: "pol_1" });

describe("notification channels that the stage does not support", () => {
  it("are reported as faults at their places in notification rules", () => {
    const own = rules({
      URGENT: [notificationStep(0, "push"), notificationStep(5, "email", "sms")],
      LOW: [notificationStep(0, "voice")],
    });

    expect(findChannelFaults(own, ["push", "email"])).toEqual([
      {
        field: "rungs.LOW[0].ways[0]",
        code: "way_not_configured",
        message: "This service is not set up to notify by voice; its operator has set up push, email.",
      },
      {
        field: "rungs.URGENT[1].ways[1]",
        code: "way_not_configured",
        message: "This service is not set up to notify by sms; its operator has set up push, email.",
      },
    ]);
    expect(findChannelFaults(own, ["push", "email", "sms", "voice"])).toEqual([]);
  });

  it("are reported as faults in the workspace's minimum for URGENT", () => {
    const floor: UrgentFloor = { ways: ["push", "sms"], withinMinutes: 5 };

    expect(findFloorFaults(floor, ["push"]).map(({ field, code }) => `${field} ${code}`)).toEqual([
      "urgentFloor.ways[1] way_not_configured",
    ]);
    expect(findFloorFaults(null, ["push"])).toEqual([]);
    expect(findFloorFaults(undefined, ["push"])).toEqual([]);
  });
});

describe("a person who saves notification rules", () => {
  const registered = {
    platform: "ios",
    name: null,
    createdAt: "2026-11-01T00:00:00.000Z",
    registeredAt: "2026-11-01T00:00:00.000Z",
  } as const;
  const devices: Device[] = [
    { ...registered, id: "dev_1", token: "token" },
    { ...registered, id: "dev_2", email: "ann@acme.example" },
  ];
  const warningsOf = (steps: ReturnType<typeof rules>, people: People, routing = [asking]) =>
    checkNotificationSteps(steps, "usr_ann", { people, rules: routing, devices, now: NOON }).map(
      ({ code, field, id }) => `${code} ${field}${id === undefined ? "" : ` ${id}`}`,
    );

  it("is warned about channels for which they have no device", () => {
    const own = rules({ HIGH: [notificationStep(0, "push", "sms"), notificationStep(5, "email", "voice")] });

    expect(warningsOf(own, peopleWith([]))).toEqual([
      "way_without_device rungs.HIGH[0].ways[1]",
      "way_without_device rungs.HIGH[1].ways[1]",
    ]);
  });

  const late = "policy_moves_on rungs.HIGH[1].afterMinutes pol_1";
  const highRules = (minutes: number) =>
    rules({ HIGH: [notificationStep(0, "push"), notificationStep(minutes, "email")] });
  it.each<[string, FrozenPolicy, ReturnType<typeof rules>, Partial<typeof asking>, string[]]>([
    ["warned about a step that comes after the policy's next step", policy(0, step(5, lead)), highRules(6), {}, [late]],
    ["warned about a step at the time of the policy's next step", policy(0, step(5, lead)), highRules(5), {}, [late]],
    ["not warned about a step before the policy's next step", policy(0, step(5, lead)), highRules(4), {}, []],
    [
      "not warned about a late step if the rule notifies other people",
      policy(0, step(5, lead)),
      highRules(6),
      { targets: to("grp_lead") },
      [],
    ],
    [
      "not warned about a late step if the rule has another policy",
      policy(0, step(5, lead)),
      highRules(6),
      { escalationPolicyId: "pol_2" },
      [],
    ],
    [
      "not warned about a late step if the rule sets another priority",
      policy(0, step(5, lead)),
      highRules(6),
      { priorityOverride: "LOW" },
      [],
    ],
    [
      "warned about a late step if the rule sets the priority HIGH",
      policy(0, step(5, lead)),
      highRules(6),
      { priorityOverride: "HIGH" },
      [late],
    ],
    [
      "warned about a step after the escalation step that follows the one for the person",
      policy(0, step(30, ann), step(5, lead)),
      highRules(6),
      { targets: to("grp_lead") },
      [late],
    ],
    [
      "not warned about a step before the escalation step that follows the one for the person",
      policy(0, step(5, ann), step(30, lead)),
      highRules(6),
      { targets: to("grp_lead") },
      [],
    ],
    [
      "not warned about a step after the last escalation step of a policy without repeats",
      policy(0, step(5, ann)),
      highRules(6),
      { targets: to("grp_lead") },
      [],
    ],
    [
      "warned about a step after the last escalation step of a policy with a repeat",
      policy(1, step(5, ann)),
      highRules(6),
      { targets: to("grp_lead") },
      [late],
    ],
    [
      "warned about a step that the policy overtakes twice",
      policy(1, step(5, ops), step(5, ann)),
      highRules(6),
      {},
      [late],
    ],
    ["not warned about a late step under a policy without steps", policy(0), highRules(6), {}, []],
  ])("is %s", (_when, one, own, fields, expected) => {
    expect(warningsOf(own, peopleWith([one]), [{ ...asking, ...fields }])).toEqual(expected);
  });

  it("is warned if their URGENT steps come later than the workspace requires", () => {
    const peopleWithFloor = (withinMinutes: number) =>
      peopleWith([], { urgentFloor: { ways: ["email"], withinMinutes } });
    const own = rules({ URGENT: [notificationStep(0, "push"), notificationStep(5, "email")] });

    expect(warningsOf(own, peopleWithFloor(4))).toEqual(["below_floor rungs.URGENT"]);
    expect(warningsOf(own, peopleWithFloor(5))).toEqual([]);
    expect(warningsOf(rules({}), peopleWithFloor(0))).toEqual([]);
  });
});

describe("a person who saves an escalation policy", () => {
  const late = rules({ HIGH: [notificationStep(0, "push"), notificationStep(10, "email")] });
  const policyWarnings = (policy: FrozenPolicy, fields: Partial<People>) =>
    checkPolicySteps(policy, [asking], peopleWith([], fields), NOON).map(({ code, id }) => `${code} ${id}`);

  it("is warned about members whose own notification steps page only after the policy has moved on", () => {
    const notificationRules = new Map([
      ["usr_ann", late],
      ["usr_bob", { ...late, userId: "usr_bob" }],
    ]);

    expect(policyWarnings(policy(0, step(5, lead)), { notificationRules })).toEqual(["policy_moves_on usr_ann"]);
    expect(policyWarnings(policy(0, step(5, lead), step(5, ann)), { notificationRules })).toEqual([
      "policy_moves_on usr_ann",
      "policy_moves_on usr_bob",
    ]);
    expect(policyWarnings(policy(0, step(15, lead)), { notificationRules })).toEqual([]);
  });

  it("is not warned about people who are not members", () => {
    const people = peopleWith([]);
    const members = new Map([...people.members].filter(([id]) => id !== "usr_ann"));

    expect(
      policyWarnings(policy(0, step(5, lead)), { members, notificationRules: new Map([["usr_ann", late]]) }),
    ).toEqual([]);
  });
});
