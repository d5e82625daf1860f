import axe from "axe-core";
import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { launchChromium } from "../../tools/chromium.ts";
import { aPerson, callApi, session, workspaceNamed } from "./person.ts";

type Found = { violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[] };

const paths = async (): Promise<string[]> => {
  const [event] = (await callApi("Demo", "GET", "/events?state=open")).items!;
  const first = async (list: string) => (await callApi<{ id: string }[]>("Demo", "GET", list))[0];
  const [rule, group, policy] = [
    await first("/routing-rules"),
    await first("/groups"),
    await first("/escalation-policies"),
  ];
  return [
    "/inbox",
    "/inbox?all=1",
    "/events",
    `/events/${event!.id}`,
    "/rules",
    `/rules/${rule!.id}`,
    `/on-call?override=${group!.id}`,
    "/on-call?by=people",
    `/on-call/${group!.id}`,
    "/escalation",
    `/escalation/${policy!.id}`,
    "/groups",
    `/groups/${group!.id}`,
    "/people?edit=new",
    `/people/${workspaceNamed("Demo").members[0]!.userId}`,
    "/silences",
    "/silences/new",
    "/heartbeats?edit=new",
    "/sources?tool=mapped",
    "/what-if?eventKey=payment.errors&priority=URGENT",
    "/settings",
    "/statistics",
    "/statistics?by=rule",
    "/load",
    "/devices",
    "/night",
    "/notification-rules",
    "/keys?edit=new",
    "/webhooks?edit=new",
    "/audit",
    "/second-factor",
    "/no-such-page",
  ];
};

/** What axe finds in light and dark mode, on a phone and a desktop, and what is wider than the phone. */
const faultsOn = async (page: Page, path: string): Promise<string[]> => {
  const faults: string[] = [];
  for (const width of [1280, 360])
    for (const colorScheme of ["light", "dark"] as const) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      const { violations } = await page.evaluate<Found>(
        'axe.run({ resultTypes: ["violations"], rules: { "target-size": { enabled: true } } })',
      );
      const where = `${path} ${width} ${colorScheme}`;
      const found = violations.map(({ id, nodes }) => ({
        id,
        // A shift in the calendar has the width of its duration; for short shifts, "Override" does the same.
        nodes: nodes.filter(({ html }) => id !== "target-size" || !html.includes('class="shift')),
      }));
      for (const { id, nodes } of found.filter(({ nodes }) => nodes.length > 0))
        faults.push(`${where}: ${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`);
      const wide = await page.evaluate<number>("document.documentElement.scrollWidth");
      if (wide > width) faults.push(`${where}: ${wide} pixels wide`);
    }
  return faults;
};

/** Twice the default font size. */
const LARGE_TEXT = "--blink-settings=defaultFontSize=32";

test.each(["en-GB", "de-DE"])(
  "with doubled text size on a phone, no page is wider than the screen (%s)",
  async (locale) => {
    const browser = await launchChromium(LARGE_TEXT);
    onTestFinished(() => browser.close());
    const page = await browser.newPage({ locale, viewport: { width: 360, height: 800 } });
    await page.goto(`${session().baseUrl}/login?as=dora@demo.example`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    const wide: string[] = [];

    for (const path of await paths()) {
      await page.goto(new URL(path, session().baseUrl).href);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.locator("main .skeleton").waitFor({ state: "detached" });
      const width = await page.evaluate<number>("document.documentElement.scrollWidth");
      if (width > 360) wide.push(`${path}: ${width} pixels`);
    }

    expect(wide).toEqual([]);
  },
);

test("axe finds no fault on any page or in the Ctrl+K dialog, and none of them is wider than a phone", async () => {
  const reader = await aPerson();
  const { page } = reader;
  await page.addInitScript(axe.source);
  await reader.signInAs("dora@demo.example");
  const faults: string[] = [];

  for (const path of await paths()) {
    await reader.open(path, "Demo");
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.locator("main [aria-label=Loading]").waitFor({ state: "detached" });
    faults.push(...(await faultsOn(page, path)));
  }
  await page.keyboard.press("Control+k");
  await page.getByRole("listbox", { name: "Places" }).waitFor();
  faults.push(...(await faultsOn(page, "Ctrl+K")));

  expect(faults).toEqual([]);
});
