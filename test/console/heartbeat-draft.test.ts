import { expect, it } from "vitest";
import { emptyDraft, intervalOf, toDraft, toInput } from "../../console/pages/heartbeats/draft.ts";

/* A heartbeat as it is typed, and as the API has it. */

it.each([
  [10, "10", "seconds"],
  [90, "90", "seconds"],
  [60, "1", "minutes"],
  [5400, "90", "minutes"],
  [7200, "2", "hours"],
  [86_400, "1", "days"],
  [7 * 86_400, "7", "days"],
])("%i seconds are said as %s %s", (seconds, every, unit) => {
  expect(intervalOf(seconds)).toEqual({ every, unit });
});

it("is sent as it was typed, in seconds", () => {
  expect(toInput({ ...emptyDraft, name: "Backup", every: "1.5", unit: "hours", graceMinutes: "0.5" })).toEqual({
    name: "Backup",
    everySeconds: 5400,
    graceSeconds: 30,
    priority: "HIGH",
  });
});

it("is the same after it was read and sent again", () => {
  const stored = { name: "Backup", everySeconds: 3 * 86_400, graceSeconds: 90, priority: "URGENT" as const };
  const view = {
    ...stored,
    id: "hb_1",
    workspaceId: "ws_1",
    paused: false,
    status: "up" as const,
    lastCallAt: null,
    missedAfter: null,
    missedSince: null,
    version: 1,
    createdAt: "",
    updatedAt: "",
    createdBy: null,
    updatedBy: null,
  };

  expect(toInput(toDraft(view))).toEqual(stored);
});
