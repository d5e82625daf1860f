import { expect, test } from "vitest";
import { aPerson, asDora, callApi, makeGroup, sendEvent, readSession, workspaceNamed } from "./person.ts";

test.each([
  { input: "a pointer", keyboard: false, company: "Acme" },
  { input: "the keyboard alone", keyboard: true, company: "Tiny" },
])(
  "a newcomer with $input needs at most nine presses from opening the console to an acknowledged push",
  async ({ keyboard, company }) => {
    const [{ name, email } = { name: "", email: "" }] = workspaceNamed(company).members;
    const alice = await aPerson({ keyboard });
    await alice.page.goto(readSession().console);

    await alice.pressNamed("Sign in");
    await alice.pressNamed(`${name} (${email})`);
    await alice.heading("Inbox").waitFor();
    await alice.pressNamed("Notify this browser");
    await alice.pressNamed("Notify me of every event");
    await alice.pressNamed("Create a key");
    await alice.pressNamed("Send an event");
    const article = alice.page.getByRole("article", { name: "Hello" });
    await article.waitFor();
    const shown =
      "navigator.serviceWorker.ready.then((ready) => ready.getNotifications()).then(([first]) => first?.title)";
    await expect.poll(() => alice.page.evaluate(shown), { timeout: 20_000 }).toBe("Hello");
    await alice.pressNamed("Acknowledge", article);
    await alice.page.getByRole("article").waitFor({ state: "detached" });

    expect(alice.presses()).toBeLessThanOrEqual(9);
    // The acknowledged event leaves the list of open events before it has its new state.
    await expect
      .poll(async () => (await callApi(company, "GET", "/events?state=acknowledged&eventKey=hello.world")).items)
      .toMatchObject([{ title: "Hello", state: "acknowledged" }]);

    await alice.pressNamed("Done");
    await alice.page.getByText("No open alerts for you.").waitFor();
    await alice.page.reload();
    await alice.heading("Inbox").waitFor();
    expect(await alice.page.getByText("Your first push").count()).toBe(0);
  },
);

test.each([
  { input: "a pointer", keyboard: false, team: "Operations" },
  { input: "the keyboard alone", keyboard: true, team: "Night shift" },
])(
  "a team lead with $input sets up group, rotation, override, policy, rule and silence, and sees the preview of each",
  async ({ keyboard, team }) => {
    const { members } = workspaceNamed("Globex");
    const [lead, other] = members;
    const gina = await aPerson({ keyboard });
    await gina.signInAs(lead!.email);
    const { page } = gina;

    await gina.pressNamed("Groups");
    await gina.pressNamed("New group");
    await gina.fill("Name", team);
    await gina.pressNamed("Save");
    await gina.check(lead!.name);
    await gina.check(other!.name);

    await gina.pressNamed("On call");
    await gina.pressNamed(`Edit schedule of ${team}`);
    await gina.heading(`Schedule of ${team}`).waitFor();
    const result = page.getByRole("region", { name: "Who would be on call" });
    await gina.choose("Add person", lead!.name);
    await gina.pressNamed("Add");
    await gina.choose("Add person", other!.name);
    await gina.pressNamed("Add");
    await result.getByText(lead!.name).first().waitFor();
    const nights = result.getByRole("list").filter({ hasText: "0 → " });
    expect((await nights.getByRole("listitem").allInnerTexts()).toSorted()).toEqual([
      expect.stringMatching(`^${lead!.name}: 0 → 4\\d$`),
      expect.stringMatching(`^${other!.name}: 0 → 4\\d$`),
    ]);
    await gina.pressNamed("Save schedule");
    await page.getByText(`Schedule of ${team} saved.`).waitFor();

    await gina.pressNamed("On call");
    const weeks = page.getByRole("list", { name: `Shifts of ${team}, two weeks` });
    await gina.press(weeks.getByRole("button", { name: new RegExp(lead!.name) }).first());
    const override = page.getByRole("region", { name: `Override ${team}` });
    await gina.choose("Who", other!.name, override);
    await gina.pressNamed("Save override", override);
    await page.getByText(`${other!.name} takes over in ${team}.`).waitFor();

    await gina.pressNamed("Escalation");
    await gina.pressNamed("New policy");
    await gina.fill("Name", `${team} first`);
    await gina.choose("Notify", `${team} (on call)`);
    await gina.pressNamed("Add");
    await page.getByRole("region", { name: "If nobody acknowledges" }).getByText("after 10 min").waitFor();
    await gina.pressNamed("Save");
    await gina.heading(`${team} first`).waitFor();

    await gina.pressNamed("Rules");
    await gina.pressNamed("New rule");
    await gina.fill("Name", `Failures of ${team}`);
    await gina.fill("Event key", keyboard ? "night.failed" : "job.failed");
    await gina.check(team);
    await gina.choose("Escalation policy", `${team} first`);
    await gina.pressNamed("Add condition");
    await gina.fill("Field", "data.attempts");
    await gina.choose("Operator", "is at least");
    await gina.fill("Value", "3");
    await page.getByRole("region", { name: "Preview" }).waitFor();
    await gina.pressNamed("Save");
    await gina.heading(`Failures of ${team}`).waitFor();
    expect(await callApi<object[]>("Globex", "GET", "/routing-rules")).toContainEqual(
      expect.objectContaining({
        name: `Failures of ${team}`,
        conditions: [{ field: "data.attempts", operator: "greater_than_or_equal", value: "3" }],
      }),
    );

    await gina.pressNamed("Silences");
    await gina.pressNamed("New silence");
    await gina.fill("Name", `Sundays of ${team}`);
    await gina.fill("Event key", "backup.*");
    await gina.choose("When", "Every week");
    await gina.pressNamed("Save");
    await page.getByText(`Sundays of ${team}`).first().waitFor();

    await gina.pressNamed("People");
    await page.getByText("No device; cannot be reached").first().waitFor();
  },
);

const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
test.each([
  { input: "a phone", options: phone, width: 360 },
  { input: "the keyboard alone", options: { keyboard: true }, width: 1280 },
])(
  "an on-call engineer with $input acknowledges an alert, learns why the alert came, resolves it, and sees the next shift",
  async ({ input, options, width }) => {
    const title = `The backup did not finish, seen by ${input}`;
    const { eventId } = await sendEvent("Demo", { event: "backup.failed", title, body: "No space left." });
    const engineer = await asDora({ ...options, at: "/inbox" });
    const { page } = engineer;

    const article = page.getByRole("article", { name: title }).first();
    await article.waitFor();
    await engineer.pressNamed("Acknowledge", article);
    // The page is updated before the answer; the status line appears when the answer has come.
    await page.getByText("1 event acknowledged.").first().waitFor();
    await engineer.open(`/events/${eventId}`, "Demo");
    await engineer.heading(title).waitFor();
    await engineer.pressNamed("Why? Dora");
    await page.getByRole("region", { name: "Explanation for Dora" }).getByRole("link", { name: "Backups" }).waitFor();
    await engineer.pressNamed("Resolve");
    await engineer.pressNamed("Resolve", engineer.page.getByRole("dialog"));
    await page.getByText("Event resolved.").waitFor();
    await engineer.open("/on-call", "Demo");
    await page.getByRole("heading", { name: "My shifts" }).waitFor();

    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
  },
);

test("a team lead creates, calls and pauses a heartbeat for a job, and sees the heartbeat as missed when no call comes", async () => {
  const { members } = workspaceNamed("Globex");
  const gina = await aPerson();
  const { page } = gina;
  await gina.signInAs(members[0]!.email);
  await gina.open("/inbox", "Globex");
  await gina.goTo("Integrations");
  await gina.goTo("Heartbeats");
  await gina.pressNamed("New heartbeat");
  await gina.fill("Name", "Nightly backup");
  await gina.fill("A call every", "5");
  await gina.choose("Unit", "seconds");
  await gina.pressNamed("Save");
  await page.getByText("A call every: must be at least 10 seconds.").waitFor();
  await gina.fill("A call every", "30");
  await gina.fill("Grace period in minutes", "1");
  await gina.pressNamed("Save");
  const row = page.getByRole("listitem").filter({ hasText: "Nightly backup" });
  await row.getByText("No call yet").waitFor();
  const url = await page.getByLabel("URL to call", { exact: true }).first().textContent();
  await gina.goTo("Rules");
  await gina.goTo("Integrations");
  await gina.pressNamed("Heartbeats");
  expect(await page.getByLabel("URL to call", { exact: true }).first().textContent()).toBe(url);

  expect((await fetch(url!, { method: "POST" })).ok).toBe(true);
  await row.getByText("Up").waitFor();
  await row.getByText("Last call").waitFor();
  await gina.pressNamed("Done");
  await gina.pressNamed("Edit Nightly backup");
  await gina.fill("Name", "Weekly backup");
  await gina.fill("A call every", "10");
  await gina.fill("Grace period in minutes", "0");
  await gina.pressNamed("Save");
  const renamed = page.getByRole("listitem").filter({ hasText: "Weekly backup" });
  await renamed.getByText("Missed", { exact: true }).waitFor();
  await gina.pressNamed("Pause Weekly backup");
  await renamed.getByText("Paused", { exact: true }).waitFor();
  await gina.pressNamed("Edit Weekly backup");
  await gina.pressNamed("Delete Weekly backup");
  await gina.pressNamed("Delete", page.getByRole("dialog"));
  await page.getByText("No heartbeats yet.").waitFor();
});

test("a group can be renamed on the page of its members", async () => {
  const name = `Grouped ${Date.now().toString(36)}`;
  const id = await makeGroup("Demo", name, []);
  const dora = await asDora({ at: `/groups?open=${id}` });
  await dora.fill("Name", `${name} anew`);
  await dora.pressNamed("Rename");
  await dora.page.getByText(`Group renamed to "${name} anew".`).waitFor();

  expect(await callApi("Demo", "GET", `/groups/${id}`)).toMatchObject({ name: `${name} anew` });
});
