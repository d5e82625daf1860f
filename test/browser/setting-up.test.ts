import { expect, test } from "vitest";
import { asDora, callApi, make, makeGroup, makeRule, sendEvent, workspaceNamed } from "./person.ts";

test("connecting a tool from its tile shows a setup text with the API key, and the first event turns the tile green", async () => {
  const alertname = `Disk full ${Date.now().toString(36)}`;
  const dora = await asDora({ at: "/inbox" });
  const { page } = dora;
  await dora.goTo("Integrations");
  const tile = page.getByRole("list", { name: "Tools" }).getByRole("button", { name: /^Alertmanager/ });
  await tile.getByText("Not connected").waitFor();

  await dora.press(tile);
  const panel = page.getByRole("region", { name: "Alertmanager", exact: true });
  await dora.fill("Name", "Cluster one", panel);
  await dora.pressNamed("Create", panel);
  const pasted = (await panel.getByRole("region", { name: "alertmanager.yml" }).textContent())!;
  await panel.getByText("Waiting for the first event").waitFor();
  const [url, key] = [/url: (\S+)/.exec(pasted)![1]!, /credentials: (\S+)/.exec(pasted)![1]!];
  const answer = await fetch(url, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: JSON.stringify({
      status: "firing",
      alerts: [{ status: "firing", labels: { alertname }, annotations: {}, startsAt: "2026-01-01T00:00:00Z" }],
    }),
  });
  expect(answer.ok).toBe(true);
  await tile.getByText("Receiving events").waitFor();
  await dora.pressNamed("Show events", panel);
  await dora.heading("Events").waitFor();
  await page.getByRole("link", { name: alertname }).waitFor();

  const keys = await callApi<{ id: string; name: string }[]>("Demo", "GET", "/api-keys");
  await callApi("Demo", "DELETE", `/api-keys/${keys.find(({ name }) => name === "Cluster one")!.id}`);
});

test("the settings page changes the workspace's settings, and refuses an empty limit", async () => {
  const dora = await asDora({ at: "/settings" });
  const { page } = dora;
  await dora.heading("Settings").waitFor();
  await page.getByRole("meter", { name: "Events this month" }).waitFor();

  await dora.fill("Pages per person in ten minutes", "");
  await dora.pressNamed("Save");
  await page.getByText("Pages per person in ten minutes: must be a whole number from 1 to 100").waitFor();
  await dora.fill("Pages per person in ten minutes", "4");
  await dora.check("Acknowledge only on the event page");
  await dora.pressNamed("Save");
  await page.getByText("Settings saved.").waitFor();

  expect(await callApi("Demo", "GET", "")).toMatchObject({ loudPerTenMinutes: 4, openToAcknowledge: true });
  await callApi("Demo", "PATCH", "", { loudPerTenMinutes: 10, openToAcknowledge: false });
});

test("an owner sets the pay for an hour on call and for a page at night, in cents", async () => {
  const dora = await asDora({ at: "/settings" });
  const { page } = dora;
  await dora.heading("Settings").waitFor();

  await dora.check("Pay for on call");
  await dora.fill("Night hour (cents)", "9.5");
  await dora.pressNamed("Save");
  await page.getByText("Night hour (cents): must be a whole number from 0 to 1000000").waitFor();
  await dora.fill("Night hour (cents)", "950");
  await dora.fill("Page at night (cents)", "1500");
  await dora.pressNamed("Save");
  await page.getByText("Settings saved.").waitFor();

  const pay = { weekday: 0, night: 950, weekend: 0, holiday: 0, nightPage: 1500 };
  expect(await callApi("Demo", "GET", "")).toMatchObject({ pay });
  await callApi("Demo", "PATCH", "", { pay: null });
});

test("the simulator shows what an invented or a past event would lead to at another time, with its escalation", async () => {
  const [first] = await callApi<{ userId: string }[]>("Demo", "GET", "/members");
  const groupId = await makeGroup("Demo", "Christmas", [first!.userId]);
  const steps = [{ delayMinutes: 7, targets: [{ type: "group", groupId }] }];
  const escalationPolicyId = await make("Demo", "/escalation-policies", { name: "Christmas policy", steps });
  await makeRule("Demo", groupId, { name: "Christmas rule", eventKey: "sleigh.broken", escalationPolicyId });
  const dora = await asDora({ at: "/inbox" });
  const { page } = dora;
  await dora.goTo("Insights");
  await dora.goTo("Simulator");

  await dora.fill("Event key", "Sleigh");
  await dora.pressNamed("Simulate");
  await page.getByRole("alert").first().waitFor();
  await dora.fill("Event key", "sleigh.broken");
  const inFourWeeks = new Date(Date.now() + 28 * 86_400_000).toISOString().slice(0, 10);
  await dora.fill("At", `${inFourWeeks}T23:00`);
  await dora.pressNamed("Simulate");
  const result = page.getByRole("region", { name: "Result" });
  await result.getByText("by rule Christmas rule").waitFor();
  await result.getByText("by policy Christmas policy (step 1 of 1), because nobody has acknowledged").waitFor();
  expect(await result.getByRole("listitem").nth(1).getByRole("time").getAttribute("datetime")).toMatch(/:07:00/);
  await page.reload();
  await result.getByText("by rule Christmas rule").waitFor();

  const { eventId } = await sendEvent("Demo", { event: "sleigh.broken", title: "A rein tore", body: "In the north." });
  await dora.open(`/events/${eventId}`, "Demo");
  await dora.heading("A rein tore").waitFor();
  await dora.pressNamed("More");
  await dora.press(page.getByRole("main").getByRole("link", { name: "Simulator" }));
  await page.getByRole("main").getByRole("link", { name: "A rein tore" }).waitFor();
  await result.getByText("by rule Christmas rule").waitFor();
});

test("a calendar program can subscribe to a person's own shifts, and the page shows at once who is on call now", async () => {
  const groupName = `On duty ${Date.now().toString(36)}`;
  const groupId = await makeGroup("Demo", groupName, []);
  // An override decides who is on call, because the rotations' turns depend on the day of the run.
  await callApi("Demo", "POST", `/groups/${groupId}/on-call/overrides`, {
    userId: workspaceNamed("Demo").members.find(({ name }) => name === "Dora")!.userId,
    start: new Date(Date.now() - 60_000).toISOString(),
    end: new Date(Date.now() + 3_600_000).toISOString(),
  });
  const dora = await asDora({ at: "/on-call" });
  const { page } = dora;
  const now = page.getByRole("table", { name: "Now" });
  const row = now.getByRole("row").filter({ has: page.getByRole("rowheader", { name: groupName, exact: true }) });
  await row.getByText("Dora").first().waitFor();

  await dora.pressNamed("Add to calendar");
  const url = await page.getByLabel("Calendar URL", { exact: true }).textContent();
  expect(await (await fetch(url!)).text()).toContain("BEGIN:VCALENDAR");
  expect(await page.getByRole("link", { name: "Open in a calendar app" }).getAttribute("href")).toMatch(/^webcal:/);
  await dora.pressNamed("Close the calendar feed");
  await dora.pressNamed("Close the calendar feed", page.getByRole("dialog"));
  await page.getByText("Calendar feed closed.").waitFor();

  expect((await fetch(url!)).status).toBe(404);
});
