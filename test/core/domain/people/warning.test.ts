import { expect, it } from "vitest";
import { createWarning } from "../../../../core/domain/people/warning.ts";

it("a warning says what is wrong, and has the id of the affected item if the warning is about one of several", () => {
  expect(createWarning("gaps")).toStrictEqual({
    code: "gaps",
    message: 'In the next 28 days there are times when nobody on call would be notified; "gaps" lists them.',
  });
  expect(createWarning("no_device", "usr_ann")).toStrictEqual({
    code: "no_device",
    message: "This person has no registered device: notifications to this person fail.",
    id: "usr_ann",
  });
});
