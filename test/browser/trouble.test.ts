import { expect, test } from "vitest";
import { aPerson, asDora, callApi, makeGroup, sendEvent, readSession, workspaceNamed } from "./person.ts";

const createProblem = (status: number, detail: string, headers: Record<string, string> = {}) => ({
  status,
  headers: { "content-type": "application/problem+json", ...headers },
  body: JSON.stringify({ status, detail, code: "some_code", requestId: "req_1" }),
});

test("an error of the service is shown as a sentence that says what to do", async () => {
  const dora = await asDora();
  const { page } = dora;

  await page.route("**/routing-rules", (route) => route.fulfill(createProblem(500, "Something broke.")));
  await dora.open("/rules", "Demo");
  await page
    .getByText("The service returned an error. Try again; if this continues, report request req_1 to your operator.")
    .waitFor();
  await page.unroute("**/routing-rules");
  await dora.pressNamed("Try again");
  await page.getByText("Big orders").waitFor();

  await page.route("**/groups", (route) => route.fulfill(createProblem(429, "Slow down.", { "retry-after": "7" })));
  await dora.open("/groups", "Demo");
  await page.getByText("Too many requests. Try again in 7 s.").waitFor();
});

test("an answer of an unexpected shape is reported on the page, and an expired session offers to sign in again", async () => {
  const dora = await asDora();
  const { page } = dora;

  await page.route("**/groups", (route) => route.fulfill({ status: 200, body: '{"surprise":true}' }));
  await dora.open("/groups", "Demo");
  await dora.heading("Groups").waitFor();
  await page.getByRole("button", { name: "Try again" }).waitFor();
  await page.unroute("**/groups");
  await dora.pressNamed("Try again");
  await page.getByText("Everybody").first().waitFor();

  await page.route("**/groups", (route) => route.fulfill({ status: 401, body: '{"message":"Unauthorized"}' }));
  await dora.open("/groups", "Demo");
  await page.getByRole("button", { name: "Sign in" }).waitFor();
});

test("a wrong clock on the device does not distort ages or countdowns, and is reported once", async () => {
  const title = "Clock of db-3 drifts";
  await sendEvent("Demo", { event: "backup.failed", title, body: "Soon." });
  const dora = await asDora();
  const { page } = dora;
  await page.addInitScript("{ const real = Date.now; Date.now = () => real() - 600000; }");

  await dora.open("/inbox", "Demo");

  await page.getByText("This device's clock is 10 min slow. Times here follow the service's clock.").waitFor();
  await page.getByRole("article", { name: title }).getByText("now", { exact: false }).first().waitFor();
});

test("without a network, an acknowledgement is stored, shown as unsent, and sent when the network is back", async () => {
  const title = "Disk of db-9 fills";
  const { eventId } = await sendEvent("Demo", { event: "backup.failed", title, body: "Soon." });
  const dora = await asDora({ at: "/inbox" });
  const { page, context } = dora;
  const article = page.getByRole("article", { name: title });
  await article.waitFor();

  await context.setOffline(true);
  await dora.pressNamed("Acknowledge", article);
  await article.getByText("Not sent yet").waitFor();
  await page.getByRole("status").getByText("No network.").waitFor();
  await context.setOffline(false);

  await expect.poll(() => callApi("Demo", "GET", `/events/${eventId}`)).toMatchObject({ state: "acknowledged" });
});

test("while the service is busy or fails, an acknowledgement is stored, shown as unsent, and sent later", async () => {
  const title = "Disk of db-10 fills";
  const { eventId } = await sendEvent("Demo", { event: "backup.failed", title, body: "Soon." });
  const dora = await asDora({ at: "/inbox" });
  const { page } = dora;
  const article = page.getByRole("article", { name: title });
  await article.waitFor();

  await page.route("**/events/acknowledge", (route) => route.fulfill(createProblem(503, "Busy.")));
  await dora.pressNamed("Acknowledge", article);
  await article.getByText("Not sent yet").waitFor();
  await page.getByText("1 acknowledgement is not sent yet. The console keeps trying.").waitFor();
  await page.unroute("**/events/acknowledge");
  await page.reload();

  await expect.poll(() => callApi("Demo", "GET", `/events/${eventId}`)).toMatchObject({ state: "acknowledged" });
});

test("signing out in one tab signs out the other tabs, and a person whose session has ended signs in and returns to the same page", async () => {
  const dora = await asDora();
  const second = await dora.context.newPage();
  await second.goto(dora.page.url());
  await second.getByRole("heading", { level: 1, name: "Inbox" }).waitFor();

  await dora.openAccount();
  await dora.pressNamed("Sign out");
  // Signs out through the user pool's own page, which also ends the session there.
  await dora.page.waitForURL(/\/login$/);
  await second.getByRole("button", { name: "Sign in" }).waitFor();
  await dora.open("/events");
  await dora.page.getByRole("button", { name: "Sign in" }).waitFor();
  await dora.page.goto(`${dora.page.url()}&as=dora@demo.example`);
  await dora.heading("Events").waitFor();
});

test("a refused token is renewed silently; if the renewal fails, the person signs in and returns to the same page", async () => {
  const dora = await asDora();
  const { page } = dora;
  let refusals = 0;
  await page.route("**/groups", (route) => {
    refusals += 1;
    return refusals > 1 ? route.continue() : route.fulfill({ status: 401, body: '{"message":"Unauthorized"}' });
  });
  await dora.pressNamed("Groups");
  await page.getByText("Everybody").first().waitFor();
  expect(refusals).toBeGreaterThan(1);

  await page.route("**/oauth2/token", (route) => route.fulfill({ status: 400, body: '{"error":"invalid_grant"}' }));
  await dora.open("/silences");
  await page.getByRole("button", { name: "Sign in" }).waitFor();
  await page.unroute("**/oauth2/token");
  await page.goto(`${page.url()}&as=dora@demo.example`);
  await dora.heading("Silences").waitFor();
});

test("devices not seen for 30 days are listed at the next visit, until they are renewed or removed", async () => {
  const { members } = workspaceNamed("Globex");
  await callApi("Globex", "POST", "/devices", { token: "old-phone", platform: "android", name: "Old phone" });
  const gina = await aPerson();
  const { page } = gina;
  await gina.signInAs(members[0]!.email);
  await gina.open("/devices", "Globex");
  await gina.pressNamed("Notify this browser");
  await page.getByText("now receives notifications").waitFor();
  // Simulates a visit a month later, in a browser that has lost the record of its device.
  const left = new Date().toISOString();
  await page.evaluate("localStorage.removeItem('device')");
  await page.route("**/devices", async (route) => {
    if (route.request().method() !== "GET" || route.request().isNavigationRequest()) return route.fallback();
    // Removes If-None-Match, so that the answer is complete even if nothing has changed.
    const { "if-none-match": _, ...headers } = route.request().headers();
    const response = await route.fetch({ headers });
    const devices = (await response.json()) as { registeredAt: string }[];
    const json = devices.map((device) => ({ ...device, silent: device.registeredAt < left }));
    return route.fulfill({ response, json });
  });

  await gina.open("/rules", "Globex");
  await page.getByText("No contact with Old phone for 30 days.").waitFor();
  await page.getByText("No contact with Chrome for 30 days.").waitFor();
  await gina.pressNamed("Renew");
  await page.getByText("No contact with Chrome for 30 days.").waitFor({ state: "detached" });
  expect(await page.getByText("No contact with Old phone for 30 days.").count()).toBe(1);
  await gina.open("/devices", "Globex");
  await gina.pressNamed("Remove Old phone");
  const question = page.getByRole("dialog", { name: "Remove Old phone" });
  await question.getByText("Alerts will no longer reach you on Old phone.").waitFor();
  await gina.pressNamed("Remove", question);
  await page.getByText("No contact with Old phone for 30 days.").waitFor({ state: "detached" });

  await page.unrouteAll({ behavior: "wait" });
});

test("the URL of a deleted workspace opens a page that refuses access, and not another workspace", async () => {
  const dora = await asDora();

  await dora.page.goto(`${readSession().baseUrl}/groups?workspace=ws_gone`);
  await dora.heading("No access to this workspace").waitFor();
  expect(await dora.page.getByText("Everybody").count()).toBe(0);
  await dora.goTo("Inbox", dora.page.getByRole("main"));
});

test("a person who was removed from a workspace sees a message about the removal, and none of the workspace's data", async () => {
  const { members } = workspaceNamed("Globex");
  const gone = members.at(-1)!;
  const person = await aPerson();
  await person.signInAs(gone.email);
  await person.open("/groups", "Globex");
  await person.heading("Groups").waitFor();

  await callApi("Globex", "DELETE", `/members/${gone.userId}`);
  await person.pressNamed("People");
  await person.page.getByText("You are no longer a member of this workspace.").waitFor();

  await callApi("Globex", "POST", "/members", gone);
});

test("a text of 2,000 emoji is shown in full, and a script in any field is shown as text", async () => {
  const script = "<script>window.ran = true</script><img src=x onerror='window.ran = true'>";
  const emoji = "🚒".repeat(2000);
  const { eventId } = await sendEvent("Demo", {
    event: "backup.failed",
    title: script,
    body: emoji,
    detail: script,
    data: { host: script, [`key ${script}`]: script },
    url: "https://shop.example/?q=%3Cscript%3E",
  });
  await makeGroup("Demo", script, []);
  const dora = await asDora({ at: `/events/${eventId}` });
  await dora.heading(script).waitFor();
  await dora.page.getByText(emoji).waitFor();
  await dora.open("/groups", "Demo");
  await dora.page.getByText(script).waitFor();
  const ran = await dora.page.evaluate("window.ran");

  expect(ran).toBeUndefined();
});

test("a person can use the skip link, reach an alert and acknowledge it with the keyboard alone", async () => {
  const title = `Backup by keyboard ${Date.now().toString(36)}`;
  await sendEvent("Demo", { event: "backup.failed", title, body: "Soon." });
  const dora = await asDora({ at: "/inbox" });
  const { page } = dora;
  const article = page.getByRole("article", { name: title });
  await article.waitFor();

  await page.keyboard.press("Tab");
  const first = await page.evaluate("document.activeElement.textContent");
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keys" }).waitFor();
  await page.keyboard.press("Escape");
  const hasFocus = () => article.evaluate((row) => row.contains(row.ownerDocument.activeElement));
  // The list shows more urgent events and groups of events before this event.
  const rows = await page.getByRole("article").count();
  for (let row = 0; row < rows && !(await hasFocus()); row += 1) await page.keyboard.press("j");
  expect(await hasFocus()).toBe(true);
  await page.keyboard.press("a");
  await page.getByText("1 event acknowledged.").waitFor();

  expect(first).toBe("Skip to content");
});
