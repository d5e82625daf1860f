import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startDesktop, type Shown } from "./desktop/desktop.ts";
import { startPushService } from "./desktop/push-service.ts";
import { callApi, sendEvent, readSession, workspaceNamed } from "./person.ts";

/** `LOCK_SCREEN_ROUNDS=50 npm run test:browser -- lock-screen` measures with 50 rounds. */
const ROUNDS = Number(process.env["LOCK_SCREEN_ROUNDS"] ?? 2);

type Life = { state: string; acknowledgedBy: { name: string } | null };

const profile = mkdtempSync(join(tmpdir(), "profile-"));
let desktop: Awaited<ReturnType<typeof startDesktop>>;
let pushService: Awaited<ReturnType<typeof startPushService>>;
let phone: Awaited<ReturnType<typeof startPhone>> | undefined;

const SUBSCRIBED =
  "navigator.serviceWorker.ready.then((ready) => ready.pushManager.getSubscription()).then((one) => one?.endpoint)";

const waitForSubscription = async (page: Page): Promise<string> => {
  for (;;) {
    const endpoint = await page.evaluate(SUBSCRIBED);
    if (typeof endpoint === "string") return endpoint;
    await page.waitForTimeout(100);
  }
};

const startPhone = async () => {
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    args: ["--no-sandbox", ...pushService.args],
    env: desktop.env,
  });
  await context.grantPermissions(["notifications"], { origin: readSession().baseUrl });
  const page = context.pages()[0] ?? (await context.newPage());
  await page.goto(`${readSession().baseUrl}/login?as=heidi@globex.example`);
  await page.getByRole("heading", { level: 1, name: "Inbox" }).waitFor();
  await page.goto(`${readSession().baseUrl}/devices`);
  const enableNotifications = async () => {
    const registered = page.waitForResponse(
      (one) => one.request().method() === "POST" && one.url().endsWith("/devices"),
    );
    await page.getByRole("button", { name: "Notify this browser" }).first().click();
    await registered;
  };
  await enableNotifications();
  const endpoint = await waitForSubscription(page);
  // The console may have stopped waiting for the local push service, which is ready now.
  if ((await page.evaluate("localStorage.getItem('local-push')")) !== null) await enableNotifications();
  const devTools = await context.newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    devTools.on("ServiceWorker.workerRegistrationUpdated", ({ registrations: [one] }) => {
      if (one !== undefined) resolve(one.registrationId);
    });
  });
  await devTools.send("ServiceWorker.enable");
  const registrationId = await registered;
  await page.goto("about:blank");

  const gone = new AbortController();
  const query = new URLSearchParams({ endpoint }).toString();
  const stream = await fetch(`${readSession().baseUrl}/local/web-push/stream?${query}`, { signal: gone.signal });
  let last = Buffer.alloc(0);
  const forwardPushes = async () => {
    let text = "";
    for await (const chunk of stream.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
        const [, encrypted] = /^event: encrypted\ndata: (.+)$/.exec(text.slice(0, end)) ?? [];
        text = text.slice(end + 2);
        if (encrypted === undefined) continue;
        last = Buffer.from(encrypted, "base64url");
        pushService.deliver(endpoint, last);
      }
    }
  };
  void forwardPushes().catch(() => undefined);
  return {
    context,
    /** Delivers the last message once more, as a slow push service may. */
    deliverAgain: () => pushService.deliver(endpoint, last),
    /** Wakes the worker, as the browser does when the network is back. */
    sync: () =>
      devTools.send("ServiceWorker.dispatchSyncEvent", {
        origin: readSession().baseUrl,
        registrationId,
        tag: "receipts",
        lastChance: false,
      }),
    stop: async () => {
      gone.abort();
      await context.close();
    },
  };
};

beforeAll(async () => {
  [desktop, pushService] = await Promise.all([startDesktop(), startPushService()]);
  const heidi = workspaceNamed("Globex").members[1]!;
  // From the second page on, pushes are silent and share a tag.
  await callApi("Globex", "PATCH", "", { loudPerTenMinutes: 1 });
  const { id } = await callApi("Globex", "POST", "/groups", { name: "Lock screen" });
  await callApi("Globex", "POST", `/groups/${id}/members`, { userId: heidi.userId });
  await callApi("Globex", "POST", "/routing-rules", {
    name: "Lock screen",
    eventKey: "disk.*",
    targets: [{ type: "group", groupId: id }],
    requiresAck: true,
  });
  phone = await startPhone();
});
afterAll(async () => {
  await callApi("Globex", "PATCH", "", { loudPerTenMinutes: 10 });
  await phone?.stop();
  await pushService?.close();
  await desktop?.close();
  rmSync(profile, { recursive: true, force: true });
});

const readEvent = (eventId: string) => callApi<Life>("Globex", "GET", `/events/${eventId}`);
const waitUntilAcknowledged = async (eventId: string): Promise<Life> => {
  for (;;) {
    const life = await readEvent(eventId);
    if (life.state === "acknowledged") return life;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
};
let count = 0;
const sendEventAndAwaitPush = async (): Promise<{ eventId: string; shown: Shown; tookMs: number }> => {
  const title = `Disk ${(count += 1)} full`;
  const from = performance.now();
  const { eventId } = await sendEvent("Globex", { event: "disk.full", title, body: "2 % left", priority: "URGENT" });
  const shown = await desktop.shown(title);
  return { eventId, shown, tookMs: shown.at - from };
};
const percentile = (numbers: readonly number[], share: number): number =>
  Math.round(numbers.toSorted((a, b) => a - b)[Math.ceil(numbers.length * share) - 1] ?? NaN);

test("a push is shown while no page is open, and its button acknowledges the event", async () => {
  const toShown: number[] = [];
  const toAcknowledged: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const { eventId, shown, tookMs } = await sendEventAndAwaitPush();
    const pressed = performance.now();
    desktop.press(shown, "Acknowledge");
    const { acknowledgedBy } = await waitUntilAcknowledged(eventId);
    toShown.push(tookMs);
    toAcknowledged.push(performance.now() - pressed);
    expect(acknowledgedBy?.name).toBe("Heidi");
    await desktop.closed(shown.id);
  }
  const formatPercentiles = (label: string, numbers: readonly number[]) =>
    `${label}: p50 ${percentile(numbers, 0.5)} ms, p95 ${percentile(numbers, 0.95)} ms of ${numbers.length}`;
  process.stdout.write(
    `${formatPercentiles("from POST to shown", toShown)}; ${formatPercentiles("from the press to acknowledged", toAcknowledged)}\n`,
  );
});

test("an acknowledgement pressed on a notification without a network is shown as unsent, and sent once the network is back", async () => {
  const { eventId, shown } = await sendEventAndAwaitPush();
  const unsent = `Not acknowledged yet: ${shown.title}`;

  await phone?.context.setOffline(true);
  desktop.press(shown, "Acknowledge");
  const again = await desktop.shown(unsent);
  expect(again.body).toContain("The acknowledgement could not be sent.");
  desktop.press(again, "Try again");
  const still = await desktop.shown(unsent, again);
  expect((await readEvent(eventId)).state).toBe("open");

  await phone?.context.setOffline(false);
  await phone?.sync();
  expect((await waitUntilAcknowledged(eventId)).acknowledgedBy?.name).toBe("Heidi");
  await desktop.closed(still.id);
});

test("after signing out, a browser clears its notifications, shows no new ones, ignores presses and stores nothing", async () => {
  const { eventId, shown } = await sendEventAndAwaitPush();
  const page = await phone!.context.newPage();
  await page.goto(`${readSession().baseUrl}/devices`);
  const kept = "navigator.serviceWorker.getRegistrations().then((all) => all.length)";

  await page.getByRole("banner").getByRole("button", { expanded: false }).click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("button", { name: "Turn off and sign out" }).click();
  await page.waitForURL(/\/login$/);

  await desktop.closed(shown.id);
  expect(await callApi("Globex", "GET", "/devices", undefined, 1)).toEqual([]);
  expect(
    await page.evaluate(`Promise.all([${kept}, caches.keys(), Object.keys({ ...localStorage, ...sessionStorage })])`),
  ).toEqual([0, [], []]);
  const count = desktop.count();
  phone!.deliverAgain();
  desktop.press(shown, "Acknowledge");
  await page.waitForTimeout(1500);
  expect(desktop.count()).toBe(count);
  expect((await readEvent(eventId)).state).toBe("open");
});
