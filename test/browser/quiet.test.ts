import * as v from "valibot";
import { expect, test } from "vitest";
import { aPerson, readSession, workspaceNamed } from "./person.ts";

test("a silence over all events needs an explicit choice, and every page shows that the silence is active", async () => {
  const { token } = workspaceNamed("Demo").members[0]!;
  const made = await fetch(`${readSession().baseUrl}/v1/workspaces`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify({ name: "Quiet house" }),
  });
  const { id } = v.parse(v.object({ id: v.string() }), await made.json());
  const owner = await aPerson();
  const { page } = owner;
  await owner.signInAs(workspaceNamed("Demo").members[0]!.email);
  await page.goto(`${readSession().baseUrl}/silences?workspace=${id}`);

  await owner.pressNamed("New silence");
  await owner.fill("Name", "Move");
  await owner.pressNamed("Save");
  await page.locator("[aria-invalid=true]").first().waitFor();
  await owner.fill("Event key", "*");
  await owner.pressNamed("Save");
  await page.getByText("This silence covers every event.").first().waitFor();
  await owner.check("All events");
  await owner.pressNamed("Save");

  await page.getByText('Silence "Move" saved. Of the last 0 events').waitFor();
  const banner = page.getByText('The silence "Move" silences every event until');
  await banner.waitFor();
  await owner.goTo("Events");
  await banner.waitFor();
  expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);

  await page.getByRole("link", { name: "See silences" }).click();
  await owner.pressNamed("Edit Move");
  await owner.pressNamed("Delete silence");
  await owner.pressNamed("Delete silence", page.getByRole("dialog"));
  await page.getByText('Silence "Move" deleted.').waitFor();
  await banner.waitFor({ state: "detached" });
});
