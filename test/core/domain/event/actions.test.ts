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
    [{ minutes: 30 }, true],
    [{ until: timeAfter(30) }, true],
    [{}, false],
    [{ minutes: 30, until: timeAfter(30) }, false],
  ])("must give either minutes or a time: %j is accepted: %s", (input, isGood) => {
    expect(messagesOf(SnoozeInput, input)).toEqual(isGood ? [] : ['Exactly one of "minutes" and "until" is required.']);
  });

  it("for some minutes ends after that many minutes", () => {
    expect(computeSnoozeEnd({ minutes: 30 }, NOON)).toBe(NOON + 30 * MINUTE);
  });

  it.each([
    [timeAfter(ACK_MINUTES_MIN), true],
    [timeAfter(ACK_MINUTES_MIN, -1), false],
    [timeAfter(ACK_MINUTES_MAX), true],
    [timeAfter(ACK_MINUTES_MAX, 1), false],
    [timeAfter(-60), false],
  ])("until %s is accepted unless that time is too soon or too late: %s", (until, isGood) => {
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
    ["nobody", {}, [count]],
    ["a person", { userIds: [user(1)] }, []],
    ["a group", { groupIds: [group] }, []],
    ["as many targets as allowed", { userIds: userIds(ADDED_AT_ONCE_MAX - 1), groupIds: [group] }, []],
    ["one target more than allowed", { userIds: userIds(ADDED_AT_ONCE_MAX), groupIds: [group] }, [count]],
    [
      "an id that is not a group's",
      { groupIds: [user(1)] },
      ["A group id must be the id of a group of this workspace."],
    ],
  ])("is checked for the number and the kind of its targets: it names %s", (_, input, faults) => {
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
