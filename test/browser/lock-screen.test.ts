import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startDesktop, type Shown } from "./desktop/desktop.ts";
import { callApi, sendEvent, session, workspaceNamed } from "./person.ts";

/* Chromium with a desktop of its own: pushes come while no page is open, and somebody presses what the desktop shows. */

/** `LOCK_SCREEN_ROUNDS=50 npm run test:browser -- lock-screen` measures. */
const ROUNDS = Number(process.env["LOCK_SCREEN_ROUNDS"] ?? 2);

type Life = { state: string; acknowledgedBy: { name: string } | null };

const profile = mkdtempSync(join(tmpdir(), "profile-"));
let desktop: Awaited<ReturnType<typeof startDesktop>>;
let phone: Awaited<ReturnType<typeof startPhone>> | undefined;

/** Alice's browser, registered as a device and without a page. */
const startPhone = async () => {
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    args: ["--no-sandbox"],
    env: desktop.env,
  });
  await context.grantPermissions(["notifications"], { origin: session().baseUrl });
  const page = context.pages()[0] ?? (await context.newPage());
  const devTools = await context.newCDPSession(page);
  let registrationId = "";
  devTools.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
    registrationId = registrations.at(-1)?.registrationId ?? registrationId;
  });
  await devTools.send("ServiceWorker.enable");
  await page.goto(`${session().baseUrl}/login?as=alice@acme.example`);
  await page.getByRole("heading", { level: 1, name: "Inbox" }).waitFor();
  await page.goto(`${session().baseUrl}/devices`);
  await page.getByRole("button", { name: "Notify this browser" }).first().click();
  await page.getByText("is told from now on").waitFor();
  const endpoint = String(await page.evaluate("localStorage.getItem('local-push')"));
  await page.goto("about:blank");

  // What comes for this browser is handed to it as its push service would.
  const gone = new AbortController();
  const stream = await fetch(
    `${session().baseUrl}/local/web-push/stream?${new URLSearchParams({ endpoint }).toString()}`,
    { signal: gone.signal },
  );
  const follow = async () => {
    let text = "";
    for await (const chunk of stream.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
        const line = text.slice(0, end);
        text = text.slice(end + 2);
        if (!line.startsWith("data: ")) continue;
        const data = line.slice("data: ".length);
        await devTools.send("ServiceWorker.deliverPushMessage", { origin: session().baseUrl, registrationId, data });
      }
    }
  };
  void follow().catch(() => undefined);
  return {
    context,
    stop: async () => {
      gone.abort();
      await context.close();
    },
  };
};

beforeAll(async () => {
  desktop = await startDesktop();
  const alice = workspaceNamed("Acme").members[0]!;
  const { id } = await callApi("Acme", "POST", "/groups", { name: "Lock screen" });
  await callApi("Acme", "POST", `/groups/${id}/members`, { userId: alice.userId });
  await callApi("Acme", "POST", "/routing-rules", {
    name: "Lock screen",
    eventKey: "disk.*",
    targets: [{ type: "group", groupId: id }],
    requiresAck: true,
  });
  phone = await startPhone();
});
afterAll(async () => {
  await phone?.stop();
  await desktop?.close();
  rmSync(profile, { recursive: true, force: true });
});

const eventOf = (eventId: string) => callApi<Life>("Acme", "GET", `/events/${eventId}`);
const acknowledged = async (eventId: string): Promise<Life> => {
  for (;;) {
    const life = await eventOf(eventId);
    if (life.state === "acknowledged") return life;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
};
let count = 0;
const alert = async (): Promise<{ eventId: string; shown: Shown; tookMs: number }> => {
  const title = `Disk ${(count += 1)} full`;
  const from = performance.now();
  const { eventId } = await sendEvent("Acme", { event: "disk.full", title, body: "2 % left", priority: "URGENT" });
  const shown = await desktop.shown(title);
  return { eventId, shown, tookMs: shown.at - from };
};
const percentile = (numbers: readonly number[], share: number): number =>
  Math.round(numbers.toSorted((a, b) => a - b)[Math.ceil(numbers.length * share) - 1] ?? NaN);

test("a push is shown with no page open, and a press on its button acknowledges the event", async () => {
  const toShown: number[] = [];
  const toAcknowledged: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const { eventId, shown, tookMs } = await alert();
    const pressed = performance.now();
    desktop.press(shown, "Acknowledge");
    const { acknowledgedBy } = await acknowledged(eventId);
    toShown.push(tookMs);
    toAcknowledged.push(performance.now() - pressed);
    expect(acknowledgedBy?.name).toBe("Alice");
    await desktop.closed(shown.id);
  }
  const told = (what: string, all: readonly number[]) =>
    `${what}: p50 ${percentile(all, 0.5)} ms, p95 ${percentile(all, 0.95)} ms of ${all.length}`;
  process.stdout.write(
    `${told("from POST to shown", toShown)}; ${told("from the press to acknowledged", toAcknowledged)}\n`,
  );
});
