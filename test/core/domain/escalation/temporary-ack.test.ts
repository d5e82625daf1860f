import * as v from "valibot";
import { describe, expect, it } from "vitest";
import {
  EscalationPolicyInput,
  findResumeStep,
  addRepeats,
  type EscalationPlan,
} from "../../../../core/domain/escalation/escalation-policy.ts";
import {
  computeConfirmationTime,
  computeEarliestAckStart,
  findLatestAckEnd,
  isTooLateToEscalate,
  findShortestAckMinutes,
  computeAckEnd,
} from "../../../../core/domain/escalation/temporary-ack.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe("a temporary acknowledgement", () => {
  it.each([
    [5, 4],
    [20, 16],
    [25, 20],
    [30, 25],
    [600, 595],
  ])(
    "of %i minutes ends after these minutes, and its acknowledger is asked to confirm after %i minutes",
    (minutes, asked) => {
      const until = computeAckEnd(NOON, minutes);

      expect(until).toBe(NOON + minutes * MINUTE);
      expect(computeConfirmationTime({ at: NOON, until })).toBe(NOON + asked * MINUTE);
    },
  );

  it("rounds the time of its confirmation request to a whole millisecond", () => {
    expect(computeConfirmationTime({ at: 0, until: 9 })).toBe(8);
  });
});

describe("a series of temporary acknowledgements of one event", () => {
  it("ends after a day at most", () => {
    expect(findLatestAckEnd(NOON)).toBe(NOON + 24 * HOUR);
    expect(computeEarliestAckStart(NOON)).toBe(NOON - 24 * HOUR);
  });

  it.each([
    ["that ended an hour ago can still notify people", NOON - HOUR, false],
    ["that ended more than an hour ago notifies nobody", NOON - HOUR - 1, true],
    ["that has not begun can still notify people", undefined, false],
  ])("%s", (_, ends, isTooLate) => {
    expect(isTooLateToEscalate(ends, NOON)).toBe(isTooLate);
  });
});

it.each([
  ["not set if there are no policies", [], undefined],
  ["not set if no policy has one", [undefined, {}, { ackMinutes: null }], undefined],
  [
    "20 minutes if policies have 20 and 30 minutes",
    [{ ackMinutes: 30 }, { ackMinutes: null }, undefined, { ackMinutes: 20 }],
    20,
  ],
])("the shortest acknowledgement time of escalation policies is %s", (_what, policies, minutes) => {
  expect(findShortestAckMinutes(policies)).toBe(minutes);
});

describe("an escalation that resumes when a temporary acknowledgement has ended", () => {
  const group = { type: "group", groupId: "grp_1" };
  const policy = (repeat: number, ...targets: unknown[][]): EscalationPlan =>
    v.parse(EscalationPolicyInput, {
      name: "Up",
      repeat,
      steps: targets.map((notifies) => ({ delayMinutes: 5, targets: notifies })),
    });

  it("has the repeats of its policy, plus the repeats that earlier acknowledgements added", () => {
    const plan = policy(1, [group]);

    expect(addRepeats(plan, 0)).toBe(plan);
    expect(addRepeats(plan, 2)).toStrictEqual({ ...plan, repeat: 3 });
  });

  it.each<[string, EscalationPlan, Parameters<typeof findResumeStep>[1], object | undefined]>([
    [
      "with the next step",
      policy(0, [group], [group]),
      { next: { cursor: 2 }, fired: 1, added: 0 },
      { cursor: 2, added: 0 },
    ],
    [
      "with an additional repeat after the last repeat of the policy",
      policy(0, [group], [group]),
      { next: undefined, fired: 2, added: 0 },
      { cursor: 3, added: 1 },
    ],
    [
      "with a second additional repeat after the first one",
      policy(0, [group], [group]),
      { next: undefined, fired: 4, added: 1 },
      { cursor: 5, added: 2 },
    ],
    [
      "with the next step that notifies somebody",
      policy(0, [], [group]),
      { next: undefined, fired: 2, added: 0 },
      { cursor: 4, added: 1 },
    ],
  ])("continues %s", (_how, plan, position, goesOn) => {
    expect(findResumeStep(plan, position)).toEqual(goesOn);
  });

  it("ends if none of its steps notifies anybody", () => {
    const plan = { ...policy(0, [group]), steps: [{ delayMinutes: 5, targets: [] }] };

    expect(findResumeStep(plan, { next: undefined, fired: 1, added: 0 })).toBeUndefined();
  });
});
