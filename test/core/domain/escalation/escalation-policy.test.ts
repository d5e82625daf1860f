import { describe, expect, test } from "vitest";
import * as v from "valibot";
import { parseInput } from "../../../../core/domain/basics/faults.ts";
import {
  findNextDueStep,
  findFirstDueStep,
  computeStepNumber,
  findCursorOfNumber,
  computeStepDueTime,
  type EscalationPlan,
  EscalationPolicyInput,
  EscalationPolicyPatch,
  findFirstCursor,
  findNextCursor,
  findStep,
} from "../../../../core/domain/escalation/escalation-policy.ts";

const MINUTE = 60_000;
const group = { type: "group", groupId: "grp_1" };
const user = { type: "user", userId: "usr_1" };
const step = (delayMinutes: number, targets: unknown[] = [group]) => ({ delayMinutes, targets });
const emptyStep = (delayMinutes: number) => step(delayMinutes, []);

const policy = (repeat: number, ...steps: unknown[]): EscalationPlan =>
  v.parse(EscalationPolicyInput, { name: "Platform", repeat, steps });

/** Returns each fired step as "minute after the start, repeat.step"; `notifies` says whether a step reaches anybody. */
const firedSteps = (
  plan: EscalationPlan,
  notifies: (step: number, minute: number) => boolean = () => true,
  late = 0,
) => {
  const fired: string[] = [];
  let due = findFirstDueStep(plan, 0);
  while (due !== undefined) {
    const minute = due.dueAt / MINUTE + late;
    fired.push(`${minute}, ${due.cursor.round}.${due.cursor.step}`);
    due = findNextDueStep(plan, due, minute * MINUTE, notifies(due.cursor.step, minute));
  }
  return fired;
};

describe("the schedule of an escalation policy", () => {
  test("makes each step due after its own delay, counted from the previous step", () => {
    expect(firedSteps(policy(0, step(5), step(10), step(15)))).toEqual(["5, 0.0", "15, 0.1", "30, 0.2"]);
  });

  test("runs the steps once, and then repeats the steps as often as the policy says", () => {
    expect(firedSteps(policy(2, step(5), step(10), step(15)))).toEqual([
      "5, 0.0",
      "15, 0.1",
      "30, 0.2",
      "35, 1.0",
      "45, 1.1",
      "60, 1.2",
      "65, 2.0",
      "75, 2.1",
      "90, 2.2",
    ]);
  });

  test("skips an empty step at once, without waiting for the delay of that step", () => {
    expect(
      firedSteps(policy(1, emptyStep(60), step(5), emptyStep(30), emptyStep(20), step(10), emptyStep(1_440))),
    ).toEqual(["5, 0.1", "15, 0.4", "20, 1.1", "30, 1.4"]);
  });

  test.each([0, 5])("is over at once if every step is empty, with %i repeats", (repeat) => {
    expect(firedSteps(policy(repeat, emptyStep(1), emptyStep(2)))).toEqual([]);
    expect(firedSteps(policy(repeat))).toEqual([]);
  });

  test("begins at once if the first notification had no recipients", () => {
    expect(findFirstDueStep(policy(0, emptyStep(7), step(5)), 1_000, false)).toEqual({
      cursor: { round: 0, step: 1 },
      dueAt: 1_000,
    });
  });

  test("keeps its planned times when steps fire a little late", () => {
    expect(firedSteps(policy(1, step(5), step(10)), () => true, 0.5)).toEqual([
      "5.5, 0.0",
      "15.5, 0.1",
      "20.5, 1.0",
      "30.5, 1.1",
    ]);
  });

  test("gives people their full time to react when a step fires much too late", () => {
    expect(firedSteps(policy(0, step(5), step(10)), () => true, 3)).toEqual(["8, 0.0", "21, 0.1"]);
  });
});

describe("an escalation step whose groups have nobody on call", () => {
  test("is skipped at once, so that the next step fires at the same time", () => {
    expect(firedSteps(policy(0, step(5), step(10), step(15)), (step) => step !== 1)).toEqual([
      "5, 0.0",
      "15, 0.1",
      "15, 0.2",
    ]);
  });

  test("does not end the policy, and each repeat still waits for the delay of its first step", () => {
    expect(firedSteps(policy(2, step(5), step(10)), () => false)).toEqual([
      "5, 0.0",
      "5, 0.1",
      "10, 1.0",
      "10, 1.1",
      "15, 2.0",
      "15, 2.1",
    ]);
  });

  test("notifies, in the next repeat, people who have come on call meanwhile", () => {
    const fired = firedSteps(policy(1, step(30), step(10)), (_, minute) => minute >= 60);

    expect(fired).toEqual(["30, 0.0", "30, 0.1", "60, 1.0", "70, 1.1"]);
  });
});

describe("the position that an escalation has reached in its policy", () => {
  const plan = policy(1, emptyStep(1), step(5), step(10, [user]));

  test("begins at the first step with targets", () => {
    expect(findFirstCursor(plan)).toEqual({ round: 0, step: 1 });
  });

  test("goes through all repeats and then ends", () => {
    expect(findNextCursor(plan, { round: 0, step: 1 })).toEqual({ round: 0, step: 2 });
    expect(findNextCursor(plan, { round: 0, step: 2 })).toEqual({ round: 1, step: 1 });
    expect(findNextCursor(plan, { round: 1, step: 2 })).toBeUndefined();
  });

  test("names a step and the time when that step is due", () => {
    expect(findStep(plan, { round: 1, step: 2 })).toEqual({ delayMinutes: 10, targets: [user] });
    expect(computeStepDueTime(plan, { round: 1, step: 2 }, 1_000)).toBe(601_000);
  });

  test("has a unique number, counted from 1", () => {
    expect(computeStepNumber(plan, { round: 0, step: 0 })).toBe(1);
    expect(computeStepNumber(plan, { round: 1, step: 2 })).toBe(6);
    expect(findCursorOfNumber(plan, 6)).toEqual({ round: 1, step: 2 });
  });

  test.each([0, 7, -1, 1.5, Number.NaN])("may not have the number %j", (number) => {
    expect(findCursorOfNumber(plan, number)).toBeUndefined();
  });
});

describe("the request body of an escalation policy", () => {
  const faultsOf = (schema: v.GenericSchema, input: unknown): [string | null, string][] =>
    (v.safeParse(schema, input).issues ?? []).map((issue) => [v.getDotPath(issue), issue.message]);
  const input = (changes: object) => ({ name: "Platform", repeat: 1, steps: [step(5)], ...changes });

  test("has no repeats and notifies whole groups by default", () => {
    expect(v.parse(EscalationPolicyInput, { name: "Platform", steps: [step(5, [group, user])] })).toEqual({
      name: "Platform",
      repeat: 0,
      steps: [
        {
          delayMinutes: 5,
          targets: [
            { type: "group", groupId: "grp_1", onCallOnly: false },
            { type: "user", userId: "usr_1" },
          ],
        },
      ],
    });
  });

  test("may have a name of up to 100 characters, counted in Unicode code points", () => {
    expect(faultsOf(EscalationPolicyInput, input({ name: "🚨".repeat(100) }))).toEqual([]);
    expect(faultsOf(EscalationPolicyInput, input({ name: "🚨".repeat(101) }))).toEqual([
      ["name", "name must have at most 100 characters."],
    ]);
    expect(faultsOf(EscalationPolicyInput, input({ name: "" }))).toEqual([["name", "name must not be empty."]]);
  });

  test("may not have an unknown field", () => {
    expect(parseInput(EscalationPolicyInput, input({ ackMinute: 30 })).faults).toMatchObject([
      { field: "ackMinute", message: "ackMinute is not a field that can be set here. Did you mean ackMinutes?" },
    ]);
  });

  test.each([-1, 6, 0.5, "1"])("may not have %j repeats", (repeat) => {
    expect(faultsOf(EscalationPolicyInput, input({ repeat }))[0]).toEqual([
      "repeat",
      "repeat must be a whole number from 0 to 5.",
    ]);
  });

  test.each([0, 1_441, 1.5, "5"])("may not have a step after %j minutes", (delayMinutes) => {
    expect(faultsOf(EscalationPolicyInput, input({ steps: [{ delayMinutes, targets: [] }] }))[0]).toEqual([
      "steps.0.delayMinutes",
      "delayMinutes must be a whole number from 1 to 1440.",
    ]);
  });

  test("has at most 20 steps with at most 10 targets each", () => {
    const targets = Array.from({ length: 11 }, () => group);

    expect(faultsOf(EscalationPolicyInput, input({ steps: Array.from({ length: 21 }, () => emptyStep(1)) }))).toEqual([
      ["steps", "steps must have at most 20 entries."],
    ]);
    expect(faultsOf(EscalationPolicyInput, input({ steps: [step(1, targets)] }))).toEqual([
      ["steps.0.targets", "targets must have at most 10 entries."],
    ]);
  });

  test("with an invalid target gets a fault that names the place and the allowed values", () => {
    const targets = [
      { type: "group", groupId: "usr_1" },
      { type: "user", userId: "grp_1" },
      { type: "user", userId: "usr_1", onCallOnly: true },
      { type: "team", groupId: "grp_1" },
      { type: "group", groupId: "grp_1", onCallOnly: "yes" },
    ];

    expect(faultsOf(EscalationPolicyInput, input({ steps: [step(1, targets)] }))).toEqual([
      ["steps.0.targets.0.groupId", "groupId must be the id of a group of this workspace."],
      ["steps.0.targets.1.userId", "userId must be a user's id, such as usr_0123456789abcdef0123456789abcdef."],
      ["steps.0.targets.2.onCallOnly", '"onCallOnly" is allowed only for groups: a user is always notified.'],
      ["steps.0.targets.3.type", 'A target must be {type: "group", groupId, onCallOnly?} or {type: "user", userId}.'],
      ["steps.0.targets.4.onCallOnly", "onCallOnly must be true or false."],
    ]);
  });

  test("for an update has only the fields to change, and may not have the id", () => {
    expect(v.parse(EscalationPolicyPatch, { repeat: 2 })).toEqual({ repeat: 2 });
    expect(faultsOf(EscalationPolicyPatch, { id: "pol_1" })[0]?.[0]).toBe("id");
  });
});
