import { expect, test } from "vitest";
import { asDora, callApi, sendEvent, workspaceNamed } from "./person.ts";

/** A group of the first people of Demo, and a rule that asks them to acknowledge events of a key. */
const setUp = async (eventKey: string, people: number, rule: object = {}): Promise<void> => {
  const { id: groupId } = await callApi("Demo", "POST", "/groups", { name: `For ${eventKey}` });
  for (const { userId } of workspaceNamed("Demo").members.slice(0, people))
    await callApi("Demo", "POST", `/groups/${groupId}/members`, { userId });
  const targets = [{ type: "group", groupId }];
  await callApi("Demo", "POST", "/routing-rules", { name: eventKey, eventKey, targets, requiresAck: true, ...rule });
};

const send = (event: string, fields: object = {}) =>
  sendEvent("Demo", { event, title: `About ${event}`, body: "Look", ...fields });

test("a note stands in the story of its event, also when that is over", async () => {
  await setUp("note.wanted", 1);
  const { eventId } = await send("note.wanted");
  const dora = await asDora();
  const { page } = dora;
  await dora.open(`/events/${eventId}`, "Demo");
  const story = page.getByRole("region", { name: "What happened" });

  await page.getByText("Write a note").click();
  await dora.fill("Note", "The disk is on its way");
  await dora.pressNamed("Add note");
  await story.getByText("Dora noted: The disk is on its way").waitFor();
  expect(await page.getByLabel("Note", { exact: true }).first().inputValue()).toBe("");
  await dora.pressNamed("Resolve");
  await dora.fill("Note", "x".repeat(2001));
  await dora.pressNamed("Add note");
  await page.getByRole("alert").getByText("Note: must have at most 2000 characters.").waitFor();
  await dora.fill("Note", "Swapped");
  await dora.pressNamed("Add note");
  await story.getByText("Dora noted: Swapped").waitFor();

  expect(dora.troubles).toEqual([]);
});
