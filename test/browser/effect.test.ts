import { expect, test } from "vitest";
import { asDora, sendEvent } from "./person.ts";

test("a rule that is being typed is shown with its faults, the past events that it matches, and the people it would have notified", async () => {
  for (const celsius of [12, 31, 48])
    await sendEvent("Demo", {
      event: "boiler.measured",
      title: `Boiler at ${celsius} degrees`,
      body: "Measured.",
      data: { celsius },
    });
  const dora = await asDora({ at: "/rules/new" });
  const { page } = dora;
  const effect = page.getByRole("region", { name: "Preview" });
  /** Finds a sentence of the preview. The live region repeats one of the sentences, but not in a paragraph. */
  const findParagraph = (hasText: RegExp) => effect.getByRole("paragraph").filter({ hasText });
  const findPastEvent = (title: string) =>
    effect.getByRole("list", { name: "The last week" }).getByRole("listitem").filter({ hasText: title });

  await dora.fill("Event key", "boiler.measured");
  await effect.getByText("Choose a group; without a group, nobody is notified.").waitFor();
  await dora.check("Platform");
  await dora.pressNamed("Add condition");
  await dora.fill("Field", "data.celsius");
  await dora.choose("Operator", "is greater than");
  await dora.fill("Value", "30");

  await findParagraph(/^The rule would have matched 2 of the/).waitFor();
  await effect
    .getByRole("status")
    .filter({ hasText: /^The rule would have matched 2 of the [^.]*\.$/ })
    .waitFor();
  const matched = findPastEvent("Boiler at 48 degrees");
  expect(await matched.getByText(/^The rule would notify /).textContent()).toMatch(/Dora/);
  expect(await matched.getByText(/^The rule would notify /).textContent()).toMatch(/Sam/);
  expect(await matched.count()).toBe(1);
  await findPastEvent("Boiler at 12 degrees").getByText("Does not match").waitFor();
  expect(await effect.getByRole("list", { name: "The last week" }).count()).toBe(1);
  await page.getByRole("group", { name: "Whom" }).getByLabel("On call only").waitFor();
  const save = await page.getByRole("button", { name: "Save" }).boundingBox();
  expect(save!.y + save!.height).toBeLessThanOrEqual(800);
  await effect.getByText(/people cannot be reached: .*Sam/).waitFor();
  expect(await effect.getByText(/^Dora: /).count()).toBe(0);

  await dora.check("Notify only after several events");
  await dora.fill("Number of events", "2");
  await dora.fill("Time window in minutes", "10");
  await effect.getByText(/^The rule would have avoided /).waitFor();
  await effect.getByText(/^1 event would have notified people later, when the threshold was reached: after /).waitFor();
  await dora.choose("Period of past events", "The last four weeks");
  await effect.getByRole("list", { name: "The last four weeks" }).getByText("Boiler at 48 degrees").waitFor();

  await dora.fill("Value", "100");
  await findParagraph(/^The rule would have matched 0 of the/).waitFor();
  expect(await effect.getByText(/^The rule would notify /).count()).toBe(0);

  await dora.choose("Operator", "matches the regular expression");
  await dora.fill("Value", "(");
  await findParagraph(/regular expression/)
    .first()
    .waitFor();
  expect(await effect.getByText(/^The rule would have matched/).count()).toBe(0);

  await dora.fill("Event key", "boiler.exploded");
  await findParagraph(/regular expression/)
    .first()
    .waitFor();
  await dora.fill("Value", "4[0-9]");
  await effect.getByText(/^None of the last [\d,]+ events has a matching event key/).waitFor();
  await effect.getByText(/people cannot be reached: .*Sam/).waitFor();
});
