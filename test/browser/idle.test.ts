import { expect, test } from "vitest";
import { consolePages, findFirstId } from "../../tools/console-pages.ts";
import { asDora, callApi } from "./person.ts";

/** The maximum number of requests per minute of a page that is left open. */
const IDLE_MAX = 12;
const STEP_MS = 1000;

test("no page that is left open sends more than 12 requests a minute", { timeout: 300_000 }, async () => {
  const dora = await asDora();
  const { page } = dora;
  await page.clock.install();
  let asked = 0;
  page.on("request", (request) => (asked += Number(new URL(request.url()).pathname.startsWith("/v1/"))));
  const found: string[] = [];
  for (const { path, list } of consolePages) {
    const id = list === undefined ? "" : findFirstId(await callApi("Demo", "GET", list));
    await dora.open(path.replace(":id", id!), "Demo");
    await page.locator("main h1").waitFor();
    await page.locator("main:not([aria-busy=true]):not(:has(.skeleton))").waitFor();
    await page.waitForLoadState("networkidle");
    asked = 0;
    for (let passed = 0; passed < 60_000; passed += STEP_MS) {
      await page.clock.runFor(STEP_MS);
      await page.waitForTimeout(30);
    }
    if (asked > IDLE_MAX) found.push(`${path}: ${asked}`);
  }
  expect(found).toEqual([]);
  expect(asked).toBeGreaterThan(0);
});
