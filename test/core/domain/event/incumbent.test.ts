import { expect, it } from "vitest";
import { isSameReportedAction, toIncumbentViews } from "../../../../core/domain/event/incumbent.ts";

const message = { action: "escalated" as const, at: 0, by: "Bob", notified: ["Carol", "Dan"] };

it.each([
  ["the same content at another time", { at: 5 }, true, "is"],
  ["another action", { action: "closed" as const }, false, "is not"],
  ["another person", { by: "Eve" }, false, "is not"],
  ["fewer people notified", { notified: ["Carol"] }, false, "is not"],
  ["one name made of two people's names", { notified: ["CarolDan"] }, false, "is not"],
])("in a shadow, a second message of the old service with %s $3 a repeat of the first", (_, fields, isSame, _verb) => {
  expect(isSameReportedAction(message, { ...message, ...fields })).toBe(isSame);
});

it("the messages that the old service sent during a shadow are shown with their times", () => {
  expect(toIncumbentViews({})).toEqual([]);
  expect(toIncumbentViews({ incumbent: [message, { action: "closed", at: 1, notified: [] }] })).toEqual([
    { action: "escalated", at: "1970-01-01T00:00:00.000Z", by: "Bob", notified: ["Carol", "Dan"] },
    { action: "closed", at: "1970-01-01T00:00:00.001Z", by: null, notified: [] },
  ]);
});
