import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { asDora, callApi, makeGroup, makeRule, sendEvent, readSession, workspaceNamed } from "./person.ts";

test("a note appears in the timeline of its event, even after the event was resolved", async () => {
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

test("on a desktop, an event's page has details beside the timeline, actions in a fixed order, and rare actions behind More", async () => {
  const [one, , other] = workspaceNamed("Demo").members;
  const groupId = await makeGroup("Demo", "Two columns", [one!.userId]);
  await makeRule("Demo", groupId, { name: "Columns", eventKey: "columns.wanted" });
  const title = "A long title ".repeat(12).trim();
  const links = { Runbook: "https://runbook.example/disk" };
  const { eventId } = await sendEvent("Demo", {
    event: "columns.wanted",
    title,
    body: "Look",
    data: { links, host: "db-7", used: 95 },
  });
  const layer = { start: "2026-01-05T09:00:00.000Z", every: 1, unit: "week", participants: [one!.userId] };
  await callApi("Demo", "PUT", `/groups/${groupId}/on-call`, { timeZone: "UTC", layers: [layer] });
  const dora = await asDora({ at: `/events/${eventId}` });
  const { page } = dora;
  const main = page.getByRole("main");
  const facts = main.getByRole("complementary");
  await facts.getByRole("link", { name: "Runbook" }).waitFor();
  await facts.getByRole("link", { name: "Columns" }).waitFor();
  await facts.getByText("On call: Two columns").waitFor();
  const story = page.getByRole("region", { name: "Timeline" });
  const [left, right] = [(await story.boundingBox())!, (await facts.boundingBox())!];
  expect([right.width, right.x > left.x + left.width]).toEqual([320, true]);
  expect((await main.getByRole("button").allTextContents()).slice(0, 4)).toEqual([
    "Acknowledge",
    "Resolve",
    "Snooze",
    "More",
  ]);

  await dora.pressNamed("More");
  for (const name of ["Replay in a rule", "Simulator"]) await main.getByRole("link", { name }).waitFor();
  const downloaded = page.waitForEvent("download");
  await dora.pressNamed("Export as Markdown");
  const [line = ""] = readFileSync(await (await downloaded).path(), "utf8").split("\n");
  expect(line).toBe(`# [${title}](${readSession().baseUrl}/events/${eventId})`);
  await dora.pressNamed("Silence this", main);
  await dora.heading("New silence").waitFor();
  expect(await page.getByLabel("Event key", { exact: true }).first().inputValue()).toBe("columns.wanted");
  expect(await page.getByLabel("Name", { exact: true }).first().inputValue()).toBe(title.slice(0, 100));
  const condition = page.getByRole("group", { name: "Condition 1" });
  expect(await condition.getByLabel("Field").inputValue()).toBe("data.host");
  expect(await condition.getByLabel("Value").inputValue()).toBe("db-7");
  expect(await page.getByRole("group", { name: "Condition 2" }).count()).toBe(0);

  await dora.open(`/events/${eventId}`, "Demo");
  await page.getByLabel("Ask about somebody").selectOption({ value: other!.userId });
  await dora.pressNamed("Why not?");
  const why = page.getByRole("region", { name: `Explanation for ${other!.name}` });
  await why.getByText("Columns: The rule matched, but this person is in none of the rule's groups.").waitFor();
  expect(await page.getByText("this person is in none of the rule's groups").count()).toBe(1);
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  expect(await page.getByRole("button").count()).toBe(0);
  expect(await page.evaluate("getComputedStyle(document.body).backgroundColor")).toBe("rgb(255, 255, 255)");
  await story.getByText("Event received.").waitFor();
  await callApi("Demo", "POST", `/events/${eventId}/resolve`, {});
});
