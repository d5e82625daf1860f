import { expect, it } from "vitest";
import { toDraft } from "../../console/pages/notification-rules/draft.ts";
import { previewNight } from "../../console/pages/notification-rules/preview.ts";
import { MINUTE_MS } from "../../core/domain/basics/units.ts";

/** Saturday evening. */
const NOW = new Date("2026-11-28T20:00:00").getTime();
const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
const rungs = {
  URGENT: [
    { afterMinutes: 0, ways: ["push" as const] },
    { afterMinutes: 10, ways: ["voice" as const] },
  ],
  HIGH: [{ afterMinutes: 0, ways: ["push" as const] }],
  NORMAL: [],
  LOW: [],
};
const urgentFloor = { ways: ["sms" as const], withinMinutes: 5 };
type Hours = { days: ("mon" | "sun")[]; to?: string; timeZone?: string };
const previewAtNight = (priority: "URGENT" | "HIGH" | "NORMAL", floor: typeof urgentFloor | null, hours: Hours) => {
  const quietHours = { from: "00:00", to: "07:00", timeZone, holdBelow: "URGENT" as const, ...hours };
  const draft = toDraft({ userId: "u", rungs, quietHours, version: 1, urgentFloor: floor, ways: [] });
  const found = previewNight(draft, floor, priority, NOW);
  return (
    found && [new Date(found.at).getHours(), found.steps?.map(({ at, ways }) => [(at - found.at) / MINUTE_MS, ...ways])]
  );
};

it.each([
  [
    "has the person's steps at their times",
    previewAtNight("URGENT", null, { days: ["sun"] }),
    [
      [0, "push"],
      [10, "voice"],
    ],
  ],
  [
    "adds the channels of the workspace's minimum",
    previewAtNight("URGENT", urgentFloor, { days: ["sun"] }),
    [
      [0, "push"],
      [5, "sms"],
      [10, "voice"],
    ],
  ],
  ["begins at the end of quiet hours", previewAtNight("HIGH", urgentFloor, { days: ["sun"] }), [[240, "push"]]],
  ["begins at once on days without quiet hours", previewAtNight("HIGH", urgentFloor, { days: ["mon"] }), [[0, "push"]]],
  ["shows no steps if the person has set none", previewAtNight("NORMAL", null, { days: ["mon"] }), undefined],
])("the preview of notification steps for an alert at three at night %s", (_, found, steps) => {
  expect(found).toEqual([3, steps]);
});

it.each([
  ["no end", { days: ["sun"], to: "" }],
  ["an unknown time zone", { days: ["sun"], timeZone: "Europe/Berl" }],
] satisfies [string, Hours][])("there is no preview of notification steps while quiet hours have %s", (_, hours) => {
  expect(previewAtNight("HIGH", null, hours)).toBeUndefined();
});
