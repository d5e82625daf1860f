import { expect, test } from "vitest";
import { aPerson, asDora, callApi, HANDS, makeRule } from "./person.ts";

test.each(HANDS)("using $input, an owner finds in the audit trail who disabled a rule", async ({ keyboard }) => {
  const name = `Rule of the trail ${Date.now().toString(36)}`;
  const [group] = await callApi<{ id: string }[]>("Demo", "GET", "/groups");
  const id = await makeRule("Demo", group!.id, { name, eventKey: "order.*" });
  await callApi("Demo", "PATCH", `/routing-rules/${id}`, { enabled: false });
  const dora = await asDora({ keyboard, at: "/audit" });
  const { page } = dora;
  await dora.choose("Changed item", "Rules");
  await dora.choose("How", "Changed");
  const entry = page.getByRole("listitem").filter({ hasText: `Dora changed the rule ${name}` });
  await dora.press(entry.getByText(`Dora changed the rule ${name}: enabled yes → no`));
  await entry.getByRole("row", { name: "enabled yes no" }).waitFor();
  await dora.pressNamed(`Replay last week's events with the previous version: Dora changed the rule ${name}`, entry);
  await page
    .getByRole("status")
    .getByText(/previous version would have notified/)
    .waitFor();

  expect(Object.fromEntries(new URL(page.url()).searchParams)).toMatchObject({ target: "rule", action: "updated" });
  await dora.pressNamed("Open", entry);
  await dora.heading(name).waitFor();
});

test("a member who is not an owner reads that the audit trail requires the owner role", async () => {
  const dan = await aPerson();
  await dan.signInAs("dan@demo.example");
  await dan.open("/audit", "Demo");
  await dan.page.getByText(/This requires the role owner; yours is manager/).waitFor();

  expect(await dan.page.getByRole("main").getByRole("listitem").count()).toBe(0);
});
