import type { Route } from "playwright-core";
import { expect, test } from "vitest";
import { asDora, callApi, sendEvent } from "./person.ts";

const LIST = /\/v1\/workspaces\/[^/]+\/events\?state=open/;
const ACKNOWLEDGE = /\/events\/acknowledge$/;
const PORTAL = { status: 200, contentType: "text/html", body: "<html><body>Welcome to the hotel</body></html>" };
const FAILURE = { status: 500, contentType: "application/json", body: '{"message":"Internal Server Error"}' };

/** Opens the console without the service worker, whose requests `page.route` does not see. */
const openReader = async (options: Parameters<typeof asDora>[0] = {}) => {
  const dora = await asDora({ serviceWorkers: "block", ...options });
  const bar = dora.page.locator(".connection").getByRole("status");
  return { ...dora, bar };
};

const createUniqueTitle = (prefix: string): string => `${prefix} ${Date.now().toString(36)}`;
const sendUrgentEvent = (title: string) =>
  sendEvent("Demo", { event: "backup.failed", title, body: "Soon.", priority: "URGENT" });

test("with six seconds of latency, new events appear, and each request waits for the previous answer", async () => {
  const { page, open } = await openReader();
  let asked = 0;
  let flying = 0;
  let most = 0;
  await page.route(LIST, async (route) => {
    asked += 1;
    flying += 1;
    most = Math.max(most, flying);
    const response = await route.fetch();
    await new Promise((resolve) => setTimeout(resolve, 6000));
    flying -= 1;
    await route.fulfill({ response });
  });
  await open("/inbox", "Demo");
  await expect.poll(() => asked).toBe(1);
  const title = createUniqueTitle("Slow line");
  await sendUrgentEvent(title);

  await page.getByRole("article", { name: title }).waitFor();

  expect(most).toBe(1);
  await page.unrouteAll({ behavior: "ignoreErrors" });
});

test.each([
  ["no network", "No network.", (route: Route) => route.abort()],
  ["a captive portal", "No network.", (route: Route) => route.fulfill(PORTAL)],
  ["a service that fails", "The service returned an error.", (route: Route) => route.fulfill(FAILURE)],
])("with %s, a bar says how old the shown data is, and disappears when an answer comes", async (_, says, answer) => {
  const { page, open, bar, heading, pressNamed } = await openReader();
  await open("/inbox", "Demo");
  await heading("Inbox").waitFor();
  await page.getByRole("article").first().waitFor();
  await page.route(LIST, answer);

  await bar.getByText(/^\s*Trying again in \d+ s$/).waitFor();
  expect(await bar.textContent()).toMatch(
    new RegExp(`^${says} Data from .*\\d\\d:\\d\\d\\s[AP]M\\. Trying again in \\d+ s$`),
  );
  expect(await page.getByRole("article").count()).toBeGreaterThan(0);
  await page.unroute(LIST);
  await pressNamed("Now");
  await expect.poll(() => bar.textContent()).toBe("");
});

test("a request that hangs is aborted after ten seconds, reported, and retried automatically", async () => {
  const { page, open, bar } = await openReader();
  let asked = 0;
  await page.route(LIST, (route) => {
    asked += 1;
    return asked > 1 ? route.continue() : undefined;
  });
  await open("/inbox", "Demo");
  await page.locator("main").getByText("The service did not answer.").waitFor();
  await bar.getByText("No network.").waitFor();

  await page.getByRole("article").first().waitFor();

  expect(await bar.textContent()).toBe("");
});

test("a console that is opened without a network says that there is no network, and recovers when the network is back", async () => {
  const { page, context, bar, heading } = await openReader({ serviceWorkers: "allow" });
  await page.evaluate("navigator.serviceWorker.ready.then(() => true)");
  await expect.poll(() => page.evaluate("caches.has('shell')")).toBe(true);
  await context.setOffline(true);
  await page.reload();
  await bar.getByText("No network.").waitFor();
  await heading("Inbox").waitFor();

  await context.setOffline(false);

  await page.getByRole("switch", { name: "All open" }).waitFor();
});

test("a sign-in that fails once while the console opens is retried", async () => {
  const { page, bar, open } = await openReader();
  let asked = 0;
  await page.route("**/oauth2/token", (route) => {
    asked += 1;
    return asked > 2 ? route.continue() : route.fulfill(FAILURE);
  });
  await open("/inbox", "Demo");
  await bar.getByText("The service returned an error.").waitFor();

  await page.getByRole("switch", { name: "All open" }).waitFor();
});

test("if a deployment has removed a script that the page needs, the page reloads once", async () => {
  const { page, heading, pressNamed, open } = await openReader();
  await open("/inbox", "Demo");
  await page.getByRole("switch", { name: "All open" }).waitFor();
  let refused = 0;
  // Blocks only the script of this page, because others may still be loading on a slow machine.
  await page.route("**/assets/rules-*.js", (route) => {
    refused += 1;
    return refused > 1 ? route.continue() : route.fulfill({ status: 404, body: "" });
  });
  const loaded = page.waitForEvent("load");

  await pressNamed("Rules");
  await loaded;
  await heading("Rules").waitFor();
  await page.getByText("Big orders").waitFor();
});

test("a script that cannot be loaded is reported under the page's heading, and loads when the network is back", async () => {
  const { page, context, goTo, open, bar } = await openReader();
  await open("/inbox", "Demo");
  await page.getByRole("switch", { name: "All open" }).waitFor();
  await context.setOffline(true);
  await goTo("Silences");
  await page.locator("main").getByText("The service did not answer.").waitFor();
  await bar.getByText("No network.").waitFor();

  await context.setOffline(false);

  await page.getByRole("link", { name: "New silence" }).waitFor();
});

test("after a press, the Acknowledge button shows Sending until the service has answered, and only then Acknowledged", async () => {
  const { page, open, pressNamed } = await openReader();
  const title = createUniqueTitle("Honest");
  const { eventId } = await sendUrgentEvent(title);
  let answer = Promise.withResolvers<"refuse" | "take">();
  await page.route(ACKNOWLEDGE, async (route) => {
    const body = JSON.stringify({ detail: "You may not.", code: "forbidden" });
    if ((await answer.promise) === "take") await route.continue();
    else await route.fulfill({ status: 403, contentType: "application/problem+json", body });
  });
  await open("/inbox", "Demo");
  const article = page.getByRole("article", { name: title });

  await pressNamed("Acknowledge", article);
  await article.getByRole("button", { name: "Sending" }).waitFor();
  expect(await article.getByText("Acknowledged").count()).toBe(0);
  answer.resolve("refuse");
  await article.getByText("You may not.").waitFor();
  expect(await callApi("Demo", "GET", `/events/${eventId}`)).toMatchObject({ state: "open" });

  answer = Promise.withResolvers();
  await open(`/events/${eventId}`, "Demo");
  await pressNamed("Acknowledge");
  await page.getByRole("button", { name: "Sending" }).waitFor();
  answer.resolve("take");
  await page.getByRole("button", { name: "Sending" }).waitFor({ state: "detached" });
  expect(await callApi("Demo", "GET", `/events/${eventId}`)).toMatchObject({ state: "acknowledged" });
});

test("an acknowledgement that is not sent yet can be retried by hand", async () => {
  const { page, open, pressNamed } = await openReader();
  const title = createUniqueTitle("Again");
  await sendUrgentEvent(title);
  await open("/inbox", "Demo");
  const article = page.getByRole("article", { name: title });
  await page.route(ACKNOWLEDGE, (route) => route.fulfill(FAILURE));
  await pressNamed("Acknowledge", article);
  await article.getByText("Not sent yet").waitFor();
  await page.unroute(ACKNOWLEDGE);

  await pressNamed("Try again", article);

  await article.waitFor({ state: "detached" });
});
