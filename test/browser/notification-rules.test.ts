import { expect, test } from "vitest";
import { aPerson, callApi, workspaceNamed } from "./person.ts";

test("a person sets notification steps and quiet hours, sees faults at their fields, and finds the saved values", async () => {
  const [, member] = workspaceNamed("Globex").members;
  const person = await aPerson();
  await person.signInAs(member!.email);
  const { page } = person;

  await person.openAccount();
  await person.goTo("Notification steps");
  await person.pressNamed("Add a step: High");
  await person.pressNamed("Add a step: High");
  await person.fill("Minutes until step 2 (High)", "0");
  await person.check("Quiet hours");
  await person.pressNamed("Save notification steps");
  await page.getByText("Minutes until step 2 (High): must be more than the 0 of the step before it.").waitFor();

  await person.fill("Minutes until step 2 (High)", "7");
  await person.pressNamed("Save notification steps");
  await page.getByText("Notification steps saved.").waitFor();
  await page.reload();
  await person.heading("Notification steps").waitFor();

  expect(await page.getByLabel("Minutes until step 2 (High)").inputValue()).toBe("7");
  const rules = await callApi("Globex", "GET", "/notification-rules", undefined, 1);
  expect(rules).toMatchObject({
    rungs: {
      HIGH: [
        { afterMinutes: 0, ways: ["push"] },
        { afterMinutes: 7, ways: ["push"] },
      ],
      URGENT: [],
    },
    quietHours: { from: "22:00", to: "07:00", holdBelow: "URGENT" },
  });
  await callApi("Globex", "PUT", "/notification-rules", {}, 1);
});
