import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { ACK_MINUTES_MAX, ACK_MINUTES_MIN, ADDED_AT_ONCE_MAX } from "../../../../core/domain/basics/limits.ts";
import { computeSnoozeEnd, SnoozeInput, NotifyInput, toNoteView } from "../../../../core/domain/event/actions.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const MINUTE = 60_000;
const timeAfter = (minutes: number, ms = 0): string => new Date(NOON + minutes * MINUTE + ms).toISOString();
const messagesOf = (schema: v.GenericSchema, input: unknown) =>
  v.safeParse(schema, input).issues?.map(({ message }) => message) ?? [];

describe("a request to snooze an event", () => {
  it.each([
    ["accepted with minutes", { minutes: 30 }, true],
    ["accepted with an end time", { until: timeAfter(30) }, true],
    ["refused without minutes and end time", {}, false],
    ["refused with both minutes and an end time", { minutes: 30, until: timeAfter(30) }, false],
  ])("is %s", (_what, input, isGood) => {
    expect(messagesOf(SnoozeInput, input)).toEqual(isGood ? [] : ['Exactly one of "minutes" and "until" is required.']);
  });

  it("for 30 minutes sets the end to 30 minutes later", () => {
    expect(computeSnoozeEnd({ minutes: 30 }, NOON)).toBe(NOON + 30 * MINUTE);
  });

  it.each([
    ["accepted with the earliest allowed end", timeAfter(ACK_MINUTES_MIN), true],
    ["refused with an end that is 1 ms too early", timeAfter(ACK_MINUTES_MIN, -1), false],
    ["accepted with the latest allowed end", timeAfter(ACK_MINUTES_MAX), true],
    ["refused with an end that is 1 ms too late", timeAfter(ACK_MINUTES_MAX, 1), false],
    ["refused with an end in the past", timeAfter(-60), false],
  ])("is %s", (_what, until, isGood) => {
    const end = isGood
      ? Date.parse(until)
      : {
          field: "until",
          code: "out_of_range",
          message: `until must be ${ACK_MINUTES_MIN} to ${ACK_MINUTES_MAX} minutes in the future.`,
        };

    expect(computeSnoozeEnd({ until }, NOON)).toEqual(end);
  });
});

describe("a request to notify more people of an event", () => {
  const user = (index: number) => `usr_${String(index).padStart(32, "0")}`;
  const group = `grp_${"0".repeat(26)}`;
  const userIds = (count: number) => Array.from({ length: count }, (_, index) => user(index));
  const count = `userIds and groupIds must have 1 to ${ADDED_AT_ONCE_MAX} entries together.`;

  it.each<[string, object, string[]]>([
    ["refused if it names nobody", {}, [count]],
    ["accepted if it names a person", { userIds: [user(1)] }, []],
    ["accepted if it names a group", { groupIds: [group] }, []],
    ["accepted for the allowed number of targets", { userIds: userIds(ADDED_AT_ONCE_MAX - 1), groupIds: [group] }, []],
    ["refused if it has one target too many", { userIds: userIds(ADDED_AT_ONCE_MAX), groupIds: [group] }, [count]],
    [
      "refused if it names a person as a group",
      { groupIds: [user(1)] },
      ["A group id must be the id of a group of this workspace."],
    ],
  ])("is %s", (_, input, faults) => {
    expect(messagesOf(NotifyInput, input)).toEqual(faults);
  });
});

it("a note on an event shows who wrote it and when", () => {
  const by = { id: "usr_ann", name: "Ann" };

  expect(toNoteView({ id: "note_1", at: NOON, by, text: "Restarted." })).toEqual({
    id: "note_1",
    createdAt: "2026-11-21T12:00:00.000Z",
    by,
    text: "Restarted.",
  });
});
