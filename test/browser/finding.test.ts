import { expect, test } from "vitest";
import { asDora, HANDS, makeGroup, makeRule, sendEvent } from "./person.ts";

test.each(HANDS)(
  "with $input, events are filtered on the server and in the URL, and one press removes all filters",
  async ({ keyboard }) => {
    const resource = `found_${Date.now().toString(36)}`;
    await sendEvent("Demo", { event: `${resource}.low`, title: "A low one", body: "b", priority: "LOW" });
    await sendEvent("Demo", { event: `${resource}.high`, title: "A high one", body: "b", priority: "HIGH" });
    const dora = await asDora({ keyboard, at: "/events" });
    const { page } = dora;
    const count = page.getByRole("status").filter({ hasText: "event" });
    await dora.heading("Events").waitFor();
    await dora.fill("Event key", `${resource}.*`);
    await count.filter({ hasText: /^2 events/ }).waitFor();
    await dora.press(page.getByText("More filters"));
    await dora.choose("Priority", "High");
    await count.filter({ hasText: /^1 event\b/ }).waitFor();
    await page.reload();
    await page.getByRole("link", { name: "A high one" }).waitFor();

    expect(await page.getByRole("link", { name: "A low one" }).count()).toBe(0);
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toMatchObject({
      eventKey: `${resource}.*`,
      priority: "HIGH",
    });
    await dora.pressNamed("Clear filters");
    await count.waitFor({ state: "detached" });
    expect([...new URL(page.url()).searchParams.keys()]).toEqual(["workspace"]);
  },
);

test("one press filters the event list to one kind of event, and another press shows all events again", async () => {
  const resource = `kind_${Date.now().toString(36)}`;
  await sendEvent("Demo", { event: `${resource}.came`, title: "One of a kind", body: "b", priority: "LOW" });
  const dora = await asDora({ at: `/events?eventKey=${resource}.*` });
  const { page } = dora;
  const count = page.getByRole("status").filter({ hasText: "event" });
  const chips = page.getByRole("group", { name: "Quick filters" });
  const kind = chips.getByRole("button", { name: `${resource}.*`, pressed: true });
  await count.filter({ hasText: /^1 event$/ }).waitFor();

  await dora.pressNamed("Urgent", chips);
  await count.filter({ hasText: /^0 events$/ }).waitFor();
  await dora.pressNamed("Urgent", chips);
  await count.filter({ hasText: /^1 event$/ }).waitFor();
  await dora.press(kind);
  await count.waitFor({ state: "detached" });

  expect(await chips.getByRole("button", { pressed: true }).count()).toBe(0);
  expect([...new URL(page.url()).searchParams.keys()]).toEqual(["workspace"]);
});

test("the on-call page can list the shifts by person instead of by group", async () => {
  const dora = await asDora({ at: "/on-call" });
  const { page } = dora;
  const lines = page.getByRole("group", { name: "View" });
  await lines.getByRole("button", { name: "Groups", pressed: true }).waitFor();

  await dora.pressNamed("People", lines);
  await page
    .getByRole("list", { name: "Shifts of Dora in Payments, two weeks" })
    .getByText("Payments")
    .first()
    .waitFor();

  expect(await page.getByRole("heading", { name: "Dora", exact: true }).count()).toBe(1);
  expect(new URL(page.url()).searchParams.get("by")).toBe("people");
});

test("a search by title finds an event on a later page, and sends one request after the last letter", async () => {
  const dora = await asDora();
  const { page } = dora;
  const resource = `many_${Date.now().toString(36)}`;
  await sendEvent("Demo", { event: `${resource}.came`, title: "The Lost Needle", body: "b" });
  for (let count = 0; count < 51; count += 1)
    await sendEvent("Demo", { event: `${resource}.came`, title: `Straw ${count}`, body: "b", priority: "LOW" });
  const asked: string[] = [];
  page.on("request", (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname.endsWith("/events") && searchParams.has("title")) asked.push(searchParams.get("title")!);
  });
  await dora.open("/events", "Demo");
  await page.getByRole("link", { name: "Straw 50" }).waitFor();
  expect(await page.getByRole("link", { name: "The Lost Needle" }).count()).toBe(0);

  await page.getByLabel("Search title").pressSequentially("st needle");
  await page.getByRole("link", { name: "The Lost Needle" }).waitFor();

  expect(asked[0]).toBe("st needle");
  await page
    .getByRole("status")
    .filter({ hasText: /^1 event$/ })
    .waitFor();
  expect(new URL(page.url()).searchParams.get("title")).toBe("st needle");
});

test.each(HANDS)(
  "a long list of rules can be searched with $input, and a short list has no search field",
  async ({ keyboard }) => {
    const groupId = await makeGroup("Demo", "Of the search", []);
    await makeRule("Demo", groupId, { name: "The Needle", eventKey: "hay.*" });
    const dora = await asDora({ keyboard, at: "/escalation" });
    const { page } = dora;
    await page.getByRole("listitem").first().waitFor();
    expect(await page.getByLabel("Search").count()).toBe(0);
    await dora.open("/rules", "Demo");
    await dora.fill("Search", "needle hay");
    await page
      .getByRole("status")
      .filter({ hasText: /^1 of \d+$/ })
      .waitFor();
    expect(await page.getByRole("main").getByRole("listitem").count()).toBe(1);
    await dora.fill("Search", "needle straw");
    await page.getByText('No results for "needle straw".').waitFor();
  },
);

test("Ctrl+K opens a page, a rule or a person by name, without a pointer", async () => {
  const dora = await asDora({ keyboard: true, at: "/inbox" });
  const { page } = dora;
  await dora.heading("Inbox").waitFor();
  const field = page.getByRole("combobox", { name: "Go to a page, rule, group or person" });
  const goTo = async (typed: string, found: string): Promise<void> => {
    await page.keyboard.press("Control+k");
    await field.waitFor();
    await page.keyboard.type(typed);
    await page.getByRole("option", { name: found, selected: true }).waitFor();
    await page.keyboard.press("Enter");
    await field.waitFor({ state: "detached" });
  };
  await goTo("stat", "Statistics");
  await dora.heading("Insights").waitFor();
  await goTo("payments down", "Payments down");
  await dora.heading("Payments down").waitFor();
  await goTo("yuki", "Yuki");
  await dora.heading("People").waitFor();
  await page.getByRole("listitem").filter({ hasText: "yuki@demo.example" }).waitFor();

  expect(await page.getByRole("main").getByRole("listitem").count()).toBe(1);
  await page.keyboard.press("Control+k");
  await field.waitFor();
  await page.keyboard.press("Escape");
  await field.waitFor({ state: "detached" });
});
