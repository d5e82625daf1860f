import { describe, expect, test } from "vitest";
import type { FrozenPolicy } from "../../../../core/domain/escalation/escalation-policy.ts";
import { simulateEscalation } from "../../../../core/domain/planning/timeline.ts";
import { buildPeople } from "../../../../core/domain/people/people.ts";

const START = Date.UTC(2026, 2, 2, 12);
const createdAt = "2026-01-01T00:00:00.000Z";
const everybody = ["usr_ann", "usr_bob", "usr_cyd", "usr_dan"];
const groups: Record<string, string[]> = { grp_first: ["usr_ann"], grp_duty: ["usr_bob", "usr_cyd"], grp_empty: [] };

/** Bob and Cyd take turns of an hour from 12:00; after 14:00 nobody is on call. */
const people = buildPeople({
  members: everybody.map((userId) => ({ userId, name: userId, email: "", createdAt })),
  groups: Object.keys(groups).map((id) => ({ id, name: id, workspaceId: "ws_1", createdAt })),
  groupMembers: Object.entries(groups).flatMap(([groupId, ids]) => ids.map((userId) => ({ groupId, userId }))),
  schedules: [
    {
      groupId: "grp_duty",
      timeZone: "UTC",
      updatedAt: createdAt,
      layers: [
        {
          start: "2026-03-02T12:00",
          until: "2026-03-02T14:00",
          every: 1,
          unit: "hour",
          participants: ["usr_bob", "usr_cyd"],
        },
      ],
    },
  ],
});

const onDuty = { type: "group", groupId: "grp_duty", onCallOnly: true } as const;
const user = (userId: string) => ({ type: "user", userId }) as const;
const policyOf = (steps: FrozenPolicy["steps"], fields: Partial<FrozenPolicy> = {}): FrozenPolicy => ({
  id: "esc_1",
  name: "Ladder",
  repeat: 0,
  steps,
  ...fields,
});
const ann = [{ userId: "usr_ann", reason: { groupId: "grp_first" } }];

/** Lists the steps of a simulated escalation, each as "minutes users (reason)". */
const listSteps = (policy: FrozenPolicy, { recipients = ann, without = [""], confirm = true } = {}) =>
  simulateEscalation(
    policy,
    people,
    { at: START, recipients },
    { hasDevice: (userId) => !without.includes(userId), confirm },
  ).map(
    ({ at, recipients: who, because }) =>
      `${(at - START) / 60_000} ${who.map(({ userId }) => userId).join(" ")} (${because})`,
  );

describe("the timeline of an escalation that nobody acknowledges", () => {
  const ladder = policyOf([
    { delayMinutes: 50, targets: [onDuty] },
    { delayMinutes: 20, targets: [] },
    { delayMinutes: 15, targets: [onDuty, user("usr_dan")] },
  ]);

  test("notifies the people on call at the time of each step, repeat by repeat, and skips an empty step", () => {
    expect(listSteps({ ...ladder, repeat: 1 })).toEqual([
      "50 usr_bob (delay)",
      "65 usr_cyd usr_dan (delay)",
      "115 usr_cyd (delay)",
      "130 usr_dan (delay)",
    ]);
  });

  test("says in which groups nobody is on call", () => {
    const late = policyOf([{ delayMinutes: 130, targets: [onDuty, { ...onDuty, groupId: "grp_empty" }] }]);

    expect(
      simulateEscalation(late, people, { at: START, recipients: ann }, { hasDevice: () => true, confirm: true }),
    ).toEqual([
      {
        cursor: { round: 0, step: 0 },
        at: START + 130 * 60_000,
        because: "delay",
        recipients: [],
        unreached: [
          { groupId: "grp_duty", because: "nobody_on_call" },
          { groupId: "grp_empty", because: "group_empty" },
        ],
      },
    ]);
  });

  test("begins at once if the rule notifies nobody, and skips in each repeat the steps that notify nobody", () => {
    const steps = [
      { delayMinutes: 5, targets: [{ ...onDuty, groupId: "grp_empty" }] },
      { delayMinutes: 10, targets: [user("usr_dan")] },
    ];

    expect(listSteps(policyOf(steps, { repeat: 1 }), { recipients: [] })).toEqual([
      "0  (delay)",
      "0 usr_dan (delay)",
      "5  (delay)",
      "5 usr_dan (delay)",
    ]);
  });

  test("does not wait while none of the notified people has a device, except before a repeat", () => {
    expect(listSteps({ ...ladder, repeat: 1 }, { without: ["usr_ann", "usr_bob"] })).toEqual([
      "0 usr_bob (nobody_reached)",
      "0 usr_bob usr_dan (nobody_reached)",
      "50 usr_bob (delay)",
      "65 usr_cyd usr_dan (delay)",
    ]);
  });

  test("waits for a confirmation if the policy requires one, and continues if no confirmation comes", () => {
    const asking = policyOf(
      [
        { delayMinutes: 1, targets: [onDuty] },
        { delayMinutes: 30, targets: [user("usr_dan")] },
      ],
      { confirmWithinSeconds: 90 },
    );

    expect(listSteps(asking)).toEqual(["1 usr_bob (delay)", "31 usr_dan (delay)"]);
    expect(listSteps(asking, { confirm: false })).toEqual(["1 usr_bob (delay)", "2.5 usr_dan (not_confirmed)"]);
  });

  test("ends at once if no step has targets", () => {
    expect(listSteps(policyOf([{ delayMinutes: 5, targets: [] }], { repeat: 2 }))).toEqual([]);
  });
});
