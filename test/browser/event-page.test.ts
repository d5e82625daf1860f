import { expect, test } from "vitest";
import { asDora, makeGroup, makeRule, sendEvent, workspaceNamed } from "./person.ts";

test("a note stands in the story of its event, also when that is over", async () => {
  const groupId = await makeGroup("Demo", "For notes", [workspaceNamed("Demo").members[0]!.userId]);
  await makeRule("Demo", groupId, { name: "Notes", eventKey: "note.wanted" });
  const { eventId } = await sendEvent("Demo", { event: "note.wanted", title: "About a note", body: "Look" });
  const dora = await asDora({ at: `/events/${eventId}` });
  const { page } = dora;
  const timeline = page.getByRole("region", { name: "Timeline" });

  await page.getByText("Add a note").click();
  await dora.fill("Note", "The disk is on its way");
  await dora.pressNamed("Add note");
  await timeline.getByText("Note by Dora: The disk is on its way").waitFor();
  expect(await page.getByLabel("Note", { exact: true }).first().inputValue()).toBe("");
  await dora.pressNamed("Resolve");
  await dora.pressNamed("Resolve", page.getByRole("dialog"));
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await dora.fill("Note", "x".repeat(2001));
  await dora.pressNamed("Add note");
  await page.getByRole("alert").getByText("Note: must have at most 2000 characters.").waitFor();
  await dora.fill("Note", "Swapped");
  await dora.pressNamed("Add note");
  await timeline.getByText("Note by Dora: Swapped").waitFor();
});
