import { expect, it } from "vitest";
import { emptyDraft, toIntervalDraft, toHeartbeatInput } from "../../console/pages/heartbeats/draft.ts";

it.each([
  [10, "10", "seconds"],
  [90, "90", "seconds"],
  [60, "1", "minutes"],
  [5400, "90", "minutes"],
  [7200, "2", "hours"],
  [86_400, "1", "days"],
  [7 * 86_400, "7", "days"],
])("a heartbeat's interval of %i seconds is shown as %s %s", (seconds, every, unit) => {
  expect(toIntervalDraft(seconds)).toEqual({ every, unit });
});

it("a heartbeat's interval and grace period are sent in seconds, whatever unit was typed", () => {
  expect(toHeartbeatInput({ ...emptyDraft, name: "Backup", every: "1.5", unit: "hours", graceMinutes: "0.5" })).toEqual(
    {
      name: "Backup",
      everySeconds: 5400,
      graceSeconds: 30,
      priority: "HIGH",
    },
  );
});
