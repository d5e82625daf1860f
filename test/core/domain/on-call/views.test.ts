import { expect, it } from "vitest";
import { toOnCallMembers } from "../../../../core/domain/on-call/views.ts";
import { NOON, people } from "../support.ts";

const HOUR = 3_600_000;

it("the on-call view shows who is on call by which shift, and whether the group's rules notify them", () => {
  const onCall = [
    {
      userId: "usr_bob",
      source: { kind: "layer" as const, layer: 1, shiftStart: NOON, shiftEnd: NOON + HOUR },
    },
    {
      userId: "usr_cat",
      blocked: "not_in_group" as const,
      source: { kind: "override" as const, overrideId: "ovr_1", start: NOON - HOUR, end: NOON + 2 * HOUR },
    },
  ];

  expect(toOnCallMembers(onCall, people.members, (id) => id === "usr_bob")).toEqual([
    {
      userId: "usr_bob",
      name: "Bob",
      email: "bob@acme.example",
      inGroup: true,
      notified: true,
      notNotified: null,
      source: { kind: "layer", layer: 1, start: "2026-11-21T12:00:00.000Z", end: "2026-11-21T13:00:00.000Z" },
      proven: true,
    },
    {
      userId: "usr_cat",
      name: "Cat",
      email: "cat@acme.example",
      inGroup: false,
      notified: false,
      notNotified: "not_in_group",
      source: {
        kind: "override",
        overrideId: "ovr_1",
        start: "2026-11-21T11:00:00.000Z",
        end: "2026-11-21T14:00:00.000Z",
      },
      proven: false,
    },
  ]);
});

it("the on-call view leaves out people who have left the workspace", () => {
  const source = { kind: "layer" as const, layer: 0, shiftStart: NOON, shiftEnd: NOON + HOUR };

  expect(toOnCallMembers([{ userId: "usr_gone", source }], people.members, () => null)).toEqual([]);
});
