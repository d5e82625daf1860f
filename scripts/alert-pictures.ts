import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { spawnService } from "../local/spawn.ts";
import { buildAnimation } from "../tools/apng.ts";
import { launchChromium } from "../tools/chromium.ts";
import { readArguments } from "../tools/command-line.ts";

readArguments(
  "npm run docs:alert    takes the moving picture of an alert in Chromium, and writes docs/img/alert-*.png",
  {},
);

/** Takes the pictures of an alert for the README. Needs Chromium: `apt-get install chromium`, or its path in CHROMIUM. */

const EVENT = {
  event: "backup.failed",
  title: "Database backup failed",
  body: "No space left on db-1. The last backup is a day old.",
  priority: "HIGH",
};
type ShownNotification = { title: string; body: string };
const SHOWN =
  "navigator.serviceWorker.ready.then((one) => one.getNotifications()).then((all) => all.map(({ title, body }) => ({ title, body })))";
/** Returns code that draws a notification, because screenshots do not contain the browser's own notifications. */
const renderNotificationScript = ({ title, body }: ShownNotification, scheme: "light" | "dark"): string => {
  const lines = [
    ["Event Alerting · now", "opacity: .7; font-size: 12px"],
    [title, "font-weight: 700; margin: 4px 0"],
    [body, ""],
  ];
  const style =
    "position: fixed; z-index: 9; top: 12px; right: 12px; width: 330px; padding: 12px 16px; border-radius: 12px;" +
    `box-shadow: 0 6px 24px #0006; font: 14px system-ui; ${scheme === "dark" ? "background: #3a3a3f; color: #fff" : "background: #fff; color: #111"}`;
  return `(() => {
    const card = Object.assign(document.createElement("div"), { id: "drawn", style: "${style}" });
    for (const [textContent, style] of ${JSON.stringify(lines)})
      card.append(Object.assign(document.createElement("div"), { textContent, style }));
    document.body.append(card);
  })()`;
};
/** Returns code that draws a mouse pointer at a position in CSS pixels. */
const renderPointerScript = (left: number, top: number): string => `(() => {
  const style = "position: fixed; z-index: 9; left: ${left}px; top: ${top}px; width: 24px; height: 32px; background: #000;" +
    "clip-path: polygon(0 0, 0 80%, 28% 62%, 50% 100%, 70% 90%, 50% 54%, 92% 54%)";
  document.body.append(Object.assign(document.createElement("div"), { id: "drawn", style }));
})()`;
const ERASE = "document.getElementById('drawn').remove()";

const dir = mkdtempSync(join(tmpdir(), "alert-"));
const service = await spawnService({ dir, env: { LOCAL_DEMO_DAYS: "1", LOCAL_PUSH: "stand-in" } });
const { baseUrl } = service.session;
const demo = service.workspace("Demo");
const dora = demo.members.find(({ name }) => name === "Dora");
if (dora === undefined) throw new Error("the demo has no Dora");

/** Signs Dora in, registers the browser for notifications, and returns the page with the inbox. */
const openInbox = async (context: BrowserContext): Promise<Page> => {
  await context.grantPermissions(["notifications"], { origin: baseUrl });
  const page = await context.newPage();
  await page.goto(`${baseUrl}/login?as=${dora.email}`);
  await page.getByRole("heading", { level: 1, name: "Inbox" }).waitFor();
  await page.goto(`${baseUrl}/devices?workspace=${demo.id}`);
  const registered = page.waitForResponse((one) => one.request().method() === "POST" && one.url().endsWith("/devices"));
  await page.getByRole("button", { name: "Notify this browser" }).first().click();
  await registered;
  await page.goto(`${baseUrl}/inbox?workspace=${demo.id}`);
  await page.locator("main [aria-label=Loading]").waitFor({ state: "detached" });
  return page;
};

const acknowledgeOpenEvents = async (): Promise<void> => {
  const { body } = await service.call("GET", `/v1/workspaces/${demo.id}/events?state=open`, { as: dora.token });
  const { items }: { items: { id: string }[] } = JSON.parse(JSON.stringify(body));
  const eventIds = items.map(({ id }) => id);
  if (eventIds.length > 0)
    await service.call("POST", `/v1/workspaces/${demo.id}/events/acknowledge`, { as: dora.token, body: { eventIds } });
};

/** Records how a person gets and acknowledges an alert. Returns each picture, and for how many ms the picture is shown. */
const recordFrames = async (browser: Browser, colorScheme: "light" | "dark") => {
  const context = await browser.newContext({ viewport: { width: 860, height: 480 }, colorScheme });
  const page = await openInbox(context);
  const frames: { png: Buffer; ms: number }[] = [];
  const takeFrame = async (ms: number): Promise<void> => void frames.push({ png: await page.screenshot(), ms });
  const eventLink = page.getByRole("link", { name: EVENT.title }).first();

  await page.getByText("No open alerts for you.").waitFor();
  await takeFrame(1500);

  const headers = { "X-Api-Key": demo.apiKey, "Content-Type": "application/json" };
  await fetch(`${baseUrl}/v1/events`, { method: "POST", headers, body: JSON.stringify(EVENT) });
  await eventLink.waitFor();
  let shown: ShownNotification | undefined;
  while (shown === undefined) {
    await page.waitForTimeout(200);
    [shown] = await page.evaluate<ShownNotification[]>(SHOWN);
  }
  await page.evaluate(renderNotificationScript(shown, colorScheme));
  await takeFrame(2500);
  await page.evaluate(ERASE);

  const button = page.getByRole("button", { name: /^Acknowledge(?! all)/ }).first();
  const { x = 0, y = 0, width = 0, height = 0 } = (await button.boundingBox()) ?? {};
  await page.evaluate(renderPointerScript(x + width / 2, y + height / 2));
  await takeFrame(1200);
  await page.evaluate(ERASE);

  await button.click();
  await page.getByText("1 event acknowledged.").waitFor();
  await takeFrame(1500);

  await page.goto(`${baseUrl}/events?workspace=${demo.id}`);
  await eventLink.click();
  await page.getByText("Dora acknowledged.").first().waitFor();
  await page.getByRole("heading", { name: "Timeline" }).evaluate((heading) => heading.scrollIntoView());
  await takeFrame(4000);
  await context.close();
  return frames;
};

const browser = await launchChromium();
try {
  for (const colorScheme of ["light", "dark"] as const) {
    await acknowledgeOpenEvents();
    const file = join(import.meta.dirname, `../docs/img/alert-${colorScheme}.png`);
    writeFileSync(file, buildAnimation(await recordFrames(browser, colorScheme)));
    console.log(file);
  }
} finally {
  await browser.close();
  await service.stop();
  rmSync(dir, { recursive: true, force: true });
}
