import { expect, onTestFinished, test } from "vitest";
import { launchChromium } from "../../tools/chromium.ts";
import { addAxe, findAxeFaults } from "./axe.ts";
import { aPerson, callApi, readSession, workspaceNamed } from "./person.ts";

const listPagePaths = async (): Promise<string[]> => {
  const [event] = (await callApi("Demo", "GET", "/events?state=open")).items!;
  const readFirstItem = async (list: string) => (await callApi<{ id: string }[]>("Demo", "GET", list))[0];
  const [rule, group, policy] = [
    await readFirstItem("/routing-rules"),
    await readFirstItem("/groups"),
    await readFirstItem("/escalation-policies"),
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
    "/simulator?eventKey=payment.errors&priority=URGENT",
    "/settings",
    "/statistics",
    "/statistics?by=rule",
    "/load",
    "/devices",
    "/night",
    "/notification-rules",
    "/keys?edit=new",
    "/webhooks?edit=new",
    "/import",
    "/audit",
    "/shadow",
    "/second-factor",
    "/no-such-page",
  ];
};

/** The argument for twice Chromium's default font size. */
const LARGE_TEXT = "--blink-settings=defaultFontSize=32";

test.each(["en-GB", "de-DE"])(
  "with doubled text size on a phone, no page is wider than the screen (%s)",
  async (locale) => {
    const browser = await launchChromium(LARGE_TEXT);
    onTestFinished(() => browser.close());
    const page = await browser.newPage({ locale, viewport: { width: 360, height: 800 } });
    await page.goto(`${readSession().baseUrl}/login?as=dora@demo.example`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    const wide: string[] = [];

    for (const path of await listPagePaths()) {
      await page.goto(new URL(path, readSession().baseUrl).href);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.locator("main .skeleton").waitFor({ state: "detached" });
      const width = await page.evaluate<number>("document.documentElement.scrollWidth");
      if (width > 360) wide.push(`${path}: ${width} pixels`);
    }

    expect(wide).toEqual([]);
  },
);

test("axe finds no accessibility fault on any page or in the Ctrl+K dialog, and no page or dialog is wider than a phone", async () => {
  const reader = await aPerson();
  const { page } = reader;
  await addAxe(page);
  await reader.signInAs("dora@demo.example");
  const faults: string[] = [];

  for (const path of await listPagePaths()) {
    await reader.open(path, "Demo");
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.locator("main [aria-label=Loading]").waitFor({ state: "detached" });
    faults.push(...(await findAxeFaults(page, path)));
  }
  await page.keyboard.press("Control+k");
  await page.getByRole("listbox", { name: "Places" }).waitFor();
  faults.push(...(await findAxeFaults(page, "Ctrl+K")));

  expect(faults).toEqual([]);
});
