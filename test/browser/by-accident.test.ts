import { expect, test } from "vitest";
import { aPerson, asDora, callApi, makeGroup, makeRule, sendEvent, workspaceNamed } from "./person.ts";

test("the keyboard shortcut acknowledges only the selected event; acknowledging all forty open events needs a confirmation", async () => {
  const { members } = workspaceNamed("Globex");
  const [lead] = members;
  // Other tests and earlier attempts of this test leave events open in this workspace.
  const before = await callApi("Globex", "GET", "/events?state=open&limit=100");
  const eventIds = before.items!.map(({ id }) => id);
  if (eventIds.length > 0) await callApi("Globex", "POST", "/events/acknowledge", { eventIds });
  const userIds = members.map(({ userId }) => userId);
  const groupId = await makeGroup("Globex", "Everybody here", userIds);
  await makeRule("Globex", groupId, { name: "Storms", eventKey: "storm.*" });
  for (let number = 1; number <= 40; number += 1) {
    const priority = number === 7 ? "URGENT" : "HIGH";
    const event = { event: "storm.came", title: `Storm ${number}`, body: "Wind.", priority };
    await sendEvent("Globex", event);
  }
  const countOpenEvents = async () =>
    (await callApi<{ total: number }>("Globex", "GET", "/events?state=open&eventKey=storm.came")).total;
  await expect.poll(countOpenEvents).toBe(40);
  const gina = await aPerson();
  const { page } = gina;
  await gina.signInAs(lead!.email);

  await gina.open("/inbox?all=1", "Globex");
  await page.getByText("40 open", { exact: true }).waitFor();
  expect(await page.getByRole("article").first().getByRole("heading").textContent()).toBe("Storm 7");

  await page.keyboard.press("a");
  await page.getByText("First select an entry with j or k.").waitFor();
  expect(await countOpenEvents()).toBe(40);
  await page.keyboard.press("j");
  await page.keyboard.press("a");
  await page.getByText("1 event acknowledged.").waitFor();
  await expect.poll(countOpenEvents).toBe(39);
  await page.getByText("39 open", { exact: true }).waitFor();
  await gina.pressNamed("Storms 39");
  await gina.pressNamed("Show more");
  await expect.poll(() => page.getByRole("article", { name: /^Storm / }).count()).toBe(39);

  await gina.pressNamed("Acknowledge all");
  const question = page.getByRole("dialog", { name: "Acknowledge 39 events?" });
  await question.getByText(lead!.name).waitFor();
  await page.keyboard.press("Escape");
  expect(await countOpenEvents()).toBe(39);
  await gina.pressNamed("Acknowledge all");
  await gina.pressNamed("Acknowledge 39 events", question);
  await page.getByText("39 events acknowledged.").waitFor();
  await page.getByText("No open alerts.").waitFor();

  expect(await countOpenEvents()).toBe(0);
});

test("when another person deletes a group, the open page of the group says so, and the list no longer shows it", async () => {
  const name = `Short-lived ${Date.now().toString(36)}`;
  const { id: groupId } = await callApi("Demo", "POST", "/groups", { name });
  const dora = await asDora({ at: `/groups?open=${groupId}` });
  const { page } = dora;
  await page.getByText(name).waitFor();

  await callApi("Demo", "DELETE", `/groups/${groupId}`);
  await page.getByRole("checkbox", { name: "Dora", exact: true }).click();
  await page.getByText("This group was deleted.").waitFor();

  expect(await page.getByText(name).count()).toBe(0);
  await page.getByText("Everybody").first().waitFor();
});

test("a rule draft survives a link followed by accident and a reload, until the draft is saved or discarded", async () => {
  const dora = await asDora({ at: "/rules/new" });
  const { page } = dora;
  await dora.fill("Name", "Half a rule");
  await dora.fill("Event key", "half.done");
  await page.getByText("Unsaved changes").waitFor();

  await dora.goTo("People");
  await page.goBack();
  await page.getByText("Your unsaved changes were restored.").waitFor();
  expect(await page.getByLabel("Name", { exact: true }).first().inputValue()).toBe("Half a rule");
  await page.reload();
  await page.getByText("Your unsaved changes were restored.").waitFor();
  expect(await page.getByLabel("Event key", { exact: true }).first().inputValue()).toBe("half.done");

  await dora.pressNamed("Start over");
  expect(await page.getByLabel("Name", { exact: true }).first().inputValue()).toBe("");
  await dora.fill("Name", "Given up");
  await dora.pressNamed("Cancel");
  await dora.heading("Rules").waitFor();
  await dora.goTo("New rule");
  await page.getByLabel("Name", { exact: true }).first().waitFor();
  expect(await page.getByText("Your unsaved changes were restored").count()).toBe(0);
});

test("a new API key is shown again to a person who followed a link by accident and returned", async () => {
  const dora = await asDora({ at: "/keys?edit=new" });
  const { page } = dora;
  await dora.fill("Name", "Stray");
  await dora.pressNamed("Create");
  const key = await page.getByLabel("Key", { exact: true }).first().textContent();
  await dora.goTo("Rules");
  await dora.goTo("Integrations");
  await dora.goTo("API keys");
  await page.getByText("This key is shown only once").waitFor();

  expect(await page.getByLabel("Key", { exact: true }).first().textContent()).toBe(key);
  expect(key).toMatch(/^eak_/);
  await dora.pressNamed("Done");
  expect(await page.getByText("This key is shown only once").count()).toBe(0);
});

test("a session that expires while somebody types is renewed without leaving the page, and the draft can be saved", async () => {
  const dora = await asDora({ at: "/rules/new" });
  const { page, context } = dora;
  await dora.fill("Name", "Typed by night");
  await dora.fill("Event key", "night.typed");
  await dora.check("Everybody");

  await page.route("**/v1/**", (route) => route.fulfill({ status: 401, body: '{"message":"Unauthorized"}' }));
  await page.route("**/oauth2/token", (route) => route.fulfill({ status: 400, body: '{"error":"invalid_grant"}' }));
  await dora.pressNamed("Save");
  await page.getByRole("alert").getByText("Your session has ended.").waitFor();
  await dora.heading("New rule").waitFor();
  await page.unrouteAll({ behavior: "wait" });
  const opened = context.waitForEvent("page");
  await dora.pressNamed("Sign in");
  const beside = await opened;
  await beside.getByRole("button", { name: /^Dora / }).click();

  await page.getByText("Your session has ended.").waitFor({ state: "detached" });
  expect(await page.getByLabel("Name", { exact: true }).first().inputValue()).toBe("Typed by night");
  await dora.pressNamed("Save");
  await dora.heading("Typed by night").waitFor();
});

test("Undo stays visible for a change that the API can reverse, even after the next change is announced", async () => {
  const [, { userId }] = workspaceNamed("Globex").members as [unknown, { userId: string }];
  const groupId = await makeGroup("Globex", "Undone", [userId]);
  const ruleId = await makeRule("Globex", groupId, { name: "Undone rule", eventKey: "undone.never" });
  const override = { userId, start: "2099-12-24T08:00:00.000Z", end: "2099-12-25T08:00:00.000Z" };
  await callApi("Globex", "PUT", `/groups/${groupId}/on-call`, { timeZone: "UTC", layers: [] });
  await callApi("Globex", "POST", `/groups/${groupId}/on-call/overrides`, override);
  const listOverrides = async () => {
    const { overrides: found } = await callApi<{ overrides: (typeof override)[] }>(
      "Globex",
      "GET",
      `/groups/${groupId}/on-call`,
    );
    return found.map(({ userId: who, start, end }) => ({ userId: who, start, end }));
  };
  const gina = await aPerson();
  const { page } = gina;
  const [lead] = workspaceNamed("Globex").members;
  await gina.signInAs(lead!.email);

  await gina.open(`/on-call?override=${groupId}`, "Globex");
  await page
    .getByRole("region", { name: "Override Undone" })
    .getByRole("button", { name: /^Remove / })
    .click();
  await gina.pressNamed("Remove", page.getByRole("dialog"));
  await page.getByText(/^Override removed\. It put .* on call\.$/).waitFor();
  expect(await listOverrides()).toEqual([]);
  await gina.pressNamed("Undo");
  await page.getByText("Undone.", { exact: true }).waitFor();

  expect(await listOverrides()).toEqual([override]);
  await gina.goTo("Rules");
  await gina.pressNamed("Disable Undone rule");
  await gina.pressNamed("Disable", page.getByRole("dialog"));
  await page.getByText('Rule "Undone rule" disabled.').waitFor();
  await gina.goTo("People");
  await page.keyboard.press("z");
  const isEnabled = async () =>
    (await callApi<{ enabled: boolean }>("Globex", "GET", `/routing-rules/${ruleId}`)).enabled;
  await expect.poll(isEnabled).toBe(true);
});
