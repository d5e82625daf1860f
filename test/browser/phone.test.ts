import { expect, test } from "vitest";
import { aPerson, asDora, callApi, make, makeGroup, makeRule, sendEvent, workspaceNamed } from "./person.ts";

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

test("on a phone, a bottom bar has the on-call pages and More for other pages, and the header has the personal menu", async () => {
  const dora = await asDora({ ...PHONE, at: "/inbox" });
  const { page } = dora;
  const main = page.getByRole("navigation", { name: "Main" });
  await dora.goTo("On call", main);
  const box = (await main.boundingBox())!;
  expect([box.x, box.width, box.y + box.height]).toEqual([0, 360, 740]);
  expect(await main.getByRole("link", { name: "Groups" }).count()).toBe(0);

  const header = page.getByRole("banner");
  const account = header.getByRole("button", { name: "Dora" });
  await account.click();
  await dora.pressNamed("Theme", header);
  expect(await page.evaluate("document.documentElement.dataset.theme")).toBe("dark");
  await page.keyboard.press("Escape");
  expect(await header.getByRole("button").count()).toBe(1);
  expect(await page.evaluate("document.activeElement.textContent")).toBe("Dora");

  await main.getByText("More").click();
  await dora.goTo("Groups", main);
  expect(await main.getByRole("link", { name: "Rules" }).count()).toBe(0);
  await account.click();
  await dora.pressNamed("Sign out", header);
  await page.getByRole("button", { name: "Sign in" }).waitFor();
});

test("on a phone, Acknowledge stays full width at the bottom of a long event's page, and disappears after use", async () => {
  const title = `A long one ${Date.now().toString(36)}`;
  const { eventId } = await sendEvent("Demo", { event: "backup.failed", title, body: "Line after line. ".repeat(100) });
  const dora = await asDora({ ...PHONE, at: `/events/${eventId}` });
  const { page } = dora;
  const button = page.getByRole("button", { name: "Acknowledge" });
  const box = (await button.boundingBox())!;
  expect(box.width).toBeGreaterThanOrEqual(330);
  expect(box.height).toBeGreaterThanOrEqual(52);
  expect(box.y).toBeGreaterThan(740 * 0.75);

  await dora.press(button);
  await page.getByText("1 event acknowledged.").waitFor();
  await button.waitFor({ state: "detached" });
  await expect.poll(() => callApi("Demo", "GET", `/events/${eventId}`)).toMatchObject({ state: "acknowledged" });
});

test("the inbox says until when the user is on call, counts open events, and announces new events", async () => {
  const groups = await callApi<{ id: string; name: string }[]>("Demo", "GET", "/groups");
  const platform = groups.find(({ name }) => name === "Platform")!;
  // An override decides who is on call, because the rotations' turns depend on the day of the run.
  await callApi("Demo", "POST", `/groups/${platform.id}/on-call/overrides`, {
    userId: workspaceNamed("Demo").members.find(({ name }) => name === "Dora")!.userId,
    start: new Date(Date.now() - 60_000).toISOString(),
    end: new Date(Date.now() + 3_600_000).toISOString(),
  });
  const dora = await asDora({ at: "/inbox" });
  const { page } = dora;
  await page.getByText(/^You are on call: .*Platform until .*\d\d:\d\d/).waitFor();
  const readCountInTitle = async () => Number(/^\((\d+)\)/.exec(await page.title())?.[1] ?? 0);
  const before = await page.getByRole("article").count();
  await expect.poll(readCountInTitle).toBe(before);

  const title = `New one ${Date.now().toString(36)}`;
  await sendEvent("Demo", { event: "backup.failed", title, body: "Soon.", priority: "URGENT" });

  await page.getByRole("status").getByText(`New, urgent: ${title}`).waitFor();
  await expect.poll(readCountInTitle).toBe(before + 1);
  await dora.open("/rules", "Demo");
  await expect.poll(() => page.title()).toBe(`(${before + 1}) Rules · Event Alerting`);
});

test("the inbox and an event's page show the next escalation step; the explanation counts the rules for other event keys", async () => {
  const [dora] = workspaceNamed("Demo").members;
  const groupId = await makeGroup("Demo", "Ahead", [dora!.userId]);
  const escalationPolicyId = await make("Demo", "/escalation-policies", {
    name: "In a while",
    steps: [{ delayMinutes: 7, targets: [{ type: "group", groupId, onCallOnly: false }] }],
  });
  await makeRule("Demo", groupId, { name: "Ahead of it", eventKey: "ahead.came", escalationPolicyId });
  const title = `Ahead ${Date.now().toString(36)}`;
  const { eventId } = await sendEvent("Demo", { event: "ahead.came", title, body: "Soon." });
  const reader = await aPerson();
  const { page } = reader;
  await reader.signInAs(dora!.email);
  await reader.open("/inbox", "Demo");
  const card = page.getByRole("article", { name: title });
  await card.getByText("Soon.").waitFor();
  await card.getByText(/^Escalates to Ahead in \d:\d\d$/).waitFor();
  await reader.open(`/events/${eventId}`, "Demo");
  const ahead = page.getByText("Escalates in");
  await ahead.waitFor();
  expect(await ahead.textContent()).toMatch(/^Escalates in [67]:\d\d: In a while \(step 1 of 1\)$/);

  await reader.pressNamed(`Why? ${dora!.name}`);
  const why = page.getByRole("region", { name: `Explanation for ${dora!.name}` });
  await why.getByText(/^\d+ rules are for other event keys$/).waitFor();
  expect(await why.getByRole("link", { name: "Backups" }).count()).toBe(0);
  await reader.pressNamed("Acknowledge");
  await ahead.waitFor({ state: "detached" });
});
