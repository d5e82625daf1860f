import { expect, test } from "vitest";
import { aPerson, callApi, sendEvent, session, workspaceNamed } from "./person.ts";

test("a newcomer comes from the printed address to an acknowledged push in nine clicks or fewer", async () => {
  const alice = await aPerson();
  await alice.page.goto(session().console);

  await alice.pressNamed("Sign in");
  await alice.pressNamed("Alice (alice@acme.example)");
  await alice.heading("Inbox").waitFor();
  await alice.pressNamed("Notify this browser");
  await alice.pressNamed("Tell me of every event");
  await alice.pressNamed("Make a key");
  await alice.pressNamed("Send an event");
  const article = alice.page.getByRole("article", { name: "Hello" });
  await article.waitFor();
  const shown = await alice.page.waitForFunction(
    "navigator.serviceWorker.ready.then((ready) => ready.getNotifications()).then(([first]) => first?.title)",
  );
  await alice.pressNamed("Acknowledge", article);
  await alice.page.getByRole("article").waitFor({ state: "detached" });

  expect(await shown.jsonValue()).toBe("Hello");
  expect(alice.presses()).toBeLessThanOrEqual(9);
  const [event] = (await callApi("Acme", "GET", "/events?state=acknowledged&eventKey=hello.world")).items!;
  expect(event).toMatchObject({ title: "Hello", state: "acknowledged" });

  await alice.pressNamed("Done");
  await alice.page.getByText("Nothing is open for you.").waitFor();
  await alice.page.reload();
  await alice.heading("Inbox").waitFor();
  expect(await alice.page.getByText("From nothing to the first push").count()).toBe(0);
  expect(alice.troubles).toEqual([]);
  await alice.context.close();
});

test("a team lead sets up group, rotation, override, policy, rule and silence, and sees what each would do", async () => {
  const { members } = workspaceNamed("Globex");
  const [lead, other] = members;
  const gina = await aPerson();
  await gina.signInAs(lead!.email);
  const { page } = gina;

  await gina.pressNamed("Groups");
  await gina.pressNamed("New group");
  await gina.fill("Name", "Operations");
  await gina.pressNamed("Save");
  await page.getByLabel(lead!.name, { exact: true }).check();
  await page.getByLabel(other!.name, { exact: true }).check();

  await gina.pressNamed("On call");
  await gina.pressNamed("Edit schedule of Operations");
  await gina.heading("Schedule of Operations").waitFor();
  const result = page.getByRole("region", { name: "Who would be on call" });
  await page.getByLabel("Add person").selectOption({ label: lead!.name });
  await gina.pressNamed("Add");
  await page.getByLabel("Add person").selectOption({ label: other!.name });
  await gina.pressNamed("Add");
  await result.getByText(lead!.name).first().waitFor();
  await gina.pressNamed("Save schedule");
  await page.getByText("The schedule of Operations is saved.").waitFor();

  await gina.pressNamed("On call");
  await page
    .getByRole("list", { name: "Two weeks of Operations" })
    .getByRole("button", { name: new RegExp(lead!.name) })
    .first()
    .click();
  const override = page.getByRole("region", { name: "Override Operations" });
  await override.getByLabel("Who").selectOption({ label: other!.name });
  await gina.pressNamed("Save override", override);
  await page.getByText(`${other!.name} takes over in Operations.`).waitFor();

  await gina.pressNamed("Escalation");
  await gina.pressNamed("New policy");
  await gina.fill("Name", "Operations first");
  await page.getByLabel("Tell", { exact: true }).selectOption({ label: "Operations, who is on call" });
  await gina.pressNamed("Add");
  await page.getByRole("region", { name: "If nobody acknowledges" }).getByText("after 10 min").waitFor();
  await gina.pressNamed("Save");
  await gina.heading("Operations first").waitFor();

  await gina.pressNamed("Rules");
  await gina.pressNamed("New rule");
  await gina.fill("Name", "Failures");
  await gina.fill("Event key", "job.failed");
  await page.getByLabel("Operations", { exact: true }).check();
  await page.getByLabel("Escalation policy").selectOption({ label: "Operations first" });
  await page.getByRole("region", { name: "What it would do" }).waitFor();
  await gina.pressNamed("Save");
  await gina.heading("Failures").waitFor();

  await gina.pressNamed("Silences");
  await gina.pressNamed("New silence");
  await gina.fill("Name", "Sundays");
  await page.getByLabel("When", { exact: true }).selectOption({ label: "Every week" });
  await gina.pressNamed("Save");
  await page.getByText("Sundays").first().waitFor();

  await gina.pressNamed("People");
  await page.getByText("No device: cannot be reached").first().waitFor();
  expect(gina.troubles).toEqual([]);
  await gina.context.close();
});

test("an on-call engineer with a phone's page takes an alert, learns why, resolves it, and looks up the next shift", async () => {
  const { members } = workspaceNamed("Demo");
  const dora = members.find(({ name }) => name === "Dora")!;
  const engineer = await aPerson({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
  const { page } = engineer;
  const title = "The nightly backup did not finish";
  const { eventId } = await sendEvent("Demo", { event: "backup.failed", title, body: "No space left." });
  await engineer.signInAs(dora.email);
  await engineer.open("/inbox", "Demo");

  const article = page.getByRole("article", { name: title }).first();
  await article.waitFor();
  await article.focus();
  await page.keyboard.press("a");
  await article.getByText("Acknowledged").or(page.getByText("1 event acknowledged.")).first().waitFor();
  await engineer.open(`/events/${eventId}`, "Demo");
  await engineer.heading(title).waitFor();
  await engineer.pressNamed("Why Dora");
  await page.getByRole("region", { name: "Explanation for Dora" }).getByRole("link", { name: "Backups" }).waitFor();
  await engineer.pressNamed("Resolve");
  await page.getByText("The event is resolved.").waitFor();
  await engineer.open("/on-call", "Demo");
  await page.getByRole("heading", { name: "My shifts" }).waitFor();
  const width = await page.evaluate("document.documentElement.scrollWidth");

  expect(width).toBeLessThanOrEqual(360);
  expect(engineer.troubles).toEqual([]);
  await engineer.context.close();
});
