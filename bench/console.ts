import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Browser, CDPSession, Page } from "playwright-core";
import * as v from "valibot";
import type { Session } from "../local/session.ts";
import { spawnService } from "../local/spawn.ts";
import { launchChromium } from "../tools/chromium.ts";
import { readArguments } from "../tools/command-line.ts";
import { consolePages, findFirstId } from "../tools/console-pages.ts";
import { writeSection } from "./performance-page.ts";
import { median } from "./scenario.ts";

/*
 * Measures the console in Chromium. A slow network and processor show loading times, layout shift and the longest interaction.
 * A normal network and processor show the requests of open pages, repeated data, and how smoothly a page scrolls.
 */

const usage = `npm run bench:console -- --rounds 5     number of visits (5)
npm run bench:console -- --no-page      without writing docs/performance.md`;

const values = readArguments(usage, {
  rounds: { type: "string", default: "5" },
  "no-page": { type: "boolean", default: false },
});
const rounds = Number(values.rounds);

const ROWS = 1000;
const PAINT_GOAL_MS = 500;
const INBOX_GOAL_MS = 1400;
/** The highest allowed layout shift (Chromium's CLS). */
const SHIFT_GOAL = 0;
const PAGE_GOAL_MS = 2000;
const INTERACTION_GOAL_MS = 100;
/** The maximum number of requests per minute from an open page. */
const IDLE_GOAL = 12;
/** The maximum number of answers other than 304 to a page whose data stays the same. */
const CHANGED_GOAL = 0;
const FRAME_GOAL_MS = 50;
const SLOW_NETWORK = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };
const SLOWDOWN = 4;
const WAIT_MS = 60_000;

/** Sends a request as the first workspace's first member, and returns the JSON of the answer. Throws if the service refuses. */
const postAsFirstMember = async (session: Session, path: string, body: object): Promise<unknown> => {
  const [workspace] = session.workspaces;
  const answer = await fetch(`${session.baseUrl}/v1/workspaces/${workspace?.id}${path}`, {
    method: "POST",
    headers: { Authorization: `Bearer ${workspace?.members[0]?.token}`, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`POST ${path} was answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
};

/** Signs a person in, and returns the page with the inbox and the page's DevTools session. */
const openSignedIn = async (
  browser: Browser,
  session: Session,
  email: string,
): Promise<{ page: Page; cdp: CDPSession }> => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  context.setDefaultTimeout(WAIT_MS);
  const page = await context.newPage();
  await page.goto(`${session.baseUrl}/login?as=${email}`);
  await page.getByRole("heading", { level: 1, name: "Inbox" }).waitFor();
  return { page, cdp: await context.newCDPSession(page) };
};

const SHIFTS = `globalThis.moved = 0;
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) globalThis.moved += value;
}).observe({ type: "layout-shift", buffered: true });`;
/** The wait until an opened page no longer changes. */
const STEADY_MS = 4000;

const throttleBrowser = async (cdp: CDPSession): Promise<void> => {
  await cdp.send("Network.emulateNetworkConditions", SLOW_NETWORK);
  await cdp.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
};

/** Returns the time from the request until the page is usable, in milliseconds, with empty caches. */
const timePageOpening = async (
  { page, cdp }: { page: Page; cdp: CDPSession },
  url: string,
  waitUntilUsable: () => Promise<unknown>,
): Promise<number> => {
  await page.goto("about:blank");
  await cdp.send("Network.clearBrowserCache");
  await cdp.send("Storage.clearDataForOrigin", {
    origin: new URL(url).origin,
    storageTypes: "service_workers,cache_storage",
  });
  const began = performance.now();
  await page.goto(url, { waitUntil: "commit" });
  await waitUntilUsable();
  return performance.now() - began;
};

/** Returns the time to the first paint and to the Acknowledge button (in ms), and the layout shift. */
const measureInbox = async (browser: Browser, session: Session, email: string) => {
  const { page, cdp } = await openSignedIn(browser, session, email);
  await throttleBrowser(cdp);
  await page.addInitScript(SHIFTS);
  const button = page.getByRole("article").getByRole("button", { name: "Acknowledge", exact: true }).first();
  const usable = await timePageOpening({ page, cdp }, `${session.baseUrl}/inbox`, () => button.waitFor());
  const paint = await page.evaluate<number>('performance.getEntriesByName("first-contentful-paint")[0].startTime');
  await page.waitForTimeout(STEADY_MS);
  const moved = await page.evaluate<number>("globalThis.moved");
  await page.context().close();
  return { paint, usable, moved };
};

const LOADED = "main:not([aria-busy=true]):not(:has(.skeleton)) h1";

/** Returns the median time (in ms) until each page shows its content, slowest first. */
const timePages = async (browser: Browser, session: Session, email: string): Promise<[path: string, ms: number][]> => {
  const workspace = service.workspace("Demo");
  const { page, cdp } = await openSignedIn(browser, session, email);
  await throttleBrowser(cdp);
  const opened: [string, number][] = [];
  for (const { path, list } of consolePages) {
    const listed =
      list !== undefined &&
      (await service.call("GET", `/v1/workspaces/${workspace.id}${list}`, { as: workspace.members[0]?.token ?? "" }));
    const id = listed === false ? "" : (findFirstId(listed.body) ?? "");
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1)
      times.push(
        await timePageOpening({ page, cdp }, `${session.baseUrl}${path.replace(":id", id)}`, () =>
          page.locator(LOADED).waitFor(),
        ),
      );
    opened.push([path, median(times)]);
  }
  await page.context().close();
  return opened.toSorted(([, one], [, other]) => other - one);
};

/** A script that keeps the longest interaction in `longest`. Chromium reports durations from 16 ms, in steps of 8 ms. */
const INTERACTIONS = `globalThis.longest = 0;
new PerformanceObserver((list) => {
  for (const { duration, interactionId } of list.getEntries()) if (interactionId > 0) globalThis.longest = Math.max(globalThis.longest, duration);
}).observe({ type: "event", buffered: true, durationThreshold: 16 });`;

/** Returns the longest time in ms from a key or click to the next frame, on a slow processor. */
const measureInteractions = async (browser: Browser, session: Session): Promise<number> => {
  const [workspace] = session.workspaces;
  const { page, cdp } = await openSignedIn(browser, session, workspace?.members[0]?.email ?? "");
  await page.addInitScript(INTERACTIONS);
  await page.goto(`${session.baseUrl}/inbox?workspace=${workspace?.id}`);
  const group = page.getByRole("article", { name: FLOOD });
  await group.waitFor();
  await page.waitForTimeout(STEADY_MS);
  await cdp.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
  await group.getByRole("button", { expanded: false }).click();
  for (const key of ["j", "j", "k"]) await page.keyboard.press(key);
  await page.keyboard.press("Control+k");
  await page.getByRole("listbox", { name: "Places" }).waitFor();
  await page.keyboard.type("bench");
  // The first Escape clears the search field; the second closes the dialog.
  for (const key of ["Escape", "Escape"]) await page.keyboard.press(key);
  const main = page.getByRole("navigation", { name: "Main" });
  for (const name of ["Events", "Rules", "Inbox"]) {
    await main.getByRole("link", { name: new RegExp(`^${name}`) }).click();
    await page.getByRole("heading", { level: 1, name }).waitFor();
    await page.locator(LOADED).waitFor();
  }
  await page.waitForTimeout(STEADY_MS);
  const longest = await page.evaluate<number>("globalThis.longest");
  await page.context().close();
  return longest;
};

const MINUTE = 60_000;
const WATCHED = ["/inbox", "/events", "/on-call", "/integrations", "/rules", "/webhooks"];

/** Counts the API requests of an open page in a minute (`asked`), and the answers with changed lists of events (`changed`). */
const countIdleRequests = async (browser: Browser, session: Session, email: string, path: string) => {
  const { page } = await openSignedIn(browser, session, email);
  await page.goto(`${session.baseUrl}${path}`);
  await page.locator(LOADED).waitFor();
  await page.waitForTimeout(STEADY_MS);
  let asked = 0;
  const statuses: number[] = [];
  page.on("response", (answer) => {
    const { pathname } = new URL(answer.url());
    if (pathname.startsWith("/v1/")) asked += 1;
    if (pathname.endsWith("/events")) statuses.push(answer.status());
  });
  await page.waitForTimeout(MINUTE);
  await page.context().close();
  return { path, asked, changed: statuses.filter((status) => status !== 304).length };
};

/** A script that scrolls down in steps of half a screen, and returns the longest time between two frames in ms. */
const SCROLL = `new Promise((resolve) => {
  let longest = 0;
  let last = performance.now();
  const scrollStep = (frameTime) => {
    longest = Math.max(longest, frameTime - last);
    last = frameTime;
    const before = window.scrollY;
    window.scrollBy(0, innerHeight / 2);
    if (window.scrollY > before) requestAnimationFrame(scrollStep);
    else resolve(longest);
  };
  requestAnimationFrame((now) => { last = now; requestAnimationFrame(scrollStep); });
})`;

/** Scrolls through the list of rules. Returns the number of rows, and the longest time between two frames in ms. */
const scrollRules = async (browser: Browser, session: Session) => {
  const [workspace] = session.workspaces;
  const { page } = await openSignedIn(browser, session, workspace?.members[0]?.email ?? "");
  await page.goto(`${session.baseUrl}/rules?workspace=${workspace?.id}`);
  await page.getByText(`Rule ${ROWS}`, { exact: true }).waitFor();
  const rows = await page.evaluate<number>('document.querySelectorAll("main li, main tbody tr").length');
  const longest = await page.evaluate<number>(SCROLL);
  await page.context().close();
  return { rows, longest };
};

const FLOOD = "Flood";
const BATCH = 20;
const BUSY = 429;
const PAUSE_MS = 1000;

/** Sends an event of low priority, and repeats the request after a second if a limit refuses it. */
const sendEvent = async (session: Session, title: string): Promise<void> => {
  for (;;) {
    const answer = await fetch(`${session.baseUrl}/v1/events`, {
      method: "POST",
      headers: { "X-Api-Key": session.workspaces[0]?.apiKey ?? "", "Content-Type": "application/json" },
      body: JSON.stringify({ event: "flood.low", title, body: "b", priority: "LOW" }),
    });
    if (answer.ok) return;
    if (answer.status !== BUSY) throw new Error(`the event was answered ${answer.status}: ${await answer.text()}`);
    await sleep(PAUSE_MS);
  }
};

/** Creates a thousand open events of one rule, in the inbox of the workspace's first member. */
const createOpenEvents = async (session: Session, groupId: string): Promise<void> => {
  const [workspace] = session.workspaces;
  await postAsFirstMember(session, `/groups/${groupId}/members`, { userId: workspace?.members[0]?.userId });
  const targets = [{ type: "group", groupId }];
  await postAsFirstMember(session, "/routing-rules", { name: FLOOD, eventKey: "flood.*", targets, requiresAck: true });
  for (let sent = 0; sent < ROWS; sent += BATCH)
    await Promise.all(Array.from({ length: BATCH }, (_, nr) => sendEvent(session, `Low ${sent + nr}`)));
};

const dir = mkdtempSync(join(tmpdir(), "bench-console-"));
const service = await spawnService({ dir, env: { LOCAL_DEMO_DAYS: "7", LOCAL_PUSH: "stand-in" } });
const browser = await launchChromium();
try {
  const { session } = service;
  const lead = session.workspaces.find(({ name }) => name === "Demo")?.members[0]?.email ?? "";
  const visits = [];
  for (let round = 0; round < rounds; round += 1) visits.push(await measureInbox(browser, session, lead));
  const opened = await timePages(browser, session, lead);
  const watched = await Promise.all(WATCHED.map((path) => countIdleRequests(browser, session, lead, path)));
  const [inbox] = watched;
  if (inbox === undefined || inbox.asked === 0) throw new Error("an open inbox has not polled");

  const { id: groupId } = v.parse(
    v.object({ id: v.string() }),
    await postAsFirstMember(session, "/groups", { name: "Everybody" }),
  );
  await createOpenEvents(session, groupId);
  const interactions: number[] = [];
  for (let round = 0; round < rounds; round += 1) interactions.push(await measureInteractions(browser, session));
  for (let nr = 1; nr <= ROWS; nr += 1) {
    const targets = [{ type: "group", groupId }];
    await postAsFirstMember(session, "/routing-rules", { name: `Rule ${nr}`, eventKey: "bench.*", targets });
  }
  const scrolls = [];
  for (let round = 0; round < rounds; round += 1) scrolls.push(await scrollRules(browser, session));

  const [paint, usable] = [median(visits.map((one) => one.paint)), median(visits.map((one) => one.usable))];
  const longest = median(scrolls.map((one) => one.longest));
  // Layout shift is rounded to two decimals, like in browser tools.
  const moved = Number(median(visits.map((one) => one.moved)).toFixed(2));
  const [[slowest, slowestMs] = ["", 0]] = opened;
  const interaction = median(interactions);
  const [idle = inbox] = watched.toSorted((one, other) => other.asked - one.asked);
  const goals: [name: string, value: number, goal: number][] = [
    ["inbox requested, to the first paint (ms)", Math.round(paint), PAINT_GOAL_MS],
    ["inbox requested, to a working Acknowledge button (ms)", Math.round(usable), INBOX_GOAL_MS],
    ["layout shift meanwhile", moved, SHIFT_GOAL],
    [
      `slowest of ${opened.length} pages requested, to its content: ${slowest} (ms)`,
      Math.round(slowestMs),
      PAGE_GOAL_MS,
    ],
    [`longest interaction with ${ROWS} open events (ms)`, interaction, INTERACTION_GOAL_MS],
    [`longest frame while ${scrolls[0]?.rows} rules scroll by (ms)`, Math.round(longest), FRAME_GOAL_MS],
    [`most requests in a minute of one of ${watched.length} open pages: ${idle.path}`, idle.asked, IDLE_GOAL],
    ["unchanged lists that an open inbox received again in a minute", inbox.changed, CHANGED_GOAL],
  ];
  const lines = [
    `The figures are medians of ${rounds} runs in Chromium; requests are counted in one run. The first four rows are measured with a network of 1.6 Mbit/s and 150 ms latency, a processor slowed down ${SLOWDOWN} times, and empty caches; the interactions are measured only with the slow processor.`,
    "",
    "| What | Here | Goal |",
    "|---|---|---|",
    ...goals.map((goal) => `| ${goal.join(" | ")} |`),
  ];
  console.log(lines.join("\n"));
  for (const [path, ms] of opened) console.log(`${path}: ${Math.round(ms)} ms`);
  for (const { path, asked } of watched) console.log(`${path}: ${asked} requests in a minute`);
  if (!values["no-page"]) writeSection("console", lines);
  if (goals.some(([, value, goal]) => value > goal)) process.exitCode = 1;
} finally {
  await browser.close();
  await service.stop();
  rmSync(dir, { recursive: true, force: true });
}
